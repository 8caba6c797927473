import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// Collects the keys that a capture holds, and the data that each of them decrypts.
public struct KeysCollector: DocumentCollector {
    /// More than any host is bonded with.
    private static let keyLimit = 512
    /// Private addresses to which the Identity Resolving Keys are applied.
    private static let addressLimit = 16_384

    private var keys: [KeysModel.Key] = []
    private var forgotten = 0
    private var addresses: Set<BluetoothAddress> = []
    /// The last Identity Resolving Key of a side of a connection, until its address comes.
    private var pending: [Side: Int] = [:]

    /// Open connections that paired, by number.
    private var pairings: [Int: Pairing] = [:]
    /// Whether the link layer's packets of a connection can be read, by its number.
    private var decryptions: [Int: (state: Decryption, frame: Int)] = [:]

    private struct Pairing {
        /// Whether the initiator offers LE Secure Connections.
        var isSecureOffered: Bool?
        /// LE legacy pairing, whose Short Term Key encrypts the link next.
        var isLegacy = false
        /// Whether the last LE Long Term Key Request has no Rand and no EDIV.
        var isRequestUnnamed = false
    }

    private struct Side: Hashable {
        let connection: Int
        let isReceived: Bool
    }

    package init() {}

    public var wantsPackets: Bool { true }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .smp(let pdu): note(pdu, event, in: trace)
        case .command(let command): note(command, event, in: trace)
        case .hciEvent(let packet): note(packet, event, in: trace)
        case .att(let operation):
            guard case .signedWriteCommand(let pdu) = operation.pdu else { return }
            for index in keys.indices where keys[index].kind == .signatureKey && pdu.isSigned(with: keys[index].value) {
                keys[index].signedWrites += 1
            }
        case .connection(.decryption(let state)): note(state, event, in: trace)
        case .advertising(let report): note(report.address)
        case .air(let packet): if packet.decrypted != nil { count(event, in: trace) }
        case .connection(.made):
            guard let index = event.connection else { return }
            note(trace.connections[index].privateAddress ?? trace.peerAddress(trace.connections[index].peer))
            note(trace.connections[index].central)
        case .connection(.ended):
            if let index = event.connection { pairings[trace.connections[index].number] = nil }
        default: break
        }
    }

    private mutating func note(_ state: Decryption, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let index = event.connection else { return }
        let connection = trace.connections[index]
        if decryptions[connection.number] != nil || decryptions.count < Self.keyLimit {
            decryptions[connection.number] = (state, event.frame)
        }
        guard state == .active(.pairing), let key = trace.decryptionKey(ofConnection: index) else { return }
        note(.shortTermKey, key, of: trace.peerAddress(connection.peer), "computed from the pairing", event)
    }

    private mutating func note(_ packet: HCIEvent, _ event: borrowing Event, in trace: borrowing Trace) {
        if let link = LinkKeyParameters(packet) {
            note(.linkKey, link.linkKey, of: link.address, "Link Key Notification", event)
        } else if let stored = StoredLinkKeys(packet) {
            note(stored, "Return Link Keys", event)
        } else if let request = LELongTermKeyRequestEvent(packet),
            let index = trace.connection(request.connectionHandle, of: event.controller)
        {
            pairings[trace.connections[index].number]?.isRequestUnnamed = request.isUnnamed
        }
    }

    private mutating func note(_ stored: borrowing StoredLinkKeys, _ source: String, _ event: borrowing Event) {
        for index in 0..<stored.count {
            note(.linkKey, stored[index].linkKey, of: stored[index].address, source, event)
        }
    }

    private mutating func note(_ address: BluetoothAddress?) {
        guard let address, address.kind == .resolvable, addresses.count < Self.addressLimit else { return }
        addresses.insert(address)
    }

    private mutating func note(_ pdu: SMPPDU, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let index = event.connection else { return }
        let connection = trace.connections[index]
        let isReceived = event.direction == .rx
        let device =
            isReceived
            ? trace.peerAddress(connection.peer) : connection.central ?? trace.controller(ofConnection: index).address
        let number = connection.number
        switch pdu {
        case .pairingRequest(let features):
            pairings[number] = Pairing(isSecureOffered: features.authReq.secureConnections)
        case .pairingResponse(let features):
            let isSecure = features.authReq.secureConnections && pairings[number]?.isSecureOffered != false
            pairings[number, default: Pairing()].isLegacy = !isSecure
        case .pairingFailed: pairings[number] = nil
        case .encryptionInformation(let pdu):
            note(.longTermKey, pdu.longTermKey, of: device, "distributed when pairing", event, isOfHost: !isReceived)
        case .signingInformation(let pdu):
            note(.signatureKey, pdu.signatureKey, of: device, "distributed when pairing", event, isOfHost: !isReceived)
        case .identityInformation(let pdu):
            note(
                .identityResolvingKey, pdu.identityResolvingKey, of: device, "distributed when pairing", event,
                isOfHost: !isReceived)
            pending[Side(connection: number, isReceived: isReceived)] =
                keys.firstIndex { $0.kind == .identityResolvingKey && $0.value == pdu.identityResolvingKey }
        case .identityAddressInformation(let pdu):
            let side = Side(connection: number, isReceived: isReceived)
            if let key = pending.removeValue(forKey: side) { keys[key].device = pdu.address }
        default: break
        }
    }

    private mutating func note(_ command: HCICommand, _ event: borrowing Event, in trace: borrowing Trace) {
        if let link = LinkKeyParameters(command) {
            return note(.linkKey, link.linkKey, of: link.address, "Link Key Request Reply", event)
        }
        if let stored = StoredLinkKeys(command) { return note(stored, "Write Stored Link Key", event) }
        if command.opcode == .leAddDeviceToResolvingList,
            case .leAddDeviceToResolvingList(let device) = try? HCICommandParameters(command)
        {
            note(.identityResolvingKey, device.peerIRK, of: device.peerIdentityAddress, "resolving list", event)
            let host = trace.controllers.first { $0.index == event.controller }?.address
            return note(.identityResolvingKey, device.localIRK, of: host, "resolving list", event, isOfHost: true)
        }
        guard let link = LinkCommand(command), let key = link.longTermKey else { return }
        let index = trace.connection(link.connectionHandle, of: event.controller)
        let isCentral = command.opcode == .leEnableEncryption
        let number = index.map { trace.connections[$0].number }
        let pairing = number.flatMap { pairings[$0] }
        // Rand and EDIV are 0 with a key from LE Secure Connections, too. Vol 3, Part H, 2.4.4.
        let isShort =
            pairing?.isLegacy == true && (isCentral ? link.isKeyUnnamed : pairing?.isRequestUnnamed == true)
        if isShort, let number { pairings[number]?.isLegacy = false }
        if encryptionKey(key) == nil {
            note(
                isShort ? .shortTermKey : .longTermKey, key,
                of: index.flatMap { trace.peerAddress(trace.connections[$0].peer) },
                isCentral ? "LE Enable Encryption" : "LE Long Term Key Request Reply", event)
        }
        if let number, let known = encryptionKey(key) { keys[known].connections.insert(number) }
    }

    /// Where the key of LE links with this value is.
    private func encryptionKey(_ value: UInt128) -> Int? {
        keys.firstIndex { ($0.kind == .longTermKey || $0.kind == .shortTermKey) && $0.value == value }
    }

    /// A key of 0 means none.
    private mutating func note(
        _ kind: KeysModel.Kind, _ value: UInt128, of device: BluetoothAddress?, _ source: String,
        _ event: borrowing Event, isOfHost: Bool = false
    ) {
        guard value != 0 else { return }
        if let known = keys.firstIndex(where: { $0.kind == kind && $0.value == value }) {
            keys[known].device = keys[known].device ?? device
            return
        }
        guard keys.count < Self.keyLimit else {
            forgotten += 1
            return
        }
        keys.append(
            KeysModel.Key(
                kind: kind, value: value, source: source, frame: event.frame, device: device, isOfHost: isOfHost))
    }

    /// A packet from the air that was decrypted.
    private mutating func count(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let index = event.connection, let key = trace.decryptionKey(ofConnection: index),
            let known = encryptionKey(key)
        else { return }
        keys[known].packets += 1
        keys[known].connections.insert(trace.connections[index].number)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> KeysModel {
        for index in keys.indices where keys[index].kind == .identityResolvingKey {
            let key = keys[index].value
            keys[index].addresses = addresses.count {
                UInt64(AddressHash.ah(key, UInt32(truncatingIfNeeded: $0.value >> 24))) == $0.value & 0xFF_FFFF
            }
        }
        let unread = decryptions.filter { !$0.value.state.isReadable }.sorted { $0.key < $1.key }
        return KeysModel(
            keys: keys, forgotten: forgotten,
            unread: unread.map { KeysModel.Unread(connection: $0.key, frame: $0.value.frame, reason: $0.value.state) },
            integrity: integrity)
    }
}

/// The keys of a capture, in the order in which they came.
public struct KeysModel: CaptureDocument {
    /// Kinds of keys. Core Specification, Vol 3, Part H, 2.4.1 and 2.3.5.5; Vol 4, Part E, 7.7.24.
    package enum Kind: String, Sendable {
        case longTermKey = "LTK"
        case shortTermKey = "STK"
        case identityResolvingKey = "IRK"
        case signatureKey = "CSRK"
        case linkKey = "link key"
    }

    /// One key.
    package struct Key: Sendable {
        package let kind: Kind
        /// The first octet as the specification prints it is the most significant one.
        package let value: UInt128
        /// How it got into the capture.
        package let source: String
        /// The first frame with it.
        package let frame: Int
        /// The device that it belongs to, or that it is shared with.
        package internal(set) var device: BluetoothAddress?
        /// Whether it belongs to the recorded host.
        package let isOfHost: Bool
        /// Connections that it encrypts, by number.
        package internal(set) var connections: Set<Int> = []
        /// Packets from the air that it decrypts.
        package internal(set) var packets = 0
        /// Private addresses of the capture that it resolves.
        package internal(set) var addresses = 0
        /// Signed Write Commands of the capture that it verifies.
        package internal(set) var signedWrites = 0
    }

    /// A connection on the air whose packets cannot be read.
    package struct Unread: Sendable {
        package let connection: Int
        package let frame: Int
        package let reason: Decryption
    }

    package let keys: [Key]
    /// Keys that are not listed.
    package let forgotten: Int
    /// By the number of the connection.
    package let unread: [Unread]
    public let integrity: CaptureIntegrity
}

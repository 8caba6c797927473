import AttlasCapture
import AttlasWire

/// A peer turned out to be a device that has another address, or had none that was known.
public struct PeerIdentification: Sendable {
    /// Index into `Trace.peers`.
    public let peer: Int
    /// Under which index the peer was known before: another one when the device had been met under its own address.
    public let previous: Int
    /// Its former address; nil if its connection began before the capture.
    public let privateAddress: BluetoothAddress?
}

/// Keys of one side of a connection, between the PDU that brings the key and the one that names its device.
struct PendingIdentityKeys: Sendable {
    private var transmitted: UInt128?
    private var received: UInt128?
    private var undirected: UInt128?

    subscript(_ side: Direction) -> UInt128? {
        get {
            switch side {
            case .tx: transmitted
            case .rx: received
            case .unknown: undirected
            }
        }
        set {
            switch side {
            case .tx: transmitted = newValue
            case .rx: received = newValue
            case .unknown: undirected = newValue
            }
        }
    }
}

extension Trace {
    /// Gives an Identity Resolving Key, with which the private addresses of its device are recognised. To be called before
    /// the first record.
    ///
    /// - Parameters:
    ///   - key: The first octet as it is written is the most significant one.
    ///   - identity: The device's identity address, if it is known.
    public mutating func addIdentityResolvingKey(_ key: UInt128, identity: BluetoothAddress? = nil) {
        _ = identities.add(key, identity)
    }

    /// The identity address of the device that uses this private address; nil if it is unknown.
    public func identity(of address: BluetoothAddress) -> BluetoothAddress? {
        identities.lookUp(address)
    }

    /// Keys that the sides of a connection exchange when they bond. Vol 3, Part H, 3.6.4 and 3.6.5.
    mutating func learnIdentity<Sink: EventSink & ~Copyable>(
        _ pdu: SMPPDU, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        switch pdu {
        case .identityInformation(let pdu):
            connections[slot].pendingIdentityKeys[context.side] = pdu.identityResolvingKey
        case .identityAddressInformation(let pdu):
            if let key = connections[slot].pendingIdentityKeys[context.side] {
                connections[slot].pendingIdentityKeys[context.side] = nil
                learnIdentity(key, pdu.address, context, into: &sink)
            }
            // Without a direction it is unknown whose identity it is.
            if context.side == .rx { identifyPeer(slot, pdu.address, context, into: &sink) }
        default: break
        }
    }

    /// Takes a key, and looks for peers that used an address made with it.
    mutating func learnIdentity<Sink: EventSink & ~Copyable>(
        _ key: UInt128, _ identity: BluetoothAddress, _ context: PDUContext, into sink: inout Sink
    ) {
        let known = identities.address(ofKey: key)
        guard identities.add(key, identity) else {
            if identities.isFull { reachedLimits.note(.identityKeys) }
            return
        }
        // A new key may be that of any peer; with a known one only the peer was resolved that it is known by.
        let candidates = known.map { $0.flatMap { peerTable.index(of: $0) }.map { $0..<$0 + 1 } ?? 0..<0 }
        for peer in candidates ?? peerTable.peers.indices {
            guard let address = peerTable.peers[peer].address, address.kind == .resolvable,
                let identity = identities.identity(of: address)
            else { continue }
            identify(peer, identity, context, into: &sink)
        }
    }

    /// The peer of a connection reported its identity.
    private mutating func identifyPeer<Sink: EventSink & ~Copyable>(
        _ slot: Int, _ identity: BluetoothAddress, _ context: PDUContext, into sink: inout Sink
    ) {
        let peer = connections[slot].peer
        let address = peerTable.peers[peer].address
        switch address?.kind {
        case nil, .resolvable, .nonResolvable: break
        default: return
        }
        if let address { identities.state(address, identity) }
        identify(peer, identity, context, into: &sink)
    }

    private mutating func identify<Sink: EventSink & ~Copyable>(
        _ peer: Int, _ identity: BluetoothAddress, _ context: PDUContext, into sink: inout Sink
    ) {
        let address = peerTable.peers[peer].address
        guard address != identity else { return }
        let slots = peerTable.peers[peer].slots
        let now = peerTable.identify(peer, as: identity)
        for slot in slots {
            connections[slot].peer = now
            if connections[slot].privateAddress == nil { connections[slot].privateAddress = address }
        }
        let slot = slots.min { connections[$0].number < connections[$1].number }
        let identification = PeerIdentification(peer: now, previous: peer, privateAddress: address)
        emit(context, slot, .identified(identification), into: &sink)
        if let slot { useImport(slot, context, into: &sink) }
    }
}

import AttlasCapture
import AttlasDissection
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Pairing, encryption and privacy.
extension LintCollector {
    // MARK: Values in the clear

    mutating func checkSecrecy(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        // On the air, readable data is not encrypted, even after missed packets.
        guard watches[slot].isComplete || trace.connections[slot].isHeard && watches[slot].isMade,
            trace.connections[slot].transport == .lowEnergy,
            !trace.connections[slot].isEncrypted
        else { return }
        switch operation.pdu {
        case .readResponse, .handleValueNotification, .handleValueIndication, .writeRequest, .writeCommand: break
        default: return
        }
        guard let attribute = operation.attribute, attribute.role == .value,
            let sensitivity = values.sensitivity(of: attribute, in: trace)
        else { return }
        var place = place(of: operation, slot, event, in: trace)
        // Both directions are one finding.
        place.party = nil
        report(
            sensitivity.isEncryptionDemanded ? .sensitiveUnencrypted : .personalUnencrypted, Moment(event), place,
            "\(sensitivity.subject.name) without encryption: \(operation.opcode.name).")
    }

    // MARK: Pairing

    mutating func check(_ pdu: borrowing SMPPDU, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard trace.connections[slot].transport == .lowEnergy else { return }
        if let passkey = watches[slot].pairing.commitments.note(pdu, from: event.direction) {
            note(passkey, slot, event, in: trace)
        }
        switch pdu {
        case .pairingRequest(let features):
            watches[slot].pairing.wasAsked = true
            watches[slot].pairing.request = (SMPPairingOffer(features), event.frame, event.direction)
            watches[slot].pairing.agreed = nil
        case .pairingResponse(let features):
            guard let request = watches[slot].pairing.request else { return }
            watches[slot].pairing.agreed = (
                request.offer, SMPPairingOffer(features), [request.frame, event.frame], request.direction
            )
            watches[slot].pairing.request = nil
        case .pairingFailed: watches[slot].pairing.agreed = nil
        case .pairingPublicKey(let key):
            met.insert(.publicKeys)
            guard key.isOfDebugPair else { return }
            report(
                .debugKey, Moment(event), place(slot, event.direction, in: trace),
                "The public key belongs to the specification's debug key pair.")
        case .identityInformation(let information):
            // A host without private addresses may distribute zeros, as its peers do.
            guard event.direction == .rx else { return }
            watches[slot].pairing.identityKey = information.identityResolvingKey
        case .identityAddressInformation(let identity):
            guard event.direction == .rx, let key = watches[slot].pairing.identityKey else { return }
            watches[slot].pairing.identityKey = nil
            met.insert(.identityKeys)
            guard let other = peers.note(identityKey: key, of: identity.address, frame: event.frame) else { return }
            report(
                .sharedIdentityKey, Moment(event), related: [other.frame], place(slot, event.direction, in: trace),
                "The key of \(identity.address) is that of \(other.address) (frame \(other.frame))"
                    + (key == 0 ? ": zeros." : "."))
        default: break
        }
    }

    private mutating func note(_ passkey: UInt32, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        met.insert(.passkeys)
        guard let peer = trace.peerAddress(trace.connections[slot].peer),
            let frame = peers.note(passkey, of: peer, frame: event.frame)
        else { return }
        report(
            .passkeyRepeated, Moment(event), related: [frame], place(slot, in: trace),
            "The passkey is that of the pairing in frame \(frame).")
    }

    // MARK: Keys

    /// Encryption could not start, or a connection ended, because the right key was missing.
    mutating func checkKey(
        _ error: HCIErrorCode, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        met.insert(.encryptionTried)
        let code = "\(error.name) (0x\(hexadecimal(UInt16(error.rawValue), digits: 2)))"
        guard slot < watches.count, watches[slot].isOpen, trace.connections[slot].transport == .lowEnergy,
            error == .pinOrKeyMissing || error == .micFailure
        else { return }
        var place = place(slot, in: trace)
        place.connection = place.peer == nil ? place.connection : nil
        report(.keyMissing, Moment(event), place, field: Int(error.rawValue), "Encryption failed: \(code).")
    }

    /// An Error Response about security.
    mutating func checkSecurityError(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event
    ) {
        guard case .errorResponse(let pdu) = operation.pdu, pdu.errorCode.wantsSecurity,
            !pdu.requestOpcodeInError.isCommand
        else { return }
        var errors = watches[slot].securityErrors ?? SecurityErrors(first: event.frame, last: Moment(event))
        errors.count += 1
        errors.last = Moment(event)
        errors.server = operation.server
        errors.handle = operation.handle
        errors.attribute = operation.attribute
        errors.name = pdu.errorCode.name
        watches[slot].securityErrors = errors
    }

    /// Error Responses about security since the connection began, or since pairing or encryption was tried.
    struct SecurityErrors {
        var count = 0
        let first: Int
        var last: Moment
        var server = ServerSide.peer
        var handle: AttributeHandle?
        var attribute: AttributeInfo?
        var name = ""

        init(first: Int, last: Moment) {
            self.first = first
            self.last = last
        }
    }

    private static let mostSecurityErrors = 3

    mutating func closeSecurity(_ slot: Int, in trace: borrowing Trace) {
        guard let errors = watches[slot].securityErrors, errors.count >= Self.mostSecurityErrors,
            watches[slot].isComplete, !watches[slot].wasEncrypted, !watches[slot].pairing.wasAsked
        else { return }
        report(
            .neverPaired, errors.last, related: [errors.first],
            place(slot, server: errors.server, errors.handle, errors.attribute, in: trace),
            "\(counted(errors.count, "error")) since frame \(errors.first), the last one \(errors.name); nobody began to pair."
        )
    }

    /// The link is encrypted: the agreed security is in force.
    mutating func noteEncryption(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard slot < watches.count, watches[slot].isOpen else { return }
        watches[slot].wasEncrypted = true
        met.insert(.encryptionTried)
        for server in ServerSide.allCases { watches[slot][server].subscribed.noteEncryption(event.frame, event.time) }
        defer {
            if watches[slot].isBonded, watches[slot].peerServer.isDiscovered,
                let peer = trace.peerAddress(trace.connections[slot].peer)
            {
                peers.noteBond(with: peer)
            }
        }
        guard let agreed = watches[slot].pairing.agreed,
            let method = SMPPairingMethod(request: agreed.request, response: agreed.response)
        else {
            // A key of an earlier pairing, unless this connection has paired already.
            if !watches[slot].pairing.hasPaired, watches[slot].isComplete {
                watches[slot].isBonded = true
                if let peer = trace.peerAddress(trace.connections[slot].peer) { peers.forgetPairings(of: peer) }
            }
            return
        }
        watches[slot].pairing.agreed = nil
        watches[slot].pairing.hasPaired = true
        watches[slot].pairing.time = (event.frame, event.time)
        met.insert(.paired)
        let (moment, place) = (Moment(event), place(slot, in: trace))
        if method.isBonding {
            watches[slot].isBonded = true
            if let peer = trace.peerAddress(trace.connections[slot].peer),
                let row = peers.notePairing(with: peer, connection: trace.connections[slot].number, frame: event.frame),
                row.count >= Self.pairingsInARow
            {
                report(
                    .pairingRepeated, moment, related: [row.frame], place,
                    "Paired in \(row.count) connections in a row, first in frame \(row.frame).")
            }
        }
        if !method.isSecureConnections {
            report(.legacyPairing, moment, related: agreed.frames, place, Self.withoutSecureConnections(agreed))
        }
        if method.keySize < 16 {
            let sizes = (agreed.request.maximumEncryptionKeySize, agreed.response.maximumEncryptionKeySize)
            report(
                .shortKey, moment, related: agreed.frames, place,
                "The key has \(method.keySize) octets: the initiator offered \(sizes.0), the responder \(sizes.1).")
        }
        if method.association == .justWorks, let better = Self.protected(agreed), better != .justWorks {
            report(
                .justWorks, moment, related: agreed.frames, place,
                "\(better.rawValue) was possible, but neither side requested it.")
        }
    }

    private static let pairingsInARow = 3

    private typealias Agreed = (
        request: SMPPairingOffer, response: SMPPairingOffer, frames: [Int], direction: Direction
    )

    private static func withoutSecureConnections(_ agreed: Agreed) -> String {
        let offers = (agreed.request.authReq.secureConnections, agreed.response.authReq.secureConnections)
        return switch (offers.0, offers.1, agreed.direction) {
        case (false, false, _): "Neither side offered Secure Connections."
        case (_, _, .unknown): "One side did not offer Secure Connections."
        case (false, _, .tx), (_, false, .rx): "The host did not offer Secure Connections."
        default: "The peer did not offer Secure Connections."
        }
    }

    /// The pairing method if one side had requested protection against a man in the middle.
    private static func protected(_ agreed: Agreed) -> SMPPairingMethod.Association? {
        SMPPairingMethod(request: agreed.request.askingForProtection, response: agreed.response)?.association
    }

    // MARK: Privacy

    mutating func check(_ report: borrowing AdvertisingReport, _ event: borrowing Event) {
        guard let address = report.address, address.kind == .resolvable else { return }
        met.insert(.privateAddresses)
        guard
            let known = peers.note(address, frame: event.frame, event.time), known.age > Self.longestPrivateAddress
        else { return }
        var place = LintFinding.Place()
        place.party = .peer
        place.peer = address
        self.report(
            .privateAddressKept, Moment(event), related: [known.frame], place,
            "Advertised since frame \(known.frame), for \(known.age / 60_000_000_000) minutes.")
    }

    /// Fifteen minutes, and one for timers that are not exact.
    private static let longestPrivateAddress: Int64 = 960_000_000_000
}

extension Sensitivity.Subject {
    fileprivate var name: String {
        switch self {
        case .health: "Health data"
        case .location: "Location data"
        case .identity: "Personal data"
        case .input: "Keyboard, pointer or other input"
        case .messages: "Messages or calls"
        }
    }
}

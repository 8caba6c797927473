import AttlasWire

/// How encrypted links are read. Core Specification, Vol 6, Part B, 5.1.3.
extension Trace {
    /// Gives a Long Term Key, to decrypt links captured from the air. Call it before the first record.
    ///
    /// - Parameters:
    ///   - key: The first octet as it is written is the most significant one.
    ///   - peer: The device that it belongs to: one of the two sides of its connections, by the address on the air or by the
    ///     identity address. nil: it is tried on every link.
    public mutating func addLongTermKey(_ key: UInt128, peer: BluetoothAddress? = nil) {
        airKeys.add(AirKeys.LongTermKey(value: key, peer: peer))
    }

    /// Gives a Temporary Key for legacy pairing: a passkey, or a key exchanged out of band. 0, which Just Works has, is always tried.
    public mutating func addTemporaryKey(_ key: UInt128) {
        airKeys.add(temporaryKey: key)
    }

    /// The key that decrypts the connection at this index, captured from the air; nil as long as it is unknown.
    package func decryptionKey(ofConnection index: Int) -> UInt128? {
        guard let accessAddress = connections[index].accessAddress, let encryption = air.encryption(accessAddress),
            encryption.isKeyKnown
        else { return nil }
        return encryption.candidates.first?.key
    }

    /// The readable form of a PDU's payload.
    enum ReadablePayload {
        case plain
        /// In `airScratch`.
        case decrypted(Direction)
        /// Undecided: the caller holds the packet back.
        case held
        case encrypted
        case undecryptable
    }

    /// Decides whether a payload is encrypted, and decrypts it if it can be.
    mutating func read<Sink: EventSink & ~Copyable>(
        _ pdu: DataPDU, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) -> ReadablePayload {
        guard air[state].encryption != nil || looksEncrypted(pdu, state) else { return .plain }
        let isControl = pdu.llid == .control
        // These two are sent in the clear when a link stops to be encrypted, or begins to.
        if isControl, pdu.isPlainControl(encrypted: air[state].encryption?.isStarted ?? false) {
            notePlainControl(pdu, state, context, into: &sink)
            return .plain
        }
        if let (side, source) = air[state].encryption?.decrypt(pdu, context.side, into: &airScratch) {
            settle(asPlain: false, state, context, into: &sink)
            start(state, context, into: &sink)
            emitDecryption(.active(source), state, context, into: &sink)
            return .decrypted(side)
        }
        // Other control PDUs may come between LL_ENC_RSP and LL_START_ENC_REQ.
        if air[state].encryption?.isStarted == false, pdu.isControlOfRightLength { return .plain }
        return readUndecrypted(pdu, state, context, into: &sink)
    }

    /// Whether two starts of L2CAP frames in a row made no sense on a link without any sign of encryption. Then encryption had begun before
    /// the capture did, or while nothing was heard.
    private mutating func looksEncrypted(_ pdu: DataPDU, _ state: Int) -> Bool {
        guard pdu.llid == .start, pdu.missing == 0 else { return false }
        guard pdu.payload.isUnlikelyFrame else {
            // Nearly always it is 0 already, and a link that is changed has to be looked at first.
            if air[state].unlikelyFrames != 0 { air[state].unlikelyFrames = 0 }
            return false
        }
        air[state].unlikelyFrames += 1
        guard air[state].unlikelyFrames >= 2 else { return false }
        air[state].encryption = AirEncryption(beganUnheard: true)
        return true
    }

    mutating func start<Sink: EventSink & ~Copyable>(_ state: Int, _ context: PDUContext, into sink: inout Sink) {
        let slot = air[state].slot
        air[state].encryption?.isStarted = true
        guard !connections[slot].isEncrypted else { return }
        connections[slot].isEncrypted = true
        emit(context, slot, .connection(.encryption(enabled: true, status: .success)), into: &sink)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func tellUnread<Sink: EventSink & ~Copyable>(
        _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) -> ReadablePayload {
        guard let encryption = air[state].encryption, !encryption.isKeyKnown else { return .undecryptable }
        let decryption: Decryption
        if !encryption.isAnswered {
            decryption = encryption.beganUnheard ? .begunBefore : .noSessionKey
        } else if !encryption.candidates.isEmpty {
            decryption = .wrongKey
        } else if air[state].pairing.isSecureConnections || encryption.rand == 0 && encryption.ediv == 0 {
            // A key from LE Secure Connections has no name. Vol 3, Part H, 2.4.4.
            let pairing = air[state].pairing
            // The confirm value is made of both addresses, too.
            let isChecked = pairing.isWhole && air[state].central != nil && air[state].peripheral != nil
            decryption =
                isChecked
                ? airKeys.hasGivenTemporaryKey ? .wrongTemporaryKey : .noTemporaryKey
                : pairing.isLegacy ? .noKey : .secureConnections
        } else {
            decryption = .noKey
        }
        emitDecryption(decryption, state, context, into: &sink)
        return .encrypted
    }

    mutating func emitDecryption<Sink: EventSink & ~Copyable>(
        _ decryption: Decryption, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        guard air[state].encryption?.reported != decryption else { return }
        air[state].encryption?.reported = decryption
        emit(context, air[state].slot, .connection(.decryption(decryption)), into: &sink)
        // Answers are among the packets that cannot be read.
        if !decryption.isReadable { doubt(.unreadable, of: .unknown, air[state].slot, at: context.time) }
    }

    // MARK: Where keys come from

    /// LL_ENC_REQ, LL_ENC_RSP, LL_START_ENC_REQ and LL_PAUSE_ENC_RSP.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func followEncryption<Sink: EventSink & ~Copyable>(
        _ pdu: LLControlPDU, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        switch pdu {
        case .encReq(let request): air[state].encryption = AirEncryption(request)
        case .encRsp(let response):
            guard air[state].encryption?.isAnswered == false else { return }
            air[state].encryption?.answer(response)
            let candidates = candidates(state)
            air[state].encryption?.candidates = candidates
        case .other(let opcode, _) where opcode == .startEncReq:
            // Without LL_ENC_REQ, the session key's inputs are unknown.
            if air[state].encryption == nil { air[state].encryption = AirEncryption(beganUnheard: false) }
            start(state, context, into: &sink)
        case .other(let opcode, _) where opcode == .pauseEncRsp:
            guard air[state].encryption?.isStarted == true, context.side != .rx else { return }
            air[state].encryption = nil
            connections[air[state].slot].isEncrypted = false
            let change = ConnectionChange.encryption(enabled: false, status: .success)
            emit(context, air[state].slot, .connection(change), into: &sink)
        case .rejectInd, .rejectExtInd:
            if air[state].encryption?.isStarted == false { air[state].encryption = nil }
        default: break
        }
    }

    /// Every key that may be the link's, the likeliest first.
    private func candidates(_ state: Int) -> [AirEncryption.Candidate] {
        guard let encryption = air[state].encryption else { return [] }
        let central = air[state].central
        let peripheral = air[state].peripheral
        var keys: [(UInt128, Decryption.KeySource)] = []
        let name = AirKeys.LongTermKey.Name(rand: encryption.rand, ediv: encryption.ediv)
        if encryption.rand == 0, encryption.ediv == 0, let central, let peripheral,
            let key = air[state].pairing.shortTermKey(
                airKeys.temporaryKeys, initiator: central, responder: peripheral)
        {
            keys.append((key, .pairing))
        }
        keys += airKeys.longTermKeys.filter { $0.name == name }.map { ($0.value, .distributed) }
        let addresses = [central, peripheral].flatMap { address in [address, address.flatMap { identity(of: $0) }] }
        keys += airKeys.longTermKeys.filter { $0.name == nil && ($0.peer == nil || addresses.contains($0.peer)) }
            .map { ($0.value, .given) }
        return keys.prefix(AirEncryption.candidateLimit).map { key, source in
            AirEncryption.Candidate(
                key: key,
                cipher: LinkLayerCipher(longTermKey: key, skd: encryption.skd, iv: encryption.iv), source: source)
        }
    }

    /// Keys that the two sides exchange, or that their pairing makes.
    mutating func followPairing(_ pdu: SMPPDU, _ slot: Int, _ context: PDUContext) {
        guard let accessAddress = connections[slot].accessAddress, let state = air.state(accessAddress),
            context.side != .unknown
        else { return }
        if let key = air[state].pairing.follow(pdu, isInitiator: context.side == .tx) { airKeys.add(key) }
    }
}

extension DataPDU {
    /// Control PDUs of the encryption procedures that are never encrypted, where others are. An encrypted one of the same length
    /// and first octet is rare, and its MIC would have to be left out. Vol 6, Part B, 5.1.3.
    fileprivate func isPlainControl(encrypted: Bool) -> Bool {
        let payload = payload
        guard let opcode = payload.isEmpty ? nil : payload[0] else { return false }
        switch (LLControlOpcode(rawValue: opcode), payload.count) {
        case (.encReq, 23): return true
        // Too short to have a MIC.
        case (_, 1...DataPDU.micLength): return true
        case (.encRsp, 13): return !encrypted
        default: return false
        }
    }
}

extension Bytes {
    /// Whether no L2CAP frame begins like this: more octets than its length says, or an unassigned channel. Core Specification, Vol 3,
    /// Part A, 2.1 and 3.1.
    var isUnlikelyFrame: Bool {
        guard count >= L2CAPFrame.headerLength else { return false }
        let channel = L2CAPChannel(rawValue: uint16(at: 2))
        return count > L2CAPFrame.headerLength + Int(uint16(at: 0))
            || !channel.isFixedLowEnergy && !channel.isDynamicLowEnergy
    }
}

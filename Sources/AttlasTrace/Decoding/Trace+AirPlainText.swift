import AttlasWire

/// Links whose packets were captured as plain text although encryption began: after decryption, or by a writer that never
/// encrypts.
extension Trace {
    /// A PDU that no key decrypted: plain text, encrypted, or held back until that is settled.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func readUndecrypted<Sink: EventSink & ~Copyable>(
        _ pdu: DataPDU, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) -> ReadablePayload {
        guard let encryption = air[state].encryption, !encryption.isKeyKnown else { return .undecryptable }
        let reading = PlainReading(pdu, continues: isUnderWay(context.side, state))
        if encryption.isPlain { return reading == .none ? .encrypted : .plain }
        if reading == .certain { air[state].encryption?.plainSigns += 1 }
        if encryption.plainSigns + (reading == .certain ? 1 : 0) >= AirEncryption.enoughPlainSigns {
            settle(asPlain: true, state, context, into: &sink)
            return reading == .none ? .encrypted : .plain
        }
        if reading != .none, encryption.held.count < AirEncryption.heldLimit { return .held }
        settle(asPlain: false, state, context, into: &sink)
        start(state, context, into: &sink)
        return tellUnread(state, context, into: &sink)
    }

    /// A control PDU that is too short for a MIC, or never encrypted. Held packets come before it.
    mutating func notePlainControl<Sink: EventSink & ~Copyable>(
        _ pdu: DataPDU, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let encryption = air[state].encryption, encryption.isStarted, !encryption.isKeyKnown, !encryption.isPlain
        else { return }
        // LL_START_ENC_RSP is always encrypted. Core Specification, Vol 6, Part B, 5.1.3.1.
        if pdu.payload.count == 1, LLControlOpcode(rawValue: pdu.payload[0]) == .startEncRsp {
            air[state].encryption?.plainSigns += 1
        }
        if air[state].encryption?.plainSigns ?? 0 >= AirEncryption.enoughPlainSigns {
            settle(asPlain: true, state, context, into: &sink)
        } else {
            settleHeld(state, context, into: &sink)
        }
    }

    /// Decides about held packets when no further one can: a packet that cannot be ciphertext is plain text.
    mutating func settleHeld<Sink: EventSink & ~Copyable>(
        _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let encryption = air[state].encryption, !encryption.held.isEmpty else { return }
        settle(asPlain: encryption.plainSigns > 0, state, context, into: &sink)
    }

    /// Decodes the packets that are held back, or leaves them out, with the frames and times at which they came.
    mutating func settle<Sink: EventSink & ~Copyable>(
        asPlain isPlain: Bool, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let held = air[state].encryption?.held else { return }
        air[state].encryption?.held = []
        air[state].encryption?.plainSigns = 0
        let first = held.first?.context ?? context
        if isPlain {
            air[state].encryption?.isPlain = true
            start(state, first, into: &sink)
            emitDecryption(.plainText, state, first, into: &sink)
        } else if !held.isEmpty {
            start(state, first, into: &sink)
            _ = tellUnread(state, first, into: &sink)
        }
        guard let last = held.last else { return }
        let slot = air[state].slot
        let missed = air[state].missed
        var told = MissedPackets()
        var before = held[0].missed
        for packet in held {
            giveUpFrames(slot, before, packet.missed, packet.context, into: &sink)
            before = packet.missed
            air[state].missed = packet.missed - told
            release(packet, asPlain: isPlain, state, into: &sink)
            told = packet.missed - air[state].missed
        }
        air[state].missed = missed - told
        giveUpFrames(slot, last.missed, missed, context, into: &sink)
    }

    private mutating func release<Sink: EventSink & ~Copyable>(
        _ held: AirEncryption.HeldPacket, asPlain: Bool, _ state: Int, into sink: inout Sink
    ) {
        guard let pdu = try? DataPDU(Bytes(held.pdu.span)) else { return }
        let packet = AirPacket(
            radio: held.radio, accessAddress: air[state].accessAddress, pdu: pdu.bytes, kind: .data(pdu),
            disposition: .taken, airTime: held.airTime, missedEvents: held.missedEvents)
        if asPlain {
            decode(packet, pdu.payload, missing: pdu.missing, state, held.context, into: &sink)
        } else {
            leaveOut(packet, state, held.context, into: &sink)
        }
    }

    /// Whether a continuing fragment has a frame that it may belong to.
    private func isUnderWay(_ side: Direction, _ state: Int) -> Bool {
        let slot = air[state].slot
        return isJoining(side, slot)
            || air[state].encryption?.held.contains { $0.context.side == side && $0.pdu[0] & 0b11 == 0b10 } == true
    }
}

/// The plausibility of a PDU as plain text, on a link with encryption.
private enum PlainReading {
    /// A whole frame on a fixed channel: ciphertext looks like this in one case of 2^30.
    case certain
    case possible
    case none

    /// - Parameter continues: Whether a fragment may continue a frame.
    init(_ pdu: DataPDU, continues: Bool) {
        let payload = pdu.payload
        switch pdu.llid {
        case .control: self = pdu.isControlOfRightLength ? .possible : .none
        case .continuing: self = continues ? .possible : .none
        case .reserved: self = .none
        case .start:
            guard payload.count >= L2CAPFrame.headerLength else {
                self = pdu.length <= DataPDU.micLength ? .possible : .none
                return
            }
            let length = Int(payload.uint16(at: 0))
            if length > 0, length == pdu.length - L2CAPFrame.headerLength,
                L2CAPChannel(rawValue: payload.uint16(at: 2)).isFixedLowEnergy
            {
                self = .certain
            } else {
                self = payload.isUnlikelyFrame ? .none : .possible
            }
        }
    }
}

extension DataPDU {
    /// Whether it is a control PDU of the length of its opcode, so that no MIC is at its end.
    var isControlOfRightLength: Bool {
        llid == .control && (try? LLControlPDU(payload))?.opcode.definition?.length == length - 1
    }
}

extension MissedPackets {
    fileprivate static func - (left: MissedPackets, right: MissedPackets) -> MissedPackets {
        MissedPackets(
            central: max(0, left.central - right.central), peripheral: max(0, left.peripheral - right.peripheral))
    }
}

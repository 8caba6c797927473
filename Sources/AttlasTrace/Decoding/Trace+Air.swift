import AttlasCapture
import AttlasWire

/// Packets from the air: to which connection they belong, whether they count, and their part of an L2CAP frame. Core Specification, Vol 6,
/// Part B, 2 and 4.5.
extension Trace {
    mutating func decodeAir<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, missing cut: Int, _ radio: RadioInfo, _ context: PDUContext, into sink: inout Sink
    ) {
        let packet: LinkLayerPacket
        do throws(WireError) {
            packet = try LinkLayerPacket(
                bytes, hasCodingIndicator: radio.hasCodingIndicator, isBroadcast: radio.kind == .broadcastIsochronous)
        } catch {
            return emitFault(context, nil, error, missing: cut, into: &sink)
        }
        if packet.isAdvertising { return decodeAdvertising(packet, cut: cut, radio, context, into: &sink) }
        switch radio.kind {
        case .connectedIsochronous, .broadcastIsochronous:
            let unnamed: AirChannel =
                radio.kind == .connectedIsochronous ? .connectedIsochronous(nil) : .broadcastIsochronous(nil)
            return emit(packet, as: air.channel(packet.accessAddress) ?? unnamed, radio, context, into: &sink)
        case .auxiliaryAdvertising: return followTrain(packet, cut: cut, radio, context, into: &sink)
        case .data, .unspecified: break
        }
        if let state = air.state(packet.accessAddress) {
            return decodeData(packet, cut: cut, state, radio, context, into: &sink)
        }
        switch air.channel(packet.accessAddress) {
        case .broadcastIsochronous:
            // Read again as what it is: the header is another.
            var radio = radio
            radio.kind = .broadcastIsochronous
            return decodeAir(bytes, missing: cut, radio, context, into: &sink)
        case .periodicAdvertising: return followTrain(packet, cut: cut, radio, context, into: &sink)
        case let channel?: return emit(packet, as: channel, radio, context, into: &sink)
        case nil: break
        }
        if let state = presume(packet, radio, context, into: &sink) {
            decodeData(packet, cut: cut, state, radio, context, into: &sink)
        }
    }

    mutating func count(_ crc: RadioInfo.Check) {
        switch crc {
        case .ok: checks.right &+= 1
        case .bad: checks.wrong &+= 1
        case .unchecked: break
        }
    }

    mutating func emit<Sink: EventSink & ~Copyable>(
        _ packet: LinkLayerPacket, as channel: AirChannel, _ radio: RadioInfo, _ context: PDUContext,
        into sink: inout Sink
    ) {
        count(radio.crc)
        guard sink.wantsPackets else { return }
        emit(packet, .other(channel), radio.crc == .bad ? .badCRC : .taken, radio, context, into: &sink)
    }

    func emit<Sink: EventSink & ~Copyable>(
        _ packet: LinkLayerPacket, _ kind: consuming AirPacket.Kind, _ disposition: AirPacket.Disposition,
        _ radio: RadioInfo, _ context: PDUContext, into sink: inout Sink
    ) {
        let air = AirPacket(
            radio: radio, accessAddress: packet.accessAddress, pdu: packet.pdu, kind: kind, disposition: disposition,
            airTime: packet.airTime(radio.phy ?? LEPHY(rawValue: 1)))
        emit(context, nil, .air(air), into: &sink)
    }

    /// Takes an unknown Access Address for a connection made before the capture began, if its CRC bears that out: as the
    /// sniffer checked it, or because the packet before came with the same CRCInit.
    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func presume<Sink: EventSink & ~Copyable>(
        _ packet: LinkLayerPacket, _ radio: RadioInfo, _ context: PDUContext, into sink: inout Sink
    ) -> Int? {
        let address = packet.accessAddress
        let hasEnded = air.hasEnded(address)
        var crcInit: UInt32?
        if !hasEnded, radio.crc != .bad, let crc = packet.crc, packet.missing == 0, let pdu = try? DataPDU(packet.pdu),
            pdu.llid != .reserved
        {
            if radio.crc == .unchecked { crcInit = LinkLayerCRC.initial(of: packet.pdu, crc: crc) }
            if crcInit.map({ air.confirms(address, crcInit: $0) }) ?? true {
                let slot = connect(
                    AirLink(accessAddress: address, crcInit: crcInit), central: nil, peripheral: nil, parameters: nil,
                    context, into: &sink)
                emit(context, slot, .connection(.presumed), into: &sink)
                return air.state(address)
            }
        }
        count(radio.crc)
        if sink.wantsPackets {
            let disposition: AirPacket.Disposition = hasEnded ? .ended : radio.crc == .bad ? .badCRC : .unconfirmed
            emit(packet, .other(.unknown), disposition, radio, context, into: &sink)
        }
        return nil
    }

    // MARK: Data channels

    private mutating func decodeData<Sink: EventSink & ~Copyable>(
        _ packet: LinkLayerPacket, cut: Int, _ state: Int, _ recorded: RadioInfo, _ context: PDUContext,
        into sink: inout Sink
    ) {
        var radio = recorded
        if radio.crc == .unchecked, let crcInit = air[state].crcInit, let crc = packet.crc {
            radio.check(LinkLayerCRC.crc(of: packet.pdu, initial: crcInit), crc)
        }
        count(radio.crc)
        let slot = air[state].slot
        // A packet whose CRC the sniffer did not check and which has fewer octets than its header announces has a header with wrong bits.
        let isTorn = radio.crc != .ok && packet.missing > cut
        let pdu = radio.crc == .bad || isTorn ? nil : try? DataPDU(packet.pdu)
        let numbers: SequenceNumbers? = if let pdu { SequenceNumbers(pdu) } else { nil }
        let (side, missedEvents) = air[state].hear(
            numbers, context.direction, radio: radio, at: context.time)
        let context = PDUContext(
            frame: context.frame, time: context.time, controller: context.controller, direction: side)
        sides.areOfAir = true
        sides.seeData(side)
        if !air[state].updates.isEmpty { applyUpdates(state, context, into: &sink) }
        // Stored properties: a method would copy the connection.
        let phy = side == .rx ? connections[slot].receivePHY : connections[slot].transmitPHY
        let airTime = packet.airTime(radio.phy ?? LEPHY(rawValue: phy ?? 1))

        guard let pdu else {
            air[state].endPacket(airTime: airTime)
            air[state].miss(missedEvents)
            if sink.wantsPackets {
                let air = AirPacket(
                    radio: radio, accessAddress: packet.accessAddress, pdu: packet.pdu, kind: .unreadable,
                    disposition: radio.crc == .bad ? .badCRC : .taken, airTime: airTime, missedEvents: missedEvents)
                emit(context, slot, .air(air), into: &sink)
            }
            if radio.crc != .bad {
                let error = WireError(
                    .linkLayer, "record ends before the length in the PDU's header",
                    need: packet.pdu.count + packet.missing, have: packet.pdu.count + cut, limit: .capturedLength)
                emitFault(context, slot, error, missing: 0, into: &sink)
            }
            return
        }
        let accepted = air[state].accept(pdu, side, missedEvents: missedEvents, airTime: airTime)
        let isFresh = accepted.reception == .new
        if let side = accepted.constantSide { tellConstant(side, slot, context, into: &sink) }
        giveUpFrames(slot, accepted.missed.before, accepted.missed.now, context, into: &sink)
        // The sequence numbers are the same after two packets of the peripheral. Times alone do not prove that there were events.
        if missedEvents > 1, radio.eventCounter != nil, isJoining(.rx, slot) {
            abandon(.rx, slot, Self.hole, .missedPackets, context, into: &sink)
        }
        // Most are empty, and most sinks ignore packets.
        guard isFresh && !pdu.isEmpty || sink.wantsPackets else { return }
        let told = AirPacket(
            radio: radio, accessAddress: packet.accessAddress, pdu: pdu.bytes, kind: .data(pdu),
            disposition: accepted.reception == .again ? .retransmission : .taken, airTime: airTime,
            missedEvents: missedEvents)
        guard isFresh, !pdu.isEmpty else { return emit(context, slot, .air(told), into: &sink) }
        if pdu.missing > cut {
            let error = WireError(
                .linkLayer, "record ends before the length in the PDU's header", need: pdu.length,
                have: pdu.payload.count + cut, limit: .linkLayerLength)
            emitFault(context, slot, error, missing: 0, into: &sink)
        }
        if recorded.isDecrypted, !connections[slot].isEncrypted { start(state, context, into: &sink) }
        switch radio.isDecrypted ? .plain : read(pdu, state, context, into: &sink) {
        case .plain: decode(told, pdu.payload, missing: pdu.missing, state, context, into: &sink)
        case .decrypted(let side):
            let context = PDUContext(
                frame: context.frame, time: context.time, controller: context.controller, direction: side)
            // Taken out while it is decoded, because decoding changes the trace that it lies in.
            var payload: [UInt8] = []
            swap(&payload, &airScratch)
            decode(
                told.decrypted(Bytes(payload.span)), Bytes(payload.span), missing: 0, state, context, into: &sink)
            swap(&payload, &airScratch)
        case .held:
            let packet = AirEncryption.HeldPacket(
                pdu: pdu.bytes.copy(), radio: radio, airTime: airTime, missedEvents: missedEvents,
                missed: air[state].missed, context: context)
            air[state].encryption?.held.append(packet)
        case .encrypted, .undecryptable: leaveOut(told, state, context, into: &sink)
        }
    }

    /// Reports a packet that cannot be read.
    mutating func leaveOut<Sink: EventSink & ~Copyable>(
        _ packet: AirPacket, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        var packet = packet
        packet.disposition = air[state].encryption?.isKeyKnown == true ? .undecryptable : .encrypted
        let slot = air[state].slot
        if sink.wantsPackets { emit(context, slot, .air(packet), into: &sink) }
        // Its part of a frame is missing from it.
        if packet.llid != .control, context.side != .unknown {
            abandon(
                context.side, slot, "a packet of this frame could not be decrypted", .missedPackets, context,
                into: &sink)
        }
    }

    /// A frame of which a packet was missed has a hole at an unknown place.
    mutating func giveUpFrames<Sink: EventSink & ~Copyable>(
        _ slot: Int, _ before: MissedPackets, _ now: MissedPackets, _ context: PDUContext, into sink: inout Sink
    ) {
        guard before.total != now.total else { return }
        if now.central > before.central { abandon(.tx, slot, Self.hole, .missedPackets, context, into: &sink) }
        if now.peripheral > before.peripheral { abandon(.rx, slot, Self.hole, .missedPackets, context, into: &sink) }
        // A request without its answer, and another with the same opcode, may both have been missed.
        if now.central > 0, now.peripheral > 0 { connections[slot].forgetRequests() }
    }

    private static let hole: StaticString = "a packet of this frame was missed"

    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private mutating func tellConstant<Sink: EventSink & ~Copyable>(
        _ side: Direction, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let isFirst = air.noteConstant(side)
        let change = ConnectionChange.constantNumbers(side == .tx ? .host : .peer, isFirst: isFirst)
        emit(context, slot, .connection(change), into: &sink)
    }

    /// Reports packets missed since the last PDU of a frame, before the next one or the end.
    mutating func tellMissed<Sink: EventSink & ~Copyable>(_ state: Int, _ context: PDUContext, into sink: inout Sink) {
        guard air[state].missed.total > 0 else { return }
        missedPackets += air[state].missed.total
        emit(context, air[state].slot, .missed(air[state].missed), into: &sink)
        // Packets of the other side may have been missed too: of a whole connection event, only the central's are certain.
        doubt(.missing, of: .unknown, air[state].slot, at: context.time)
        air[state].missed = MissedPackets()
    }

    /// A packet of a data channel whose payload is readable, maybe because it was decrypted.
    mutating func decode<Sink: EventSink & ~Copyable>(
        _ packet: AirPacket, _ payload: Bytes, missing: Int, _ state: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let slot = air[state].slot
        let llid = packet.llid
        if llid == .control {
            return decodeControl(payload, missing: missing, packet, state, context, into: &sink)
        }
        if sink.wantsPackets { emit(context, slot, .air(packet), into: &sink) }
        guard llid != .reserved else {
            let error = WireError(
                .linkLayer, "data PDU of the reserved LLID 0b00", need: 1, have: 0, limit: .linkLayerLength)
            return emitUnreadable(context, slot, error, missing: 0, into: &sink)
        }
        if llid == .start { tellMissed(state, context, into: &sink) }
        let fragment = Fragment(payload, missing: missing, continues: llid == .continuing, limit: .missedPackets)
        join(fragment, slot, context, into: &sink)
    }
}

extension AirPacket {
    /// nil unless it is of a data channel.
    fileprivate var llid: DataPDU.LLID? {
        if case .data(let pdu) = kind { pdu.llid } else { nil }
    }
}

extension RadioInfo {
    /// Compares the CRC with the right one. A CRC of 0 means that the program that decrypted the packet has none.
    mutating func check(_ right: UInt32, _ crc: UInt32) {
        if crc == 0, right != 0 {
            isDecrypted = true
        } else {
            self.crc = right == crc ? .ok : .bad
        }
    }
}

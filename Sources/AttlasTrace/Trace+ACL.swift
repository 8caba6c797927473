import AttlasWire

extension Trace {
    mutating func decodeACL<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, missing cut: Int, _ moment: Moment, into sink: inout Sink
    ) {
        let packet: ACLPacket
        do throws(WireError) {
            packet = try ACLPacket(bytes)
        } catch {
            return emitFault(moment, nil, error, missing: cut, into: &sink)
        }
        let handle = packet.connectionHandle
        guard
            let slot = links.slot(moment.controller, handle)
                ?? presume(packet, missing: cut, moment, into: &sink)
        else {
            let length = ACLPacket.headerLength + packet.dataTotalLength
            let detail = DataPacket(type: HCIPacketType.acl.rawValue, connectionHandle: handle, length: length)
            return emit(moment, nil, .data(detail), into: &sink)
        }

        // What the ACL header announces and the record does not hold was cut by the capture, or the header lies.
        if packet.missing > cut {
            let error = WireError(
                .acl, "record ends before the length in the ACL header", need: packet.dataTotalLength,
                have: packet.data.count + cut, limit: .aclLength)
            emitFault(moment, slot, error, missing: 0, into: &sink)
        }
        if packet.excess > 0 {
            let error = WireError(
                .acl, "octets behind the ACL data", need: packet.dataTotalLength,
                have: packet.data.count + packet.excess, limit: .aclLength)
            emitFault(moment, slot, error, missing: 0, into: &sink)
        }
        join(packet, missing: min(cut, packet.missing), slot, moment, into: &sink)
    }

    /// Takes the handle for a connection made before the capture began, if the packet bears that out.
    private mutating func presume<Sink: EventSink & ~Copyable>(
        _ packet: ACLPacket, missing: Int, _ moment: Moment, into sink: inout Sink
    ) -> Int? {
        let handle = packet.connectionHandle
        if packet.boundary == .continuing { return nil }
        var isWellFormed = false
        var transport = Connection.Transport.lowEnergy
        if let frame = try? L2CAPFrame(packet.data) {
            // A capture that cuts its records leaves less to judge by.
            isWellFormed = frame.isWellFormed || missing > 0 && frame.channel == .attribute
            transport = frame.transport
        }
        guard strangers.admit(moment.controller, handle, wellFormed: isWellFormed) else { return nil }
        let slot = connect(
            handle, transport: transport, isCentral: nil, address: nil, parameters: nil, moment, into: &sink)
        emit(moment, slot, .connection(.presumed), into: &sink)
        return slot
    }

    /// Joins fragments to an L2CAP frame; a frame in one packet goes on as it is.
    private mutating func join<Sink: EventSink & ~Copyable>(
        _ packet: ACLPacket, missing: Int, _ slot: Int, _ moment: Moment, into sink: inout Sink
    ) {
        let data = packet.data
        let side = moment.reassemblySide(packet.boundary, connections[slot])
        if packet.boundary == .continuing {
            guard connections[slot][side].isActive else {
                let error = WireError(
                    .l2cap, "continuation of a frame whose beginning was not captured", need: 1, have: 0,
                    limit: .aclLength)
                return emitFault(moment, slot, error, missing: 0, into: &sink)
            }
            let step = connections[slot][side].add(data, missing: missing, frame: moment.frame)
            return advance(step, side, slot, moment, into: &sink)
        }

        if connections[slot][side].isActive { abandon(side, slot, moment, into: &sink) }
        let total = data.count + missing
        if data.count >= L2CAPFrame.headerLength,
            total >= L2CAPFrame.headerLength + Int(data.uint16(at: 0)), let frame = try? L2CAPFrame(data)
        {
            let excess = total - L2CAPFrame.headerLength - frame.pduLength
            if excess > 0 { reportExcess(excess, frame.pduLength, slot, moment, into: &sink) }
            return decode(frame, slot, frames: [], moment, into: &sink)
        }
        let step = connections[slot][side].begin(data, missing: missing, frame: moment.frame)
        if missing > 0 && data.count < L2CAPFrame.headerLength {
            connections[slot][side].isActive = false
            let error = WireError(
                .l2cap, "L2CAP header incomplete", need: L2CAPFrame.headerLength, have: data.count,
                limit: .capturedLength)
            return emitFault(moment, slot, error, missing: 0, into: &sink)
        }
        advance(step, side, slot, moment, into: &sink)
    }

    private mutating func advance<Sink: EventSink & ~Copyable>(
        _ step: Reassembly.Step, _ side: Direction, _ slot: Int, _ moment: Moment, into sink: inout Sink
    ) {
        switch step {
        case .incomplete: return
        case .complete: break
        case .excess(let excess):
            let length = (connections[slot][side].expected ?? 0) - L2CAPFrame.headerLength
            reportExcess(excess, length, slot, moment, into: &sink)
        }
        // The frame is taken out while it is decoded, because decoding changes the connection it lies in.
        var joined = Reassembly()
        swap(&joined, &connections[slot][side])
        if let frame = try? L2CAPFrame(Bytes(joined.buffer.span.bytes)) {
            decode(frame, slot, frames: joined.frames.count > 1 ? joined.frames : [], moment, into: &sink)
        }
        swap(&joined, &connections[slot][side])
    }

    /// A frame began before the last one was whole: the rest of that one is lost.
    private mutating func abandon<Sink: EventSink & ~Copyable>(
        _ side: Direction, _ slot: Int, _ moment: Moment, into sink: inout Sink
    ) {
        let pending = connections[slot][side]
        connections[slot][side].isActive = false
        let error = WireError(
            .l2cap, "a new frame began before this one was whole",
            need: pending.expected ?? L2CAPFrame.headerLength, have: pending.received, limit: .l2capLength)
        emitFault(moment, slot, frames: pending.frames, error, missing: 0, into: &sink)
    }

    private func reportExcess<Sink: EventSink & ~Copyable>(
        _ excess: Int, _ length: Int, _ slot: Int, _ moment: Moment, into sink: inout Sink
    ) {
        let error = WireError(
            .l2cap, "octets behind the end of the L2CAP frame", need: length, have: length + excess,
            limit: .l2capLength)
        emitFault(moment, slot, error, missing: 0, into: &sink)
    }

    private mutating func decode<Sink: EventSink & ~Copyable>(
        _ frame: L2CAPFrame, _ slot: Int, frames: [Int], _ moment: Moment, into sink: inout Sink
    ) {
        emit(moment, slot, frames: frames, .l2cap(frame), into: &sink)
        let missing = frame.missing
        switch (frame.channel, connections[slot].transport) {
        case (.attribute, .lowEnergy):
            decodeATT(frame.payload, missing: missing, slot, frames: frames, moment, into: &sink)
        case (.lowEnergySignaling, .lowEnergy), (.signaling, .classic):
            decodeSignals(frame.payload, missing: missing, slot, frames: frames, moment, into: &sink)
        case (.securityManager, .lowEnergy), (.securityManagerBREDR, .classic):
            do throws(WireError) {
                let pdu = try SMPPDU(frame.payload)
                emit(moment, slot, frames: frames, .smp(pdu), into: &sink)
            } catch {
                emitFault(moment, slot, frames: frames, error, missing: missing, into: &sink)
            }
        default: break
        }
    }

    private func decodeSignals<Sink: EventSink & ~Copyable>(
        _ payload: Bytes, missing: Int, _ slot: Int, frames: [Int], _ moment: Moment, into sink: inout Sink
    ) {
        var signals = L2CAPSignals(payload)
        do throws(WireError) {
            while let signal = try signals.next() {
                emit(moment, slot, frames: frames, .signal(signal), into: &sink)
            }
        } catch {
            emitFault(moment, slot, frames: frames, error, missing: missing, into: &sink)
        }
    }
}

extension Moment {
    /// The side whose fragments this packet belongs to. A format that gives no direction leaves the boundary flag: only a
    /// host sends the first fragment of an LE frame as non-flushable (Vol 4, Part E, 5.4.2).
    func reassemblySide(_ boundary: ACLPacket.Boundary, _ connection: borrowing Connection) -> Direction {
        guard direction == .unknown else { return direction }
        switch boundary {
        case .firstNonFlushable: return .tx
        case .firstFlushable, .complete: return .rx
        case .continuing: return connection.transmitted.isActive && !connection.received.isActive ? .tx : .rx
        }
    }
}

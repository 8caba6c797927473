import AttlasWire

/// ACL packets: to which connection they belong, and their part of an L2CAP frame. Core Specification, Vol 4, Part E, 5.4.2; Vol 3, Part A,
/// 7.2.1.
extension Trace {
    @inline(__always)
    mutating func decodeACL<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, missing cut: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let packet: ACLPacket
        do throws(WireError) {
            packet = try ACLPacket(bytes)
        } catch {
            return emitFault(context, nil, error, missing: cut, into: &sink)
        }
        let handle = packet.connectionHandle
        guard
            let slot = links.slot(context.controller, handle) ?? presume(packet, context, into: &sink)
        else {
            let length = ACLPacket.headerLength + packet.dataTotalLength
            let detail = DataPacket(
                type: HCIPacketType.acl.rawValue, connectionHandle: handle, length: length, bytes: bytes)
            return emit(context, nil, .data(detail), into: &sink)
        }

        let data = packet.data
        let missing = packet.dataTotalLength - data.count
        // Octets that the ACL header announces and the record lacks were cut by the capture, or the header is wrong.
        if missing > cut {
            let error = WireError(
                .acl, "record ends before the length in the ACL header", need: packet.dataTotalLength,
                have: data.count + cut, limit: .aclLength)
            emitFault(context, slot, error, missing: 0, into: &sink)
        }
        if packet.excess > 0 {
            let error = WireError(
                .acl, "octets after the ACL data", need: packet.dataTotalLength,
                have: data.count + packet.excess, limit: .aclLength)
            emitFault(context, slot, error, missing: 0, into: &sink)
        }
        let fragment = Fragment(
            data, missing: missing, continues: packet.boundary == .continuing, limit: .aclLength)
        if context.direction == .unknown {
            var context = context
            context.side = side(packet.boundary, slot)
            sides.see(.unknown)
            if context.side == .tx {
                connections[slot].buffers.send(context)
            } else {
                connections[slot].buffers.receive()
            }
            return join(fragment, slot, context, into: &sink)
        }
        sides.seeData(context.side)
        if context.side == .tx { connections[slot].buffers.send(context) } else { connections[slot].buffers.receive() }
        join(fragment, slot, context, into: &sink)
    }

    /// Who sent a packet that the capture gives no direction for. On an LE link a host begins each frame as non-flushable, and a controller
    /// as flushable. Some hosts of old begin theirs as flushable too, so that this flag alone means nothing until the other was seen.
    @inline(never)
    private mutating func side(_ boundary: ACLPacket.Boundary, _ slot: Int) -> Direction {
        switch boundary {
        case .firstNonFlushable:
            if !connections[slot].flagsTellSide {
                connections[slot].flagsTellSide = true
                // All that went before was begun as flushable, so the controller sent it.
                connections[slot].bearer.attributeUndirectedToReceived()
            }
            return .tx
        case .continuing where connections[slot].transmitted.isActive && !connections[slot].received.isActive:
            return .tx
        // On BR/EDR a host may send both kinds.
        default: return connections[slot].flagsTellSide && connections[slot].transport == .lowEnergy ? .rx : .unknown
        }
    }

    /// Takes the handle for a connection made before the capture began, if the packet bears that out.
    @inline(never)
    private mutating func presume<Sink: EventSink & ~Copyable>(
        _ packet: ACLPacket, _ context: PDUContext, into sink: inout Sink
    ) -> Int? {
        let handle = packet.connectionHandle
        guard unannouncedHandles.admit(context.controller, handle, packet.evidence, from: context.side) else {
            if unannouncedHandles.isFull { reachedLimits.note(.unconnectedHandles) }
            return nil
        }
        let transport = (try? L2CAPFrame(packet.data))?.transport ?? .lowEnergy
        let slot = connect(Connection.Setup(handle: handle, transport: transport), context, into: &sink)
        emit(context, slot, .connection(.presumed), into: &sink)
        return slot
    }

    /// Octets of an L2CAP frame in one packet.
    struct Fragment: ~Escapable, Copyable {
        let data: Bytes
        /// Octets that the packet's header announces and the record does not hold. They are missing from the frame, whatever
        /// the cause: the fragments after it count from where this one would have ended.
        let missing: Int
        /// Whether it continues a frame.
        let continues: Bool
        /// The limit that a continuation without a beginning violates.
        let limit: WireError.Limit

        @_lifetime(copy data)
        @inline(__always)
        init(_ data: Bytes, missing: Int, continues: Bool, limit: WireError.Limit) {
            self.data = data
            self.missing = missing
            self.continues = continues
            self.limit = limit
        }

        @inline(__always)
        var length: Int { data.count &+ missing }
    }

    /// Joins fragments to an L2CAP frame; a frame in one packet is handed on as it is.
    @inline(__always)
    mutating func join<Sink: EventSink & ~Copyable>(
        _ fragment: Fragment, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        if !fragment.continues, !isJoining(context.side, slot), let frame = try? L2CAPFrame(fragment.data),
            fragment.length == L2CAPFrame.headerLength &+ frame.pduLength
        {
            decode(frame, slot, frames: [], context, into: &sink)
        } else {
            joinFragment(fragment, slot, context, into: &sink)
        }
    }

    @inline(never)
    private mutating func joinFragment<Sink: EventSink & ~Copyable>(
        _ fragment: Fragment, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let side = context.side
        let data = fragment.data
        if fragment.continues {
            guard isJoining(side, slot) else {
                let error = WireError(
                    .l2cap, "continuation of a frame whose beginning was not captured", need: 1, have: 0,
                    limit: fragment.limit)
                return emitUnreadable(context, slot, error, missing: 0, into: &sink)
            }
            let step = connections[slot][side].add(data, missing: fragment.missing, frame: context.frame)
            return advance(step, data.count, side, slot, context, into: &sink)
        }

        if isJoining(side, slot) {
            abandon(side, slot, "a new frame began before this one was whole", .l2capLength, context, into: &sink)
        }
        let total = fragment.length
        if let frame = try? L2CAPFrame(data), total >= L2CAPFrame.headerLength + frame.pduLength {
            let excess = total - L2CAPFrame.headerLength - frame.pduLength
            if excess > 0 { reportExcess(excess, frame.pduLength, slot, context, into: &sink) }
            return decode(frame, slot, frames: [], context, into: &sink)
        }
        let step = connections[slot][side].begin(data, missing: fragment.missing, frame: context.frame)
        advance(step, data.count, side, slot, context, into: &sink)
    }

    private mutating func advance<Sink: EventSink & ~Copyable>(
        _ step: Reassembly.Step, _ octets: Int, _ side: Direction, _ slot: Int, _ context: PDUContext,
        into sink: inout Sink
    ) {
        switch step {
        case .incomplete: return hold(octets + Self.frameNumberSize, context, into: &sink)
        case .complete: break
        case .excess(let excess):
            let length = (connections[slot][side].expected ?? 0) - L2CAPFrame.headerLength
            reportExcess(excess, length, slot, context, into: &sink)
        case .headerCut:
            let error = WireError(
                .l2cap, "L2CAP header incomplete", need: L2CAPFrame.headerLength,
                have: connections[slot][side].buffer.count, limit: .capturedLength)
            return emitUnreadable(context, slot, error, missing: 0, into: &sink)
        }
        // The frame is taken out while it is decoded, because decoding changes the connection it lies in.
        var joined = Reassembly()
        swap(&joined, &connections[slot][side])
        if let frame = try? L2CAPFrame(Bytes(joined.buffer.span)) {
            decode(frame, slot, frames: joined.frames.count > 1 ? joined.frames : [], context, into: &sink)
        }
        joined.end()
        swap(&joined, &connections[slot][side])
    }

    /// Reads the stored property itself: every packet asks, and an accessor would copy the connection to do so.
    @inline(__always)
    func isJoining(_ side: Direction, _ slot: Int) -> Bool {
        side == .tx ? connections[slot].transmitted.isActive : connections[slot].received.isActive
    }

    /// Gives up a frame that is not whole, if there is one: the rest of it is lost.
    mutating func abandon<Sink: EventSink & ~Copyable>(
        _ side: Direction, _ slot: Int, _ reason: StaticString, _ limit: WireError.Limit,
        _ context: PDUContext, into sink: inout Sink
    ) {
        guard isJoining(side, slot) else { return }
        connections[slot][side].isActive = false
        let pending = connections[slot][side]
        let error = WireError(
            .l2cap, reason, need: pending.expected ?? L2CAPFrame.headerLength, have: pending.received,
            limit: limit)
        emitUnreadable(context, slot, frames: pending.frames, error, missing: 0, into: &sink)
    }

    /// Gives up the unfinished parts of a connection: the frames of both sides, and the SDUs of its channels.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func abandonAll<Sink: EventSink & ~Copyable>(
        _ slot: Int, atEndOf what: Ending, _ context: PDUContext, into sink: inout Sink
    ) {
        if let accessAddress = connections[slot].accessAddress, let state = air.state(accessAddress) {
            if what != .room { settleHeld(state, context, into: &sink) }
            tellMissed(state, context, into: &sink)
            if what != .room { tellUnreached(state, context, into: &sink) }
        }
        abandon(.tx, slot, what.frameReason, .l2capLength, context, into: &sink)
        abandon(.rx, slot, what.frameReason, .l2capLength, context, into: &sink)
        for channel in connections[slot].channels.channels {
            for sdu in [channel.remote.sdu, channel.local.sdu] where sdu.isActive {
                let error = WireError(
                    .l2cap, what.sduReason, need: sdu.length, have: sdu.received, limit: .sduLength)
                emitUnreadable(context, slot, frames: sdu.frames, error, missing: 0, into: &sink)
            }
        }
    }

    /// The end that leaves a frame or an SDU unfinished.
    enum Ending {
        case connection, capture, room

        // Literals, because a fault's reason is never put together.
        var frameReason: StaticString {
            switch self {
            case .connection: "connection ended before this frame was whole"
            case .capture: "capture ended before this frame was whole"
            case .room: "more unfinished octets than attlas keeps: this frame is left out"
            }
        }

        var sduReason: StaticString {
            switch self {
            case .connection: "connection ended before this SDU was whole"
            case .capture: "capture ended before this SDU was whole"
            case .room: "more unfinished octets than attlas keeps: this SDU is left out"
            }
        }
    }

    private func reportExcess<Sink: EventSink & ~Copyable>(
        _ excess: Int, _ length: Int, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let error = WireError(
            .l2cap, "octets after the end of the L2CAP frame", need: length, have: length + excess,
            limit: .l2capLength)
        emitFault(context, slot, error, missing: 0, into: &sink)
    }
}

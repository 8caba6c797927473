import AttlasCapture
import AttlasWire

/// What nearly all records of a capture hold, as straight code: Number Of Completed Packets of one connection; and on the fixed channel of
/// an LE link, whole, the PDUs that move one value.
///
/// The general way (`decodeGenerally`) does the same for every packet there is, in 160 of 1 000 instructions a record more. The two are held
/// against each other over all captures (`FrequentTests`) and by the fuzzer (`compareWays`).
extension Trace {
    /// Decodes the record if it holds one of these, and nothing about it is unusual; else changes nothing.
    ///
    /// - Parameter record: one whole packet, with nothing lost before it (`RecordRow.isPlain`).
    /// - Returns: whether it did.
    @inline(__always)
    mutating func decodeFrequent<Sink: EventSink & ~Copyable>(_ record: Record, into sink: inout Sink) -> Bool {
        switch (record.packetType, Sink.depth) {
        case (HCIPacketType.acl.rawValue, .all): return decodeFrequentData(record, into: &sink)
        case (HCIPacketType.event.rawValue, .all): return decodeCompletedPackets(record, into: &sink)
        case (0, _):
            // There is one way for these; the ATT PDUs in them have both.
            guard let radio = record.radio else { return false }
            decodeAir(record.bytes, missing: 0, radio, PDUContext(record), into: &sink)
            return true
        default: return false
        }
    }

    /// Number Of Completed Packets of one handle.
    @inline(__always)
    private mutating func decodeCompletedPackets<Sink: EventSink & ~Copyable>(
        _ record: Record, into sink: inout Sink
    ) -> Bool {
        let bytes = record.bytes
        guard bytes.count == 7 else { return false }
        // The code of the event, the length of its parameters, and the number of handles.
        let head = bytes.uint32(at: 0)
        guard head & 0xFF_FFFF == 0x01_0513,
            let slot = links.slot(record.controller, bytes.uint16(at: 3) & 0x0FFF)
        else { return false }
        if sink.wantsCompletedPackets, let event = try? HCIEvent(bytes) {
            emit(PDUContext(record), nil, .hciEvent(event), into: &sink)
        }
        connections[slot].buffers.complete(Int(bytes.uint16(at: 5)), PDUContext(record))
        return true
    }

    /// A whole ATT PDU in one packet of an LE link.
    @inline(__always)
    private mutating func decodeFrequentData<Sink: EventSink & ~Copyable>(
        _ record: Record, into sink: inout Sink
    ) -> Bool {
        let bytes = record.bytes
        let length = bytes.count &- ACLPacket.headerLength &- L2CAPFrame.headerLength
        guard length > 0, length <= 0x1000, record.direction != .unknown else { return false }
        // Data Total Length, PDU Length and channel.
        let head = bytes.uint64(at: 0)
        let whole = UInt64(length &+ L2CAPFrame.headerLength) | UInt64(length) << 16 | 0x0004 << 32
        guard head >> 16 == whole, head & 0x3000 != 0x1000,
            let slot = links.slot(record.controller, UInt16(truncatingIfNeeded: head) & 0x0FFF)
        else { return false }
        return decodeFrequentPDU(
            bytes.dropFirst(ACLPacket.headerLength + L2CAPFrame.headerLength), slot, frames: [], packet: bytes,
            PDUContext(record), into: &sink)
    }

    /// A whole frame of the attribute channel that came in another way: from the air, or in several packets.
    @inline(never)
    mutating func decodeFrequentFrame<Sink: EventSink & ~Copyable>(
        _ pdu: Bytes, _ slot: Int, frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) -> Bool {
        guard Sink.depth == .all, !takesGeneralWay, !pdu.isEmpty, context.side != .unknown else { return false }
        return decodeFrequentPDU(pdu, slot, frames: frames, packet: nil, context, into: &sink)
    }

    /// Whether the connection is an LE link without anything that a PDU would have to be looked at for in the general way.
    @inline(__always)
    private func isUneventful(_ side: Direction, _ slot: Int) -> Bool {
        let isJoining = side == .tx ? connections[slot].transmitted.isActive : connections[slot].received.isActive
        return !isJoining && connections[slot].transport == .lowEnergy && connections[slot].losses == losses.count
            && imports.isEmpty
    }

    /// - Parameter packet: the ACL packet, if it is not yet counted and its frame is not yet reported.
    @inline(__always)
    private mutating func decodeFrequentPDU<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, _ slot: Int, frames: [Int], packet: Bytes?, _ context: PDUContext, into sink: inout Sink
    ) -> Bool {
        guard isUneventful(context.side, slot), bytes.count <= connections[slot].bearers[0].mtu else { return false }
        let opcode = ATTOpcode(rawValue: bytes[0])
        let isFromPeer = context.side == .rx
        let pdu: ATTPDU
        switch opcode.rawValue {
        case 0x1B:
            guard let notification = try? HandleValueNotification(bytes) else { return false }
            let handle = notification.attributeHandle
            let server: ServerSide = isFromPeer ? .peer : .local
            begin(packet, slot, context, into: &sink)
            emitOperation(
                .handleValueNotification(notification), opcode, .notification, server, handle, nil, bytes.count, slot,
                frames: frames, context, into: &sink)
            inferConfiguration(after: handle, kind: 1, server, slot, context, into: &sink)
            return true
        case 0x0A:
            guard bytes.count == 3, let read = try? ReadRequest(bytes) else { return false }
            pdu = .readRequest(read)
        case 0x0C:
            guard bytes.count == 5, let read = try? ReadBlobRequest(bytes) else { return false }
            pdu = .readBlobRequest(read)
        case 0x12:
            // What is as long as a Client Characteristic Configuration may be one.
            guard bytes.count != 5, let write = try? WriteRequest(bytes) else { return false }
            pdu = .writeRequest(write)
        case 0x52:
            guard bytes.count != 5, let write = try? WriteCommand(bytes) else { return false }
            pdu = .writeCommand(write)
        case 0x0B, 0x0D, 0x13:
            return decodeFrequentResponse(bytes, opcode, slot, frames: frames, packet: packet, context, into: &sink)
        default: return false
        }
        // Requests and commands.
        let handle = bytes.uint16(at: 1)
        let server: ServerSide = isFromPeer ? .local : .peer
        begin(packet, slot, context, into: &sink)
        let isCommand = opcode.isCommand
        emitOperation(
            pdu, opcode, isCommand ? .command : .request, server, handle, nil, bytes.count, slot, frames: frames,
            context,
            into: &sink)
        if !isCommand {
            var request = PendingRequest(frame: context.frame, time: context.time, opcode: opcode, handle: handle)
            if opcode.rawValue == 0x0C { request.offset = bytes.uint16(at: 3) }
            setPending(request, of: context.side, slot, context)
        }
        return true
    }

    /// The response to a Read, Read Blob or Write Request that was captured.
    @inline(__always)
    private mutating func decodeFrequentResponse<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, _ opcode: ATTOpcode, _ slot: Int, frames: [Int], packet: Bytes?, _ context: PDUContext,
        into sink: inout Sink
    ) -> Bool {
        let asker = context.side.opposite
        let asked = ATTOpcode(rawValue: opcode.rawValue &- 1)
        guard let request = pendingRequest(asked, of: asker, slot, context), let handle = request.handle else {
            return false
        }
        let pdu: ATTPDU
        switch opcode.rawValue {
        case 0x0B:
            guard let response = try? ReadResponse(bytes) else { return false }
            pdu = .readResponse(response)
        case 0x0D:
            guard let response = try? ReadBlobResponse(bytes) else { return false }
            pdu = .readBlobResponse(response)
        default:
            guard bytes.count == 1, let response = try? WriteResponse(bytes) else { return false }
            pdu = .writeResponse(response)
        }
        let server: ServerSide = context.side == .rx ? .peer : .local
        begin(packet, slot, context, into: &sink)
        emitOperation(
            pdu, opcode, .response, server, handle, request.answered(context), bytes.count, slot,
            frames: frames, context, into: &sink)
        setPending(nil, of: asker, slot, context)
        switch opcode.rawValue {
        case 0x0B: finishRead(handle, bytes.dropFirst(1), server, asker, slot, context, into: &sink)
        case 0x0D: readPart(handle, Int(request.offset), bytes.dropFirst(1), server, asker, slot, context, into: &sink)
        default:
            if let configuration = request.configuration {
                configured(handle, configuration, server, slot, context, into: &sink)
            }
        }
        return true
    }

    /// What is reported before the PDU: the packet, if it is not yet.
    @inline(__always)
    private mutating func begin<Sink: EventSink & ~Copyable>(
        _ packet: Bytes?, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let packet else { return }
        if context.side == .tx { connections[slot].buffers.send(context) }
        if sink.wantsPackets { tellFrame(packet.dropFirst(ACLPacket.headerLength), slot, context, into: &sink) }
    }

    @inline(never)
    private func tellFrame<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        if let frame = try? L2CAPFrame(bytes) { emit(context, slot, .l2cap(frame), into: &sink) }
    }

    /// The PDU with what is known of it. Nothing is wrong with it: that is what makes it one of these.
    @inline(__always)
    private mutating func emitOperation<Sink: EventSink & ~Copyable>(
        _ pdu: ATTPDU, _ opcode: ATTOpcode, _ kind: ATTOpcode.Definition.Kind, _ server: ServerSide,
        _ handle: AttributeHandle, _ request: AnsweredRequest?, _ length: Int, _ slot: Int, frames: [Int],
        _ context: PDUContext, into sink: inout Sink
    ) {
        sides.note(kind, context.side)
        let facts = CollectionOfOne(
            ATTOperation.Facts(
                bearer: .unenhanced, opcode: opcode, server: server, handle: handle,
                attribute: lookUp(handle, server, slot), request: request,
                mayContinue: opcode.rawValue == 0x0B && length == connections[slot].bearers[0].mtu,
                l2capOctets: length + context.l2capHeaders, fault: nil))
        emit(context, slot, frames: frames, .att(ATTOperation(pdu, multipleHandles: Span(), facts)), into: &sink)
    }
}

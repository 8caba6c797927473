import AttlasCapture
import AttlasWire

/// Nearly all records of a capture, decoded by straight code: Number Of Completed Packets of one connection; and on the fixed channel of an
/// LE link, whole, the PDUs that move one value.
///
/// The general way (`decodeGenerally`) does the same for every packet there is, in 160 of 1 000 instructions a record more. The two are
/// compared over all captures (`FrequentTests`) and by the fuzzer (`compareWays`).
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
            decodeAir(record.bytes, missing: 0, radio, PDUContext(record, clockRun: clockRun), into: &sink)
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
            emit(PDUContext(record, clockRun: clockRun), nil, .hciEvent(event), into: &sink)
        }
        sides.see(.rx)
        connections[slot].buffers.complete(Int(bytes.uint16(at: 5)), PDUContext(record, clockRun: clockRun))
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
            PDUContext(record, clockRun: clockRun), into: &sink)
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
        switch opcode {
        case .handleValueNotification:
            guard let notification = try? HandleValueNotification(bytes) else { return false }
            let handle = notification.attributeHandle
            let server = ConnectionServer(side: isFromPeer ? .peer : .local, slot: slot)
            begin(packet, slot, context, into: &sink)
            emitFrequent(
                CapturedPDU(.handleValueNotification(notification), opcode, .notification, length: bytes.count),
                AttributeReference(server: server, handle: handle), frames: frames, context, into: &sink)
            inferConfiguration(after: handle, kind: 1, server, context, into: &sink)
            return true
        case .readRequest:
            guard bytes.count == 3, let read = try? ReadRequest(bytes) else { return false }
            pdu = .readRequest(read)
        case .readBlobRequest:
            guard bytes.count == 5, let read = try? ReadBlobRequest(bytes) else { return false }
            pdu = .readBlobRequest(read)
        case .writeRequest:
            // A value as long as a Client Characteristic Configuration may be one.
            guard bytes.count != 5, let write = try? WriteRequest(bytes) else { return false }
            pdu = .writeRequest(write)
        case .writeCommand:
            guard bytes.count != 5, let write = try? WriteCommand(bytes) else { return false }
            pdu = .writeCommand(write)
        case .readResponse, .readBlobResponse, .writeResponse:
            return decodeFrequentResponse(bytes, slot, frames: frames, packet: packet, context, into: &sink)
        default: return false
        }
        // Requests and commands.
        let handle = bytes.uint16(at: 1)
        let server = ConnectionServer(side: isFromPeer ? .local : .peer, slot: slot)
        begin(packet, slot, context, into: &sink)
        let isCommand = opcode.isCommand
        emitFrequent(
            CapturedPDU(pdu, opcode, isCommand ? .command : .request, length: bytes.count),
            AttributeReference(server: server, handle: handle), frames: frames, context, into: &sink)
        if !isCommand {
            var request = PendingRequest(frame: context.frame, time: context.time, opcode: opcode, handle: handle)
            if opcode == .readBlobRequest { request.offset = bytes.uint16(at: 3) }
            let former = pendingRequest(of: context.side, slot, context)
            setPending(request, of: context.side, slot, context)
            if let former { overlap(former, by: request, slot, context, into: &sink) }
        }
        return true
    }

    /// The response to a Read, Read Blob or Write Request that was captured.
    @inline(__always)
    private mutating func decodeFrequentResponse<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, _ slot: Int, frames: [Int], packet: Bytes?, _ context: PDUContext, into sink: inout Sink
    ) -> Bool {
        let opcode = ATTOpcode(rawValue: bytes[0])
        let asker = context.side.opposite
        let asked = ATTOpcode(rawValue: opcode.rawValue &- 1)
        guard let request = pendingRequest(asked, of: asker, slot, context), let handle = request.handle else {
            return false
        }
        let pdu: ATTPDU
        switch opcode {
        case .readResponse:
            guard let response = try? ReadResponse(bytes) else { return false }
            pdu = .readResponse(response)
        case .readBlobResponse:
            guard let response = try? ReadBlobResponse(bytes) else { return false }
            pdu = .readBlobResponse(response)
        default:
            guard bytes.count == 1, let response = try? WriteResponse(bytes) else { return false }
            pdu = .writeResponse(response)
        }
        let server = ConnectionServer(side: context.side == .rx ? .peer : .local, slot: slot)
        begin(packet, slot, context, into: &sink)
        emitFrequent(
            CapturedPDU(pdu, opcode, .response, length: bytes.count),
            AttributeReference(server: server, handle: handle, request: request), frames: frames, context, into: &sink)
        setPending(nil, of: asker, slot, context)
        settleResponses(of: asker, slot)
        switch opcode {
        case .readResponse: finishRead(handle, bytes.dropFirst(1), server, context, into: &sink)
        case .readBlobResponse: readPart(handle, Int(request.offset), bytes.dropFirst(1), server, context, into: &sink)
        default:
            if let configuration = request.configuration {
                configured(handle, configuration, server, context, into: &sink)
            }
        }
        return true
    }

    /// Reports the packet before the PDU, if it was not yet reported.
    @inline(__always)
    private mutating func begin<Sink: EventSink & ~Copyable>(
        _ packet: Bytes?, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let packet else { return }
        if context.side == .tx { connections[slot].buffers.send(context) } else { connections[slot].buffers.receive() }
        if sink.wantsPackets { tellFrame(packet.dropFirst(ACLPacket.headerLength), slot, context, into: &sink) }
    }

    @inline(never)
    private func tellFrame<Sink: EventSink & ~Copyable>(
        _ bytes: Bytes, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        if let frame = try? L2CAPFrame(bytes) { emit(context, slot, .l2cap(frame), into: &sink) }
    }

    /// The PDU with its facts. It has no fault: that is a condition of this path.
    @inline(__always)
    private mutating func emitFrequent<Sink: EventSink & ~Copyable>(
        _ captured: CapturedPDU, _ reference: AttributeReference, frames: [Int], _ context: PDUContext,
        into sink: inout Sink
    ) {
        let slot = reference.server.slot
        var attribute: AttributeInfo?
        if let handle = reference.handle { attribute = lookUp(handle, reference.server) }
        if !sides.areSettled { sides.note(captured.kind, context.side, connections[slot].number) }
        connections[slot].lastOperation = context.time
        let facts = CollectionOfOne(
            ATTOperation.Facts(
                bearer: .unenhanced, opcode: captured.opcode, server: reference.server.side, handle: reference.handle,
                attribute: attribute, request: reference.request?.answered(context),
                unexpected: nil,
                mayContinue: captured.opcode == .readResponse
                    && captured.length == connections[slot].bearers[0].mtu,
                l2capOctets: captured.length + context.l2capHeaders, fault: nil))
        let operation = ATTOperation(captured.pdu, multipleHandles: Span(), facts)
        emit(context, slot, frames: frames, .att(operation), into: &sink)
    }
}

import AttlasCapture
import AttlasWire

/// What a PDU changes: the outstanding request, the MTU, queues, subscriptions and the attribute tables.
extension Trace {
    @inline(__always)
    mutating func follow<Sink: EventSink & ~Copyable>(
        _ pdu: ATTPDU, _ opcode: ATTOpcode, _ kind: ATTOpcode.Definition.Kind?, _ subject: Subject, isWhole: Bool,
        _ slot: Int, _ moment: Moment, into sink: inout Sink
    ) {
        switch kind {
        case .request:
            if opcode.readsSeveral {
                connections[slot].bearers[moment.bearer][moment.side].multipleHandles = pdu.multipleHandles
                hold(pdu.bytes.count, moment, into: &sink)
            }
            setPending(request(pdu, opcode, isWhole: isWhole, moment), of: moment.side, slot, moment)
        case .response:
            guard let request = subject.request else { return }
            setPending(nil, of: moment.side.opposite, slot, moment)
            finish(request, pdu, subject.server, isWhole: isWhole, slot, moment, into: &sink)
        case .notification:
            guard let handle = subject.handle else { return }
            inferConfiguration(behind: handle, kind: 1, subject.server, slot, moment, into: &sink)
        case .indication:
            guard case .handleValueIndication(let pdu) = pdu else { return }
            let handle = pdu.attributeHandle
            connections[slot].bearers[moment.bearer][moment.side].pending.indication = PendingRequest(
                frame: moment.frame, time: moment.time, opcode: ATTOpcode(rawValue: 0x1D), handle: handle)
            if isWhole { serviceChanged(pdu, subject.server, slot) }
            inferConfiguration(behind: handle, kind: 2, subject.server, slot, moment, into: &sink)
        case .confirmation:
            connections[slot].bearers[moment.bearer][moment.side.opposite].pending.indication = nil
        case .command:
            if case .writeCommand(let pdu) = pdu, isWhole, pdu.attributeValue.count == 2 {
                configured(
                    pdu.attributeHandle, pdu.attributeValue.uint16(at: 0), subject.server, slot, moment, into: &sink)
            }
        case nil: break
        }
    }

    /// The stored properties themselves: see `pendingRequest`.
    private mutating func setPending(
        _ request: PendingRequest?, of asker: Direction, _ slot: Int, _ moment: Moment
    ) {
        switch asker {
        case .tx: connections[slot].bearers[moment.bearer].transmitted.pending.request = request
        case .rx: connections[slot].bearers[moment.bearer].received.pending.request = request
        case .unknown: connections[slot].bearers[moment.bearer].undirected.pending.request = request
        }
    }

    /// What the answer to a request will be understood by. Of a UUID or a value that was cut nobody knows what it was.
    private mutating func request(
        _ pdu: ATTPDU, _ opcode: ATTOpcode, isWhole: Bool, _ moment: Moment
    ) -> PendingRequest {
        var request = PendingRequest(frame: moment.frame, time: moment.time, opcode: opcode)
        switch pdu {
        case .exchangeMTURequest(let pdu): request.parameter = Int(pdu.clientRxMTU)
        case .findInformationRequest(let pdu):
            request.startingHandle = pdu.startingHandle
            request.endingHandle = pdu.endingHandle
        case .findByTypeValueRequest(let pdu):
            request.startingHandle = pdu.startingHandle
            request.endingHandle = pdu.endingHandle
            guard isWhole else { break }
            request.type = uuids.index(of: pdu.attributeType)
            if request.type == types.primaryService, let uuid = BluetoothUUID(pdu.attributeValue) {
                request.soughtService = uuids.index(of: uuid)
            }
        case .readByTypeRequest(let pdu):
            request.startingHandle = pdu.startingHandle
            request.endingHandle = pdu.endingHandle
            if isWhole { request.type = uuids.index(of: pdu.attributeType) }
        case .readByGroupTypeRequest(let pdu):
            request.startingHandle = pdu.startingHandle
            request.endingHandle = pdu.endingHandle
            if isWhole { request.type = uuids.index(of: pdu.attributeGroupType) }
        case .readRequest(let pdu): request.handle = pdu.attributeHandle
        case .readBlobRequest(let pdu):
            request.handle = pdu.attributeHandle
            request.offset = pdu.valueOffset
        case .writeRequest(let pdu):
            request.handle = pdu.attributeHandle
            if isWhole, pdu.attributeValue.count == 2 { request.configuration = pdu.attributeValue.uint16(at: 0) }
        case .prepareWriteRequest(let pdu): request.handle = pdu.attributeHandle
        case .executeWriteRequest(let pdu): request.parameter = Int(pdu.flags)
        default: break
        }
        return request
    }

    private mutating func finish<Sink: EventSink & ~Copyable>(
        _ request: PendingRequest, _ pdu: ATTPDU, _ server: ServerSide, isWhole: Bool, _ slot: Int, _ moment: Moment,
        into sink: inout Sink
    ) {
        let asker = moment.side.opposite
        switch pdu {
        case .exchangeMTUResponse(let pdu):
            let server = Int(pdu.serverRxMTU)
            let inForce = max(Bearer.defaultMTU, min(request.parameter, server))
            connections[slot].bearers[moment.bearer].mtu = inForce
            connections[slot].bearers[moment.bearer].isMTUKnown = true
            peerTable[connections[slot].peer].mtu = inForce
            let exchange = MTUExchange(client: request.parameter, server: server, inForce: inForce)
            emit(moment, slot, .mtu(exchange), into: &sink)
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse:
            learn(request, pdu, server, isWhole: isWhole, slot, moment, into: &sink)
        case .readResponse(let pdu):
            guard let handle = request.handle, isWhole else {
                return connections[slot].bearers[moment.bearer][asker].longRead.end()
            }
            let value = pdu.attributeValue
            let full = fullPart(value, slot, moment)
            learn(valueOf: handle, value, isComplete: value.count < full, server, slot, moment, into: &sink)
            if value.count == full {
                connections[slot].bearers[moment.bearer][asker].longRead.begin(
                    handle, value, fullPart: full, frame: moment.frame)
                hold(value.count + Self.frameNumberSize, moment, into: &sink)
            } else {
                connections[slot].bearers[moment.bearer][asker].longRead.end()
            }
        case .readBlobResponse(let pdu):
            guard let handle = request.handle, isWhole else {
                return connections[slot].bearers[moment.bearer][asker].longRead.end()
            }
            readPart(handle, request.offset, pdu.partAttributeValue, server, asker, slot, moment, into: &sink)
        case .writeResponse:
            guard let handle = request.handle, let configuration = request.configuration else { return }
            configured(handle, configuration, server, slot, moment, into: &sink)
        case .prepareWriteResponse(let pdu):
            let isFirstLeftOut = connections[slot].bearers[moment.bearer][asker].queue.append(
                handle: pdu.attributeHandle, offset: pdu.valueOffset, value: pdu.partAttributeValue,
                frame: moment.frame)
            hold(pdu.partAttributeValue.count + MemoryLayout<PrepareQueue.Part>.stride, moment, into: &sink)
            if isFirstLeftOut {
                let error = WireError(
                    .att, "more prepared writes than attlas keeps: later parts are left out",
                    need: PrepareQueue.limit + pdu.partAttributeValue.count, have: PrepareQueue.limit, limit: .sduLength
                )
                emitFault(moment, slot, error, missing: 0, into: &sink)
            }
        case .executeWriteResponse:
            let outcome: AssembledValue.Outcome = request.parameter == 0 ? .cancelled : .complete
            executed(outcome, server, asker, slot, moment, into: &sink)
        case .errorResponse(let pdu):
            refused(request, pdu.errorCode, server, asker, slot, moment, into: &sink)
        default: break
        }
    }

    private mutating func refused<Sink: EventSink & ~Copyable>(
        _ request: PendingRequest, _ error: ATTErrorCode, _ server: ServerSide, _ asker: Direction, _ slot: Int,
        _ moment: Moment, into sink: inout Sink
    ) {
        switch (request.opcode.rawValue, error.rawValue) {
        case (0x18, _): executed(.refused, server, asker, slot, moment, into: &sink)
        // Invalid Offset and Attribute Not Long: there is no more of the value.
        case (0x0C, 0x07), (0x0C, 0x0B): endLongRead(server, asker, slot, moment, into: &sink)
        case (0x0A, _), (0x0C, _): connections[slot].bearers[moment.bearer][asker].longRead.end()
        // Invalid Handle, Write Not Permitted and Invalid Attribute Value Length: no Client Characteristic Configuration.
        case (0x12, 0x01), (0x12, 0x03), (0x12, 0x0D):
            guard let handle = request.handle, request.configuration != nil else { return }
            withTable(server, slot) { $0.removeInferred(handle) }
        default: break
        }
    }

    // MARK: Long reads

    /// Octets of a part when more may follow. As long as the MTU is unknown, any part may be one that could fill the smallest.
    private func fullPart(_ part: Bytes, _ slot: Int, _ moment: Moment) -> Int {
        connections[slot].bearers[moment.bearer].isMTUKnown
            ? connections[slot].bearers[moment.bearer].mtu - 1 : max(part.count, Bearer.defaultMTU - 1)
    }

    private mutating func readPart<Sink: EventSink & ~Copyable>(
        _ handle: AttributeHandle, _ offset: Int, _ part: Bytes, _ server: ServerSide, _ asker: Direction, _ slot: Int,
        _ moment: Moment, into sink: inout Sink
    ) {
        let isLast: Bool
        if offset == 0 {
            let full = fullPart(part, slot, moment)
            connections[slot].bearers[moment.bearer][asker].longRead.begin(
                handle, part, fullPart: full, frame: moment.frame)
            isLast = part.count < full
        } else {
            isLast = connections[slot].bearers[moment.bearer][asker].longRead.add(
                handle, offset: offset, part, frame: moment.frame)
        }
        if isLast {
            endLongRead(server, asker, slot, moment, into: &sink)
        } else {
            hold(part.count + Self.frameNumberSize, moment, into: &sink)
        }
    }

    /// The value is whole.
    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func endLongRead<Sink: EventSink & ~Copyable>(
        _ server: ServerSide, _ asker: Direction, _ slot: Int, _ moment: Moment, into sink: inout Sink
    ) {
        // The value is taken out while it is told, because the sink sees the whole trace.
        var read = LongRead()
        swap(&read, &connections[slot].bearers[moment.bearer][asker].longRead)
        if read.isActive {
            let bytes = Bytes(read.value.span)
            if read.frames.count > 1 {
                let value = AssembledValue(
                    kind: .longRead, outcome: .complete, server: server, handle: read.handle,
                    attribute: attribute(read.handle, server: server, connection: slot), offset: 0, value: bytes,
                    frames: read.frames.span)
                emit(moment, slot, .assembled(value), into: &sink)
            }
            learn(valueOf: read.handle, bytes, isComplete: true, server, slot, moment, into: &sink)
        }
        read.end()
        swap(&read, &connections[slot].bearers[moment.bearer][asker].longRead)
    }

    // MARK: Prepared writes

    private mutating func executed<Sink: EventSink & ~Copyable>(
        _ outcome: AssembledValue.Outcome, _ server: ServerSide, _ asker: Direction, _ slot: Int, _ moment: Moment,
        into sink: inout Sink
    ) {
        var queue = PrepareQueue()
        swap(&queue, &connections[slot].bearers[moment.bearer][asker].queue)
        for handle in queue.handles {
            for run in queue.joined(handle) {
                let frames = run.frames + [moment.frame]
                let value = AssembledValue(
                    kind: .preparedWrite, outcome: outcome, server: server, handle: handle,
                    attribute: attribute(handle, server: server, connection: slot), offset: run.offset,
                    value: Bytes(run.value.span), frames: frames.span)
                emit(moment, slot, .assembled(value), into: &sink)
            }
        }
    }
}

extension ATTOpcode {
    /// Read Multiple Request and Read Multiple Variable Request.
    var readsSeveral: Bool { rawValue == 0x0E || rawValue == 0x20 }
}

extension ATTPDU {
    /// The attributes that a Read Multiple (Variable) Request names.
    fileprivate var multipleHandles: [AttributeHandle] {
        switch self {
        case .readMultipleRequest(let pdu): (0..<pdu.list.count).map { pdu.handle($0) }
        case .readMultipleVariableRequest(let pdu): (0..<pdu.list.count).map { pdu.handle($0) }
        default: []
        }
    }
}

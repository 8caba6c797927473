import AttlasCapture
import AttlasWire

/// State that a PDU changes: the outstanding request, the MTU, queues, subscriptions and the attribute tables.
extension Trace {
    @inline(__always)
    mutating func follow<Sink: EventSink & ~Copyable>(
        _ captured: CapturedPDU, _ reference: AttributeReference, _ context: PDUContext, into sink: inout Sink
    ) {
        let pdu = captured.pdu
        let server = reference.server
        let slot = server.slot
        switch captured.kind {
        case .request:
            if captured.opcode.readsSeveral {
                connections[slot].bearers[context.bearer][context.side].multipleHandles = pdu.multipleHandles
                hold(pdu.bytes.count, context, into: &sink)
            }
            let next = request(captured, context)
            let former = pendingRequest(of: context.side, slot, context)
            setPending(next, of: context.side, slot, context)
            if let former { overlap(former, by: next, slot, context, into: &sink) }
        case .response:
            guard let request = reference.request else { return }
            setPending(nil, of: context.side.opposite, slot, context)
            settleResponses(of: context.side.opposite, slot, context.bearer)
            finish(request, captured, server, context, into: &sink)
        case .notification:
            guard let handle = reference.handle else { return }
            inferConfiguration(after: handle, kind: 1, server, context, into: &sink)
        case .indication:
            guard case .handleValueIndication(let pdu) = pdu else { return }
            let handle = pdu.attributeHandle
            let next = PendingRequest(
                frame: context.frame, time: context.time, opcode: .handleValueIndication, handle: handle)
            let former = connections[slot].bearers[context.bearer][context.side].pending.indication
            connections[slot].bearers[context.bearer][context.side].pending.indication = next
            if let former { overlap(former, by: next, slot, context, into: &sink) }
            if captured.isWhole { serviceChanged(pdu, server, context) }
            inferConfiguration(after: handle, kind: 2, server, context, into: &sink)
        case .confirmation:
            connections[slot].bearers[context.bearer][context.side.opposite].pending.indication = nil
            if reference.request != nil {
                connections[slot].bearers[context.bearer][context.side.opposite].pending.excusedConfirmations.settle()
            }
        case .command:
            if case .writeCommand(let pdu) = pdu, captured.isWhole, pdu.attributeValue.count == 2 {
                configured(
                    pdu.attributeHandle, pdu.attributeValue.uint16(at: 0), server, context, into: &sink)
            }
        case nil:
            // A request that the specification does not define is answered with Request Not Supported.
            if !captured.opcode.isCommand {
                connections[slot].bearers[context.bearer][context.side].pending.excusedResponses.add(isAfterGap: false)
            }
        }
    }

    /// Notes that requests after a gap of the capture were answered. The stored properties themselves: see `pendingRequest`.
    @inline(__always)
    mutating func settleResponses(of asker: Direction, _ slot: Int, _ bearer: Int = 0) {
        switch asker {
        case .tx: connections[slot].bearers[bearer].transmitted.pending.excusedResponses.settle()
        case .rx: connections[slot].bearers[bearer].received.pending.excusedResponses.settle()
        case .unknown: break
        }
    }

    /// The stored properties themselves: see `pendingRequest`.
    mutating func setPending(
        _ request: PendingRequest?, of asker: Direction, _ slot: Int, _ context: PDUContext
    ) {
        switch asker {
        case .tx: connections[slot].bearers[context.bearer].transmitted.pending.request = request
        case .rx: connections[slot].bearers[context.bearer].received.pending.request = request
        case .unknown: connections[slot].bearers[context.bearer].undirected.pending.request = request
        }
    }

    /// The request, with the data that its answer needs. A UUID or a value that was cut is unknown.
    private mutating func request(_ captured: CapturedPDU, _ context: PDUContext) -> PendingRequest {
        let isWhole = captured.isWhole
        var request = PendingRequest(frame: context.frame, time: context.time, opcode: captured.opcode)
        switch captured.pdu {
        case .exchangeMTURequest(let pdu): request.parameter = pdu.clientRxMTU
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
            request.offset = UInt16(pdu.valueOffset)
        case .writeRequest(let pdu):
            request.handle = pdu.attributeHandle
            if isWhole, pdu.attributeValue.count == 2 { request.configuration = pdu.attributeValue.uint16(at: 0) }
        case .prepareWriteRequest(let pdu): request.handle = pdu.attributeHandle
        case .executeWriteRequest(let pdu): request.parameter = UInt16(pdu.flags)
        default: break
        }
        return request
    }

    private mutating func finish<Sink: EventSink & ~Copyable>(
        _ request: PendingRequest, _ captured: CapturedPDU, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        let (slot, asker) = (server.slot, context.side.opposite)
        switch captured.pdu {
        case .exchangeMTUResponse(let pdu):
            let (client, server) = (Int(request.parameter), Int(pdu.serverRxMTU))
            var inForce = max(Bearer.defaultMTU, min(client, server))
            if connections[slot].bearers[context.bearer].kind == .classic {
                // That of the L2CAP channel, whatever is exchanged. Vol 3, Part F, 3.2.8.
                inForce = connections[slot].bearers[context.bearer].mtu
            } else {
                connections[slot].bearers[context.bearer].isMTUKnown = true
                setMTU(inForce, context.bearer, slot)
            }
            let exchange = MTUExchange(client: client, server: server, inForce: inForce)
            emit(context, slot, .mtu(exchange), into: &sink)
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse:
            learn(request, captured, server, context, into: &sink)
        case .readResponse(let pdu):
            guard let handle = request.handle, captured.isWhole else {
                return connections[slot].bearers[context.bearer][asker].longRead.end()
            }
            finishRead(handle, pdu.attributeValue, server, context, into: &sink)
        case .readBlobResponse(let pdu):
            guard let handle = request.handle, captured.isWhole else {
                return connections[slot].bearers[context.bearer][asker].longRead.end()
            }
            readPart(handle, Int(request.offset), pdu.partAttributeValue, server, context, into: &sink)
        case .writeResponse:
            guard let handle = request.handle, let configuration = request.configuration else { return }
            configured(handle, configuration, server, context, into: &sink)
        case .prepareWriteResponse(let pdu):
            let isFirstLeftOut = connections[slot].bearers[context.bearer][asker].queue.append(
                handle: pdu.attributeHandle, offset: pdu.valueOffset, value: pdu.partAttributeValue,
                frame: context.frame)
            hold(pdu.partAttributeValue.count + MemoryLayout<PrepareQueue.Part>.stride, context, into: &sink)
            if isFirstLeftOut {
                let error = WireError(
                    .att, "more prepared writes than attlas keeps: later parts are left out",
                    need: PrepareQueue.limit + pdu.partAttributeValue.count, have: PrepareQueue.limit, limit: .sduLength
                )
                emitFault(context, slot, error, missing: 0, into: &sink)
            }
        case .executeWriteResponse:
            let outcome: AssembledValue.Outcome = request.parameter == 0 ? .cancelled : .complete
            executed(outcome, server, context, into: &sink)
        case .errorResponse(let pdu):
            refused(request, pdu.errorCode, server, context, into: &sink)
        default: break
        }
    }

    /// A Read Response: the whole value, or the beginning of a long one.
    mutating func finishRead<Sink: EventSink & ~Copyable>(
        _ handle: AttributeHandle, _ value: Bytes, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        let (slot, asker) = (server.slot, context.side.opposite)
        let full = connections[slot].bearers[context.bearer].mtu - 1
        learn(valueOf: handle, value, isComplete: value.count < full, server, context, into: &sink)
        if value.count == full {
            connections[slot].bearers[context.bearer][asker].longRead.begin(
                handle, value, fullPart: full, frame: context.frame)
            hold(value.count + Self.frameNumberSize, context, into: &sink)
        } else {
            forgetLongRead(of: asker, slot, context)
        }
    }

    /// Nearly always there is none: looked at first, because a change checks two arrays for unique ownership.
    @inline(__always)
    private mutating func forgetLongRead(of asker: Direction, _ slot: Int, _ context: PDUContext) {
        let isActive =
            switch asker {
            case .tx: connections[slot].bearers[context.bearer].transmitted.longRead.isActive
            case .rx: connections[slot].bearers[context.bearer].received.longRead.isActive
            case .unknown: connections[slot].bearers[context.bearer].undirected.longRead.isActive
            }
        if isActive { connections[slot].bearers[context.bearer][asker].longRead.end() }
    }

    private mutating func refused<Sink: EventSink & ~Copyable>(
        _ request: PendingRequest, _ error: ATTErrorCode, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        switch (request.opcode, error) {
        case (.executeWriteRequest, _): executed(.refused, server, context, into: &sink)
        case (.readByGroupTypeRequest, .attributeNotFound) where request.type == types.primaryService:
            guard request.startingHandle <= request.endingHandle else { return }
            lackServices(in: request.startingHandle...request.endingHandle, server, context)
        // There is no more of the value.
        case (.readBlobRequest, .invalidOffset), (.readBlobRequest, .attributeNotLong):
            endLongRead(server, context, into: &sink)
        case (.readRequest, _), (.readBlobRequest, _):
            connections[server.slot].bearers[context.bearer][context.side.opposite].longRead.end()
        // It is not a Client Characteristic Configuration.
        case (.writeRequest, .invalidHandle), (.writeRequest, .writeNotPermitted),
            (.writeRequest, .invalidAttributeValueLength):
            guard let handle = request.handle, request.configuration != nil else { return }
            withTable(server) { $0.removeInferred(handle) }
        default: break
        }
    }

    // MARK: Long reads

    mutating func readPart<Sink: EventSink & ~Copyable>(
        _ handle: AttributeHandle, _ offset: Int, _ part: Bytes, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        let (slot, asker) = (server.slot, context.side.opposite)
        let isLast: Bool
        if offset == 0 {
            let full = connections[slot].bearers[context.bearer].mtu - 1
            connections[slot].bearers[context.bearer][asker].longRead.begin(
                handle, part, fullPart: full, frame: context.frame)
            isLast = part.count < full
        } else {
            isLast = connections[slot].bearers[context.bearer][asker].longRead.add(
                handle, offset: offset, part, frame: context.frame)
        }
        if isLast {
            endLongRead(server, context, into: &sink)
        } else {
            hold(part.count + Self.frameNumberSize, context, into: &sink)
        }
    }

    /// The value is whole.
    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func endLongRead<Sink: EventSink & ~Copyable>(
        _ server: ConnectionServer, _ context: PDUContext, into sink: inout Sink
    ) {
        let (slot, asker) = (server.slot, context.side.opposite)
        // The value is taken out while the sink receives it, because the sink sees the whole trace.
        var read = LongRead()
        swap(&read, &connections[slot].bearers[context.bearer][asker].longRead)
        if read.isActive {
            let bytes = Bytes(read.value.span)
            let attribute = lookUp(read.handle, server)
            if read.frames.count > 1 {
                let value = AssembledValue(
                    kind: .longRead, outcome: .complete, server: server.side, handle: read.handle,
                    attribute: attribute, offset: 0, value: bytes,
                    frames: read.frames.span)
                emit(context, slot, .assembled(value), into: &sink)
            }
            learn(valueOf: read.handle, bytes, isComplete: true, server, context, into: &sink)
        }
        read.end()
        swap(&read, &connections[slot].bearers[context.bearer][asker].longRead)
    }

    // MARK: Prepared writes

    private mutating func executed<Sink: EventSink & ~Copyable>(
        _ outcome: AssembledValue.Outcome, _ server: ConnectionServer, _ context: PDUContext, into sink: inout Sink
    ) {
        let (slot, asker) = (server.slot, context.side.opposite)
        var queue = PrepareQueue()
        swap(&queue, &connections[slot].bearers[context.bearer][asker].queue)
        for (handle, parts) in queue.attributes {
            for run in queue.joined(parts) {
                let frames = run.frames + [context.frame]
                let value = AssembledValue(
                    kind: .preparedWrite, outcome: outcome, server: server.side, handle: handle,
                    attribute: attribute(handle, server: server.side, connection: slot), offset: run.offset,
                    value: Bytes(run.value.span), frames: frames.span)
                emit(context, slot, .assembled(value), into: &sink)
            }
        }
    }
}

extension ATTOpcode {
    /// Read Multiple Request and Read Multiple Variable Request.
    var readsSeveral: Bool { self == .readMultipleRequest || self == .readMultipleVariableRequest }
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

import AttlasCapture
import AttlasWire

extension Trace {
    /// The attribute table of a server of this connection.
    public func table(of server: ServerSide, connection: Int) -> AttributeTable {
        switch server {
        case .peer: peerTable.peers[connections[connection].peer].table
        case .local: controllers[connections[connection].controllerIndex].table
        }
    }

    /// The attribute of `server` at a handle on this connection; nil if it is not in the capture.
    ///
    /// - Parameter frame: where the table of then is asked for; nil: the table of now.
    public func attribute(
        _ handle: AttributeHandle, server: ServerSide, connection: Int, at frame: Int? = nil
    ) -> AttributeInfo? {
        let number = connections[connection].number
        switch server {
        case .peer:
            return peerTable.peers[connections[connection].peer].table.info(
                handle, at: frame, connection: number, types: types)
        case .local:
            let controller = connections[connection].controllerIndex
            return controllers[controller].table.info(handle, at: frame, connection: number, types: types)
        }
    }

    /// The same, remembered for the next time.
    @inline(__always)
    mutating func lookUp(_ handle: AttributeHandle, _ server: ConnectionServer) -> AttributeInfo? {
        let slot = server.slot
        let number = connections[slot].number
        // Changing values in three arrays checks three times for unique ownership.
        let known =
            switch server.side {
            case .peer: peerTable.peers[connections[slot].peer].table.known.find(handle, connection: number)
            case .local:
                controllers[connections[slot].controllerIndex].table.known.find(handle, connection: number)
            }
        return known ?? lookUpAnew(handle, server)
    }

    @inline(never)
    private mutating func lookUpAnew(_ handle: AttributeHandle, _ server: ConnectionServer) -> AttributeInfo? {
        let slot = server.slot
        let number = connections[slot].number
        switch server.side {
        case .peer:
            return peerTable[connections[slot].peer].table.lookUp(handle, connection: number, types: types)
        case .local:
            return controllers[connections[slot].controllerIndex].table.lookUp(
                handle, connection: number, types: types)
        }
    }

    @inline(__always)
    mutating func decodeATT<Sink: EventSink & ~Copyable>(
        _ payload: Bytes, missing: Int, _ slot: Int, frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) {
        if losses.count > 0, connections[slot].losses != losses.count {
            forgetLost(slot, context, into: &sink)
        }
        let pdu: ATTPDU
        do throws(WireError) {
            pdu = try ATTPDU(payload)
        } catch {
            emitFault(context, slot, frames: frames, error, missing: missing, into: &sink)
            return followUnreadable(payload, slot, context, into: &sink)
        }
        // A peer without an address gets its imported table when it turns out to speak ATT.
        if !imports.isEmpty { useImport(slot, context, into: &sink) }
        // Most PDUs name their attribute. Those that imply it by their request are handled separately: their registers and memory cost the
        // others 24 of some 1 440 instructions.
        let opcode = ATTOpcode(rawValue: payload[0])
        let definition = opcode.definition
        let captured = CapturedPDU(pdu, opcode, definition?.kind, length: payload.count, missing: missing)
        guard let definition, definition.ownsHandle else {
            return decodeReference(captured, slot, frames: frames, context, into: &sink)
        }
        let server = ConnectionServer(side: server(definition.kind, context), slot: slot)
        let reference = AttributeReference(server: server, handle: payload.uint16(at: 1))
        emitOperation(captured, definition, reference, frames: frames, context, into: &sink)
    }

    @inline(never)
    private mutating func decodeReference<Sink: EventSink & ~Copyable>(
        _ captured: CapturedPDU, _ slot: Int, frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) {
        var reference = referredSubject(of: captured, slot, context)
        if reference.request == nil, captured.kind == .response || captured.kind == .confirmation {
            reference.unexpected = unexpected(captured, slot, context)
        }
        emitOperation(captured, captured.opcode.definition, reference, frames: frames, context, into: &sink)
    }

    @inline(__always)
    private mutating func emitOperation<Sink: EventSink & ~Copyable>(
        _ captured: CapturedPDU, _ definition: ATTOpcode.Definition?, _ reference: AttributeReference, frames: [Int],
        _ context: PDUContext, into sink: inout Sink
    ) {
        let (pdu, opcode, length, missing) = (captured.pdu, captured.opcode, captured.length, captured.missing)
        let isWhole = captured.isWhole
        let slot = reference.server.slot
        if !imports.isEmpty, reference.server.side == .local { useHostImport(slot, context, into: &sink) }
        if isWhole { inferConfiguration(writtenBy: pdu, reference, context) }
        var info: AttributeInfo?
        if let handle = reference.handle, Sink.depth == .all {
            info = lookUp(handle, reference.server)
        }
        if length &+ missing > connections[slot].bearers[context.bearer].mtu {
            widen(to: length + missing, context.bearer, slot)
        }
        if !sides.areSettled { sides.note(captured.kind, context.side, connections[slot].number) }
        connections[slot].lastOperation = context.time
        let mayBeFaulty = !isWhole || definition.map { $0.isList || !$0.length.contains(length) } ?? true
        let facts = CollectionOfOne(
            ATTOperation.Facts(
                bearer: connections[slot].bearers[context.bearer].kind, opcode: opcode, server: reference.server.side,
                handle: reference.handle, attribute: info, request: reference.request?.answered(context),
                unexpected: reference.unexpected,
                mayContinue: (opcode == .readResponse || opcode == .readByTypeResponse) && isWhole
                    && pdu.mayContinue(mtu: connections[slot].bearers[context.bearer].mtu),
                l2capOctets: length + missing + context.l2capHeaders,
                fault: mayBeFaulty ? pdu.fault(definition, length: length, missing: missing) : nil,
                reported: context.reported))
        if let request = reference.request, request.opcode.readsSeveral {
            let handles = connections[slot].bearers[context.bearer][context.side.opposite].multipleHandles
            let operation = ATTOperation(pdu, multipleHandles: handles.span, facts)
            emit(context, slot, frames: frames, .att(operation), into: &sink)
        } else {
            let operation = ATTOperation(pdu, multipleHandles: Span(), facts)
            emit(context, slot, frames: frames, .att(operation), into: &sink)
        }
        follow(captured, reference, context, into: &sink)
    }

    /// As long as the MTU is unknown, each PDU shows how large it is at least.
    @inline(never)
    private mutating func widen(to length: Int, _ bearer: Int, _ slot: Int) {
        if !connections[slot].bearers[bearer].isMTUKnown { setMTU(length, bearer, slot) }
    }

    mutating func setMTU(_ mtu: Int, _ bearer: Int, _ slot: Int) {
        connections[slot].bearers[bearer].mtu = mtu
        if case .enhanced = connections[slot].bearers[bearer].kind { return }
        let peer = connections[slot].peer
        peerTable[peer].mtu = mtu
        peerTable[peer].isMTUKnown = connections[slot].bearers[bearer].isMTUKnown
    }

    /// An ATT PDU, and how much of it was captured.
    struct CapturedPDU: ~Escapable, Copyable {
        let pdu: ATTPDU
        let opcode: ATTOpcode
        /// nil for an opcode that the specification does not define.
        let kind: ATTOpcode.Definition.Kind?
        /// Octets that were captured.
        let length: Int
        /// Octets that the capture left out.
        let missing: Int

        @_lifetime(copy pdu)
        @inline(__always)
        init(_ pdu: ATTPDU, _ opcode: ATTOpcode, _ kind: ATTOpcode.Definition.Kind?, length: Int, missing: Int = 0) {
            self.pdu = pdu
            self.opcode = opcode
            self.kind = kind
            self.length = length
            self.missing = missing
        }

        var isWhole: Bool { missing == 0 }
    }

    /// The attribute that a PDU refers to, before it changes anything.
    struct AttributeReference {
        var server: ConnectionServer
        var handle: AttributeHandle?
        var request: PendingRequest?
        var unexpected: UnexpectedAnswer?
    }

    /// Sent by the host as client, or received from the peer as server: the peer's table. Without a direction, too.
    @inline(__always)
    private func server(_ kind: ATTOpcode.Definition.Kind?, _ context: PDUContext) -> ServerSide {
        let isFromServer: Bool
        switch kind {
        case .response, .notification, .indication: isFromServer = true
        default: isFromServer = false
        }
        return (context.side == .rx) == isFromServer || context.side == .unknown ? .peer : .local
    }

    /// The reference of a PDU without a handle.
    private func referredSubject(
        of captured: CapturedPDU, _ slot: Int, _ context: PDUContext
    ) -> AttributeReference {
        var reference = AttributeReference(
            server: ConnectionServer(side: server(captured.kind, context), slot: slot))
        let asker = context.side.opposite
        switch captured.pdu {
        case .handleValueConfirmation:
            reference.request = pendingIndication(asker, slot, context)
            reference.handle = reference.request?.handle
        case .errorResponse(let pdu):
            reference.request = pendingRequest(pdu.requestOpcodeInError, of: asker, slot, context)
            reference.handle = pdu.attributeHandleInError == 0 ? reference.request?.handle : pdu.attributeHandleInError
        default:
            // The opcode of every other response is one more than that of its request.
            guard captured.kind == .response else { break }
            let requestOpcode = ATTOpcode(rawValue: captured.opcode.rawValue &- 1)
            reference.request = pendingRequest(requestOpcode, of: asker, slot, context)
            reference.handle = reference.request?.handle
        }
        return reference
    }

    /// The request that a side waits for. Read from the stored properties: through the bearer's subscript all of the bearer would be
    /// copied.
    @inline(__always)
    func pendingRequest(
        _ opcode: ATTOpcode, of asker: Direction, _ slot: Int, _ context: PDUContext
    ) -> PendingRequest? {
        switch asker {
        case .tx: connections[slot].bearers[context.bearer].transmitted.pending.request(opcode)
        case .rx: connections[slot].bearers[context.bearer].received.pending.request(opcode)
        case .unknown: connections[slot].bearers[context.bearer].undirected.pending.request(opcode)
        }
    }

    /// Any request that a side waits for.
    @inline(__always)
    func pendingRequest(of asker: Direction, _ slot: Int, _ context: PDUContext) -> PendingRequest? {
        switch asker {
        case .tx: connections[slot].bearers[context.bearer].transmitted.pending.request
        case .rx: connections[slot].bearers[context.bearer].received.pending.request
        case .unknown: connections[slot].bearers[context.bearer].undirected.pending.request
        }
    }

    private func pendingIndication(_ asker: Direction, _ slot: Int, _ context: PDUContext) -> PendingRequest? {
        switch asker {
        case .tx: connections[slot].bearers[context.bearer].transmitted.pending.indication
        case .rx: connections[slot].bearers[context.bearer].received.pending.indication
        case .unknown: connections[slot].bearers[context.bearer].undirected.pending.indication
        }
    }
}

extension ATTPDU {
    /// Whether the value ends where the PDU has to, so that more of it may follow. Vol 3, Part F, 3.4.4.2 and 3.4.4.4.
    fileprivate func mayContinue(mtu: Int) -> Bool {
        switch self {
        case .readResponse(let pdu): pdu.bytes.count == mtu
        case .readByTypeResponse(let pdu): pdu.list.count > 0 && pdu.value(0).count == min(mtu - 4, 253)
        default: false
        }
    }

    /// The fault of a PDU whose view could be made: cut by the capture, too long, or a list with an incomplete last entry.
    func fault(_ definition: ATTOpcode.Definition?, length: Int, missing: Int) -> WireError? {
        if missing > 0 {
            return WireError(
                .att, "PDU not captured to its end", need: length + missing, have: length, limit: .capturedLength)
        }
        guard let definition else {
            return WireError(
                .att, "opcode that the specification does not define", need: 0, have: length, limit: .l2capLength)
        }
        if case .exactly(let need) = definition.length, length > need {
            return WireError(
                .att, "octets after the end of the PDU", need: need, have: length, limit: .l2capLength)
        }
        func uneven(_ list: AttributeList) -> WireError? {
            guard list.remainder > 0 else { return nil }
            return WireError(
                .att, "last item of the list incomplete", need: list.stride, have: list.remainder, limit: .l2capLength)
        }
        switch self {
        case .findInformationResponse(let pdu): return uneven(pdu.list)
        case .findByTypeValueResponse(let pdu): return uneven(pdu.list)
        case .readByTypeResponse(let pdu): return uneven(pdu.list)
        case .readByGroupTypeResponse(let pdu): return uneven(pdu.list)
        case .readMultipleRequest(let pdu): return uneven(pdu.list)
        case .readMultipleVariableRequest(let pdu): return uneven(pdu.list)
        case .multipleHandleValueNotification(let pdu):
            var tuples = pdu.tuples
            var have = 0
            while let value = tuples.next() { have = value.count }
            guard tuples.missing > 0 || tuples.remainder > 0 else { return nil }
            return WireError(
                .att, "last item of the list incomplete",
                need: tuples.remainder > 0 ? 4 : have + tuples.missing,
                have: tuples.remainder > 0 ? tuples.remainder : have, limit: .l2capLength)
        default: return nil
        }
    }
}

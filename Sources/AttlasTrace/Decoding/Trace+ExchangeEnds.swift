import AttlasCapture
import AttlasWire

/// How requests and indications end without their answers.
extension Trace {
    /// Reports the end of one. It is still in its place.
    @inline(never)
    mutating func tellEnd<Sink: EventSink & ~Copyable>(
        of pending: PendingRequest, by asker: Direction, _ outcome: ExchangeEnd.Outcome, at time: Timestamp? = nil,
        _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let age = (time ?? context.time).duration(since: pending.time)
        var outcome = outcome
        switch outcome {
        case .unanswered, .open, .overlapped:
            if let doubt = asker == .unknown ? .direction : pending.doubt {
                outcome = .doubtful(doubt)
            } else if (age ?? 0) >= ExchangeEnd.timeout {
                outcome = .unanswered
            }
        case .doubtful(.unreadable):
            // Whatever it was, it came too late.
            if pending.doubt == nil, asker != .unknown, (age ?? 0) >= ExchangeEnd.timeout { outcome = .unanswered }
        case .doubtful: break
        }
        let isFromServer = pending.opcode.definition?.kind == .indication
        let end = ExchangeEnd(
            asked: WaitingRequest(pending, asker), bearer: connections[slot].bearers[context.bearer].kind,
            server: (asker == .rx) == isFromServer || asker == .unknown ? .peer : .local, age: age, outcome: outcome)
        emit(context, slot, .exchange(end), into: &sink)
    }

    /// Another request or indication takes the place of one.
    @inline(never)
    mutating func overlap<Sink: EventSink & ~Copyable>(
        _ pending: PendingRequest, by next: PendingRequest, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let isIndication = pending.opcode.definition?.kind == .indication
        // Both may be answered.
        if isIndication {
            connections[slot].bearers[context.bearer][context.side].pending.excusedConfirmations.add(isAfterGap: false)
        } else {
            connections[slot].bearers[context.bearer][context.side].pending.excusedResponses.add(isAfterGap: false)
        }
        tellEnd(
            of: pending, by: context.side, .overlapped(by: WaitingRequest(next, context.side)), slot, context,
            into: &sink)
    }

    /// Reports open requests when the connection, or the capture, ends.
    @inline(never)
    mutating func tellEnds<Sink: EventSink & ~Copyable>(
        _ slot: Int, isOpen: Bool, _ context: PDUContext, into sink: inout Sink
    ) {
        if connections[slot].losses != losses.count { forgetLost(slot, context, into: &sink) }
        // Without events of HCI, only its packets show that a connection lives.
        let end = isOpen && !connections[slot].isWhole ? connections[slot].lastOperation : nil
        forEachPending(slot, context) { trace, pending, asker, context in
            trace.tellEnd(
                of: pending, by: asker, isOpen ? .open : .unanswered, at: end, slot, context, into: &sink)
        }
        settleUpdate(slot, until: end, context, into: &sink)
        if let accessAddress = connections[slot].accessAddress, let state = air.state(accessAddress),
            air[state].isSilent
        {
            emit(context, slot, .connection(.unheard), into: &sink)
        }
    }

    /// After a loss, it is unknown whether the next response answers the last request that was captured.
    @inline(never)
    mutating func forgetLost<Sink: EventSink & ~Copyable>(
        _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let own = losses.count(of: connections[slot].controller)
        let times = own - connections[slot].ownLosses
        connections[slot].ownLosses = own
        connections[slot].losses = losses.count
        guard times > 0 else { return }
        forEachPending(slot, context) { trace, pending, asker, context in
            trace.tellEnd(of: pending, by: asker, .doubtful(.missing), slot, context, into: &sink)
        }
        connections[slot].forgetRequests()
        for bearer in connections[slot].bearers.indices {
            connections[slot].bearers[bearer].excuse(times, by: .tx)
            connections[slot].bearers[bearer].excuse(times, by: .rx)
        }
    }

    private mutating func forEachPending(
        _ slot: Int, _ context: PDUContext, _ body: (inout Trace, PendingRequest, Direction, PDUContext) -> Void
    ) {
        for bearer in connections[slot].bearers.indices {
            var context = context
            context.bearer = bearer
            for asker in [Direction.tx, .rx, .unknown] {
                let pending = connections[slot].bearers[bearer][asker].pending
                if let request = pending.request { body(&self, request, asker, context) }
                if let indication = pending.indication { body(&self, indication, asker, context) }
            }
        }
    }

    /// Packets of a side are missing, or could not be read: they may have had the answer to the other side's request, and
    /// requests to it.
    @inline(never)
    mutating func doubt(_ doubt: ExchangeEnd.Doubt, of sender: Direction, _ slot: Int, at now: Timestamp) {
        if let asker = connections[slot].updateRequest?.asker, asker != sender { connections[slot].updateRequest = nil }
        for bearer in connections[slot].bearers.indices {
            for side in [Direction.tx, .rx] where sender == side || sender == .unknown {
                connections[slot].bearers[bearer].doubt(doubt, of: side.opposite, at: now)
                connections[slot].bearers[bearer].excuse(1, by: side)
            }
            connections[slot].bearers[bearer].doubt(doubt, of: .unknown, at: now)
        }
    }

    /// An ATT PDU cannot be read. Its first octet suggests its type.
    @inline(never)
    mutating func followUnreadable<Sink: EventSink & ~Copyable>(
        _ payload: Bytes, _ slot: Int, _ context: PDUContext, into sink: inout Sink
    ) {
        let (side, other) = (context.side, context.side.opposite)
        switch payload.isEmpty ? nil : ATTOpcode(rawValue: payload[0]).definition?.kind {
        case .request, .indication:
            let isRequest = ATTOpcode(rawValue: payload[0]).definition?.kind == .request
            var pending = connections[slot].bearers[context.bearer][side].pending
            if let old = isRequest ? pending.request : pending.indication {
                tellEnd(of: old, by: side, .doubtful(.unreadable), slot, context, into: &sink)
            }
            if isRequest {
                pending.request = nil
                pending.excusedResponses.add(isAfterGap: true)
            } else {
                pending.indication = nil
                pending.excusedConfirmations.add(isAfterGap: true)
            }
            connections[slot].bearers[context.bearer][side].pending = pending
        case .response:
            if let answered = connections[slot].bearers[context.bearer][other].pending.request {
                tellEnd(of: answered, by: other, .doubtful(.unreadable), slot, context, into: &sink)
                connections[slot].bearers[context.bearer][other].pending.request = nil
            } else {
                _ = connections[slot].bearers[context.bearer][other].pending.excusedResponses.use()
            }
        case .command, .notification: break
        case .confirmation, nil: doubt(.unreadable, of: side, slot, at: context.time)
        }
    }

    /// Why a response or a confirmation has no request; nil if the capture explains it.
    @inline(never)
    mutating func unexpected(
        _ captured: borrowing CapturedPDU, _ slot: Int, _ context: PDUContext
    ) -> UnexpectedAnswer? {
        // Without a direction, the client is unknown.
        guard context.side != .unknown else { return nil }
        let asker = context.side.opposite
        if captured.kind == .confirmation {
            return connections[slot].bearers[context.bearer][asker].pending.excusedConfirmations.use()
                ? nil : .nothingWaits
        }
        // An answer to a command is not a response to a request.
        if case .errorResponse(let pdu) = captured.pdu, pdu.requestOpcodeInError.hasNoAnswer { return nil }
        if connections[slot].bearers[context.bearer][asker].pending.excusedResponses.use() { return nil }
        guard let waiting = connections[slot].bearers[context.bearer][asker].pending.request else {
            return .nothingWaits
        }
        // Its own answer may follow.
        connections[slot].bearers[context.bearer][asker].pending.request?.doubt(.otherAnswer, at: context.time)
        return .otherWaits(WaitingRequest(waiting, asker))
    }
}

extension ATTOpcode {
    /// PDUs without a response: commands, notifications and confirmations.
    public var hasNoAnswer: Bool {
        switch definition?.kind {
        case .command, .notification, .confirmation: true
        case .request, .response, .indication: false
        case nil: isCommand
        }
    }
}

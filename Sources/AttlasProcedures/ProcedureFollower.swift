import AttlasCapture
import AttlasTrace
import AttlasWire

/// Follows the procedures of a conversation, from event to event.
///
/// Bounded: of a connection, those that run, at most `limit`; of a controller, one attempt of each transport.
package struct ProcedureFollower {
    /// Whether to follow exchanges outside of larger procedures.
    private let withExchanges: Bool
    /// By the trace's index of the connection.
    private var links: [Link] = []
    private var attempts: [Attempt] = []
    private var ended: [Procedure] = []
    private var taken = 0

    private static let limit = 32
    private static let attemptLimit = 64

    /// The procedures that run on a connection.
    private struct Link {
        let number: Int
        /// Packets that were missed, and PDUs that could not be read.
        var missed = 0
        var running: [Running] = []

        /// A value may be read on.
        var isReading: Bool { running.contains { $0.isSettled && $0.procedure.kind != .discovery } }
    }

    private struct Running {
        var procedure: Procedure
        /// `ProcedureFollower.gaps` when it began.
        let gaps: Int
        /// An identifier, for kinds of which several may run.
        var identifier: UInt16?
        /// Command Status came with success, or no command began it.
        var isAccepted = true
        /// All that was begun is over: with the next event of another kind, it has ended.
        var isSettled = false
    }

    private struct Attempt {
        let transport: Connection.Transport
        let procedure: Procedure
    }

    /// - Parameter withExchanges: whether each request and indication outside of a larger procedure is a procedure.
    package init(withExchanges: Bool) { self.withExchanges = withExchanges }

    /// The next of those that ended, in the order of their ends.
    package mutating func next() -> Procedure? {
        guard taken < ended.count else {
            if taken > 0 {
                ended.removeAll(keepingCapacity: true)
                taken = 0
            }
            return nil
        }
        taken += 1
        return ended[taken - 1]
    }

    @inline(__always)
    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .att(let operation):
            guard operation.request != nil || operation.opcode == .executeWriteRequest else { return }
            // Nearly all answers of a log are to reads and writes of values.
            if !withExchanges, operation.isOfValue, let slot = event.connection, slot < links.count,
                !links[slot].isReading
            {
                return
            }
            follow(operation, event, in: trace)
        case .l2cap, .air, .data, .advertising, .sdu: break
        default: receiveOther(event, in: trace)
        }
    }

    /// Ends the procedures that the capture does not end.
    package mutating func finish(in trace: borrowing Trace) {
        for slot in links.indices { close(slot, nil, in: trace) }
        for attempt in attempts { ended.append(attempt.procedure) }
        attempts = []
    }

    @inline(never)
    private mutating func receiveOther(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .command(let command): follow(command, event, in: trace)
        case .hciEvent(let hci): follow(hci, event, in: trace)
        case .connection(.failed): endAttempt(event, nil, in: trace)
        default: if let slot = place(event, in: trace) { receive(event, slot, in: trace) }
        }
    }

    private mutating func receive(_ event: borrowing Event, _ slot: Int, in trace: borrowing Trace) {
        switch event.detail {
        case .missed, .fault: links[slot].missed += 1
        case .exchange(let end): follow(end, slot, event, in: trace)
        case .assembled(let value):
            // Nothing more of it is to come.
            if value.kind == .longRead, let known = index(of: .longRead, in: slot) {
                ended.append(links[slot].running.remove(at: known).procedure)
            }
        case .smp(let pdu): follow(pdu, slot, event, in: trace)
        case .signal(let signal): follow(signal, slot, event, in: trace)
        case .updateUnanswered(let request, _):
            end(.parameterUpdate, .unanswered, slot, event, beganFrame: request.frame)
        case .connection(let change): follow(change, slot, event, in: trace)
        default: break
        }
    }

    // MARK: Connections

    /// The index of the connection, which is new if it needs to be.
    private mutating func place(_ event: borrowing Event, in trace: borrowing Trace) -> Int? {
        guard let slot = event.connection else { return nil }
        let number = trace.connections[slot].number
        while links.count <= slot { links.append(Link(number: -1)) }
        if links[slot].number != number {
            close(slot, Moment(event), in: trace)
            links[slot] = Link(number: number)
        }
        return slot
    }

    private mutating func follow(
        _ change: ConnectionChange, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch change {
        case .made: endAttempt(event, slot, in: trace)
        case .announced:
            if let kind = Procedure.Kind(event, in: trace) { begin(kind, slot, event, asker: .tx, in: trace) }
        case .encryption(let isEnabled, let status):
            // Encryption may be paused.
            guard isEnabled || !status.isSuccess else { return }
            let outcome = Procedure.Outcome(status)
            end(.encryption, outcome, slot, event)
            if index(of: .pairing, in: slot) != nil { end(.pairing, outcome, slot, event) }
        case .features, .version:
            // With HCI, the event reports it.
            guard trace.connections[slot].isHeard else { return }
            endChange(slot, event, in: trace)
        case .parametersUpdated, .phyUpdated, .dataLengthUpdated, .notReached: endChange(slot, event, in: trace)
        case .ended:
            close(slot, Moment(event), in: trace)
            links[slot] = Link(number: -1)
        case .presumed, .decryption, .constantNumbers, .unheard, .channelMapUpdated, .rejected, .failed: break
        }
    }

    private mutating func endChange(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let kind = Procedure.Kind(event, in: trace), let outcome = Procedure.Outcome(event) else { return }
        end(kind, outcome, slot, event)
    }

    /// Ends all that runs.
    ///
    /// - Parameter moment: the end of the connection; nil if it outlives the capture.
    private mutating func close(_ slot: Int, _ moment: Moment?, in trace: borrowing Trace) {
        for running in links[slot].running {
            var procedure = running.procedure
            if !running.isSettled {
                procedure.ended = moment
                let hasGap = running.gaps != gaps(slot, of: procedure.controller, in: trace)
                procedure.outcome = hasGap ? .doubtful : moment == nil ? .open : .interrupted
            }
            take(procedure)
        }
        links[slot].running = []
    }

    // MARK: Running

    private func index(of kind: Procedure.Kind, in slot: Int, _ identifier: UInt16? = nil) -> Int? {
        links[slot].running.firstIndex { $0.procedure.kind == kind && $0.identifier == identifier }
    }

    /// How often something was missing that may concern the connection, or the clock was set.
    private func gaps(_ slot: Int, of controller: UInt16, in trace: borrowing Trace) -> Int {
        trace.losses.count(of: controller) + trace.clockSteps + links[slot].missed
    }

    private mutating func begin(
        _ kind: Procedure.Kind, _ slot: Int, _ event: borrowing Event, asker: Direction, isAccepted: Bool = true,
        identifier: UInt16? = nil, in trace: borrowing Trace
    ) {
        if let known = index(of: kind, in: slot, identifier) {
            links[slot].running[known].procedure.steps += 1
            return
        }
        guard links[slot].running.count < Self.limit else { return }
        let procedure = Procedure(
            kind: kind, connection: links[slot].number, slot: slot, controller: event.controller, asker: asker,
            beganFrame: event.frame, began: event.time)
        links[slot].running.append(
            Running(
                procedure: procedure, gaps: gaps(slot, of: event.controller, in: trace), identifier: identifier,
                isAccepted: isAccepted))
    }

    /// - Parameter beganFrame: the first record of one that does not run.
    private mutating func end(
        _ kind: Procedure.Kind, _ outcome: Procedure.Outcome, _ slot: Int, _ event: borrowing Event,
        beganFrame: Int? = nil, identifier: UInt16? = nil
    ) {
        var procedure: Procedure
        if let known = index(of: kind, in: slot, identifier) {
            procedure = links[slot].running.remove(at: known).procedure
        } else {
            procedure = Procedure(
                kind: kind, connection: links[slot].number, slot: slot, controller: event.controller, asker: .unknown,
                beganFrame: beganFrame, began: nil)
        }
        procedure.outcome = outcome
        procedure.ended = Moment(event)
        ended.append(procedure)
    }

    // MARK: Hosts and controllers

    private mutating func follow(_ command: HCICommand, _ event: borrowing Event, in trace: borrowing Trace) {
        if let transport = command.opcode.attempted {
            return beginAttempt(transport, LECreateConnectionCommand(command)?.peerAddress, event)
        }
        guard let link = LinkCommand(command), let kind = Procedure.Kind(command.opcode),
            let slot = followed(link.connectionHandle, event, in: trace)
        else { return }
        // The peer's controller requested a Long Term Key.
        let isAsked = kind == .encryption && command.opcode != .leEnableEncryption
        begin(kind, slot, event, asker: isAsked ? .rx : .tx, isAccepted: false, in: trace)
    }

    /// The index of the connection with this handle.
    private func followed(_ handle: ConnectionHandle, _ event: borrowing Event, in trace: borrowing Trace) -> Int? {
        guard let slot = trace.connection(handle, of: event.controller), slot < links.count,
            links[slot].number == trace.connections[slot].number
        else { return nil }
        return slot
    }

    private mutating func follow(_ hci: HCIEvent, _ event: borrowing Event, in trace: borrowing Trace) {
        if let ended = LinkProcedureEvent(hci), let kind = Procedure.Kind(ended.command), kind != .encryption,
            let slot = followed(ended.connectionHandle, event, in: trace)
        {
            let isChange = kind == .parameterUpdate || kind == .phyUpdate
            if !isChange || !ended.status.isSuccess {
                end(kind, Procedure.Outcome(ended.status), slot, event)
            }
        } else if hci.code == .commandStatus, let status = try? CommandStatusEvent(hci.parameters),
            let kind = Procedure.Kind(status.commandOpcode)
        {
            // It has no Connection_Handle.
            for slot in links.indices {
                guard
                    let index = links[slot].running.firstIndex(where: {
                        $0.procedure.kind == kind && !$0.isAccepted && $0.procedure.controller == event.controller
                    })
                else { continue }
                links[slot].running[index].isAccepted = true
                if !status.status.isSuccess { end(kind, .refused(.hci(status.status)), slot, event) }
                return
            }
        }
    }

    private mutating func beginAttempt(
        _ transport: Connection.Transport, _ address: BluetoothAddress?, _ event: borrowing Event
    ) {
        let (controller, frame, time) = (event.controller, event.frame, event.time)
        attempts.removeAll { $0.transport == transport && $0.procedure.controller == controller }
        guard attempts.count < Self.attemptLimit else { return }
        var procedure = Procedure(
            kind: .connectionAttempt, controller: controller, asker: .tx, beganFrame: frame, began: time)
        procedure.address = address
        attempts.append(Attempt(transport: transport, procedure: procedure))
    }

    /// - Parameter slot: of the connection; nil if it was not made.
    private mutating func endAttempt(_ event: borrowing Event, _ slot: Int?, in trace: borrowing Trace) {
        let controller = event.controller
        var (outcome, address) = (Procedure.Outcome.done, BluetoothAddress?.none)
        var transport: Connection.Transport?
        if let slot {
            // No host in this capture requested a connection that the peer made.
            guard trace.connections[slot].isCentral ?? true, !trace.connections[slot].isHeard else { return }
            transport = trace.connections[slot].transport
            address = trace.peerAddress(trace.connections[slot].peer)
        } else if case .connection(.failed(let attempt)) = event.detail {
            outcome = Procedure.Outcome(event) ?? .done
            address = attempt.address
        }
        let known = attempts.firstIndex {
            $0.procedure.controller == controller && (transport == nil || $0.transport == transport)
                && (slot != nil || address == nil || $0.procedure.address == nil
                    || $0.procedure.address?.value == address?.value)
        }
        guard known != nil || slot == nil else { return }
        var procedure =
            known.map { attempts.remove(at: $0).procedure }
            ?? Procedure(kind: .connectionAttempt, controller: controller, asker: .tx, beganFrame: nil, began: nil)
        procedure.address = address ?? procedure.address
        procedure.connection = slot.map { trace.connections[$0].number }
        procedure.slot = slot
        procedure.outcome = outcome
        procedure.ended = Moment(event)
        ended.append(procedure)
    }

    // MARK: Pairing and parameters

    private mutating func follow(_ pdu: SMPPDU, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        switch pdu {
        case .pairingRequest: begin(.pairing, slot, event, asker: event.direction, in: trace)
        case .pairingFailed(let failed):
            // Both sides may report it.
            guard index(of: .pairing, in: slot) != nil || trace.connections[slot].isWhole == false else { return }
            end(.pairing, .refused(.smp(failed.reason)), slot, event)
        default:
            if let known = index(of: .pairing, in: slot) { links[slot].running[known].procedure.steps += 1 }
        }
    }

    private mutating func follow(
        _ signal: L2CAPSignal, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let step = SignalStep(signal) else { return }
        // Several channels may be requested at a time, by both sides.
        let asker = step.isRequest ? event.direction : event.direction.opposite
        let identifier =
            step.kind == .channel ? UInt16(signal.identifier) | (asker == .tx ? 0x100 : 0) : nil
        if let outcome = step.outcome {
            end(step.kind, outcome, slot, event, identifier: identifier)
        } else if step.isRequest {
            begin(step.kind, slot, event, asker: asker, identifier: identifier, in: trace)
        }
    }

    // MARK: ATT

    private mutating func take(_ procedure: Procedure) {
        if withExchanges || procedure.kind != .exchange { ended.append(procedure) }
    }

    /// An answer, or Execute Write Request.
    @inline(never)
    private mutating func follow(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = place(event, in: trace) else { return }
        guard let request = operation.request else {
            if case .executeWriteRequest(let pdu) = operation.pdu, pdu.flags == 0 { cancelWrite(event.direction, slot) }
            return
        }
        let isRead = request.opcode == .readRequest && operation.mayContinue
        var exchange = Procedure(
            kind: Procedure.Kind(request, operation.attribute, in: trace), connection: links[slot].number, slot: slot,
            controller: event.controller, asker: event.direction.opposite, beganFrame: request.frame,
            began: request.roundTrip.map { event.time.earlier(by: $0) })
        exchange.ended = Moment(event)
        exchange.waited = request.roundTrip
        exchange.outcome = Procedure.Outcome(operation, request)
        exchange.note(request.opcode, operation.bearer, operation.server, operation.handle, operation.attribute)
        add(exchange, isFirst: isRead && exchange.outcome == .done, slot, in: trace)
    }

    private mutating func follow(
        _ end: ExchangeEnd, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let attribute = end.asked.handle.flatMap { trace.attribute($0, server: end.server, connection: slot) }
        var exchange = Procedure(
            kind: Procedure.Kind(end.asked.opcode, type: attribute?.type, in: trace), connection: links[slot].number,
            slot: slot, controller: event.controller, asker: end.asked.asker, beganFrame: end.asked.frame,
            began: end.asked.time)
        if case .open = end.outcome {} else { exchange.ended = Moment(event) }
        exchange.outcome = Procedure.Outcome(end)
        exchange.note(end.asked.opcode, end.bearer, end.server, end.asked.handle, attribute)
        add(exchange, isFirst: false, slot, in: trace)
    }

    /// An exchange that ended: a part of a running procedure, the first part of something, or a separate procedure.
    ///
    /// - Parameter isFirst: whether more of the value may be read.
    private mutating func add(_ exchange: Procedure, isFirst: Bool, _ slot: Int, in trace: borrowing Trace) {
        if let index = links[slot].running.firstIndex(where: { $0.procedure.isContinued(by: exchange) }) {
            links[slot].running[index].procedure.add(exchange)
            let procedure = links[slot].running[index].procedure
            if procedure.kind == .discovery || procedure.outcome == .done && exchange.opcode != .executeWriteRequest {
                return
            }
            links[slot].running.remove(at: index)
            return take(procedure)
        }
        // One request at a time: procedures that the client may have continued on this bearer are over.
        while let index = links[slot].running.firstIndex(where: { $0.isSettled && $0.procedure.isOver(by: exchange) }) {
            take(links[slot].running.remove(at: index).procedure)
        }
        let isLongWrite = exchange.opcode == .prepareWriteRequest && exchange.outcome == .done
        guard exchange.kind == .discovery || isFirst || isLongWrite, links[slot].running.count < Self.limit else {
            return take(exchange)
        }
        links[slot].running.append(
            Running(
                procedure: exchange, gaps: gaps(slot, of: exchange.controller, in: trace), isSettled: !isLongWrite))
    }

    /// Execute Write Request with the flag 0x00: the client cancels. Core Specification, Vol 3, Part F, 3.4.6.3.
    private mutating func cancelWrite(_ asker: Direction, _ slot: Int) {
        for index in links[slot].running.indices
        where links[slot].running[index].procedure.kind == .longWrite
            && links[slot].running[index].procedure.asker == asker
        {
            links[slot].running[index].procedure.outcome = .cancelled
        }
    }
}

extension ATTOperation {
    /// Whether it is the answer to a read of a whole value, or to a write of a value.
    @inline(__always)
    fileprivate var isOfValue: Bool {
        switch request?.opcode {
        case .readRequest: !mayContinue
        case .writeRequest: attribute?.role != .descriptor
        default: false
        }
    }
}

extension Procedure {
    /// Nanoseconds after which another search of a client begins another discovery.
    private static let pause: Int64 = 5_000_000_000

    fileprivate mutating func note(
        _ opcode: ATTOpcode, _ bearer: Bearer.Kind, _ server: ServerSide, _ handle: AttributeHandle?,
        _ attribute: AttributeInfo?
    ) {
        self.opcode = opcode
        self.bearer = bearer
        self.server = server
        guard !opcode.takesRange else { return }
        self.handle = handle
        self.attribute = attribute
    }

    /// Whether the exchange is the next part of it.
    fileprivate func isContinued(by exchange: Procedure) -> Bool {
        guard asker == exchange.asker, bearer == exchange.bearer else { return false }
        switch (kind, exchange.kind) {
        case (.discovery, .discovery):
            guard let ended, let next = exchange.began else { return true }
            return next.duration(since: ended.time) ?? 0 < Self.pause
        case (.exchange, .longRead), (.longRead, .longRead): return handle == exchange.handle
        case (.longWrite, .longWrite): return true
        default: return false
        }
    }

    /// Whether the exchange shows that it is not continued.
    fileprivate func isOver(by exchange: Procedure) -> Bool {
        asker == exchange.asker && bearer == exchange.bearer && (kind != .discovery || exchange.kind == .discovery)
    }

    fileprivate mutating func add(_ exchange: Procedure) {
        if kind == .exchange { kind = exchange.kind }
        steps += 1
        waited = waited.flatMap { waited in exchange.waited.map { waited + $0 } }
        ended = exchange.ended
        switch exchange.outcome {
        // The value ended with the part before.
        case .refused(.att(.invalidOffset)) where kind == .longRead,
            .refused(.att(.attributeNotLong)) where kind == .longRead:
            break
        case .done: if outcome != .cancelled { outcome = .done }
        default: outcome = exchange.outcome
        }
    }
}

import AttlasCapture
import AttlasTrace
import AttlasWire

/// Requests that were refused, or not answered. Core Specification, Vol 3, Part F, 3.3 and 3.4.1.
extension IncidentCollector {
    /// How long an answer may take before its lack means anything.
    private static let patience: Int64 = 1_000_000_000
    /// How long a side waits that then closes the connection for lack of an answer.
    private static let longPatience: Int64 = 5_000_000_000

    /// A PDU that `LinkState.note` does not settle.
    @inline(never)
    mutating func follow(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        if operation.unexpected != nil { noteUnrequested(operation, slot, event, in: trace) }
        switch operation.pdu {
        case .handleValueIndication: return noteIndication(operation, slot, event, in: trace)
        case .errorResponse(let pdu):
            if !operation.endsDiscovery {
                refuse(pdu, operation, slot, event, in: trace)
            }
        case .multipleHandleValueNotification(let pdu):
            var tuples = pdu.tuples
            while let value = tuples.next() { links[slot].hear(operation.server, tuples.handle, value, event) }
        case .readBlobRequest: forgetShortRead(operation, slot)
        case .readResponse(let pdu):
            if pdu.attributeValue.count == LinkState.leastRead {
                checkShortRead(pdu.attributeValue, operation, slot, event, in: trace)
            }
            guard let attribute = operation.attribute, let value = attribute.valueHandle, pdu.attributeValue.count == 2,
                trace.uuids[attribute.type] == .clientCharacteristicConfiguration
            else { break }
            links[slot].read(pdu.attributeValue.uint16(at: 0), operation.server, value, event.frame)
        case .writeRequest(let pdu):
            // A descriptor of which nothing is known may be a Client Characteristic Configuration.
            if operation.attribute == nil, pdu.attributeValue.count == 2 { links[slot].hasConfigured = true }
            links[slot].write(operation.server, pdu.attributeHandle, pdu.attributeValue, event)
            noteVain(pdu.attributeValue, operation, slot, event, in: trace)
        case .writeCommand(let pdu): noteVain(pdu.attributeValue, operation, slot, event, in: trace)
        default: break
        }
        if let request = operation.request {
            if request.isLate, let age = request.roundTrip {
                answerLate(request, age, operation, slot, event, in: trace)
            }
            settle(request, operation, slot, event, in: trace)
        }
        noteSent(operation, slot, event, in: trace)
        noteDiscovery(operation, slot)
        noteFormer(operation, slot, event, in: trace)
        links[slot].settle()
    }

    /// A response without a request.
    private mutating func noteUnrequested(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let detail = Int(operation.opcode.rawValue)
        if let known = openIncident(.unrequestedResponse, operation.server, detail: detail, slot) {
            return happenAgain(known, Moment(event), slot)
        }
        let asked = operation.opcode.definition?.kind == .confirmation ? "indication" : "request"
        open(
            Incident(
                .unrequestedResponse, .noted, Moment(event), place(slot, server: operation.server, in: trace),
                detail: detail, title: "\(operation.opcode.name) without \(asked == "request" ? "a" : "an") \(asked)",
                "\(operation.opcode.name) by \(party(event.direction, slot, in: trace)) answers no \(asked) that waits.",
                .unknown("Two \(asked)s at once, or two answers to one, would look like this."),
                next: "Compare it with the \(asked)s before it."), slot, in: trace)
    }

    // MARK: Refused

    private mutating func refuse(
        _ pdu: ErrorResponse, _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        let (opcode, code, handleInError) = (pdu.requestOpcodeInError, pdu.errorCode, pdu.attributeHandleInError)
        let handle = operation.handle ?? (handleInError == 0 ? nil : handleInError)
        let attribute = operation.attribute
        if let handle, opcode == .writeRequest { links[slot].procedures.takeBack(operation.server, handle) }
        if opcode == .writeRequest, links[slot].writtenHandle == handle { links[slot].refuseWritten() }
        if opcode == .exchangeMTURequest { links[slot].refusedMTU = (event.direction, event.frame) }
        if opcode == .executeWriteRequest { links[slot].executionRefused = event.frame }
        let isEncrypted = trace.connections[slot].isEncrypted
        // Encryption that does not help is another story than its lack.
        // So is a first part that the parts of another long write leave no room for.
        let left =
            opcode == .prepareWriteRequest && code == .prepareQueueFull && links[slot].prepared.lowerBound == 0
            ? trace.connections[slot].bearers.lazy.flatMap(\.prepared).first {
                $0.asker == event.direction.opposite && $0.frame < operation.request?.frame ?? 0
            }?.frame : nil
        let detail =
            (isEncrypted && code.wantsSecurity ? 1 << 40 : 0) | (left == nil ? 0 : 1 << 41)
            | (operation.reported?.detail ?? 0) << 16
            | Int(opcode.rawValue) << 8 | Int(code.rawValue)
        let isConfiguration =
            opcode == .writeRequest
            && attribute.map { trace.uuids[$0.type] == .clientCharacteristicConfiguration } ?? false
        let kind = Incident.Kind(refused: opcode, code, isConfiguration: isConfiguration)
        let moment = Moment(event)
        if let known = openIncident(kind, operation.server, handle, detail: detail, slot) {
            return happenAgain(known, moment, request: operation.request?.frame, slot)
        }
        // A search for declarations is a discovery.
        let type = operation.request?.attributeType
        var incident = Incident(
            kind,
            kind == .readPastEnd || code.isProbe(of: opcode) ? .noted : kind == .databaseOutOfSync ? .hindered : .broke,
            moment, place(slot, server: operation.server, handle, attribute, in: trace), detail: detail,
            refusal: Incident.Refusal(
                opcode: opcode, code: code, request: operation.request?.frame, type: type, attribute: attribute,
                isDiscovery: type.map { trace.uuids[$0].isDeclaration } ?? false,
                asker: event.direction.opposite, isEncrypted: isEncrypted,
                // A link may have been encrypted before the capture; an app's log does not show it.
                isKnown: isEncrypted || links[slot].isWhole || links[slot].wasEncrypted,
                reported: operation.reported,
                part: opcode == .prepareWriteRequest || opcode == .executeWriteRequest ? links[slot].prepared : nil,
                executionRefused: opcode == .prepareWriteRequest ? links[slot].executionRefused : nil, partsLeft: left))
        if opcode == .writeRequest, links[slot].writtenHandle == handle { incident.written = links[slot].written }
        if opcode == .prepareWriteRequest { incident.part = links[slot].prepared }
        if isEncrypted, code.wantsSecurity { noteEncryptedRefusal(of: opcode, incident.place, event.frame, slot) }
        if let request = operation.request?.frame { incident.note(request) }
        incident.note(event.frame)
        open(incident, slot, in: trace)
    }

    /// A refusal on the encrypted link is the incident to look at: refusals of the same before it, without encryption, are noted.
    private mutating func noteEncryptedRefusal(
        of opcode: ATTOpcode, _ place: Incident.Place, _ frame: Int, _ slot: Int
    ) {
        for index in links[slot].open.indices
        where links[slot].open[index].isSecurityRefusal && links[slot].open[index].place.handle == place.handle
            && links[slot].open[index].place.server == place.server
            && links[slot].open[index].detail >> 8 & 0xFF == Int(opcode.rawValue)
        {
            links[slot].open[index].weight = .noted
            links[slot].open[index].add(frame, "refused on the encrypted link, too")
        }
    }

    /// Makes the texts of a refusal that was reported without them.
    mutating func describe(_ incident: inout Incident, _ slot: Int, in trace: borrowing Trace) {
        guard let refusal = incident.refusal else { return }
        incident.refusal = nil
        let (opcode, code, attribute) = (refusal.opcode, refusal.code, refusal.attribute)
        let errorName = refusal.reported?.words ?? values.errorName(code, attribute, in: trace)
        let words =
            refusal.reported?.words ?? "\(errorName) (0x\(hexadecimal(UInt16(code.rawValue), digits: 2)))"
        let subject =
            refusal.type.map { values.anyName($0, in: trace) } ?? name(incident.place.handle, attribute, in: trace)
        let state =
            code.wantsSecurity && refusal.isKnown
            ? (refusal.isEncrypted ? ", on the encrypted link" : ", not encrypted") : ""
        let asker = party(refusal.asker, slot, in: trace)
        // A library's error may be its own.
        let verb = refusal.reported == nil ? "refused" : "failed"
        let characteristic = attribute?.characteristic.map { values.name($0, .characteristic, in: trace) }
        incident.title =
            refusal.isDiscovery
            ? "discovery refused: \(errorName)"
            : incident.kind.title(
                opcode, subject ?? "an attribute", characteristic, errorName, of: refusal.asker == .rx ? asker : nil)
        incident.what =
            "\(opcode.name)\(subject.map { " of \($0)" } ?? "") by \(asker)\(state): \(verb) with \(words)."
        // The log has the error alone.
        if opcode.rawValue == 0, let reported = refusal.reported {
            incident.title = "operation failed: \(reported.words)"
            incident.what = "An operation of \(asker) failed: \(reported.words)."
        }
        incident.cause =
            refusal.reported?.requestCause ?? code.cause(of: opcode, errorName, isEncrypted: refusal.isEncrypted)
        incident.next = refusal.reported?.adviceOnRequest ?? code.advice(for: opcode, isEncrypted: refusal.isEncrypted)
        let facts = requestFacts(refusal, incident, slot, in: trace)
        incident.explain(
            with: evidence(slot, Moment(frame: incident.frame, time: incident.time), request: facts, in: trace))
        let request = refusal.request.map { Incident.Step(frame: $0, text: "\(opcode.name) by \(asker)\(state)") }
        let answer = Incident.Step(frame: incident.frame, text: "\(verb): \(words)")
        incident.steps.insert(contentsOf: [request, answer].compactMap(\.self), at: 0)
    }

    /// Facts about the handle of a refused request, from the table of the connection.
    private mutating func requestFacts(
        _ refusal: Incident.Refusal, _ incident: Incident, _ slot: Int, in trace: borrowing Trace
    ) -> Evidence.RequestFacts {
        let place = incident.place
        var facts = Evidence.RequestFacts(
            opcode: refusal.opcode, asker: refusal.asker, error: refusal.code,
            handle: place.handle)
        facts.part = refusal.part ?? incident.written.map { 0..<$0.count }
        facts.executionRefused = refusal.executionRefused
        facts.partsLeft = refusal.partsLeft
        if let server = place.server, let handle = place.handle { facts.taken = links[slot].mostTaken(server, handle) }
        facts.isEncrypted = refusal.isEncrypted
        facts.isConfiguration =
            (refusal.type ?? refusal.attribute?.type).map { trace.uuids[$0] == .clientCharacteristicConfiguration }
            ?? false
        if let attribute = refusal.attribute, attribute.role == .value, let properties = attribute.properties {
            facts.isRemembered = attribute.knownFrom == .remembered
            facts.properties = properties
            facts.isDeclared = properties.contains(refusal.opcode == .readRequest ? .read : .write)
        }
        if facts.isConfiguration, let attribute = refusal.attribute {
            facts.isRemembered = attribute.knownFrom == .remembered
            // Vol 3, Part G, 3.3.3.3.
            facts.isDeclared = refusal.opcode == .writeRequest
            if let properties = attribute.properties, let written = incident.written, written.count == 2 {
                let configuration = Bytes(written.span).uint16(at: 0)
                facts.undeclared = CharacteristicProperties(neededBy: configuration).subtracting(properties)
            }
        }
        guard let server = place.server, let handle = place.handle, handle > 1 else { return facts }
        let table = trace.table(of: server, connection: slot)
        guard let characteristic = table.characteristic(before: handle - 1) else { return facts }
        facts.isDiscovered = characteristic.learned.connection == trace.connections[slot].number
        // The last attribute of its service, or the next declaration follows.
        let isLast =
            table.service(containing: handle - 1)?.endHandle == handle - 1
            || table.characteristic(before: handle)?.handle == handle
        if facts.isDiscovered, refusal.attribute == nil, isLast, characteristic.valueHandle == handle - 1,
            !characteristic.properties.isDisjoint(with: [.notify, .indicate]), refusal.opcode == .writeRequest
        {
            facts.lacksConfiguration = values.name(characteristic.uuid, .characteristic, in: trace)
        }
        return facts
    }

    /// The index of the open incident with this kind and subject; nil if there is none.
    func openIncident(
        _ kind: Incident.Kind, _ server: ServerSide? = nil, _ handle: AttributeHandle? = nil, detail: Int, _ slot: Int
    ) -> Int? {
        links[slot].open.firstIndex {
            $0.detail == detail && $0.kind == kind && $0.place.handle == handle && $0.place.server == server
        }
    }

    /// The same happened again on the connection: no texts need to be made.
    mutating func happenAgain(_ index: Int, _ moment: Moment, request: Int? = nil, _ slot: Int) {
        links[slot].open[index].happenAgain(moment)
        if let request { links[slot].open[index].note(request) }
        news(links[slot].open[index].kind, links[slot].open[index].weight, moment.frame)
    }

    /// A request was answered: one like it that was refused before is no longer.
    private mutating func settle(
        _ request: AnsweredRequest, _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard operation.opcode != .errorResponse else { return }
        let (server, handle) = (operation.server, operation.handle)
        while let index = links[slot].open.lastIndex(where: {
            // A part of a long write is not the whole.
            $0.place.server == server && $0.weight > .noted && $0.part == nil
                && ($0.kind == .databaseOutOfSync
                    || ($0.kind == .requestRefused || $0.kind == .subscriptionRefused)
                        && $0.detail >> 8 & 0xFF == Int(request.opcode.rawValue) && $0.place.handle == handle)
        }) {
            var incident = links[slot].open.remove(at: index)
            let isOther = incident.written.map { $0 != links[slot].written } ?? false
            let accepted =
                incident.kind == .databaseOutOfSync
                ? "a later request" : isOther ? "another value" : "the request later"
            incident.weight = incident.isSecurityRefusal || incident.kind == .databaseOutOfSync ? .noted : .hindered
            settle(incident, slot, in: trace) {
                $0.add(event.frame, "the server accepted \(accepted)")
                if !isOther { $0.title += ", accepted later" }
            }
        }
    }

    /// A long write: parts of it that were refused before are accepted.
    mutating func settle(_ value: AssembledValue, _ slot: Int, _ frame: Int, in trace: borrowing Trace) {
        guard value.kind == .preparedWrite, value.outcome == .complete else { return }
        links[slot].executionRefused = nil
        let (server, handle) = (value.server, value.handle)
        let written = value.offset..<value.offset + value.value.count
        acceptLater(slot, frame, "the server accepted the whole value", in: trace) { incident in
            incident.place.server == server && incident.place.handle == handle
                && incident.part.map { $0.clamped(to: written) == $0 } ?? false
        }
    }

    // MARK: Not answered

    private mutating func answerLate(
        _ request: AnsweredRequest, _ age: Int64, _ operation: borrowing ATTOperation, _ slot: Int,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let subject = name(operation.handle, operation.attribute, in: trace).map { " of \($0)" } ?? ""
        var incident = Incident(
            .requestUnanswered, .broke, Moment(event),
            place(slot, server: operation.server, operation.handle, operation.attribute, in: trace),
            detail: Int(request.opcode.rawValue), title: "answered too late",
            "\(request.opcode.name)\(subject) was answered after \(seconds(age)); 30 s are the limit.",
            .unknown("The log of the server would show what it waited for."),
            next: "Answer within 30 s: after that no client may use the bearer.")
        incident.add(request.frame, "\(request.opcode.name) by \(party(event.direction.opposite, slot, in: trace))")
        report(incident)
    }

    /// Reports requests without a response on a connection that ends, or whose capture ends.
    ///
    /// - Parameters:
    ///   - isEnded: whether a host ended the connection.
    ///   - isLost: whether the link was lost; waiting requests then belong to that.
    ///   - closer: the side that ended the connection.
    mutating func closeRequests(
        _ slot: Int, isEnded: Bool, isLost: Bool, by closer: Direction, _ moment: Moment, in trace: borrowing Trace
    ) {
        for unanswered in links[slot].unanswered {
            let end = unanswered.end
            let age = end.age ?? 0
            switch end.outcome {
            case .open:
                if let later = laterConnection(slot, after: end.asked, until: moment) {
                    reportLeft(end.asked, later, slot, in: trace)
                } else {
                    reportMiddle(end.asked, age, slot, in: trace)
                }
            case .unanswered where isLost && unanswered.frame == moment.frame && !end.isTimedOut: break
            case .unanswered where end.isTimedOut || isEnded && age >= Self.patience:
                let isGivenUp = isEnded && closer == end.asked.asker && age >= Self.longPatience
                reportUnanswered(
                    end.asked, age, isTimedOut: end.isTimedOut, givenUp: isGivenUp ? moment : nil, unanswered.crossed,
                    slot, in: trace)
            case .unanswered
            where isEnded && closer == end.asked.asker.opposite && links[slot].lastFrame == end.asked.frame:
                reportClosed(end.asked, age, slot, moment, in: trace)
            case .unanswered, .overlapped, .doubtful: break
            }
        }
        guard isEnded, !hasGap(slot, in: trace) else { return }
        for bearer in trace.connections[slot].bearers {
            for prepared in bearer.prepared {
                reportNotExecuted(prepared.asker, prepared.handle, prepared.frame, slot, moment, in: trace)
            }
        }
    }

    /// The other side closed the connection instead of answering, with nothing in between.
    private mutating func reportClosed(
        _ waiting: WaitingRequest, _ age: Int64, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        let (asker, answerer) = (party(waiting.asker, slot, in: trace), party(waiting.asker.opposite, slot, in: trace))
        let isIndication = waiting.opcode == .handleValueIndication
        let subject = isIndication ? "the indication" : "the request"
        // It may have asked the other side to leave.
        let isWrite = waiting.opcode == .writeRequest
        var incident = Incident(
            isIndication ? .indicationUnconfirmed : .requestUnanswered, isWrite ? .noted : .hindered,
            Moment(frame: waiting.frame, time: waiting.time), place(slot, in: trace),
            detail: 1 << 8 | Int(waiting.opcode.rawValue), title: "connection closed at \(waiting.opcode.name)",
            "\(answerer.capitalizedFirst) closed the connection \(seconds(age)) after \(waiting.opcode.name) by \(asker), and did not \(isIndication ? "confirm" : "answer") it.",
            .unknown("The log of \(answerer) would tell whether \(subject) is the reason."),
            next: isWrite
                ? "Nothing, if the value asks \(answerer) to disconnect or to switch off."
                : "Leave \(subject) out, and see whether \(answerer) stays connected.")
        incident.add(waiting.frame, "\(waiting.opcode.name) by \(asker)")
        incident.add(moment.frame, "\(answerer) closed the connection")
        report(incident)
    }

    /// In a log without events: where the host continued on another connection after the last PDU of this one, a request that waited for 30 s
    /// of the log.
    private func laterConnection(_ slot: Int, after waiting: WaitingRequest, until moment: Moment) -> Moment? {
        guard !seesEvents, links[slot].lastFrame == waiting.frame, waiting.opcode.definition?.kind == .request,
            moment.since(Moment(frame: waiting.frame, time: waiting.time)) >= ExchangeEnd.timeout
        else { return nil }
        return links.lazy.filter { $0.isOpen && $0.begun.frame > waiting.frame }.map(\.begun).min {
            $0.frame < $1.frame
        }
    }

    /// The host gave up, and connected again.
    private mutating func reportLeft(
        _ waiting: WaitingRequest, _ later: Moment, _ slot: Int, in trace: borrowing Trace
    ) {
        let asker = party(waiting.asker, slot, in: trace)
        let asked = Moment(frame: waiting.frame, time: waiting.time)
        var incident = Incident(
            .requestUnanswered, .broke, asked, place(slot, in: trace), detail: Int(waiting.opcode.rawValue),
            title: "\(waiting.opcode.name) never answered",
            "\(waiting.opcode.name) by \(asker) was the last PDU of this connection; \(asker) continued on another one "
                + "\(seconds(later.since(asked))) later.",
            .unknown("HCI events would tell whether the connection was lost: this log has none."),
            next:
                "Look at what \(party(waiting.asker.opposite, slot, in: trace)) was doing at this time; record HCI events as well."
        )
        incident.add(waiting.frame, "\(waiting.opcode.name) by \(asker)")
        incident.add(later.frame, "the first PDU on another connection")
        report(incident)
    }

    /// Its answer may have come after the end of the capture.
    private mutating func reportMiddle(_ waiting: WaitingRequest, _ age: Int64, _ slot: Int, in trace: borrowing Trace)
    {
        report(
            Incident(
                .endsInTheMiddle, .noted, Moment(frame: waiting.frame, time: waiting.time), place(slot, in: trace),
                detail: Int(waiting.opcode.rawValue), title: "the capture ends before an answer",
                "\(waiting.opcode.name) by \(party(waiting.asker, slot, in: trace)) had waited for \(seconds(age)) "
                    + "when the capture ended.",
                .unknown("A longer capture would tell whether it was answered."), next: "Record for longer."))
    }

    private mutating func reportUnanswered(
        _ waiting: WaitingRequest, _ age: Int64, isTimedOut: Bool, givenUp: Moment?, _ crossed: Int, _ slot: Int,
        in trace: borrowing Trace
    ) {
        let isIndication = waiting.opcode == .handleValueIndication
        let server: ServerSide =
            isIndication ? (waiting.asker == .tx ? .local : .peer) : waiting.asker == .tx ? .peer : .local
        let attribute = waiting.handle.flatMap {
            trace.attribute($0, server: server, connection: slot, at: waiting.frame)
        }
        let subject = name(waiting.handle, attribute, in: trace).map { " of \($0)" } ?? ""
        let asker = party(waiting.asker, slot, in: trace)
        let answerer = party(waiting.asker.opposite, slot, in: trace)
        let missing = isIndication ? "confirmed" : "answered"
        var incident = Incident(
            isIndication ? .indicationUnconfirmed : .requestUnanswered,
            isTimedOut || givenUp != nil ? .broke : .hindered, Moment(frame: waiting.frame, time: waiting.time),
            place(slot, server: server, waiting.handle, attribute, in: trace),
            detail: Int(waiting.opcode.rawValue), title: "\(waiting.opcode.name)\(subject) never \(missing)",
            "\(waiting.opcode.name)\(subject) by \(asker) was not \(missing) in \(seconds(age))"
                + (isTimedOut ? " (30 s at most)." : ", then the connection ended."),
            .unknown(unanswered(waiting, answerer, slot)),
            next: "Look at what \(answerer) was doing at this time.")
        incident.add(waiting.frame, "\(waiting.opcode.name) by \(asker)")
        if let givenUp { incident.add(givenUp.frame, "\(asker) closed the connection") }
        var facts = Evidence.RequestFacts(opcode: waiting.opcode, asker: waiting.asker)
        facts.crossed = crossed > waiting.frame ? crossed : nil
        if let overlapped = links[slot].overlapped, overlapped.second == waiting.frame {
            facts.overlaps = overlapped.first
        }
        incident.explain(
            with: evidence(slot, Moment(frame: waiting.frame, time: waiting.time), request: facts, in: trace))
        report(incident)
    }

    /// Evidence about a request that got no answer, in a sentence.
    private func unanswered(_ waiting: WaitingRequest, _ answerer: String, _ slot: Int) -> String {
        if seesEvents, waiting.asker == .rx {
            let program = waiting.opcode == .handleValueIndication ? "Bluetooth stack" : "application"
            return "It arrived: the log is that of \(answerer). The log of its \(program) would tell."
        }
        let received = links[slot].lastReceived
        guard waiting.asker == .tx, received > waiting.frame else {
            return "The log of \(answerer) would tell whether it received it."
        }
        return "The link was alive: \(answerer) sent a PDU in frame \(received). The log of its application would tell."
    }

    private mutating func reportNotExecuted(
        _ asker: Direction, _ handle: AttributeHandle, _ frame: Int, _ slot: Int, _ moment: Moment,
        in trace: borrowing Trace
    ) {
        let server: ServerSide = asker == .tx ? .peer : .local
        let attribute = trace.attribute(handle, server: server, connection: slot, at: frame)
        let subject = name(handle, attribute, in: trace) ?? "an attribute"
        // A part that was refused would be missing in the value.
        let isRefused = links[slot].open.contains {
            $0.kind == .requestRefused && $0.detail >> 8 & 0xFF == Int(ATTOpcode.prepareWriteRequest.rawValue)
                && $0.frame > frame
        }
        var incident = Incident(
            .longWriteNotExecuted, .broke, moment, place(slot, server: server, handle, attribute, in: trace),
            title: "long write of \(subject) not executed",
            "The connection ended before the parts prepared since frame \(frame) were written"
                + (isRefused ? ", after one of them was refused." : "."),
            .proved("No Execute Write Request follows."),
            next: isRefused
                ? "After a refused part, cancel the queue: Execute Write Request with the flag 0x00."
                : "Send Execute Write Request after the last part.")
        incident.add(frame, "the first part was prepared")
        report(incident)
    }
}

extension ATTOpcode {
    /// An Error Response, Multiple Handle Value Notification, or a write that may configure.
    var isRare: Bool { self == .errorResponse || self == .multipleHandleValueNotification || self == .writeRequest }
}

extension Incident.Kind {
    /// The kind of a refusal.
    fileprivate init(refused opcode: ATTOpcode, _ code: ATTErrorCode, isConfiguration: Bool) {
        switch (opcode, code) {
        case (.readBlobRequest, .invalidOffset), (.readBlobRequest, .attributeNotLong): self = .readPastEnd
        case (_, .databaseOutOfSync): self = .databaseOutOfSync
        default: self = isConfiguration ? .subscriptionRefused : .requestRefused
        }
    }

    /// - Parameters:
    ///   - characteristic: the owner of a descriptor.
    ///   - asker: nil for the recorded host.
    fileprivate func title(
        _ opcode: ATTOpcode, _ subject: String, _ characteristic: String?, _ error: String, of asker: String?
    ) -> String {
        switch (self, opcode) {
        case (.readPastEnd, _): "\(subject): the rest could not be read"
        case (.databaseOutOfSync, _): "attribute table out of sync"
        case (.subscriptionRefused, _): "\(characteristic ?? subject) cannot be subscribed to: \(error)"
        case (_, .readByTypeRequest), (_, .readRequest), (_, .readBlobRequest), (_, .readMultipleRequest),
            (_, .readMultipleVariableRequest):
            "\(subject) cannot be read: \(error)"
        case (_, .writeRequest), (_, .prepareWriteRequest), (_, .executeWriteRequest):
            "write to \(subject) refused: \(error)"
        default: "\(opcode.name)\(asker.map { " of \($0)" } ?? "") refused: \(error)"
        }
    }
}

/// Meanings of the codes. Core Specification, Vol 3, Part F, 3.4.1.1.
extension ATTErrorCode {
    /// A client requests something optional, and does without it.
    fileprivate func isProbe(of opcode: ATTOpcode) -> Bool {
        switch (opcode, self) {
        case (.exchangeMTURequest, .requestNotSupported), (.readMultipleRequest, .requestNotSupported),
            (.readMultipleVariableRequest, .requestNotSupported), (.readByGroupTypeRequest, .unsupportedGroupType):
            true
        default: false
        }
    }

    fileprivate func cause(of opcode: ATTOpcode, _ name: String, isEncrypted: Bool) -> Incident.Cause {
        switch self {
        case .invalidHandle where opcode.takesRange:
            .proved("The server does not take the range of handles of the search.")
        case .invalidOffset where opcode == .readBlobRequest:
            .likely("The value has no more octets, or the server does not serve Read Blob Request for it.")
        case .attributeNotLong where opcode == .readBlobRequest:
            .proved("The value is so short that Read Request has the whole.")
        case .invalidOffset where opcode == .readRequest:
            .proved(
                "The server is wrong: a Read Request has no offset. It may keep the one of an earlier long read or long write."
            )
        case .invalidHandle: .unknown("The log of the server would tell: the handle does not exist for it.")
        case .readNotPermitted: .proved("The attribute does not permit reading.")
        case .writeNotPermitted: .proved("The attribute does not permit writing.")
        case .insufficientAuthentication:
            .proved(
                isEncrypted
                    ? "The attribute needs an authenticated pairing (with MITM protection)."
                    : "The attribute needs a pairing.")
        case .insufficientAuthorization:
            .unknown("The log of the server would tell why its application does not authorize it.")
        case .encryptionKeySizeTooShort: .proved("The encryption key is too short for the attribute.")
        case .insufficientEncryption: .proved("The attribute needs an encrypted link.")
        case .invalidAttributeValueLength: .proved("The value has a length that the attribute does not take.")
        case .unlikelyError: .unknown("The log of the server would tell: Unlikely Error names no cause.")
        case .databaseOutOfSync: .proved("The table of the server changed, and the client has not discovered it again.")
        case _ where isOfApplication:
            .unknown("The log of the server would tell: \(name) is a code of its application.")
        default: .unknown("The log of the server would tell: \(name) is all that it says.")
        }
    }

    fileprivate func advice(for opcode: ATTOpcode, isEncrypted: Bool) -> String {
        switch self {
        case .invalidHandle where opcode.takesRange:
            "Search from 0x0001 or a later handle up to one that is not before it."
        case .invalidHandle, .databaseOutOfSync: PlatformAdvice.discoverAgain.rawValue
        case .readNotPermitted, .writeNotPermitted: "Use an operation that the properties of the characteristic allow."
        case .insufficientAuthentication:
            isEncrypted ? "Pair with MITM protection, then repeat the request." : PlatformAdvice.pair.rawValue
        case .insufficientEncryption: "Encrypt the link first, then repeat the request."
        case .requestNotSupported: "Leave the request out, or support it in the server."
        case .invalidOffset where opcode == .readRequest:
            "Look in the firmware of the server at its long reads and writes."
        case .invalidOffset, .attributeNotLong, .invalidAttributeValueLength:
            "Compare the length and the offset with the definition of the characteristic."
        case .insufficientResources: "Try again later; look at the memory of the server."
        case .clientCharacteristicConfigurationImproperlyConfigured:
            "Subscribe to the characteristic first, then repeat the request."
        case .procedureAlreadyInProgress: "Wait for the end of the procedure before, then repeat the request."
        case .insufficientAuthorization: "Look at what the server's application authorizes, and when."
        case .encryptionKeySizeTooShort: "Pair again with an encryption key of 16 octets."
        case _ where isOfApplication || isCommonProfile:
            "Look at what the specification of the service says about this code."
        default: "Look at the log of the server."
        }
    }
}

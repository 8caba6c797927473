import AttlasCapture
import AttlasTrace
import AttlasWire

/// Requested connection parameters. Core Specification, Vol 3, Part A, 4.20.
extension IncidentCollector {
    /// In which an accepted update is made: six connection events of the slowest link, and then some.
    private static let patience: Int64 = 10_000_000_000
    private static let equalRequests = 3
    /// The detail of a refusal by Connection Parameter Update Response; else it is the status of the link layer.
    private static let byResponse = 1 << 8

    /// A request without a response.
    mutating func note(unanswered request: UpdateRequest, _ age: Int64, _ slot: Int, in trace: borrowing Trace) {
        let (asker, answerer) = (party(request.asker, slot, in: trace), party(request.asker.opposite, slot, in: trace))
        let words = links[slot].update.wanted.map { " for \($0.words)" } ?? " for other connection parameters"
        var incident = Incident(
            .updateUnanswered, .hindered, Moment(frame: request.frame, time: request.time), place(slot, in: trace),
            title: "parameter update request never answered",
            "\(asker.capitalizedFirst) asked\(words); no answer in \(seconds(age)).",
            before: trace.connections[slot].parameters.map { "in force: \(WantedParameters($0).words)" },
            .unknown("The log of \(answerer) would show whether the request arrived."),
            next: "Answer each Connection Parameter Update Request, also to reject it.")
        incident.add(request.frame, "\(asker) asked\(words)")
        report(incident)
    }

    mutating func follow(_ signal: L2CAPSignal, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let parameters = try? L2CAPSignalParameters(signal) else { return }
        if event.direction == .rx { links[slot].hasHeardPeer = true }
        let moment = Moment(event)
        switch parameters {
        case .connectionParameterUpdateRequest(let request):
            let wanted = WantedParameters(request)
            let isSame = links[slot].update.wanted == wanted
            if !isSame {
                links[slot].update = UpdateState()
                links[slot].update.first = event.frame
            }
            links[slot].update.count += 1
            links[slot].update.wanted = wanted
            links[slot].update.asked = moment
            links[slot].update.asker = event.direction
        case .connectionParameterUpdateResponse(let response):
            guard links[slot].update.asked != nil else { return }
            if response.result == 0 {
                links[slot].update.accepted = links[slot].update.accepted ?? moment
                changeLater(slot, event.frame, "a later request was accepted", in: trace) { $0 == Self.byResponse }
            } else {
                let reason = response.resultName ?? "result \(response.result)"
                refuseUpdate(
                    reason,
                    .unknown("The log of \(party(event.direction, slot, in: trace)) would tell why it rejects them."),
                    next: "Ask for parameters that the central accepts; Apple's guidelines name some.", slot, moment,
                    detail: Self.byResponse, in: trace)
            }
        default: follow(parameters, signal.identifier, slot, event, in: trace)
        }
    }

    /// The link layer did not make an update.
    mutating func refuseUpdate(_ status: HCIErrorCode, _ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let isCollision = status == .llProcedureCollision || status == .differentTransactionCollision
        refuseUpdate(
            status.words, status.cause,
            next: isCollision
                ? "Ask again: there was nothing wrong with the request." : "Ask for parameters that both sides accept.",
            slot, moment, detail: Int(status.rawValue), in: trace)
    }

    private mutating func refuseUpdate(
        _ reason: String, _ cause: Incident.Cause, next: String, _ slot: Int, _ moment: Moment, detail: Int,
        in trace: borrowing Trace
    ) {
        let update = links[slot].update
        links[slot].update = UpdateState()
        if let known = openIncident(.updateRefused, detail: detail, slot) {
            return happenAgain(known, moment, request: update.asked?.frame, slot)
        }
        let refuser = update.asked == nil ? Direction.unknown : update.asker.opposite
        let excluded = update.wanted.flatMap { excludedByApple($0, refuser, slot, in: trace) }
        var incident = Incident(
            .updateRefused, .hindered, moment, place(slot, in: trace), detail: detail,
            title: "connection parameter update refused",
            "A change of the connection parameters failed: \(reason).",
            before: trace.connections[slot].parameters.map { "in force: \(WantedParameters($0).words)" },
            update.wanted?.mistake.map { .proved("The request is outside the specification: \($0).") }
                ?? (refuser == .tx && update.wanted != nil
                    ? .likely(
                        "The settings of \(party(refuser, slot, in: trace)): what was asked for is within the specification."
                    ) : cause),
            next: update.wanted?.mistake != nil
                ? "Correct the request in \(party(update.asker, slot, in: trace))."
                : refuser == .tx
                    ? "Change the connection parameters that \(party(refuser, slot, in: trace)) allows." : next)
        if let excluded, update.wanted?.mistake == nil {
            let name = party(refuser, slot, in: trace)
            let rules = "Apple's guidelines for accessories exclude the request: \(excluded.text)."
            incident.cause =
                excluded.isKnown
                ? .likely("\(name.capitalizedFirst) has a controller of Apple, and \(rules)")
                : .unknown("The log of \(name) would tell. If it is a device of Apple: \(rules)")
            let allowed = "an interval of 15 ms or more, a latency up to 30, a supervision timeout of 2 to 6 s."
            incident.next = "Ask for what \(excluded.isKnown ? "they" : "devices of Apple") allow: \(allowed)"
        }
        if let asked = update.asked, let wanted = update.wanted {
            incident.add(asked.frame, "\(party(update.asker, slot, in: trace)) asked for \(wanted.words)")
        } else if let command = links[slot].linkProcedures.last.first(where: { $0.kind.command == .leConnectionUpdate })
        {
            incident.add(command.began.frame, "\(party(.tx, slot, in: trace)) asked its controller for the update")
        }
        incident.add(moment.frame, reason)
        open(incident, slot, in: trace)
    }

    /// Violations of Apple's guidelines, if the side that refuses has a controller of Apple, or may have one.
    private func excludedByApple(
        _ wanted: WantedParameters, _ refuser: Direction, _ slot: Int, in trace: borrowing Trace
    ) -> (text: String, isKnown: Bool)? {
        let company = trace.company(of: refuser, connection: slot)
        guard company == nil && refuser != .unknown || company == ControllerVersion.apple else { return nil }
        let mistakes = wanted.appleMistakes(isInput: trace.hasInputDevice(slot))
        return mistakes.isEmpty ? nil : (mistakes.joined(separator: "; "), company != nil)
    }

    mutating func noteUpdated(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        links[slot].updated = Moment(event)
        let update = links[slot].update
        links[slot].granted = update.granted(trace.connections[slot].parameters)
        // An update that this host began before the request is another one.
        let begun = links[slot].linkProcedures.last.first { $0.kind.command == .leConnectionUpdate }?.began
        if let begun, let asked = update.asked, begun.frame < asked.frame, links[slot].granted == nil { return }
        links[slot].update = UpdateState()
        changeLater(slot, event.frame, "a later update was made", in: trace) { $0 != Self.byResponse }
    }

    /// Refused updates are followed by one that is not.
    private mutating func changeLater(
        _ slot: Int, _ frame: Int, _ step: String, in trace: borrowing Trace, where isIt: (Int) -> Bool
    ) {
        acceptLater(slot, frame, step, as: .noted, in: trace) { $0.kind == .updateRefused && isIt($0.detail) }
    }

    mutating func closeUpdate(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let update = links[slot].update
        guard seesEvents || trace.connections[slot].isHeard, !hasGap(slot, in: trace), let wanted = update.wanted,
            let asked = update.asked
        else { return }
        let current = trace.connections[slot].parameters
        if let current, wanted.holds(current) { return }
        let inForce = current.map { "in force: \(WantedParameters($0).words)" }
        if let accepted = update.accepted, moment.since(accepted) >= Self.patience {
            let accepter = party(update.asker.opposite, slot, in: trace)
            let due = current.map { Int64($0.effectiveIntervalMicroseconds) * 6_000 } ?? 0
            let isPending = update.isCommanded && moment.since(accepted) < due
            var incident = Incident(
                .updateNotMade, .hindered, accepted, place(slot, in: trace),
                title: "accepted parameter update never made",
                "\(accepter.capitalizedFirst) accepted \(wanted.words); no LE Connection Update Complete followed in \(seconds(moment.since(accepted))).",
                before: inForce,
                !update.isCommanded
                    ? .likely("The central accepted the request and never made the update.")
                    : isPending
                        ? .proved(
                            "It was not due: an update takes six intervals of a peripheral that uses its latency, here \(seconds(due)) (Vol 6, Part B, 5.1.1)."
                        )
                        : .unknown("A capture from the air would tell: the host asked its controller for the update."),
                next: isPending ? "Wait for it." : "Ask again later, or for other parameters.")
            incident.add(asked.frame, "\(party(update.asker, slot, in: trace)) asked for \(wanted.words)")
            incident.add(accepted.frame, "\(accepter) accepted")
            incident.add(nil, "no update of the connection followed")
            return report(incident)
        }
        guard update.count >= Self.equalRequests else { return }
        var incident = Incident(
            .updateRepeated, .hindered, asked, place(slot, in: trace),
            title: "parameter update asked for again and again",
            "\(party(update.asker, slot, in: trace).capitalizedFirst) asked \(update.count) times for \(wanted.words).",
            before: inForce, .unknown("The log of the central would tell why it does not make the update."),
            next: "Ask once, and for parameters that the central accepts.")
        incident.note(update.first)
        report(incident)
    }
}

extension WantedParameters {
    /// Whether the parameters in force are such that nothing needs to change.
    func holds(_ current: Connection.Parameters) -> Bool {
        intervalMin <= current.interval && current.interval <= intervalMax && latency == current.latency
            && timeout == current.supervisionTimeout
    }
}

extension Trace {
    /// Whether a side of the connection has the Human Interface Device service.
    package func hasInputDevice(_ slot: Int) -> Bool {
        ServerSide.allCases.contains { server in
            table(of: server, connection: slot).services.contains { uuids[$0.uuid] == .humanInterfaceDevice }
        }
    }

    /// The manufacturer of a side's controller, by Read Local or Read Remote Version Information; nil if the capture does not have it.
    package func company(of side: Direction, connection slot: Int) -> UInt16? {
        switch side {
        case .tx: controller(ofConnection: slot).version?.companyIdentifier
        case .rx: connections[slot].peerVersion?.companyIdentifier
        case .unknown: nil
        }
    }
}

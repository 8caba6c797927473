import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasWire

/// Values that were cut or moved slowly, and buffers without room. Core Specification, Vol 3, Part F, 3.4.7; Vol 4, Part E, 4.1.1.
extension IncidentCollector {
    /// After which a wait for the controller is worth a line.
    static let bufferPatience: Int64 = 2_000_000_000
    /// After which a channel without credits does not work any more.
    private static let deadChannel: Int64 = 10_000_000_000
    /// In which a host that may send would have continued.
    private static let hostPatience: Int64 = 5_000_000_000
    private static let cutCount = 3
    private static let bulkCount = 50
    private static let bulkOctets = 1_000
    /// 50 ms: faster links do not slow a transfer.
    private static let slowInterval: Int64 = 50_000_000
    private static let runCount = 100

    /// - Parameter isLost: whether the link was lost, which has a step for the wait at its end.
    mutating func closeTransfers(_ slot: Int, isLost: Bool, _ moment: Moment, in trace: borrowing Trace) {
        guard !hasGap(slot, in: trace), trace.connections[slot].transport == .lowEnergy else { return }
        for stream in links[slot].streams { checkCut(stream, isWritten: false, slot, in: trace) }
        for stream in links[slot].writes {
            checkCut(stream, isWritten: true, slot, in: trace)
            checkSlow(stream, slot, in: trace)
        }
        let skippable = Int64(trace.connections[slot].parameters?.effectiveIntervalMicroseconds ?? 0) * 1_000
        if let wait = fullWait(slot, trace.connections[slot].buffers.longestWait(until: moment.time), in: trace),
            !isLost || wait != trace.connections[slot].buffers.wait(until: moment.time),
            // The peer may skip as many connection events as the latency says.
            wait.nanoseconds > skippable
        {
            let room = trace.controller(ofConnection: slot).buffers(for: trace.connections[slot].transport) ?? 0
            let (cause, next): (Incident.Cause, String)
            if wait.packets > room {
                cause = .proved("The host sent \(wait.packets) packets, and the controller has room for \(room).")
                next = Self.waitForRoom
            } else if links[slot].lastReceived > wait.frame {
                // The peer's packets show that its link layer is alive.
                cause = .likely(
                    "The controller of the host: the peer was in reach, it sent a PDU in frame \(links[slot].lastReceived) while the host's "
                        + "waited.")
                next = "Look at the controller of the host, its firmware and its transport."
            } else {
                cause = .likely(
                    "The peer did not answer the link layer: out of range, interference, or a peer that is busy.")
                next = "Send less at once; repeat with the devices within 1 m."
            }
            report(
                Incident(
                    .buffersFull, .hindered, Moment(frame: wait.frame, time: moment.time), place(slot, in: trace),
                    title: "controller buffers full",
                    "No packet of the host was acknowledged for \(seconds(wait.nanoseconds)), and no buffer was free: "
                        + "\(wait.packets) packets waited.", cause, next: next))
        }
        checkMasked(slot, moment, in: trace)
        checkEvents(slot, in: trace)
        if let wait = trace.connections[slot].creditWait(until: moment), wait.nanoseconds >= Self.bufferPatience {
            if let invalid = wait.invalid { return reportInvalid(invalid, wait, slot, in: trace) }
            reportExhausted(
                "the channel of PSM 0x\(hexadecimal(wait.psm))", wait.begun, wait.nanoseconds, wait.sender,
                isToTheEnd: moment.since(wait.begun) == wait.nanoseconds, slot, in: trace)
        }
    }

    /// - Parameters:
    ///   - channel: as the sentence has it.
    ///   - detail: distinguishes the channels of a connection.
    ///   - isToTheEnd: whether no credit came until the end of the connection.
    mutating func reportExhausted(
        _ channel: String, detail: Int = 0, _ begun: Moment, _ nanoseconds: Int64, _ sender: Direction,
        isToTheEnd: Bool = false, _ slot: Int, in trace: borrowing Trace
    ) {
        let (who, receiver) = (party(sender, slot, in: trace), party(sender.opposite, slot, in: trace))
        let isDead = isToTheEnd && nanoseconds >= Self.deadChannel
        report(
            Incident(
                .creditsExhausted, isDead ? .broke : .hindered, begun, place(slot, in: trace), detail: detail,
                title: "credits exhausted",
                "\(who.capitalizedFirst) had more to send on \(channel), and no credit for \(seconds(nanoseconds))"
                    + (isDead ? ", until the end." : "."),
                .likely(
                    "\(receiver.capitalizedFirst) does not read what it received"
                        + (isDead ? "." : ", or gives credits back too late.")),
                next: "Look at the receiver: it gives credits back as soon as its buffers are free."))
    }

    /// The receiver of credits stopped when it had used the valid ones. Vol 3, Part A, 4.
    private mutating func reportInvalid(
        _ invalid: CreditCount.Invalid, _ wait: CreditWait, _ slot: Int, in trace: borrowing Trace
    ) {
        let (who, giver) = (party(wait.sender, slot, in: trace), party(wait.sender.opposite, slot, in: trace))
        var incident = Incident(
            .creditsExhausted, .broke, wait.begun, place(slot, in: trace), title: "credits exhausted",
            "\(who.capitalizedFirst) used its last valid credit on the channel of PSM 0x\(hexadecimal(wait.psm)), and sent nothing "
                + "in the \(seconds(wait.nanoseconds)) until the end.",
            .likely(
                "\(giver.capitalizedFirst) gave \(invalid.credits) more in Flow Control Credit Indication with the identifier 0x00, which is "
                    + "not valid: \(who) ignores them (Vol 3, Part A, 4)."),
            next: "Correct \(giver): identifiers are 0x01 to 0xFF, and 0x01 follows 0xFF.")
        incident.add(invalid.first.frame, "\(giver) gave credits with the identifier 0x00")
        incident.add(wait.begun.frame, "\(who) used its last valid credit")
        report(incident)
    }

    /// The host used each buffer of the controller once, and stopped: none was ever reported free. Vol 4, Part E, 4.1.1.
    private mutating func checkMasked(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let connection = trace.connections[slot]
        guard connection.isWhole, let room = trace.controller(ofConnection: slot).buffers(for: connection.transport),
            room > 0, connection.buffers.sent == room, connection.buffers.inFlight == room,
            let place = place(ofController: connection.controller), let mask = controllers[place].masksCompleted,
            case let silence = moment.since(links[slot].last), silence >= Self.hostPatience,
            !links.indices.contains(where: { other in
                other != slot && links[other].isOpen && trace.connections[other].buffers.completed > 0
            })
        else { return }
        var incident = Incident(
            .buffersFull, .broke, links[slot].last, self.place(slot, in: trace),
            title: "no buffer of the controller given back",
            "The controller has room for \(room) packets; the host sent \(room), no Number Of Completed Packets came, and the host sent nothing "
                + "in the \(seconds(silence)) until the end.",
            .likely(
                "Set Event Mask (frame \(mask)) leaves out bit 18, without which some controllers do not send Number Of Completed Packets: the "
                    + "host must wait for it."),
            next: "Set bit 18 in Set Event Mask.")
        incident.add(mask, "Set Event Mask without bit 18")
        report(incident)
    }

    /// A wait in which all buffers of the controller were full.
    func fullWait(_ slot: Int, _ wait: ControllerBuffers.Wait?, in trace: borrowing Trace) -> ControllerBuffers.Wait? {
        let connection = trace.connections[slot]
        guard let wait, connection.buffers.completed > 0, wait.nanoseconds >= Self.bufferPatience,
            let count = trace.controller(ofConnection: slot).buffers(for: connection.transport), count > 0,
            wait.packets >= count
        else { return nil }
        return wait
    }

    /// Each value filled the PDU and was not at its end.
    mutating func checkCut(
        _ stream: ValueStream, isWritten: Bool, _ slot: Int, in trace: borrowing Trace
    ) {
        guard stream.count >= Self.cutCount, stream.isEven, !stream.sample.isEmpty else { return }
        let attribute = trace.attribute(stream.handle, server: stream.server, connection: slot, at: stream.lastFrame)
        let room = trace.connections[slot].bearers[0].mtu - 3
        guard stream.octets == room || stream.octets == 20,
            let reason = reasonOfCut(
                stream.sample, attribute, beginsAlike: stream.beginsAlike, isContinued: stream.isContinued, in: trace)
        else { return }
        let subject = name(stream.handle, attribute, in: trace) ?? "an attribute"
        var incident = Incident(
            .valuesCut, .hindered, stream.first,
            place(slot, server: stream.server, stream.handle, attribute, in: trace), title: "values of \(subject) cut",
            "Each of the \(stream.count) values of \(subject) has \(stream.octets) octets"
                + (stream.octets == room ? ", all that the MTU of \(room + 3) has room for" : "")
                + ", and the first \(reason).",
            .likely("The \(isWritten ? "client" : "server") cuts values to the length of a PDU."),
            next: stream.octets == room
                ? PlatformAdvice.exchangeMTU.rawValue
                : "Check that the \(isWritten ? "client" : "server") uses the MTU in force, not 23.")
        incident.note(stream.last.frame)
        if stream.octets == room, let refused = links[slot].refusedMTU {
            let (refuser, asker) = (party(refused.by, slot, in: trace), party(refused.by.opposite, slot, in: trace))
            incident.cause = .proved(
                "\(refuser.capitalizedFirst) refused the Exchange MTU Request of \(asker) (frame \(refused.frame)), and the MTU stayed \(room + 3)."
            )
            incident.next = "Answer Exchange MTU Request in \(refuser), or ask for a larger MTU there."
            incident.add(refused.frame, "\(refuser) refused Exchange MTU Request")
        }
        report(incident)
    }

    /// A Read Response has room for more and ends where the smallest MTU ends, within something.
    mutating func checkShortRead(
        _ value: Bytes, _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        let mtu = trace.connections[slot].bearers[0].mtu
        var octets: [UInt8] = []
        value.append(to: &octets)
        guard operation.bearer == .unenhanced, mtu - 1 > LinkState.leastRead, !hasGap(slot, in: trace),
            let attribute = operation.attribute, attribute.role == .value, let handle = operation.handle,
            let reason = reasonOfCut(octets, attribute, beginsAlike: true, in: trace)
        else { return }
        if let known = openIncident(.valuesCut, operation.server, handle, detail: 2, slot) {
            return happenAgain(known, Moment(event), slot)
        }
        let subject = name(handle, attribute, in: trace) ?? "an attribute"
        let server = party(event.direction, slot, in: trace)
        var incident = Incident(
            .valuesCut, .hindered, Moment(event), place(slot, server: operation.server, handle, attribute, in: trace),
            detail: 2, title: "value of \(subject) cut",
            "Read Response with \(octets.count) octets of \(subject), which \(reason); the MTU of \(mtu) has room for \(mtu - 1).",
            .likely(
                "\(server.capitalizedFirst) cuts the value as for an MTU of 23: the client takes a response with room left for the whole value "
                    + "(Vol 3, Part F, 3.4.4.4)."),
            next: "Check that \(server) answers with the MTU in force, not 23.")
        incident.note(event.frame)
        open(incident, slot, in: trace)
    }

    /// The client reads the rest: the value is not cut for it.
    mutating func forgetShortRead(_ operation: borrowing ATTOperation, _ slot: Int) {
        let (server, handle) = (operation.server, operation.handle)
        links[slot].open.removeAll {
            $0.kind == .valuesCut && $0.detail == 2 && $0.place.server == server && $0.place.handle == handle
        }
    }

    /// Why a value has not reached its end.
    private mutating func reasonOfCut(
        _ value: [UInt8], _ attribute: AttributeInfo?, beginsAlike: Bool, isContinued: Bool = false,
        in trace: borrowing Trace
    ) -> String? {
        if let characteristic = attribute?.characteristic,
            let dissector = values.library.dissector(for: .attribute(trace.uuids[characteristic])),
            dissector.confidence == .a
        {
            var dissection = Dissection()
            dissector.dissect(Bytes(value.span), operation: .notify, into: &dissection)
            if let fault = dissection.fault {
                return fault.reason == .truncated ? "ends within \(dissector.fields[fault.field].name)" : nil
            }
        }
        if value.endsWithinCharacter, !isContinued { return "ends within a character of UTF-8" }
        if let attribute, trace.uuids[attribute.type] == HIDReportMap.uuid, HIDReportMap.isUnclosed(value) {
            return "ends within a collection"
        }
        // The parts of one text begin differently.
        return beginsAlike && value.isUnclosedJSON ? "ends within a JSON text" : nil
    }

    /// The controller sends one packet in each connection event, although more wait.
    private mutating func checkEvents(_ slot: Int, in trace: borrowing Trace) {
        guard let run = trace.connections[slot].buffers.longestRun, run.packets >= Self.runCount,
            // A packet on LE Coded may fill the interval.
            trace.connections[slot].transmitPHY != 3, let parameters = trace.connections[slot].parameters,
            let time = run.ended.duration(since: run.begun),
            case let interval = Int64(parameters.usedIntervalMicroseconds) * 1_000,
            case let period = time / Int64(run.packets - 1), abs(period - interval) <= interval / 20
        else { return }
        report(
            Incident(
                .slowTransfer, .hindered, Moment(frame: run.frame, time: run.begun), place(slot, in: trace),
                title: "one packet in each connection event",
                "\(run.packets) packets were sent, one in each connection interval of \(seconds(interval)), while more waited in the controller.",
                before: "in force: \(WantedParameters(parameters).words)",
                .likely(
                    "One of the controllers ends each connection event after a packet; other links of it may leave it no time."
                ),
                next:
                    "Put more octets into a packet (data length, MTU), use a shorter interval, or set the length of connection events in the controller."
            ))
    }

    /// A transfer by requests that the connection interval slows down: a request and its response take two connection events.
    private mutating func checkSlow(_ stream: ValueStream, _ slot: Int, in trace: borrowing Trace) {
        guard stream.count >= Self.bulkCount, stream.isEven, let parameters = trace.connections[slot].parameters else {
            return
        }
        let octets = stream.octets * stream.count
        let interval = Int64(parameters.usedIntervalMicroseconds) * 1_000
        guard octets >= Self.bulkOctets, interval >= Self.slowInterval, stream.period >= interval,
            stream.period <= interval * 5 / 2
        else { return }
        let attribute = trace.attribute(stream.handle, server: stream.server, connection: slot, at: stream.lastFrame)
        let subject = name(stream.handle, attribute, in: trace) ?? "an attribute"
        let rate = Int64(octets) * 1_000_000_000 / max(1, stream.last.since(stream.first))
        let most = Int64(stream.octets) * 1_000_000_000 / (2 * interval)
        var incident = Incident(
            .slowTransfer, .hindered, stream.first,
            place(slot, server: stream.server, stream.handle, attribute, in: trace),
            title: "slow transfer to \(subject)",
            "\(stream.count) requests with \(stream.octets) octets each took \(seconds(stream.last.since(stream.first))): "
                + "\(rate) octets/s.",
            before: "in force: \(WantedParameters(parameters).words)",
            .likely(
                "The connection interval: a request and its response take two connection events of \(seconds(interval)), "
                    + "so \(stream.octets) octets each time make \(most) octets/s."),
            next: PlatformAdvice.shortenInterval.rawValue)
        incident.note(stream.last.frame)
        report(incident)
    }
}

/// Whether a value is the beginning of a longer text.
extension Bytes {
    /// It ends within a character of UTF-8, or within a JSON text.
    package var isUnfinishedText: Bool {
        let octets = copy()
        return octets.endsWithinCharacter || octets.isUnclosedJSON
    }

    /// A whole JSON object or list.
    package var isClosedJSON: Bool { copy().json == .closed }
}

extension [UInt8] {
    /// Text whose last character is not whole.
    var endsWithinCharacter: Bool {
        // At most three octets of it.
        for length in 1...3 where count > length {
            guard case let lead = self[count - length], lead >= 0xC2, lead <= 0xF4 else { continue }
            let whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            let rest = self[(count - length + 1)...]
            let text = self[..<(count - length)]
            return length < whole && rest.allSatisfy { $0 & 0xC0 == 0x80 } && text.isText
        }
        return false
    }

    /// A text that begins as a JSON object or list and does not close it.
    var isUnclosedJSON: Bool { json == .open }

    /// Whether a JSON object or list that the text begins with is closed.
    fileprivate var json: JSONText {
        guard let first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["), count > 2,
            self[1] == UInt8(ascii: "\"") || self[1] == UInt8(ascii: "{"), self[...].isText
        else { return .none }
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for octet in self {
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if octet == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if octet == UInt8(ascii: "\"") {
                    isQuoted = false
                }
            } else if octet == UInt8(ascii: "\"") {
                isQuoted = true
            } else if octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") {
                depth += 1
            } else if octet == UInt8(ascii: "}") || octet == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 { return .closed }
            }
        }
        return .open
    }
}

private enum JSONText {
    case none, open, closed
}

extension ArraySlice<UInt8> {
    fileprivate var isText: Bool {
        guard let text = String(validating: self, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" || $0 == "\r" }
    }
}

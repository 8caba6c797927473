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
        if let wait = fullWait(slot, trace.connections[slot].buffers.longestWait(until: moment.time), in: trace),
            !isLost || wait != trace.connections[slot].buffers.wait(until: moment.time)
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
        checkEvents(slot, in: trace)
        if let wait = trace.connections[slot].creditWait(until: moment), wait.nanoseconds >= Self.bufferPatience {
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
            let reason = reasonOfCut(stream, attribute, in: trace)
        else { return }
        let subject = name(stream.handle, attribute, in: trace) ?? "an attribute"
        var incident = Incident(
            .valuesCut, .hindered, stream.first,
            place(slot, server: stream.server, stream.handle, attribute, in: trace), title: "values of \(subject) cut",
            "Each of the \(stream.count) values of \(subject) has \(stream.octets) octets"
                + (stream.octets == room ? ", all that the MTU of \(room + 3) has room for" : "")
                + ", and \(reason).",
            .likely("The \(isWritten ? "client" : "server") cuts values to the length of a PDU."),
            next: stream.octets == room
                ? PlatformAdvice.exchangeMTU.rawValue
                : "Check that the \(isWritten ? "client" : "server") uses the MTU in force, not 23.")
        incident.note(stream.last.frame)
        report(incident)
    }

    /// Why a value has not reached its end.
    private mutating func reasonOfCut(
        _ stream: ValueStream, _ attribute: AttributeInfo?, in trace: borrowing Trace
    ) -> String? {
        let value = stream.sample
        if let characteristic = attribute?.characteristic,
            let dissector = values.library.dissector(for: .attribute(trace.uuids[characteristic])),
            dissector.confidence == .a
        {
            var dissection = Dissection()
            dissector.dissect(Bytes(value.span), operation: .notify, into: &dissection)
            guard let fault = dissection.fault, fault.reason == .truncated else { return nil }
            return "ends within \(dissector.fields[fault.field].name)"
        }
        if value.endsWithinCharacter { return "ends within a character of UTF-8" }
        // The parts of one text begin differently.
        return stream.beginsAlike && value.isUnclosedJSON ? "ends within a JSON text" : nil
    }

    /// The controller sends one packet in each connection event, although more wait.
    private mutating func checkEvents(_ slot: Int, in trace: borrowing Trace) {
        guard let run = trace.connections[slot].buffers.longestRun, run.packets >= Self.runCount,
            // A packet on LE Coded may fill the interval.
            trace.connections[slot].transmitPHY != 3, let parameters = trace.connections[slot].parameters,
            let time = run.ended.duration(since: run.begun),
            case let interval = Int64(parameters.intervalMicroseconds) * 1_000,
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
        let interval = Int64(parameters.intervalMicroseconds) * 1_000
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

extension [UInt8] {
    /// Text whose last character is not whole.
    fileprivate var endsWithinCharacter: Bool {
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
    fileprivate var isUnclosedJSON: Bool {
        guard let first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["), count > 2,
            self[1] == UInt8(ascii: "\"") || self[1] == UInt8(ascii: "{"), self[...].isText
        else { return false }
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
                if depth == 0 { return false }
            }
        }
        return true
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isText: Bool {
        guard let text = String(validating: self, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" || $0 == "\r" }
    }
}

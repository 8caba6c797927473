import AttlasCapture
import AttlasTrace
import AttlasWire

/// How links begin and end, and attempts to make them.
extension IncidentCollector {
    /// Time in which an ending with an error, or one by a host, is a consequence of earlier events.
    private static let consequence: Int64 = 5_000_000_000
    private static let reaction: Int64 = 1_000_000_000
    private static let longAttempt: Int64 = 5_000_000_000
    private static let stormCount = 6
    private static let stormTime: Int64 = 60_000_000_000
    static let heardTime: Int64 = 10_000_000_000
    /// A user notices that closing takes this long.
    private static let longWait: Int64 = 5_000_000_000
    private static let silentClosing = "no answer while the host disconnected"
    /// Connections that were closed after the same time, the least time, and by how much the times may differ.
    private static let timerCount = 3
    private static let leastTimer: Int64 = 3_000_000_000
    private static let timerSpread: Int64 = 50_000_000

    mutating func follow(_ change: ConnectionChange, _ event: borrowing Event, in trace: borrowing Trace) {
        if case .failed(let attempt) = change {
            fail(attempt, event, in: trace)
            if attempt.status != .commandDisallowed { endAttempt(event) }
        }
        guard let slot = event.connection else { return }
        switch change {
        case .made:
            endAttempt(event)
            begin(slot, isWhole: trace.connections[slot].isWhole, event, in: trace)
        case .presumed: begin(slot, isWhole: false, event, in: trace)
        case .ended(let end):
            guard slot < links.count, links[slot].isOpen else { return }
            let moment = Moment(event)
            noteEnd(end, slot, moment, in: trace)
            close(slot, end, moment, in: trace)
            devices.disconnect(slot)
            links[slot] = .none
        case .encryption(let isOn, let status):
            if let slot = live(event) { encrypt(isOn, status, slot, event, in: trace) }
        case .rejected(let procedure, let error):
            if let slot = live(event) { reject(procedure, error, slot, event, in: trace) }
        case .parametersUpdated: if let slot = live(event) { noteUpdated(slot, event, in: trace) }
        case .unheard: unheard += 1
        case .announced, .notReached, .phyUpdated, .dataLengthUpdated, .decryption, .constantNumbers, .version,
            .features, .channelMapUpdated, .failed:
            break
        }
    }

    private mutating func endAttempt(_ event: borrowing Event) {
        if let place = place(ofController: event.controller) {
            controllers[place].connecting = nil
            _ = controllers[place].endDirected()
        }
    }

    private mutating func begin(_ slot: Int, isWhole: Bool, _ event: borrowing Event, in trace: borrowing Trace) {
        while links.count <= slot { links.append(.none) }
        let moment = Moment(event)
        if trace.connections[slot].isCentral == false, let place = place(ofController: event.controller) {
            controllers[place].useAdvertising(event.frame)
        }
        if trace.connections[slot].isHeard { noteAir() }
        links[slot] = LinkState(
            moment, isWhole: isWhole, losses: trace.losses.count(of: trace.connections[slot].controller),
            clockSteps: trace.clockSteps)
        guard isWhole, let address = trace.peerAddress(trace.connections[slot].peer) else { return }
        devices.disconnect(slot)
        for address in [address, trace.connections[slot].privateAddress].compactMap(\.self) {
            devices.unwatch(address)
            devices.connect(address, slot)
            devices.change(address) { $0.hasConnected = true }
        }
        reportCancelled(address)
        list.recover(address)
        var storm: [Moment] = []
        var closer: ConnectionChange.Party?
        devices.change(address) {
            if $0.begun.count == Self.stormCount { $0.begun.removeFirst() }
            $0.begun.append(moment)
            storm = $0.begun
            if $0.lifetimes.count >= Self.stormCount - 1 { closer = $0.lifetimes.first?.party }
        }
        guard storm.count == Self.stormCount, let span = moment.time.duration(since: storm[0].time),
            span <= Self.stormTime
        else { return }
        devices.change(address) { $0.begun = [] }
        var place = Incident.Place()
        place.peer = address
        let name = closer == .peer ? "peer" : "host"
        var incident = Incident(
            .reconnectStorm, .hindered, moment, place, title: "reconnected again and again",
            "Connected \(storm.count) times in \(seconds(span)).",
            closer == nil
                ? .unknown("See the incidents that ended these connections.")
                : .proved("The \(name) closed each of the \(storm.count - 1) connections before."),
            next: closer == nil
                ? "Look at how the connections before ended."
                : "Look at the log of the \(name): it decides to disconnect.")
        for begun in storm { incident.note(begun.frame) }
        report(incident)
    }

    // MARK: Ends

    private mutating func noteEnd(
        _ end: ConnectionEnd, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        if let place = place(ofController: trace.connections[slot].controller) {
            // The streams that were asked for on it do not come.
            controllers[place].creating = nil
            let isMeant = if case .disconnected(_, let party) = end { party == .host } else { true }
            if trace.connections[slot].isCentral == false {
                controllers[place].endUse(of: links[slot].begun.frame, isMeant ? nil : moment)
            }
        }
        switch end {
        case .superseded: return
        case .controller(let end): return noteControllerEnd(end, slot, moment, in: trace)
        case .disconnected(let reason, let party): noteDisconnection(reason, party, slot, moment, in: trace)
        case .reported(let status): noteReported(status, slot, moment, in: trace)
        }
    }

    private mutating func noteDisconnection(
        _ reason: HCIErrorCode, _ party: ConnectionChange.Party, _ slot: Int, _ moment: Moment,
        in trace: borrowing Trace
    ) {
        noteLifetime(party, slot, moment, in: trace)
        if noteRestart(reason, slot, moment, in: trace) { return }
        noteEnding(reason, party, slot, moment, in: trace)
        var sentence: String { "\(party.words): \(reason.words)" }
        switch reason {
        case .remoteUserTerminatedConnection, .terminatedByLocalHost:
            if addEnd(sentence, slot, moment, within: Self.reaction) { return }
            if let request = slowRequest(slot, moment, in: trace) {
                return reportSlowEnd(reason, request, slot, moment, in: trace)
            }
            if party == .peer, reportTooLong(slot, moment, in: trace) { return }
            if party == .peer, trace.connections[slot].isCentral ?? true { closings.note(moment.frame) }
        case .connectionTimeout, .llResponseTimeout, .instantPassed, .micFailure, .failedToBeEstablished:
            lose(reason, isRequested: party == .host, slot, moment, in: trace)
        default:
            if reason != .unacceptableConnectionParameters, addEnd(sentence, slot, moment, within: Self.consequence) {
                return
            }
            // Low Resources and Power Off: the device was switched off, or its battery is empty.
            let isSwitchedOff =
                reason == .remoteDeviceTerminatedLowResources || reason == .remoteDeviceTerminatedPowerOff
            var incident = Incident(
                .endedWithError, isSwitchedOff ? .noted : .broke, moment, place(slot, in: trace),
                detail: Int(reason.rawValue), title: "connection ended: \(reason.name)",
                "\(sentence.capitalizedFirst).", before: before(slot, moment, in: trace),
                reason.cause, next: reason.advice)
            var evidence = evidence(slot, moment, reason: reason, in: trace)
            evidence.closer = party == .peer ? .rx : party == .host ? .tx : .unknown
            incident.explain(with: evidence)
            if reason == .unacceptableConnectionParameters {
                absorb(into: &incident, slot) { $0.kind == .updateRefused }
            }
            report(incident)
        }
    }

    /// The host's Disconnect, if the peer did not acknowledge it in the supervision timeout. Vol 6, Part B, 5.1.6.
    private func slowRequest(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) -> Moment? {
        guard let request = trace.connections[slot].disconnectRequest,
            let timeout = trace.connections[slot].parameters?.supervisionTimeout, timeout > 0,
            // It counts from the last packet of the peer.
            case let wait = moment.since(request), wait >= max(Self.reaction, Int64(timeout) * 9_000_000),
            wait <= Int64(timeout) * 10_000_000 + Self.reaction
        else { return nil }
        return request
    }

    private mutating func reportSlowEnd(
        _ reason: HCIErrorCode, _ request: Moment, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        let wait = moment.since(request)
        let isLong = wait >= Self.longWait
        var incident = Incident(
            .linkLost, isLong ? .hindered : .noted, moment, place(slot, in: trace), detail: Int(reason.rawValue),
            title: Self.silentClosing,
            "Closing the connection took \(seconds(wait)): the peer did not acknowledge it in the supervision timeout.",
            before: before(slot, moment, in: trace),
            .proved("A controller waits for the acknowledgement until the supervision timeout."),
            next: isLong
                ? "Use a shorter supervision timeout; the log of the peer would tell why it was silent."
                : "Nothing, unless the peer should still have answered.")
        incident.add(request.frame, "the host sent Disconnect")
        noteWaiting(slot, moment, in: &incident, in: trace)
        report(incident)
    }

    /// A connection that one side closed.
    private mutating func noteLifetime(
        _ party: ConnectionChange.Party, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        guard let address = trace.peerAddress(trace.connections[slot].peer) else { return }
        let begun = links[slot].begun
        let isClosed = trace.connections[slot].hasBeginning && (party == .host || party == .peer)
        devices.change(address) {
            if $0.lifetimes.first?.party != party || !isClosed { $0.lifetimes = [] }
            guard isClosed, $0.lifetimes.count < DeviceStates.attemptLimit else { return }
            $0.lifetimes.append((party, moment, moment.since(begun)))
        }
    }

    /// Connections of a device that one side closed after the same number of seconds.
    private mutating func reportTimers() {
        for address in devices.addresses {
            guard let lifetimes = devices[address]?.lifetimes, lifetimes.count >= Self.timerCount,
                let least = lifetimes.map(\.duration).min(), let most = lifetimes.map(\.duration).max(),
                least >= Self.leastTimer, most - least <= Self.timerSpread,
                case let rest = (least + Self.timerSpread) % 1_000_000_000, rest <= 2 * Self.timerSpread
            else { continue }
            let isHost = lifetimes[0].party == .host
            let closing = "\(isHost ? "the host" : "the peer") closed \(lifetimes.count) connections, each"
            var place = Incident.Place()
            place.peer = address
            var incident = Incident(
                .closedByTimer, .noted, lifetimes[0].moment, place, title: "\(closing) after \(seconds(least))",
                "\(closing.capitalizedFirst) \(seconds(least)) after it was made.",
                .likely("A timer of \(isHost ? "the app or the host" : "the device") counts from the connection."),
                next: isHost
                    ? "Look in the app for a time limit that is not stopped when the connection is made."
                    : "Look in the device's firmware for a time in which the client has to do something.")
            for lifetime in lifetimes { incident.note(lifetime.moment.frame) }
            report(incident)
        }
    }

    /// Open incidents of the connection become steps of another one.
    private mutating func absorb(
        into incident: inout Incident, _ slot: Int, where isPart: (Incident) -> Bool
    ) {
        links[slot].open.removeAll { open in
            guard isPart(open) else { return false }
            for step in open.steps { incident.add(step.frame, step.text) }
            for frame in open.frames { incident.note(frame) }
            return true
        }
    }

    /// The end belongs to an incident shortly before it.
    @discardableResult
    mutating func addEnd(
        _ sentence: @autoclosure () -> String, _ slot: Int, _ moment: Moment, within time: Int64
    ) -> Bool {
        guard
            let index = links[slot].open.lastIndex(where: {
                $0.weight == .broke && moment.time.duration(since: $0.time).map { $0 <= time } ?? false
            })
        else { return false }
        let open = links[slot].open[index]
        let later = moment.since(Moment(frame: open.frame, time: open.time))
        links[slot].open[index].add(moment.frame, "\(sentence()), \(seconds(later)) later")
        return true
    }

    private mutating func lose(
        _ reason: HCIErrorCode, isRequested: Bool, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        let link = links[slot]
        let timeout = trace.connections[slot].parameters.map { seconds(Int64($0.supervisionTimeout) * 10_000_000) }
        let place = place(slot, in: trace)
        func lost(_ kind: Incident.Kind, _ title: String, _ what: String, _ cause: Incident.Cause, next: String)
            -> Incident
        {
            Incident(
                kind, .broke, moment, place, title: "connection lost\(title)", what,
                before: before(slot, moment, in: trace), cause, next: next)
        }
        if isRequested {
            var incident = Incident(
                reason == .llResponseTimeout ? .noLinkLayerResponse : .linkLost, .noted, moment, place,
                detail: Int(reason.rawValue), title: Self.silentClosing,
                "The host was closing the connection, and the peer no longer answered: \(reason.words).",
                before: before(slot, moment, in: trace), .proved("The host sent Disconnect before."),
                next: "Nothing, unless the peer should still have answered.")
            noteWaiting(slot, moment, in: &incident, in: trace)
            return report(incident)
        }
        var incident: Incident
        switch reason {
        case .connectionTimeout:
            let silence = timeout.map { "\($0) (supervision timeout)" } ?? "the supervision timeout"
            let isNear = trace.connections[slot].signal != nil
            let isShort = trace.connections[slot].parameters.map { 1..<100 ~= $0.supervisionTimeout } ?? false
            incident = lost(
                .linkLost, "", "Connection lost: nothing heard for \(silence).",
                .unknown(
                    trace.connections[slot].signal.map {
                        "The last RSSI is \($0.last.dBm) dBm, so that range is unlikely; the log of the device or a capture from the "
                            + "air would tell."
                    }
                        ?? "RSSI readings or a capture from the air would tell whether it was range, interference or a reset."
                ),
                next: isNear
                    ? "Look at the log of the device for a restart."
                    : isShort
                        ? "Use a supervision timeout of several seconds, which outlasts short pauses of a radio; if it stays, record the air."
                        : Hypothesis.nearby)
        case .llResponseTimeout:
            let age = trace.connections[slot].isWhole ? moment.since(link.begun) : 0
            let time = age > 0 && age < 40_000_000_000 ? "in the \(seconds(age)) of the connection" : "for 40 s"
            incident = lost(
                .noLinkLayerResponse, ": no link layer response",
                "A procedure of the link layer was not answered \(time): \(reason.words).",
                .unknown("The log has no procedure that was running; a capture from the air shows which one it is."),
                next: "Update the firmware of the device; record the air.")
        case .instantPassed:
            incident = lost(
                .instantPassed, ": instant passed",
                "An update of the link came after the event from which it was to be used: \(reason.words).",
                .proved(reason.meaning), next: Hypothesis.nearby)
        case .micFailure:
            incident = lost(
                .integrityFailed, ": integrity check failed",
                "A packet failed its integrity check: \(reason.words).",
                .unknown("The keys of both sides, or a capture from the air, would tell."),
                next: "Compare the bonds of both devices.")
        default:
            incident = notEstablished(reason, moment, place, after: moment.since(link.begun))
        }
        incident.explain(with: evidence(slot, moment, reason: reason, in: trace))
        // The same failure, which ended a procedure first.
        absorb(into: &incident, slot) {
            ($0.kind == .updateRefused || $0.kind == .encryptionFailed) && $0.detail == Int(reason.rawValue)
                // An app has its own code for the same.
                || $0.kind == .encryptionFailed && reason == .micFailure
        }
        noteWaiting(slot, moment, in: &incident, in: trace)
        if let wait = fullWait(slot, trace.connections[slot].buffers.wait(until: moment.time), in: trace) {
            incident.add(
                wait.frame,
                "no packet of the host was acknowledged for \(seconds(wait.nanoseconds)): all buffers of the controller were full"
            )
        }
        if let pairing = link.pairing, !pairing.isEncrypted {
            incident.add(pairing.last.frame, "pairing was under way (\(pairing.step.rawValue))")
        }
        if let address = place.peer { devices.watch(address, since: moment, lostFrame: moment.frame) }
        report(incident)
    }

    /// Requests that waited when the link was lost.
    private func noteWaiting(
        _ slot: Int, _ moment: Moment, in incident: inout Incident, in trace: borrowing Trace
    ) {
        // Responses may be missing.
        guard !hasGap(slot, in: trace), trace.hasEveryPacket else { return }
        for bearer in trace.connections[slot].bearers {
            for waiting in bearer.waiting {
                let age = moment.since(Moment(frame: waiting.frame, time: waiting.time))
                let time = age == 0 ? "" : " for \(seconds(age))"
                incident.add(
                    waiting.frame,
                    "\(waiting.opcode.name) by \(party(waiting.asker, slot, in: trace)) waited\(time)")
            }
        }
    }

    /// Events before the end of a link.
    mutating func before(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) -> String? {
        var parts: [String] = []
        if let last = lastOperation(slot, before: moment, in: trace) { parts.append(last) }
        if let parameters = trace.connections[slot].parameters { parts.append(WantedParameters(parameters).words) }
        if let rssi = trace.connections[slot].signal {
            parts.append(
                rssi.first.dBm == rssi.last.dBm
                    ? "RSSI \(rssi.last.dBm) dBm"
                    : "RSSI went from \(rssi.first.dBm) to \(rssi.last.dBm) dBm in the last minute")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private mutating func noteControllerEnd(
        _ end: ConnectionEnd.ControllerEnd, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        let weight: Incident.Weight = end == .removed ? .broke : .noted
        if let address = trace.peerAddress(trace.connections[slot].peer) {
            devices.change(address) { $0.begun = [] }
        }
        let place = place(slot, in: trace)
        if repeats(.controllerGone, weight, moment, place) { return }
        let incident = Incident(
            .controllerGone, weight, moment, place,
            title: "\(end.rawValue) with an open connection",
            "\(end.rawValue.capitalizedFirst) while the connection was open.",
            before: before(slot, moment, in: trace), .proved("The host or the kernel reports it."),
            next: end == .reset
                ? "Nothing, if Bluetooth was switched off and on; else look at the log of the host."
                : "Look at what the host did before this frame.")
        if end == .reset { noteReset(incident, slot, moment, in: trace) } else { report(incident) }
    }

    /// The link is open, and the peer's link layer sends nothing that its key authenticates. Vol 6, Part B, 4.6.5 and 5.1.8.
    mutating func notePayloadTimeout(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        let moment = Moment(event)
        if let known = openIncident(.payloadTimeout, detail: 0, slot) { return happenAgain(known, moment, slot) }
        var incident = Incident(
            .payloadTimeout, .broke, moment, place(slot, in: trace), title: "authenticated payload timeout",
            "No packet of the peer with a valid integrity check came within the Authenticated Payload Timeout (30 s unless the host "
                + "changed it), on a link that is open.",
            before: before(slot, moment, in: trace),
            .likely("The peer's link layer stopped answering LL_PING_REQ."),
            next: "Look at the log and the firmware of the device; a capture from the air shows whether it answers.")
        if let encryption = links[slot].encryption { incident.add(encryption.moment.frame, "the link was encrypted") }
        incident.add(moment.frame, "Authenticated Payload Timeout Expired")
        open(incident, slot, in: trace)
    }

    // MARK: Attempts

    private func notEstablished(
        _ reason: HCIErrorCode, _ moment: Moment, _ place: Incident.Place, after age: Int64?
    ) -> Incident {
        // A log without times has one for all.
        let after = age.map { $0 == 0 ? "" : " \(seconds($0)) after it was reported" } ?? ""
        return Incident(
            .neverEstablished, .broke, moment, place, title: "connection never established",
            "The peer did not answer on the new connection\(after): \(reason.words).",
            .proved(reason.meaning),
            next: "Repeat with both devices within 1 m; if it stays, look at the peer's timing and record the air.")
    }

    private mutating func fail(_ attempt: FailedAttempt, _ event: borrowing Event, in trace: borrowing Trace) {
        let moment = Moment(event)
        if attempt.isCancelled {
            guard let address = attempt.address else {
                if attempt.duration ?? 0 >= Self.longAttempt, noteAcceptList(event, moment) { return }
                return reportCancelled(nil, [(moment, attempt.duration)])
            }
            var isNoted = false
            devices.change(address) {
                isNoted = $0.cancelled.count < DeviceStates.attemptLimit
                if isNoted { $0.cancelled.append((moment, attempt.duration)) }
            }
            if !isNoted || devices[address] == nil { reportCancelled(address, [(moment, attempt.duration)]) }
            return
        }
        var place = Incident.Place()
        place.peer = attempt.address
        if attempt.status == .failedToBeEstablished {
            return report(notEstablished(attempt.status, moment, place, after: nil))
        }
        if let status = attempt.reported { return noteReported(status, attempt, place, moment) }
        let duration = attempt.duration.map { " after \(seconds($0))" } ?? ""
        // A phone calls its BR/EDR devices in the background, whether they are near or not: one line for all of them.
        if attempt.status == .pageTimeout {
            let device = attempt.address.map { "\($0)" } ?? "a BR/EDR device"
            if let address = attempt.address, let heard = devices.heard.heard(address),
                heard.flags.map({ $0 & Self.noBREDR == 0 }) ?? false
            {
                return reportPaged(address, heard.frame, attempt, moment)
            }
            return report(
                Incident(
                    .attemptFailed, .noted, moment, Incident.Place(), detail: Int(attempt.status.rawValue),
                    title: "no answer of a BR/EDR device",
                    "\(device.capitalizedFirst) did not answer\(duration): \(attempt.status.words).",
                    attempt.status.cause, next: attempt.status.advice))
        }
        var incident = Incident(
            .attemptFailed, .broke, moment, place, detail: Int(attempt.status.rawValue),
            title: "connection attempt failed: \(attempt.status.name)",
            "The connection attempt failed\(duration): \(attempt.status.words).",
            attempt.status.cause, next: attempt.status.advice)
        if let controller = controller(of: event),
            let account = Hypothesis.account(of: .leCreateConnection, attempt.status, on: controller)
        {
            incident.take(account, .proved)
        } else if attempt.status == .connectionAlreadyExists {
            noteExisting(event, in: trace, &incident)
        } else if attempt.status == .advertisingTimeout {
            // High duty cycle. Vol 4, Part E, 7.8.9 and 7.7.65.1.
            incident.weight = .noted
            incident.title = "no answer to directed advertising"
            incident.what = "Directed advertising ended without a connection: \(attempt.status.words)."
            incident.cause = .proved(
                "Directed advertising with a high duty cycle ends by itself after 1.28 s (Vol 4, Part E, 7.8.9).")
            incident.next = "Nothing, if the host then advertises in another way."
        }
        report(incident)
    }

    /// The connection with the device that the controller reports, if the capture has it.
    private func noteExisting(_ event: borrowing Event, in trace: borrowing Trace, _ incident: inout Incident) {
        guard let peer = incident.place.peer else { return }
        let slot = links.indices.first {
            links[$0].isOpen && trace.connections[$0].controller == event.controller
                && trace.peerAddress(trace.connections[$0].peer) == peer
        }
        if let slot {
            let frame = links[slot].begun.frame
            incident.cause = .proved("The connection with this device is open since frame \(frame).")
            incident.add(frame, "the connection began")
        } else if let ended = devices[peer]?.lifetimes.last?.moment.frame {
            incident.cause = .likely(
                "The last connection with this device ended in frame \(ended), and the controller still holds it.")
            incident.next = "Reset the controller; if it stays, update its firmware."
            incident.add(ended, "the connection ended")
        } else {
            incident.cause = .likely(
                "The controller has a connection with this device that is not in the log: it began before, or another program made it."
            )
            incident.next = "Look for the program that has the connection, or reset the controller."
        }
    }

    /// BR/EDR Not Supported, a bit of the Flags. Core Specification Supplement, Part A, 1.3.
    private static let noBREDR: UInt8 = 0x04

    /// A device that advertises over LE was called over BR/EDR.
    private mutating func reportPaged(
        _ address: BluetoothAddress, _ heard: Int, _ attempt: FailedAttempt, _ moment: Moment
    ) {
        var place = Incident.Place()
        place.peer = address
        var incident = Incident(
            .attemptFailed, .hindered, moment, place, detail: Int(attempt.status.rawValue),
            title: "called over BR/EDR, and it advertises over LE",
            "The host called the device over BR/EDR, and it did not answer: \(attempt.status.words).",
            .likely(
                "The device advertises over LE under the same address, and its Flags do not say that it has no BR/EDR (0x04): the host takes "
                    + "it for a device with both."),
            next: "Set BR/EDR Not Supported (0x04) in the Flags of a device without BR/EDR, or connect over LE.")
        incident.add(heard, "the device was heard over LE")
        report(incident)
    }

    /// Attempts that a connection, or the end of the capture, shows to be nothing worse.
    private mutating func reportCancelled(_ address: BluetoothAddress) {
        guard let cancelled = devices[address]?.cancelled, !cancelled.isEmpty else { return }
        devices.change(address) { $0.cancelled = [] }
        reportCancelled(address, cancelled)
    }

    private mutating func reportCancelled(
        _ address: BluetoothAddress?, _ cancelled: [(moment: Moment, duration: Int64?)]
    ) {
        var place = Incident.Place()
        place.peer = address
        for (moment, duration) in cancelled {
            report(
                Incident(
                    .attemptCancelled, .noted, moment, place, title: "connection attempt cancelled",
                    "The host cancelled the attempt\(duration.map { " after \(seconds($0))" } ?? "").",
                    .proved("The host sent the command that cancels it."),
                    next: "Wait longer for the device if it was reachable."))
        }
    }

    /// Reports attempts that are pending when the capture ends.
    mutating func closeAttempts(_ moment: Moment, in trace: borrowing Trace) {
        for attempted in devices.watched where attempted.lostFrame == nil { noteAddressType(attempted) }
        for controller in trace.controllers {
            guard let attempt = controller.attempts[.lowEnergy], let address = attempt.address else { continue }
            let begun = Moment(frame: attempt.frame, time: attempt.begun)
            guard moment.since(begun) >= Self.longAttempt, trace.losses.count(of: controller.index) == 0,
                // A log without events does not show its end.
                place(ofController: controller.index).map({
                    controllers[$0].hasAnswers && controllers[$0].unreadable < attempt.frame
                }) ?? false,
                devices.heard.other(than: address) == nil
            else { continue }
            report(pending(address, begun, moment))
        }
        for address in devices.addresses {
            if let incident = neverConnected(address, in: trace) { report(incident) }
            reportCancelled(address)
        }
    }

    /// The host waited for devices of the Filter Accept List, one of which is in it with the wrong address type.
    ///
    /// - Returns: whether that is so.
    private mutating func noteAcceptList(_ event: borrowing Event, _ moment: Moment) -> Bool {
        let accepted = controller(of: event)?.accepted ?? []
        for (address, frame) in accepted {
            guard let heard = devices.heard.other(than: address),
                !accepted.contains(where: { $0.address.value == address.value && $0.address != address })
            else { continue }
            var place = Incident.Place()
            place.peer = address
            let (listed, right) = address.isRandom ? ("random", "public") : ("public", "random")
            var incident = Incident(
                .wrongAddressType, .broke, moment, place, title: "in the accept list with the wrong address type",
                "The Filter Accept List has \(address) as a \(listed) address; the device advertises with the same digits as a \(right) "
                    + "address, heard \(heard.count == 1 ? "once" : "\(heard.count) times"). The attempt was cancelled.",
                .likely("A \(listed) and a \(right) address with the same digits are two devices."),
                next: "Add the \(right) address: take the address type from the advertisement.")
            incident.add(frame, "added to the Filter Accept List as \(listed)")
            incident.add(heard.frame, "heard last as \(right)")
            report(incident)
            return true
        }
        return false
    }

    /// The host called a device by an address of the other type than that under which it advertises.
    private mutating func noteAddressType(_ attempted: DeviceStates.Watched) {
        let address = attempted.address
        guard let heard = devices.heard.other(than: address), let first = attempted.attempts.first else { return }
        var place = Incident.Place()
        place.peer = address
        let (called, right) = address.isRandom ? ("random", "public") : ("public", "random")
        var incident = Incident(
            .wrongAddressType, .broke, first, place, title: "called with the wrong address type",
            "The host called \(address) as a \(called) address; the device advertises with the same digits as a \(right) address, heard "
                + "\(heard.count == 1 ? "once" : "\(heard.count) times").",
            .likely("A \(called) and a \(right) address with the same digits are two devices."),
            next: "Connect to the \(right) address: take the address type from the advertisement.")
        incident.add(heard.frame, "heard last as \(right)")
        for attempt in attempted.attempts { incident.add(attempt.frame, "called as \(called)") }
        if devices[BluetoothAddress(address.value, isRandom: !address.isRandom)]?.hasConnected == true {
            incident.weight = .hindered
            incident.title += ", connected as \(right) too"
        }
        devices.change(address) { $0.cancelled = [] }
        report(incident)
    }

    private mutating func pending(_ address: BluetoothAddress, _ begun: Moment, _ moment: Moment) -> Incident {
        let state = devices[address] ?? DeviceStates.State()
        devices.change(address) { $0.cancelled = [] }
        let neverConnected = !state.hasConnected && !state.cancelled.isEmpty
        var place = Incident.Place()
        place.peer = address
        let age = seconds(moment.since(begun))
        let account = account(ofAttempts: address)
        var incident = Incident(
            .attemptPending, neverConnected ? .broke : .hindered, begun, place,
            title: neverConnected ? "never connected" : "connection attempt pending",
            "The connection attempt was still pending when the capture ended, \(age) later.", account.cause,
            next: account.next)
        addCancelled(state, to: &incident)
        incident.add(begun.frame, "the attempt that stays pending began")
        incident.add(account.step.frame, account.step.text)
        return incident
    }

    /// The host gave up after 5 s or more, and the capture has no connection with the device.
    private mutating func neverConnected(_ address: BluetoothAddress, in trace: borrowing Trace) -> Incident? {
        guard let state = devices[address], !state.hasConnected, trace.losses.count == 0,
            let longest = state.cancelled.compactMap(\.duration).max(), longest >= Self.longAttempt,
            let last = state.cancelled.last
        else { return nil }
        devices.change(address) { $0.cancelled = [] }
        var place = Incident.Place()
        place.peer = address
        let account = account(ofAttempts: address)
        var incident = Incident(
            .attemptCancelled, .broke, last.moment, place, title: "never connected",
            state.cancelled.count == 1
                ? "The host cancelled its attempt after \(seconds(longest)), and there was no connection."
                : "The host cancelled \(state.cancelled.count) attempts, the longest after \(seconds(longest)), and there was no connection.",
            account.cause, next: account.next)
        addCancelled(state, to: &incident)
        incident.add(account.step.frame, account.step.text)
        return incident
    }

    private func addCancelled(_ state: DeviceStates.State, to incident: inout Incident) {
        for (cancelled, duration) in state.cancelled {
            incident.add(
                cancelled.frame, "an attempt was cancelled\(duration.map { " after \(seconds($0))" } ?? "")")
        }
    }

    /// Cause, advice and a step, by whether the device advertised during the last attempt.
    private func account(
        ofAttempts address: BluetoothAddress
    ) -> (cause: Incident.Cause, next: String, step: Incident.Step) {
        guard let heard = devices.watched.first(where: { $0.address == address && $0.lostFrame == nil }),
            let first = heard.firstHeard
        else {
            if let heardAs = devices.resolved[address], controllers.allSatisfy(\.resolving.isEmpty) {
                return (
                    .likely(
                        "The device advertises as \(heardAs.address), a private address, and the host called its identity address: without a "
                            + "resolving list the controller does not know that they are one device."),
                    "Call the private address, or let the controller resolve it (LE Add Device To Resolving List).",
                    Incident.Step(frame: heardAs.frame, text: "heard last, as \(heardAs.address)")
                )
            }
            let before = devices.heard.frame(of: address)
            if let before, devices.heard.isExtendedOnly(address), devices.calledByLegacy.contains(address) {
                return (
                    .likely(
                        "The device advertises with extended PDUs only (frame \(before)), and the legacy LE Create Connection connects to legacy "
                            + "ones (Vol 4, Part E, 3.1.1)."),
                    "Call it with LE Extended Create Connection; or let the device advertise with legacy PDUs.",
                    Incident.Step(frame: before, text: "the device was heard last, with extended PDUs")
                )
            }
            return (
                .unknown(
                    (before.map { "The device was heard before the attempt, last in frame \($0). " } ?? "")
                        + "A scan while connecting, or a capture from the air, would tell whether the device advertises."
                ),
                before == nil
                    ? "Check that the device is on, advertises and is not connected to something else."
                    : "Check that the device still advertises, connectably, and is not connected to something else.",
                Incident.Step(frame: nil, text: "the device was not heard meanwhile")
            )
        }
        let times = heard.heard == 1 ? "once" : "\(heard.heard) times"
        let rssi = heard.rssi.map { " (\($0) dBm)" } ?? ""
        return (
            .likely("The device advertises and does not answer the connection request."),
            "Check whether the device advertises connectably and accepts this host.",
            Incident.Step(frame: first.frame, text: "the device was heard meanwhile, \(times)\(rssi)")
        )
    }

    /// Devices that were lost, advertised again and were not connected again.
    mutating func closeDevices(_ moment: Moment, in trace: borrowing Trace) {
        reportTimers()
        reportEndings()
        let pending = trace.controllers.compactMap { $0.attempts[.lowEnergy]?.address }
        for watched in devices.watched {
            guard let lost = watched.lostFrame, let first = watched.firstHeard, let last = watched.lastHeard,
                last.since(first) >= Self.heardTime, !pending.contains(watched.address), trace.losses.count == 0,
                trace.clockSteps == 0
            else { continue }
            var place = Incident.Place()
            place.peer = watched.address
            var incident = Incident(
                .notReconnected, .hindered, first, place, title: "not reconnected",
                "The device advertised for \(seconds(last.since(first))) after the connection was lost, and the host did not connect.",
                .proved("No command to connect to it follows."), next: "Connect again when the link is lost.")
            incident.note(last.frame)
            incident.follows = lost
            report(incident)
        }
    }
}

extension ConnectionChange.Party {
    /// `the host closed the connection`
    fileprivate var words: String {
        switch self {
        case .host: "the host closed the connection"
        case .peer: "the peer closed the connection"
        case .link: "the controller ended the connection"
        case .unknown: "the connection ended"
        }
    }
}

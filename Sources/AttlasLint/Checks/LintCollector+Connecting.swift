import AttlasCapture
import AttlasDissection
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Attempts to connect, ends of connections, connection parameters, scans.
extension LintCollector {
    private static let failuresInARow = 3
    private static let earliestCancel: Int64 = 100_000_000
    private static let longAttempt: Int64 = 5_000_000_000
    private static let equalRequests = 3
    private static let changesInAWhile = 6
    private static let unsteadyTime: Int64 = 30_000_000_000
    private static let longScan: Int64 = 10_000_000_000
    private static let mostControllers = 64

    // MARK: HCI

    mutating func check(_ command: HCICommand, _ event: borrowing Event, in trace: borrowing Trace) {
        let parameters = command.parameters
        switch (command.opcode.rawValue, parameters.count) {
        // LE Create Connection, LE Extended Create Connection [v1] and [v2].
        case (0x200D, 25):
            met.insert(.attempts)
            check(WantedParameters(parameters, at: 13), by: "LE Create Connection", event)
            checkOwnAddress(parameters[12], "LE Create Connection", event)
        case (0x2043, 2...):
            met.insert(.attempts)
            checkOwnAddress(parameters[1], "LE Extended Create Connection", event)
        case (0x2085, 4...):
            met.insert(.attempts)
            checkOwnAddress(parameters[3], "LE Extended Create Connection", event)
        // LE Set Advertising Parameters and LE Set Extended Advertising Parameters.
        case (0x2006, 15): checkOwnAddress(parameters[5], "LE Set Advertising Parameters", event)
        case (0x2036, 25): checkOwnAddress(parameters[10], "LE Set Extended Advertising Parameters", event)
        // LE Add Device To Resolving List, LE Clear Resolving List, LE Set Address Resolution Enable.
        case (0x2027, 39):
            let (frame, isOwn) = (event.frame, (23..<39).contains { parameters[$0] != 0 })
            if isOwn { change(event.controller) { $0.ownKey = frame } }
        case (0x2029, _): change(event.controller) { $0.ownKey = nil }
        case (0x202D, 1):
            let isOn = parameters[0] == 1
            change(event.controller) { $0.resolvesAddresses = isOn }
        // LE Connection Update.
        case (0x2013, 14): check(WantedParameters(parameters, at: 2), by: "LE Connection Update", event)
        // LE Set Scan Parameters, LE Set Extended Scan Parameters: the first PHY.
        case (0x200B, 7...):
            let (window, interval) = (parameters.uint16(at: 3), parameters.uint16(at: 1))
            change(event.controller) { $0.scanWindow = (window, interval) }
        case (0x2041, 8...):
            let (window, interval) = (parameters.uint16(at: 6), parameters.uint16(at: 4))
            change(event.controller) { $0.scanWindow = (window, interval) }
        // LE Set Scan Enable, LE Set Extended Scan Enable.
        case (0x200C, 2...), (0x2042, 2...): noteScan(parameters[0] != 0, event, in: trace)
        default: break
        }
    }

    /// Own_Address_Type: 0 is the public address.
    private mutating func checkOwnAddress(_ type: UInt8, _ command: String, _ event: borrowing Event) {
        guard let controller = controllers[event.controller], controller.resolvesAddresses, let key = controller.ownKey
        else { return }
        met.insert(.privacy)
        guard type == 0 else { return }
        var place = LintFinding.Place()
        place.party = .host
        report(
            .publicAddressUsed, Moment(event), related: [key], place,
            "\(command) with the public address; the host's own key was set in frame \(key).")
    }

    private mutating func change(_ controller: UInt16, _ apply: (inout ControllerWatch) -> Void) {
        guard controllers[controller] != nil || controllers.count < Self.mostControllers else { return }
        apply(&controllers[controller, default: ControllerWatch()])
    }

    private mutating func check(_ wanted: WantedParameters, by command: String, _ event: borrowing Event) {
        met.insert(.parameters)
        guard let mistake = wanted.mistake else { return }
        var place = LintFinding.Place()
        place.party = .host
        report(.parametersOutOfRange, Moment(event), place, "\(command): \(wanted.words); \(mistake).")
    }

    mutating func check(_ hci: HCIEvent, _ event: borrowing Event, in trace: borrowing Trace) {
        let parameters = hci.parameters
        switch hci.code {
        case .commandComplete where parameters.count >= 4:
            met.insert(.commandResults)
            let opcode = parameters.uint16(at: 1)
            if opcode == 0x0C03, parameters[3] == 0 {
                change(event.controller) { $0 = ControllerWatch(hasReset: true, features: $0.features) }
            }
            if parameters[3] == 0x0C { disallow(opcode, event) }
            // LE Read Local Supported Features.
            if opcode == 0x2003, parameters[3] == 0, parameters.count == 12 {
                let features = parameters.uint64(at: 4)
                change(event.controller) { $0.features = features }
            }
        case .commandStatus where parameters.count >= 4:
            met.insert(.commandResults)
            if parameters[0] == 0x0C { disallow(parameters.uint16(at: 2), event) }
        // LE Connection Update Complete with an error.
        case .leMeta where parameters.count >= 4 && parameters[0] == 0x03 && parameters[1] != 0:
            let (status, handle) = (HCIErrorCode(rawValue: parameters[1]), parameters.uint16(at: 2) & 0x0FFF)
            guard let slot = slot(of: handle, event, in: trace) else { return }
            met.insert(.parameters)
            report(
                .updateFailed, Moment(event), place(slot, in: trace),
                "LE Connection Update Complete: \(status.name) (0x\(hexadecimal(UInt16(status.rawValue), digits: 2))).")
        // LE Read Remote Features Complete.
        case .leMeta where parameters.count == 12 && parameters[0] == 0x04 && parameters[1] == 0:
            guard let slot = slot(of: parameters.uint16(at: 2) & 0x0FFF, event, in: trace) else { return }
            noteFeatures(parameters.uint64(at: 4), isOfPeer: true, slot)
        default: break
        }
    }

    /// The connection of this handle.
    private func slot(of handle: ConnectionHandle, _ event: borrowing Event, in trace: borrowing Trace) -> Int? {
        let controller = event.controller
        return watches.indices.first {
            watches[$0].isOpen && trace.connections[$0].handle == handle && !trace.connections[$0].isHeard
                && trace.connections[$0].controller == controller
        }
    }

    /// Of an LE command or one of the group Controller & Baseband. A cancellation that comes too late is disallowed as well:
    /// that is no fault. Vol 4, Part E, 7.8.13.
    private mutating func disallow(_ opcode: UInt16, _ event: borrowing Event) {
        guard opcode >> 10 == 0x08 || opcode >> 10 == 0x03, opcode != 0x200E else { return }
        let name = values.library.assignedNumbers.name(opcode, in: .hciOpcodes) ?? "0x\(hexadecimal(opcode))"
        let hasReset = controllers[event.controller]?.hasReset == true || lastGap != nil
        var place = LintFinding.Place()
        place.party = .host
        report(
            .commandDisallowed, Moment(event), place, field: Int(opcode),
            "\(name): Command Disallowed (0x0C)"
                + (hasReset ? "." : "; the capture has no HCI_Reset before it."))
    }

    // MARK: Scans

    private mutating func noteScan(_ isOn: Bool, _ event: borrowing Event, in trace: borrowing Trace) {
        met.insert(.scans)
        let (frame, time) = (event.frame, event.time)
        if !isOn {
            for slot in watches.indices
            where watches[slot].isOpen && trace.connections[slot].controller == event.controller {
                checkScan(slot, Moment(event), in: trace)
            }
        }
        change(event.controller) {
            if !isOn {
                $0.scan = nil
            } else if $0.scan == nil {
                $0.scan = (frame, time)
            }
        }
    }

    /// At the end of a scan or of a connection.
    mutating func checkScan(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let connection = trace.connections[slot]
        guard !watches[slot].hasJumped, connection.isCentral == true, !connection.isHeard,
            connection.transport == .lowEnergy,
            let controller = controllers[connection.controller], controller.scansMuch, let scan = controller.scan
        else { return }
        let since = scan.time.nanoseconds(since: connection.begun) > 0 ? scan.time : connection.begun
        let together = moment.time.nanoseconds(since: since)
        guard together >= Self.longScan, let duty = controller.scanWindow else { return }
        report(
            .scanningWhileConnected, moment, related: [scan.frame], place(slot, .tx, in: trace),
            "The scan of frame \(scan.frame) and the connection overlapped for \(seconds(together)); it scans "
                + "\(Int(duty.window) * 100 / Int(duty.interval)) % of the time.")
    }

    // MARK: Attempts and ends

    mutating func check(_ attempt: FailedAttempt, _ event: borrowing Event) {
        met.insert(.attempts)
        var place = LintFinding.Place()
        place.peer = attempt.address
        if attempt.isCancelled, let duration = attempt.duration, duration < Self.earliestCancel,
            attempt.address != nil, lastGap.map({ event.time.nanoseconds(since: $0) > duration }) ?? true
        {
            place.party = .host
            report(
                .cancelledEarly, Moment(event), place, "Cancelled after \(seconds(duration)).")
        }
        if attempt.status.rawValue == 0x3E, let address = attempt.address { noteNotEstablished(address, Moment(event)) }
    }

    private mutating func noteNotEstablished(_ address: BluetoothAddress, _ moment: Moment) {
        guard let row = peers.noteEnd(of: address, .notEstablished, frame: moment.frame),
            row.count >= Self.failuresInARow
        else { return }
        var place = LintFinding.Place()
        place.peer = address
        report(
            .notEstablished, moment, related: [row.frame], place,
            "\(row.count) attempts in a row failed, the first in frame \(row.frame).")
    }

    mutating func checkEnd(_ end: ConnectionEnd, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        met.insert(.attempts)
        guard case .disconnected(let reason, _) = end, trace.connections[slot].transport == .lowEnergy,
            let address = trace.peerAddress(trace.connections[slot].peer)
        else { return }
        switch reason.rawValue {
        case 0x3D: checkKey(reason, slot, event, in: trace)
        case 0x3E: noteNotEstablished(address, Moment(event))
        case 0x08:
            guard let row = peers.noteEnd(of: address, .timedOut, frame: event.frame), row.count >= Self.failuresInARow
            else { return }
            let parameters = trace.connections[slot].parameters.map { "; \(WantedParameters($0).words)" } ?? ""
            var place = place(slot, in: trace)
            place.connection = nil
            report(
                .supervisionTimeouts, Moment(event), related: [row.frame], place,
                "\(row.count) connections in a row were lost, the first in frame \(row.frame). This one lasted "
                    + "\(seconds(event.time.nanoseconds(since: trace.connections[slot].begun)))\(parameters).")
        default: peers.forgetEnds(of: address)
        }
    }

    /// What is pending when the capture ends.
    mutating func closeAttempts(_ moment: Moment, in trace: borrowing Trace) {
        for controller in trace.controllers {
            guard let attempt = controller.attempts[.lowEnergy], let address = attempt.address else { continue }
            let age = moment.time.nanoseconds(since: attempt.begun)
            guard age >= Self.longAttempt, lastGap.map({ moment.time.nanoseconds(since: $0) > age }) ?? true else {
                continue
            }
            var place = LintFinding.Place()
            place.party = .host
            place.peer = address
            report(
                .attemptPending, Moment(frame: attempt.frame, time: attempt.begun), place,
                "Pending for \(seconds(age)).")
        }
    }

    // MARK: Parameters

    /// Parameters in force.
    mutating func checkParameters(isChange: Bool, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let parameters = trace.connections[slot].parameters else { return }
        met.insert(.parameters)
        let wanted = WantedParameters(parameters)
        if let mistake = wanted.mistake {
            report(
                .parametersOutOfRange, Moment(event), place(slot, in: trace), "In force: \(wanted.words); \(mistake).")
        }
        guard isChange else { return }
        var changes = watches[slot].parameters.changes ?? (0, event.frame, event.time)
        if event.time.nanoseconds(since: changes.time) > Self.unsteadyTime { changes = (0, event.frame, event.time) }
        changes.count += 1
        watches[slot].parameters.changes = changes
        guard changes.count >= Self.changesInAWhile else { return }
        report(
            .parametersUnsteady, Moment(event), related: [changes.frame], place(slot, in: trace),
            "\(changes.count) changes in \(seconds(event.time.nanoseconds(since: changes.time))), since frame "
                + "\(changes.frame).")
    }

    mutating func check(
        _ request: L2CAPConnectionParameterUpdateRequest, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        met.insert([.requests, .parameters])
        let (wanted, place) = (WantedParameters(request), place(slot, event.direction, in: trace))
        if let mistake = wanted.mistake {
            report(
                .parametersOutOfRange, Moment(event), place,
                "Connection Parameter Update Request: \(wanted.words); \(mistake).")
        } else {
            checkApple(wanted, slot, place, event, in: trace)
        }
        var repeated = watches[slot].parameters.repeated ?? (wanted, 0, event.frame)
        if repeated.wanted != wanted { repeated = (wanted, 0, event.frame) }
        repeated.count += 1
        watches[slot].parameters.repeated = repeated
        guard repeated.count >= Self.equalRequests else { return }
        report(
            .updateRepeated, Moment(event), related: [repeated.frame], place,
            "\(repeated.count) times since frame \(repeated.frame): \(wanted.words).")
    }

    /// Apple's guidelines apply only if the central is an Apple device, or can be one.
    private mutating func checkApple(
        _ wanted: WantedParameters, _ slot: Int, _ place: LintFinding.Place, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        let connection = trace.connections[slot]
        let isHostCentral = !connection.isHeard && (connection.isCentral ?? (event.direction == .rx))
        // Only a capture from the air has the LL_VERSION_IND of the central.
        let company = connection.isHeard ? watches[slot].parameters.centralCompany : nil
        guard isHostCentral ? isAppleHost : company == nil || company == Self.apple else { return }
        let mistakes = wanted.appleMistakes(isInput: isInput(slot, in: trace))
        guard !mistakes.isEmpty else { return }
        let caution = isHostCentral || company != nil ? "" : "Unknown central, perhaps an Apple device: "
        report(
            .appleGuidelines, Moment(event), place,
            "\(caution)\(wanted.words): \(mistakes.joined(separator: ", ")).")
    }

    /// Apple, Inc. in the company identifiers.
    private static let apple: UInt16 = 0x004C

    mutating func check(unanswered request: UpdateRequest, _ age: Int64, _ slot: Int, in trace: borrowing Trace) {
        report(
            .updateUnanswered, Moment(frame: request.frame, time: request.time),
            place(slot, request.asker.opposite, in: trace), "No answer for \(seconds(age)).")
    }

    private func isInput(_ slot: Int, in trace: borrowing Trace) -> Bool {
        ServerSide.allCases.contains { server in
            trace.table(of: server, connection: slot).services.contains { trace.uuids[$0.uuid].uint16 == 0x1812 }
        }
    }
}

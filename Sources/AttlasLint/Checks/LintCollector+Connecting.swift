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
        switch command.opcode {
        case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
            guard let create = LECreateConnectionCommand(command) else { return }
            let name =
                command.opcode == .leCreateConnection ? "LE Create Connection" : "LE Extended Create Connection"
            met.insert(.attempts)
            if let wanted = create.connectionParameters { check(WantedParameters(wanted), by: name, event) }
            checkOwnAddress(create.ownAddressType, name, event)
        case .leSetAdvertisingParameters, .leSetExtendedAdvertisingParameters:
            guard let advertising = LESetAdvertisingParametersCommand(command) else { return }
            let isExtended = command.opcode == .leSetExtendedAdvertisingParameters
            checkOwnAddress(
                advertising.ownAddressType, "LE Set \(isExtended ? "Extended " : "")Advertising Parameters", event)
        case .leAddDeviceToResolvingList:
            guard let device = try? LEAddDeviceToResolvingListCommand(command.parameters), device.localIRK != 0 else {
                return
            }
            let frame = event.frame
            change(event.controller) { $0.ownKey = frame }
        case .leClearResolvingList: change(event.controller) { $0.ownKey = nil }
        case .leSetAddressResolutionEnable:
            guard let isOn = LESetAddressResolutionEnableCommand(command)?.isEnabled else { return }
            change(event.controller) { $0.resolvesAddresses = isOn }
        case .leConnectionUpdate:
            guard let wanted = LinkCommand(command)?.connectionParameters else { return }
            check(WantedParameters(wanted), by: "LE Connection Update", event)
        case .leSetScanParameters, .leSetExtendedScanParameters:
            guard let scan = LESetScanParametersCommand(command) else { return }
            let (window, interval) = (scan.scanWindow, scan.scanInterval)
            change(event.controller) { $0.scanWindow = (window, interval) }
        case .leSetScanEnable, .leSetExtendedScanEnable:
            guard let enable = LEEnableCommand(command), enable.filtersDuplicates != nil else { return }
            noteScan(enable.isEnabled, event, in: trace)
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
        switch hci.code {
        case .commandComplete:
            guard let complete = try? CommandCompleteEvent(hci.parameters), let status = complete.status else { return }
            met.insert(.commandResults)
            if complete.commandOpcode == .reset, status.isSuccess {
                change(event.controller) { $0 = ControllerWatch(hasReset: true, features: $0.features) }
            }
            if status == .commandDisallowed { disallow(complete.commandOpcode, event) }
            if let features = complete.leFeatures { change(event.controller) { $0.features = features } }
        case .commandStatus:
            guard let command = try? CommandStatusEvent(hci.parameters) else { return }
            met.insert(.commandResults)
            if command.status == .commandDisallowed { disallow(command.commandOpcode, event) }
        case .leMeta where hci.leSubevent == .connectionUpdateComplete:
            guard let update = try? LEConnectionUpdateCompleteEvent(hci.parameters), !update.status.isSuccess,
                let slot = slot(of: update.connectionHandle, event, in: trace)
            else { return }
            met.insert(.parameters)
            let status = update.status
            report(
                .updateFailed, Moment(event), place(slot, in: trace),
                "LE Connection Update Complete: \(status.name) (0x\(hexadecimal(UInt16(status.rawValue), digits: 2))).")
        case .leMeta:
            guard let features = LEReadRemoteFeaturesCompleteEvent(hci), features.status.isSuccess,
                let slot = slot(of: features.connectionHandle, event, in: trace)
            else { return }
            noteFeatures(features.leFeatures, isOfPeer: true, slot)
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

    /// Reports a disallowed LE command, or one of the group Controller & Baseband. A cancellation that comes too late is disallowed as
    /// well: that is not a fault. Vol 4, Part E, 7.8.13.
    private mutating func disallow(_ opcode: HCIOpcode, _ event: borrowing Event) {
        guard opcode.group == .leController || opcode.group == .controllerAndBaseband,
            opcode != .leCreateConnectionCancel
        else { return }
        let name =
            values.library.assignedNumbers.name(opcode.rawValue, in: .hciOpcodes) ?? "0x\(hexadecimal(opcode.rawValue))"
        let hasReset = controllers[event.controller]?.hasReset == true || lastGap != nil
        var place = LintFinding.Place()
        place.party = .host
        report(
            .commandDisallowed, Moment(event), place, field: Int(opcode.rawValue),
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
        if attempt.status == .failedToBeEstablished, let address = attempt.address {
            noteNotEstablished(address, Moment(event))
        }
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
        switch reason {
        // A key that decrypted PDUs is not the wrong one.
        case .micFailure where slot < watches.count && watches[slot].isKeyUnproved:
            checkKey(reason, slot, event, in: trace)
        case .failedToBeEstablished: noteNotEstablished(address, Moment(event))
        case .connectionTimeout:
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

    /// Reports attempts that are pending when the capture ends.
    mutating func closeAttempts(_ moment: Moment, in trace: borrowing Trace) {
        // A log without events does not show their ends.
        guard met.contains(.linkEvents) else { return }
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
        // Only LE Connection Rate makes shorter intervals.
        if let mistake = wanted.mistake, parameters.intervalMicroseconds >= 7_500 {
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
        let company =
            isHostCentral && isAppleHost
            ? ControllerVersion.apple
            : connection.isHeard
                ? watches[slot].parameters.centralCompany
                : trace.company(of: isHostCentral ? .tx : .rx, connection: slot)
        guard company == ControllerVersion.apple || company == nil && !isHostCentral else { return }
        let mistakes = wanted.appleMistakes(isInput: trace.hasInputDevice(slot))
        guard !mistakes.isEmpty else { return }
        let caution = company != nil ? "" : "Unknown central, perhaps an Apple device: "
        report(
            .appleGuidelines, Moment(event), place,
            "\(caution)\(wanted.words): \(mistakes.joined(separator: ", ")).")
    }

    mutating func check(unanswered request: UpdateRequest, _ age: Int64, _ slot: Int, in trace: borrowing Trace) {
        report(
            .updateUnanswered, Moment(frame: request.frame, time: request.time),
            place(slot, request.asker.opposite, in: trace), "No answer for \(seconds(age)).")
    }
}

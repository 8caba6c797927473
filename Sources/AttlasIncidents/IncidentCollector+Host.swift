import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasWire

/// HCI commands that fail, and a controller's reports about itself. Core Specification, Vol 4, Part E, 7.
extension IncidentCollector {
    /// In which a controller answers a command.
    private static let patience: Int64 = 10_000_000_000
    private static let oneFailure: Int64 = 1_000_000_000
    /// Advice to a host that overfills its controller.
    static let waitForRoom = "Wait for Number Of Completed Packets before sending more."

    mutating func follow(_ command: HCICommand, _ event: borrowing Event, in trace: borrowing Trace) {
        let opcode = command.opcode
        let moment = Moment(event)
        if let place = place(ofController: event.controller) ?? addController(event.controller) {
            // Host Number Of Completed Packets has no answer. A vendor's command may have any.
            if opcode != .hostNumberOfCompletedPackets, !opcode.isVendorSpecific,
                controllers[place].commands.count < ControllerState.limit
            {
                controllers[place].commands.append((opcode, moment))
            }
            if opcode.isSwitch || opcode == .reset { reportDirected(place, moment) }
            settleReset(event.controller, command, moment)
            controllers[place].follow(command, event.frame)
        }
        switch opcode {
        case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
            if let peer = LECreateConnectionCommand(command)?.peerAddress {
                devices.call(peer, isLegacy: opcode == .leCreateConnection, moment)
            }
        default: if let link = LinkCommand(command) { follow(link, opcode, event, in: trace) }
        }
    }

    /// A command about one link.
    private mutating func follow(
        _ command: LinkCommand, _ opcode: HCIOpcode, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let slot = open(command.connectionHandle, event, in: trace) else { return }
        if let procedure = LinkLayerProcedure(opcode) { links[slot].linkProcedures.begin(procedure, Moment(event)) }
        if let key = command.longTermKey { links[slot].keyUsed = (key, event.frame) }
        switch opcode {
        case .leEnableEncryption:
            links[slot].encryptionAsked = Moment(event)
            links[slot].isAlert = true
        case .leLongTermKeyRequestNegativeReply: noteMissingKey(slot, event, in: trace)
        case .leConnectionUpdate: links[slot].update.isCommanded = true
        default: break
        }
    }

    /// The index of the connection with this handle; nil unless it is followed.
    private func open(_ handle: ConnectionHandle, _ event: borrowing Event, in trace: borrowing Trace) -> Int? {
        guard let slot = trace.connection(handle, of: event.controller), slot < links.count, links[slot].isOpen else {
            return nil
        }
        return slot
    }

    /// Where its state is; the first, nearly always.
    func place(ofController number: UInt16) -> Int? { controllers.firstIndex { $0.number == number } }

    /// The state of the controller of an event.
    func controller(of event: borrowing Event) -> ControllerState? {
        place(ofController: event.controller).map { controllers[$0] }
    }

    /// nil beyond the limit.
    mutating func addController(_ number: UInt16) -> Int? {
        guard controllers.count < Self.controllerLimit else { return nil }
        controllers.append(ControllerState(number: number))
        return controllers.count - 1
    }

    mutating func follow(_ hci: HCIEvent, _ event: borrowing Event, in trace: borrowing Trace) {
        switch hci.code {
        case .commandComplete:
            guard let complete = try? CommandCompleteEvent(hci.parameters) else { return }
            let opcode = complete.commandOpcode
            answer(opcode, event)
            if let status = complete.status, opcode.hasStatus {
                if !status.isSuccess {
                    fail(opcode, status, event)
                } else if let place = place(ofController: event.controller) {
                    controllers[place].complete(opcode, Moment(event))
                }
            }
        case .commandStatus:
            guard let command = try? CommandStatusEvent(hci.parameters) else { return }
            answer(command.commandOpcode, event)
            if LinkLayerProcedure(command.commandOpcode) != nil {
                for slot in links.indices
                where links[slot].isOpen && trace.connections[slot].controller == event.controller {
                    if links[slot].linkProcedures.answer(command.commandOpcode, command.status) { break }
                }
            }
            if !command.status.isSuccess {
                fail(command.commandOpcode, command.status, event)
            } else if let place = place(ofController: event.controller) {
                controllers[place].complete(command.commandOpcode, Moment(event))
            }
        case .dataBufferOverflow where !hci.parameters.isEmpty:
            if let place = place(ofController: event.controller) ?? addController(event.controller) {
                controllers[place].overflow = Moment(event)
            }
            report(
                Incident(
                    .bufferOverflow, .hindered, Moment(event), Incident.Place(), title: "data buffer overflow",
                    "Data Buffer Overflow: the host sent more packets than the controller has room for.",
                    .proved("The controller sent Data Buffer Overflow."),
                    next: Self.waitForRoom))
        case .leMeta: followLE(hci, event, in: trace)
        default:
            noteProcedure(hci, event, in: trace)
            if let expired = AuthenticatedPayloadTimeoutExpiredEvent(hci) {
                if let slot = open(expired.connectionHandle, event, in: trace) {
                    notePayloadTimeout(slot, event, in: trace)
                }
            } else if let error = HardwareErrorEvent(hci) {
                reportHardwareError(error, event)
            } else if let pairing = SimplePairingCompleteEvent(hci), !pairing.status.isSuccess {
                var place = Incident.Place()
                place.peer = pairing.address
                failClassicPairing(pairing.status, place, event)
            } else if let authentication = AuthenticationCompleteEvent(hci), !authentication.status.isSuccess {
                let slot = trace.connection(authentication.connectionHandle, of: event.controller)
                failClassicPairing(
                    authentication.status, slot.map { place($0, in: trace) } ?? Incident.Place(), event)
            }
        }
    }

    private mutating func reportHardwareError(_ error: HardwareErrorEvent, _ event: borrowing Event) {
        var incident = Incident(
            .hardwareError, .broke, Moment(event), Incident.Place(), detail: Int(error.hardwareCode),
            title: "hardware error of the controller",
            "Hardware Error: code 0x\(hexadecimal(UInt16(error.hardwareCode), digits: 2)), which the vendor of the controller defines.",
            .unknown("The vendor of the controller would tell: the code is its own."),
            next: "Update the firmware of the controller.")
        if let place = place(ofController: event.controller) { controllers[place].hardwareError = Moment(event) }
        if let overflow = controller(of: event)?.overflow,
            Moment(event).since(overflow) <= Self.oneFailure
        {
            incident.cause = .likely(
                "The host had sent more packets than the controller has room for (Data Buffer Overflow in frame \(overflow.frame))."
            )
            incident.next = Self.waitForRoom
            incident.add(overflow.frame, "Data Buffer Overflow")
        }
        report(incident)
    }

    /// The end of a procedure of a link.
    private mutating func noteProcedure(_ hci: HCIEvent, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let ended = LinkProcedureEvent(hci), let slot = open(ended.connectionHandle, event, in: trace) else {
            return
        }
        links[slot].linkProcedures.end(ended.command, ended.status, Moment(event))
        if ended.status.isSuccess { links[slot].hasHeardPeer = true }
    }

    private mutating func followLE(_ hci: HCIEvent, _ event: borrowing Event, in trace: borrowing Trace) {
        noteProcedure(hci, event, in: trace)
        if hci.leSubevent?.isOfBroadcasts == true {
            followBroadcast(hci, event)
        } else if hci.leSubevent == .connectionUpdateComplete {
            guard let update = try? LEConnectionUpdateCompleteEvent(hci.parameters), !update.status.isSuccess,
                let slot = trace.connection(update.connectionHandle, of: event.controller), slot < links.count
            else { return }
            refuseUpdate(update.status, slot, Moment(event), in: trace)
        } else if let ended = LEAdvertisingSetTerminatedEvent(hci) {
            if let place = place(ofController: event.controller) { controllers[place].endSet(ended.advertisingHandle) }
            let status = ended.status
            guard !status.isSuccess else { return }
            report(
                Incident(
                    .advertisingEnded, .noted, Moment(event), Incident.Place(), detail: Int(status.rawValue),
                    title: "advertising ended by the controller",
                    "Advertising ended: \(status.words).", .proved(status.meaning),
                    next: "Start advertising again if it should continue."))
        }
    }

    private mutating func answer(_ opcode: HCIOpcode, _ event: borrowing Event) {
        guard let place = place(ofController: event.controller) else { return }
        controllers[place].hasAnswers = true
        if let index = controllers[place].commands.firstIndex(where: { $0.opcode == opcode }) {
            controllers[place].commands.remove(at: index)
        }
    }

    private mutating func fail(_ opcode: HCIOpcode, _ status: HCIErrorCode, _ event: borrowing Event) {
        // Attempts to connect are separate incidents.
        switch opcode {
        case .createConnection, .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2: return
        default: break
        }
        let name = name(opcode)
        let switched = controller(of: event)?.switched
        let isStart = switched?.opcode == opcode && switched?.isOn == true
        let kind: Incident.Kind =
            !isStart
            ? .commandFailed
            : opcode == .leSetScanEnable || opcode == .leSetExtendedScanEnable
                ? .scanNotStarted : .advertisingNotStarted
        var incident = Incident(
            kind, isStart ? .broke : status.weight(of: opcode), Moment(event), Incident.Place(),
            detail: Int(opcode.rawValue) << 8 | Int(status.rawValue),
            title: isStart ? "\(kind.rawValue): \(status.name)" : "\(name) failed: \(status.name)",
            "\(name) failed: \(status.words).", .proved(status.meaning),
            next: status == .commandDisallowed
                ? "Look at the state of the controller: the command is not allowed in it."
                : "Compare the parameters with what the controller supports.")
        if let reported = event.reported {
            incident = Incident(
                kind, incident.weight, Moment(event), Incident.Place(), detail: reported.detail,
                title: "\(kind.rawValue): \(reported.words)", "\(kind.rawValue.capitalizedFirst): \(reported.words).",
                reported.incidentCause, next: reported.advice)
        }
        if opcode == .leAddDeviceToResolvingList, let place = place(ofController: event.controller) {
            controllers[place].unresolved = event.frame
        }
        if let controller = controller(of: event), let account = Hypothesis.account(of: opcode, status, on: controller)
        {
            incident.take(account, .proved)
        }
        report(incident)
    }

    func name(_ opcode: HCIOpcode) -> String {
        values.library.assignedNumbers.name(opcode.rawValue, in: .hciOpcodes)
            ?? "command 0x\(hexadecimal(opcode.rawValue))"
    }

    /// Directed advertising with a high duty cycle, which ends after 1.28 s, and whose end was not reported. Vol 4, Part E, 7.8.9.
    private mutating func reportDirected(_ place: Int, _ moment: Moment) {
        guard let directed = controllers[place].endDirected(), moment.since(directed) >= Self.heardTime else { return }
        report(
            Incident(
                .advertisingEnded, .hindered, directed, Incident.Place(),
                title: "directed advertising ended without a report",
                "Directed advertising with a high duty cycle ends after 1.28 s; neither a connection nor its end was reported in "
                    + "\(seconds(moment.since(directed))).",
                .likely("The controller did not send LE Connection Complete at the end, and the host waits for it."),
                next:
                    "Switch advertising off and on in the host when 1.28 s are over; update the firmware of the controller."
            ))
    }

    private mutating func failClassicPairing(_ status: HCIErrorCode, _ place: Incident.Place, _ event: borrowing Event)
    {
        let moment = Moment(event)
        defer { classicFailure = (place.peer, moment) }
        // Simple Pairing Complete and Authentication Complete report one failure.
        if let last = classicFailure, last.peer == place.peer, moment.since(last.moment) <= Self.oneFailure { return }
        report(
            Incident(
                .pairingFailed, .broke, moment, place, detail: Int(status.rawValue),
                title: "pairing failed: \(status.name)", "Pairing over BR/EDR failed: \(status.words).",
                .proved(status.meaning),
                next: PlatformAdvice.deleteBonds.rawValue))
    }

    private func notAdvertised(since ended: Moment, made: Int, until moment: Moment) -> Incident {
        var incident = Incident(
            .advertisingNotStarted, .hindered, ended, Incident.Place(), title: "advertising not started again",
            "Advertising ended when a central connected (frame \(made)); the connection ended, and the host did not switch advertising on in "
                + "the \(seconds(moment.since(ended))) after it.",
            .proved("No command that switches it on follows: no central can connect."),
            next: "Start advertising when a connection ends.")
        incident.add(made, "a central connected")
        incident.add(ended.frame, "the connection ended")
        return incident
    }

    /// Commands without an answer, when the capture ends.
    mutating func closeControllers(_ moment: Moment, in trace: borrowing Trace) {
        if let resetting { report(resetting.incident) }
        guard trace.losses.count == 0, trace.clockSteps == 0, trace.hasBothSides else { return }
        for place in controllers.indices where controllers[place].hasAnswers { reportDirected(place, moment) }
        for controller in controllers.sorted(by: { $0.number < $1.number }) where controller.hasAnswers {
            if let used = controller.used, let ended = used.ended, moment.since(ended) >= Self.heardTime {
                report(notAdvertised(since: ended, made: used.made, until: moment))
            }
            for (opcode, sent) in controller.commands where moment.since(sent) >= Self.patience {
                let name = name(opcode)
                report(
                    Incident(
                        .commandUnanswered, .hindered, sent, Incident.Place(), detail: Int(opcode.rawValue),
                        title: "\(name) never answered",
                        "\(name): no Command Status and no Command Complete in the \(seconds(moment.since(sent))) until the end.",
                        .unknown("The log of the host's driver would tell."),
                        next: "Look at the transport to the controller."))
            }
        }
    }
}

extension HCIOpcode {
    /// Whether the return parameters of the command begin with a status. A vendor's may begin with anything.
    fileprivate var hasStatus: Bool { !isVendorSpecific && rawValue != 0 }
}

extension HCIErrorCode {
    /// The effect of a failed command on a user.
    fileprivate func weight(of opcode: HCIOpcode) -> Incident.Weight {
        switch (self, opcode.group) {
        // The request was for something optional, or already over.
        case (.unknownHCICommand, _), (.unsupportedFeatureOrParameterValue, _), (.unsupportedRemoteFeature, _),
            (.unknownConnectionIdentifier, _):
            .noted
        // Policies of BR/EDR, and settings; a late cancellation; something already switched off.
        case (_, .linkPolicy), (_, .controllerAndBaseband): .noted
        case (.commandDisallowed, _) where opcode.isSwitch || opcode == .leCreateConnectionCancel: .noted
        default: .hindered
        }
    }
}

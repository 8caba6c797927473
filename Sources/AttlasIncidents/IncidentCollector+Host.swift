import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasWire

/// HCI commands that fail, and what a controller reports of itself. Core Specification, Vol 4, Part E, 7.
extension IncidentCollector {
    /// In which a controller answers a command.
    private static let patience: Int64 = 10_000_000_000

    mutating func follow(_ command: HCICommand, _ event: borrowing Event, in trace: borrowing Trace) {
        let opcode = command.opcode.rawValue
        let parameters = command.parameters
        let moment = Moment(event)
        if let place = place(ofController: event.controller) ?? addController(event.controller) {
            // Host Number Of Completed Packets has no answer. A vendor's command may have any.
            if opcode != 0x0C35, !command.opcode.isVendorSpecific,
                controllers[place].commands.count < ControllerState.limit
            {
                controllers[place].commands.append((opcode, moment))
            }
            switch opcode {
            case 0x200A, 0x200C, 0x2039, 0x2042:
                if !parameters.isEmpty { controllers[place].switched = (opcode, parameters[0] != 0) }
            default: break
            }
        }
        switch (opcode, parameters.count) {
        case (0x2019, _), (0x201B, _): followEncryption(command, event, in: trace)
        case (0x2013, 2...):
            if let slot = trace.connection(parameters.uint16(at: 0), of: event.controller), slot < links.count {
                links[slot].update.isCommanded = true
            }
        // LE Create Connection, LE Extended Create Connection [v1] and [v2]: the Initiator Filter Policy, the type, the address.
        case (0x200D, 12...): watch(parameters, at: 4, 5, 6, moment)
        case (0x2043, 9...): watch(parameters, at: 0, 2, 3, moment)
        case (0x2085, 11...): watch(parameters, at: 2, 4, 5, moment)
        default: break
        }
    }

    private mutating func watch(_ parameters: Bytes, at policy: Int, _ type: Int, _ address: Int, _ moment: Moment) {
        guard parameters[policy] == 0 else { return }
        devices.watch(parameters.address(at: address, type: parameters[type]), since: moment)
    }

    /// Where its state is; the first, nearly always.
    private func place(ofController number: UInt16) -> Int? { controllers.firstIndex { $0.number == number } }

    /// nil beyond the limit.
    private mutating func addController(_ number: UInt16) -> Int? {
        guard controllers.count < Self.controllerLimit else { return nil }
        controllers.append(ControllerState(number: number))
        return controllers.count - 1
    }

    mutating func follow(_ hci: HCIEvent, _ event: borrowing Event, in trace: borrowing Trace) {
        let parameters = hci.parameters
        switch (hci.code.rawValue, parameters.count) {
        case (0x0E, 3...):
            let opcode = parameters.uint16(at: 1)
            answer(opcode, event)
            if parameters.count > 3, parameters[3] != 0, opcode.hasStatus {
                fail(opcode, HCIErrorCode(rawValue: parameters[3]), event)
            }
            if opcode == 0x1405 { noteRSSI(parameters, event, in: trace) }
        case (0x0F, 4...):
            let opcode = parameters.uint16(at: 2)
            answer(opcode, event)
            if parameters[0] != 0 { fail(opcode, HCIErrorCode(rawValue: parameters[0]), event) }
        case (0x10, 1...):
            report(
                Incident(
                    .hardwareError, .broke, Moment(event), Incident.Place(), detail: Int(parameters[0]),
                    title: "hardware error of the controller",
                    "Hardware Error: code 0x\(hexadecimal(UInt16(parameters[0]), digits: 2)), which the vendor of the controller defines.",
                    .proved("The controller sent Hardware Error."), next: "Update the firmware of the controller."))
        case (0x1A, 1...):
            report(
                Incident(
                    .bufferOverflow, .hindered, Moment(event), Incident.Place(), title: "data buffer overflow",
                    "Data Buffer Overflow: the host sent more packets than the controller has room for.",
                    .proved("The controller sent Data Buffer Overflow."),
                    next: "Wait for Number Of Completed Packets before sending more."))
        // Simple Pairing Complete and Authentication Complete, of BR/EDR.
        case (0x36, 7...) where parameters[0] != 0:
            var place = Incident.Place()
            place.peer = parameters.address(at: 1, type: 0)
            failClassicPairing(parameters[0], place, event)
        case (0x06, 3...) where parameters[0] != 0:
            let slot = trace.connection(parameters.uint16(at: 1), of: event.controller)
            failClassicPairing(parameters[0], slot.map { place($0, in: trace) } ?? Incident.Place(), event)
        // LE Connection Update Complete; LE Advertising Set Terminated.
        case (0x3E, 4...) where parameters[0] == 0x03 && parameters[1] != 0:
            if let slot = trace.connection(parameters.uint16(at: 2), of: event.controller), slot < links.count {
                let status = HCIErrorCode(rawValue: parameters[1])
                refuseUpdate(status.words, slot, Moment(event), detail: Int(status.rawValue), in: trace)
            }
        case (0x3E, 3...) where parameters[0] == 0x12 && parameters[1] != 0:
            let status = HCIErrorCode(rawValue: parameters[1])
            report(
                Incident(
                    .advertisingEnded, .noted, Moment(event), Incident.Place(), detail: Int(status.rawValue),
                    title: "advertising ended by the controller",
                    "Advertising ended: \(status.words).", .proved(status.meaning),
                    next: "Start advertising again if it should continue."))
        default: break
        }
    }

    private mutating func noteRSSI(_ parameters: Bytes, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let (handle, dBm) = (try? CommandCompleteEvent(parameters))?.rssiReading,
            let slot = trace.connection(handle, of: event.controller), slot < links.count, links[slot].isOpen
        else { return }
        if links[slot].rssi == nil {
            links[slot].rssi = SignalStrength(dBm, event.time)
        } else {
            links[slot].rssi?.note(dBm, event.time)
        }
    }

    private mutating func answer(_ opcode: UInt16, _ event: borrowing Event) {
        guard let place = place(ofController: event.controller) else { return }
        controllers[place].hasAnswers = true
        if let index = controllers[place].commands.firstIndex(where: { $0.opcode == opcode }) {
            controllers[place].commands.remove(at: index)
        }
    }

    private mutating func fail(_ opcode: UInt16, _ status: HCIErrorCode, _ event: borrowing Event) {
        // Attempts to connect are separate incidents.
        if [0x0405, 0x200D, 0x2043, 0x2085].contains(opcode) { return }
        let name = values.library.assignedNumbers.name(opcode, in: .hciOpcodes) ?? "command 0x\(hexadecimal(opcode))"
        let switched = place(ofController: event.controller).flatMap { controllers[$0].switched }
        let isStart = switched?.opcode == opcode && switched?.isOn == true
        let kind: Incident.Kind =
            !isStart ? .commandFailed : opcode == 0x200C || opcode == 0x2042 ? .scanNotStarted : .advertisingNotStarted
        report(
            Incident(
                kind, isStart ? .broke : status.weight(of: opcode), Moment(event), Incident.Place(),
                detail: Int(opcode) << 8 | Int(status.rawValue),
                title: isStart ? "\(kind.rawValue): \(status.name)" : "\(name) failed: \(status.name)",
                "\(name) failed: \(status.words).", .proved(status.meaning),
                next: status.rawValue == 0x0C
                    ? "Look at the state of the controller: the command is not allowed in it."
                    : "Compare the parameters with what the controller supports."))
    }

    private mutating func failClassicPairing(_ status: UInt8, _ place: Incident.Place, _ event: borrowing Event) {
        let status = HCIErrorCode(rawValue: status)
        report(
            Incident(
                .pairingFailed, .broke, Moment(event), place, detail: Int(status.rawValue),
                title: "pairing failed: \(status.name)", "Pairing over BR/EDR failed: \(status.words).",
                .proved(status.meaning),
                next: "Delete the bond on both devices and pair again."))
    }

    /// Commands without an answer, when the capture ends.
    mutating func closeControllers(_ moment: Moment, in trace: borrowing Trace) {
        guard trace.losses.count == 0, trace.clockSteps == 0, trace.onlySide == nil else { return }
        for controller in controllers.sorted(by: { $0.number < $1.number }) where controller.hasAnswers {
            for (opcode, sent) in controller.commands where moment.since(sent) >= Self.patience {
                let name =
                    values.library.assignedNumbers.name(opcode, in: .hciOpcodes) ?? "command 0x\(hexadecimal(opcode))"
                report(
                    Incident(
                        .commandUnanswered, .hindered, sent, Incident.Place(), detail: Int(opcode),
                        title: "\(name) never answered",
                        "\(name): no Command Status and no Command Complete in the \(seconds(moment.since(sent))) until the end.",
                        .unknown("The log of the host's driver would tell."),
                        next: "Look at the transport to the controller."))
            }
        }
    }
}

extension UInt16 {
    /// Whether the return parameters of the command begin with a status. A vendor's may begin with anything.
    fileprivate var hasStatus: Bool { self >> 10 != 0x3F && self != 0 }
}

extension HCIErrorCode {
    /// What a user notices of a command that fails.
    fileprivate func weight(of opcode: UInt16) -> Incident.Weight {
        switch (rawValue, opcode >> 10) {
        // Asked for what need not be supported, or for what is over already.
        case (0x01, _), (0x11, _), (0x1A, _), (0x02, _): .noted
        // Policies of BR/EDR, and settings; a cancellation that comes too late; what is switched off already.
        case (_, 0x02), (_, 0x03): .noted
        case (0x0C, _) where [0x200A, 0x200C, 0x200E, 0x2039, 0x2042].contains(opcode): .noted
        default: .hindered
        }
    }
}

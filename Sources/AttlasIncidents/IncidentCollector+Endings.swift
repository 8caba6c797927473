import AttlasCapture
import AttlasTrace
import AttlasWire

/// The ends of connections: what was under way, and what several of them have in common.
extension IncidentCollector {
    /// By how much the times from the last write to the end may differ.
    private static let spread: Int64 = 100_000_000
    /// A write that the peer reacts to.
    private static let longestReaction: Int64 = 60_000_000_000
    /// The least time between a supervision timeout and the loss that the device lived on after the write.
    private static let life: Int64 = 1_000_000_000
    private static let fewWrites = 2
    private static let losses = 2
    private static let closings = 3
    /// In which a host connects again that lost a connection.
    private static let reconnection: Int64 = 2_000_000_000
    /// In which a host that resets its controller continues.
    private static let resetTime: Int64 = 2_000_000_000
    /// In which a controller answers a command.
    private static let commandPatience: Int64 = 1_000_000_000
    /// In which a peer closes a connection because of the last PDU, or a host resets a controller that failed.
    private static let consequence: Int64 = 5_000_000_000

    /// Ends after the same write.
    mutating func noteEnding(
        _ reason: HCIErrorCode, _ party: ConnectionChange.Party, _ slot: Int, _ moment: Moment,
        in trace: borrowing Trace
    ) {
        guard let address = trace.peerAddress(trace.connections[slot].peer) else { return }
        let ending = ending(reason, party, slot, moment, in: trace)
        devices.change(address) { state in
            guard let ending else {
                state.endings = []
                return
            }
            if let first = state.endings.first, !ending.equals(first, within: Self.spread) { state.endings = [] }
            if state.endings.count < DeviceStates.attemptLimit { state.endings.append(ending) }
        }
    }

    /// nil unless the peer ended the connection, or the link was lost, and a write was the last of ATT.
    private mutating func ending(
        _ reason: HCIErrorCode, _ party: ConnectionChange.Party, _ slot: Int, _ moment: Moment,
        in trace: borrowing Trace
    ) -> DeviceStates.Ending? {
        let link = links[slot]
        let isLoss = reason == .connectionTimeout && party != .host
        guard isLoss || reason == .remoteUserTerminatedConnection && party == .peer, link.isWhole,
            !hasGap(slot, in: trace), !trace.isOfApp, let handle = link.lastWritten,
            case let delay = moment.since(link.last), delay <= Self.longestReaction
        else { return nil }
        if isLoss {
            guard let timeout = trace.connections[slot].parameters.map({ Int64($0.supervisionTimeout) * 10_000_000 }),
                // A link that is lost while the host writes all the time ends after a write, too.
                delay >= timeout + Self.life
                    || link.count(ofWrites: handle) <= Self.fewWrites
                        && link.lastOpcode != .writeCommand
            else { return nil }
        }
        let attribute = trace.attribute(handle, server: .peer, connection: slot, at: link.lastFrame)
        return DeviceStates.Ending(
            handle: handle, begun: link.begun, write: link.last, moment: moment, delay: delay, isLoss: isLoss,
            name: (link.lastOpcode == .writeResponse ? "the response to the write of " : "the write of ")
                + (name(handle, attribute, in: trace) ?? "an attribute"))
    }

    /// Connections that ended in the same time after the same write.
    mutating func reportEndings() {
        for address in devices.addresses {
            guard let endings = devices[address]?.endings, let first = endings.first,
                endings.count >= (first.isLoss ? Self.losses : Self.closings)
            else { continue }
            let frames = endings.map { "\($0.write.frame)" }.joined(separator: ", ")
            let after = "\(seconds(first.delay)) after \(first.name)"
            let next = "Look in the firmware of the device at what it does with this write."
            if first.isLoss {
                list.explain(losses: endings.map(\.moment.frame)) {
                    $0.cause = .likely(
                        "Each time the link was lost \(after) (frames \(frames)): the device stops at it, or restarts.")
                    ($0.next, $0.isOfDevice) = (next, true)
                }
                continue
            }
            var place = Incident.Place()
            place.peer = address
            (place.server, place.handle) = (.peer, first.handle)
            let closing = "the peer closed \(endings.count) connections, each \(after)"
            // A host that connects again at once did not want the end.
            let isWanted = zip(endings, endings.dropFirst()).allSatisfy {
                $1.begun.since($0.moment) <= Self.reconnection
            }
            var incident = Incident(
                .closedByTimer, isWanted ? .hindered : .noted, first.moment, place, title: closing,
                "\(closing.capitalizedFirst).",
                .likely("The device closes the connection because of what is written, or after a time from there."),
                next: next)
            for ending in endings {
                incident.note(ending.write.frame)
                incident.note(ending.moment.frame)
            }
            report(incident)
        }
    }

    /// HCI_Reset with an open connection, which is how Bluetooth is switched off, too: only a controller that had not answered a command shows
    /// why. Vol 4, Part E, 7.3.2.
    mutating func noteReset(_ incident: Incident, _ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let controller = trace.connections[slot].controller
        guard resetting == nil, let place = place(ofController: controller), controllers[place].hasAnswers,
            controllers[place].hardwareError.map({ moment.since($0) > Self.consequence }) ?? true,
            let index = controllers[place].commands.firstIndex(where: {
                $0.opcode != .reset && moment.since($0.moment) >= Self.commandPatience
            })
        else { return report(incident) }
        let waiting = controllers[place].commands.remove(at: index)
        var incident = incident
        let name = name(waiting.opcode)
        incident.cause = .likely(
            "The controller had not answered \(name) for \(seconds(moment.since(waiting.moment))), and the host reset it."
        )
        incident.next = "Look at the controller, its firmware and its transport."
        incident.add(waiting.moment.frame, "\(name), which the controller did not answer")
        resetting = (controller, incident)
    }

    /// The next commands of the host show whether it was to be switched off.
    mutating func settleReset(_ controller: UInt16, _ command: HCICommand, _ moment: Moment) {
        guard let resetting, resetting.controller == controller else { return }
        var incident = resetting.incident
        let age = moment.time.duration(since: incident.time) ?? .max
        let isNew = command.opcode.setsParameters && command.opcode != .leConnectionUpdate
        let isOn = isNew || LEEnableCommand(command)?.isEnabled == true
        guard isOn || age > Self.resetTime else { return }
        self.resetting = nil
        if isOn, age <= Self.resetTime {
            incident.weight = .broke
            incident.add(moment.frame, "the host began again")
        }
        report(incident)
    }

    /// The last PDU of this host before the peer closed the connection is longer than the MTU. Vol 3, Part F, 3.2.8.
    mutating func reportTooLong(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) -> Bool {
        let link = links[slot]
        guard link.isWhole, !hasGap(slot, in: trace), trace.connections[slot].bearers.count == 1,
            case let mtu = trace.connections[slot].bearers[0].mtu, link.lastDirection == .tx, link.lastLength > mtu,
            moment.since(link.last) <= Self.consequence
        else { return false }
        var incident = Incident(
            .endedWithError, .broke, moment, place(slot, in: trace), detail: Int(link.lastOpcode.rawValue),
            title: "closed by the peer after a PDU longer than the MTU",
            "The peer closed the connection \(seconds(moment.since(link.last))) after \(link.lastOpcode.name) of \(link.lastLength) octets.",
            before: before(slot, moment, in: trace),
            .likely("The PDU is longer than the MTU in force, \(mtu) octets, and the peer may not take it."),
            next: "Get the MTU in force from the stack before each long value.")
        incident.add(link.lastFrame, "\(link.lastOpcode.name) of \(link.lastLength) octets")
        incident.add(moment.frame, "the peer closed the connection")
        report(incident)
        return true
    }
}

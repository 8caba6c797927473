import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// Subscriptions, and values that do not come. Core Specification, Vol 3, Part G, 3.3.3.3.
extension IncidentCollector {
    /// In which a server that measures all the time would have sent something.
    private static let patience: Int64 = 10_000_000_000
    private static let steadyCount = 10
    /// A steady stream has no gap longer than this number of periods.
    private static let steadyGap: Int64 = 5
    private static let stoppedPeriods: Int64 = 20
    private static let movedCount = 5
    private static let echoCount = 5
    /// Between a write and the values that it begins or ends.
    private static let promptTime: Int64 = 1_000_000_000

    mutating func follow(
        _ subscription: Subscription, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        links[slot].hasConfigured = true
        guard let value = subscription.attribute.valueHandle else { return }
        // The stream is over as its client wants it: it has not stopped, but its values may have been cut.
        if subscription.configuration == 0,
            let index = links[slot].streams.firstIndex(where: {
                $0.server == subscription.server && $0.handle == value
            })
        {
            let stream = links[slot].streams[index]
            if !hasGap(slot, in: trace), checkMoved(stream, slot, in: trace) == nil {
                checkCut(stream, isWritten: false, slot, in: trace)
            }
            links[slot].streams.remove(at: index)
        }
        links[slot].subscribe(subscription.server, value, isOn: subscription.configuration & 3 != 0, Moment(event))
    }

    /// A write of a Client Characteristic Configuration by which a server need not subscribe anyone.
    mutating func noteVain(
        _ written: Bytes, _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard let attribute = operation.attribute, let value = attribute.valueHandle, written.count == 2,
            trace.uuids[attribute.type] == .clientCharacteristicConfiguration
        else { return }
        let setting = written.uint16(at: 0)
        let isCommand = operation.opcode == .writeCommand
        guard setting != 0, isCommand || setting & 3 == 0 else { return }
        links[slot].note(
            LinkState.VainSubscription(
                server: operation.server, value: value, setting: setting, isCommand: isCommand, moment: Moment(event)))
    }

    private mutating func checkVain(
        _ vain: LinkState.VainSubscription, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        let link = links[slot]
        let silence = moment.since(vain.moment)
        guard silence >= Self.patience,
            !link.subscriptions.contains(where: { subscribed in
                subscribed.server == vain.server && subscribed.value == vain.value
                    && !link.vain.contains { $0.moment.frame == subscribed.moment.frame }
            }),
            !link.streams.contains(where: { $0.server == vain.server && $0.handle == vain.value })
        else { return }
        let attribute = trace.attribute(vain.value, server: vain.server, connection: slot, at: vain.moment.frame)
        let subject = name(vain.value, attribute, in: trace) ?? "an attribute"
        let setting = "0x\(hexadecimal(vain.setting))"
        let client = party(vain.server == .peer ? .tx : .rx, slot, in: trace)
        let (how, cause, next): (String, Incident.Cause, String)
        if vain.isCommand {
            how = "with Write Command"
            cause = .likely(
                "A descriptor is written with Write Request (Vol 3, Part G, 4.12.3): the server may ignore the command."
            )
            next = "Write the descriptor with Write Request."
        } else {
            let isSwapped = 1...3 ~= vain.setting.byteSwapped
            how = "with \(setting)"
            cause = .proved(
                "It has neither the bit of notifications (0x0001) nor that of indications (0x0002)"
                    + "\(isSwapped ? ": its octets are swapped" : "") (Vol 3, Part G, 3.3.3.3).")
            next = "Write the octets 01 00 for notifications, or 02 00 for indications."
        }
        var incident = Incident(
            .subscriptionMissing, .hindered, vain.moment,
            place(slot, server: vain.server, vain.value, attribute, in: trace), detail: vain.isCommand ? 1 : 2,
            title: "\(subject) subscribed to \(how)",
            "\(client.capitalizedFirst) wrote \(setting) to the Client Characteristic Configuration of \(subject)"
                + "\(vain.isCommand ? " with Write Command" : ""); no value came in \(seconds(silence)).",
            cause, next: next)
        incident.add(vain.moment.frame, "\(setting) was written")
        report(incident)
    }

    mutating func noteIndication(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let characteristic = operation.attribute?.characteristic, trace.uuids[characteristic] == .serviceChanged
        else { return }
        links[slot].serviceChanged = (operation.server, Moment(event))
        links[slot].isAlert = true
    }

    /// A request with a handle that the client knows from before the table changed.
    mutating func noteFormer(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let attribute = operation.attribute, attribute.knownFrom == .former, let handle = operation.handle,
            links[slot].formerUse == nil, trace.uuids[attribute.type] != .databaseHash
        else { return }
        switch operation.opcode {
        case .readRequest, .readBlobRequest, .writeRequest, .writeCommand, .prepareWriteRequest:
            links[slot].formerUse = (Moment(event), operation.server, handle)
        default: break
        }
    }

    /// A request by which a client discovers.
    mutating func noteDiscovery(_ operation: borrowing ATTOperation, _ slot: Int) {
        guard let changed = links[slot].serviceChanged, changed.server == operation.server else { return }
        switch operation.opcode {
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            links[slot].serviceChanged = nil
        default: break
        }
    }

    // MARK: The end

    /// - Parameters:
    ///   - moment: the last sign that the connection lived.
    ///   - isLost: whether the link was lost.
    mutating func closeValues(_ slot: Int, isLost: Bool, _ moment: Moment, in trace: borrowing Trace) {
        guard !hasGap(slot, in: trace), trace.connections[slot].transport == .lowEnergy else { return }
        if !isLost {
            reportShort(slot, .broke, in: trace)
            var told: [ServerSide: Set<AttributeHandle>] = [:]
            for stream in links[slot].streams {
                guard let other = checkMoved(stream, slot, in: trace) else { continue }
                told[stream.server, default: []].formUnion([stream.handle, other])
            }
            for stream in links[slot].streams where told[stream.server]?.contains(stream.handle) != true {
                checkStopped(stream, slot, moment, in: trace)
            }
        }
        checkEcho(slot, in: trace)
        for vain in links[slot].vain { checkVain(vain, slot, moment, in: trace) }
        for subscribed in links[slot].subscriptions { checkSilent(subscribed, slot, moment, in: trace) }
        if !isLost { checkChange(slot, moment, in: trace) }
        checkMissing(slot, moment, in: trace)
        checkRenewal(slot, isLost: isLost, moment, in: trace)
    }

    private func uuid(
        _ handle: AttributeHandle, _ server: ServerSide, _ slot: Int, in trace: borrowing Trace
    ) -> UInt16? {
        trace.attribute(handle, server: server, connection: slot)?.characteristic.flatMap { trace.uuids[$0].uint16 }
    }

    /// A steady stream that ended although the connection lived on.
    private mutating func checkStopped(_ stream: ValueStream, _ slot: Int, _ moment: Moment, in trace: borrowing Trace)
    {
        let silence = moment.since(stream.last)
        guard !stream.answersWrites, stream.count >= Self.steadyCount, silence >= Self.patience,
            silence >= stream.period * Self.stoppedPeriods, stream.longestGap <= stream.period * Self.steadyGap
        else { return }
        let isMeasured = uuid(stream.handle, stream.server, slot, in: trace).map(measuredAllTheTime.contains) ?? false
        let attribute = trace.attribute(stream.handle, server: stream.server, connection: slot, at: stream.lastFrame)
        let subject = name(stream.handle, attribute, in: trace) ?? "an attribute"
        // A write of the client just then may have stopped it.
        let write = promptingWrite(stream, within: -Self.promptTime...Self.promptTime, of: stream.last, slot, in: trace)
        var incident = Incident(
            .valuesStopped, isMeasured && write == nil ? .broke : .noted, stream.last,
            place(slot, server: stream.server, stream.handle, attribute, in: trace), title: "\(subject) stopped",
            "\(subject): \(stream.count) values, one every \(seconds(stream.period)); none in the \(seconds(silence)) until the end of the connection.",
            .unknown("The log of the server would tell why it stopped."),
            next: "Look at what the client wrote last, and at the log of the server.")
        incident.note(stream.first.frame)
        if let write {
            let written = name(write.handle, write.attribute, in: trace) ?? "an attribute"
            let client = party(stream.server == .peer ? .tx : .rx, slot, in: trace)
            incident.cause = .likely("\(client.capitalizedFirst) wrote \(written) when the values ended.")
            incident.next =
                "Look at what \(client) wrote to \(written): it may stop the values, or end the measurement."
            incident.add(write.frame, "\(client) wrote \(written)")
        }
        report(incident)
    }

    /// The last write of a value that may have begun or ended a stream, within a time around `moment`.
    private func promptingWrite(
        _ stream: ValueStream, within time: ClosedRange<Int64>, of moment: Moment, _ slot: Int,
        in trace: borrowing Trace
    ) -> (handle: AttributeHandle, attribute: AttributeInfo?, frame: Int)? {
        for write in links[slot].writes.reversed()
        where write.server == stream.server && time.contains(write.last.since(moment)) {
            let attribute = trace.attribute(write.handle, server: write.server, connection: slot, at: write.lastFrame)
            if attribute?.role == .value { return (write.handle, attribute, write.lastFrame) }
        }
        return nil
    }

    /// A stream that continues with the same period under a handle without a subscription.
    ///
    /// - Returns: the other handle; nil if it does not.
    private mutating func checkMoved(
        _ stream: ValueStream, _ slot: Int, in trace: borrowing Trace
    ) -> AttributeHandle? {
        let link = links[slot]
        func isSubscribed(_ handle: AttributeHandle) -> Bool {
            link.subscriptions.contains { $0.server == stream.server && $0.value == handle }
        }
        // Subscriptions from a bond or from before the capture are unknown.
        guard link.isWhole, !link.wasEncrypted || link.pairing != nil, stream.count >= Self.movedCount,
            isSubscribed(stream.handle),
            let other = link.streams.first(where: { other in
                let gap = other.first.since(stream.last)
                return other.server == stream.server && other.first.frame > stream.last.frame
                    && other.count >= Self.movedCount && !isSubscribed(other.handle) && other.octets == stream.octets
                    && gap <= stream.period * 2 && (stream.period / 2...stream.period * 2).contains(other.period)
            })
        else { return nil }
        let known = trace.attribute(stream.handle, server: stream.server, connection: slot, at: stream.lastFrame)
        let attribute = trace.attribute(other.handle, server: stream.server, connection: slot, at: other.lastFrame)
        let subject = name(stream.handle, known, in: trace) ?? "an attribute"
        let wrong = name(other.handle, attribute, in: trace) ?? "an attribute"
        var incident = Incident(
            .notifiedOnAnotherHandle, .broke, other.first,
            place(slot, server: stream.server, other.handle, attribute, in: trace),
            title: "\(subject) continues under the handle of \(wrong)",
            "The values of \(subject) (handle 0x\(hexadecimal(stream.handle))) ended, and the same stream, one value every "
                + "\(seconds(other.period)), continues under handle 0x\(hexadecimal(other.handle)) (\(wrong)), which nobody subscribed to.",
            .likely("The server notifies with the wrong handle."),
            next: "Check in the firmware which handle it notifies after \(wrong) is written.")
        incident.add(stream.last.frame, "the last value of \(subject)")
        if let write = link.writes.first(where: { $0.handle == other.handle && $0.server == stream.server })?.last,
            stream.last.frame < write.frame, write.frame < other.first.frame
        {
            incident.add(write.frame, "the client wrote \(wrong)")
        }
        incident.add(other.first.frame, "the first value under handle 0x\(hexadecimal(other.handle))")
        report(incident)
        return other.handle
    }

    /// A subscription to a measurement of which no value came.
    private mutating func checkSilent(
        _ subscribed: LinkState.Subscribed, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) {
        guard let since = due(subscribed, slot, in: trace), case let silence = moment.since(since),
            silence >= Self.patience, !hasValues(subscribed, slot)
        else { return }
        let attribute = trace.attribute(subscribed.value, server: subscribed.server, connection: slot)
        let subject = name(subscribed.value, attribute, in: trace) ?? "an attribute"
        report(
            Incident(
                .noValues, .broke, since,
                place(slot, server: subscribed.server, subscribed.value, attribute, in: trace),
                title: "no values of \(subject)",
                "\(subject) was subscribed to\(since.frame > subscribed.moment.frame ? ", and the machine started" : ""); no value came "
                    + "in the \(seconds(silence)) until the end of the connection.",
                .unknown("The log of the server would tell whether it measures."),
                next: "Check that the sensor measures, for example that it is worn, or that it was started."))
    }

    /// Since when the server sends values all the time; nil if it need not. A fitness machine does while it is in use.
    private func due(
        _ subscribed: LinkState.Subscribed, _ slot: Int, in trace: borrowing Trace
    ) -> Moment? {
        guard let type = uuid(subscribed.value, subscribed.server, slot, in: trace) else { return nil }
        if measuredAllTheTime.contains(type) { return subscribed.moment }
        guard dataOfFitnessMachines.contains(type),
            let start = links[slot].procedures.lastRequests(of: startOfFitnessMachine, to: subscribed.server).first(
                where: {
                    uuid($0.handle, subscribed.server, slot, in: trace) == fitnessMachineControlPoint
                }),
            !links[slot].open.contains(where: { $0.kind == .procedureFailed && $0.place.handle == start.handle })
        else { return nil }
        return start.moment.frame > subscribed.moment.frame ? start.moment : subscribed.moment
    }

    /// Each value is what the client wrote just before.
    private mutating func checkEcho(_ slot: Int, in trace: borrowing Trace) {
        let echo = links[slot].echo
        guard echo.count >= Self.echoCount, let first = echo.first else { return }
        let attribute = trace.attribute(echo.handle, server: echo.server, connection: slot, at: echo.last)
        let written = trace.attribute(echo.writtenHandle, server: echo.server, connection: slot, at: echo.last)
        let subject = name(echo.handle, attribute, in: trace) ?? "an attribute"
        let source = name(echo.writtenHandle, written, in: trace) ?? "an attribute"
        let (client, device): (Direction, Direction) = echo.server == .peer ? (.tx, .rx) : (.rx, .tx)
        var incident = Incident(
            .noValues, .noted, first,
            place(slot, server: echo.server, echo.handle, attribute, in: trace),
            title: "\(subject) only returns what is written to \(source)",
            "Each of the \(echo.count) values of \(subject) is what \(party(client, slot, in: trace)) wrote to \(source) just before.",
            .unknown("The log of the server would tell whether it means to answer so."),
            next: "Look at what the server needs before it answers.")
        incident.note(echo.last)
        let pairing = links[slot].pairing
        if pairing?.method?.association == .justWorks, let offer = pairing?.offers[device], offer.offer.authReq.mitm {
            incident.weight = .hindered
            incident.cause = .likely(
                "\(party(device, slot, in: trace).capitalizedFirst) asked for protection against a man in the middle (frame \(offer.frame)), and "
                    + "pairing was Just Works: it may not answer a client that is not authenticated.")
            incident.next =
                "Delete the bond, and pair with a passkey: give \(party(client, slot, in: trace)) a keyboard or a display."
            incident.add(offer.frame, "\(party(device, slot, in: trace)) asked for protection")
        }
        report(incident)
    }

    private func hasValues(_ subscribed: LinkState.Subscribed, _ slot: Int) -> Bool {
        links[slot].streams.contains { $0.server == subscribed.server && $0.handle == subscribed.value }
    }

    /// A value that only a subscription brings, of a service that the client writes to, or one that is measured all the time.
    private mutating func checkMissing(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let link = links[slot]
        guard link.isWhole, !link.wasEncrypted, !link.hasConfigured, link.streams.isEmpty, !link.hasFault,
            moment.since(link.begun) >= Self.patience,
            trace.peerAddress(trace.connections[slot].peer).flatMap({ devices[$0] })?.subscriptions.isEmpty ?? true
        else { return }
        for server in ServerSide.allCases {
            // Writes to Generic Attribute configure the server.
            let used = Set(
                link.writes.filter { $0.server == server }.compactMap {
                    trace.attribute($0.handle, server: server, connection: slot)
                }.filter { $0.service.map { trace.uuids[$0] != .genericAttribute } ?? true }.compactMap(\.serviceHandle)
            )
            for characteristic in trace.table(of: server, connection: slot).characteristics
            where !characteristic.properties.isDisjoint(with: [.notify, .indicate])
                && !characteristic.properties.contains(.read)
            {
                let attribute = trace.attribute(characteristic.valueHandle, server: server, connection: slot)
                let isMeasured = trace.uuids[characteristic.uuid].uint16.map(measuredAllTheTime.contains) ?? false
                let isUsed = attribute?.serviceHandle.map(used.contains) ?? false
                guard isMeasured || isUsed else { continue }
                let subject = name(characteristic.valueHandle, attribute, in: trace) ?? "an attribute"
                let client = party(server == .peer ? .tx : .rx, slot, in: trace)
                report(
                    Incident(
                        .subscriptionMissing, isUsed ? .hindered : .noted, link.begun,
                        place(slot, server: server, characteristic.valueHandle, attribute, in: trace),
                        title: "\(subject) never subscribed to",
                        "\(client.capitalizedFirst) did not subscribe to \(subject) in \(seconds(moment.since(link.begun))), and no values came.",
                        .proved("No Client Characteristic Configuration was written on this connection."),
                        next: "Write the Client Characteristic Configuration of \(subject)."))
            }
        }
    }

    /// Service Changed was indicated, and the client discovered nothing.
    private mutating func checkChange(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        if let use = links[slot].formerUse {
            let attribute = trace.attribute(use.handle, server: use.server, connection: slot)
            // The last change is the one that outdated the handle.
            guard let change = trace.table(of: use.server, connection: slot).former.last else { return }
            var incident = Incident(
                .changeNotDiscovered, .hindered, use.moment,
                place(slot, server: use.server, use.handle, attribute, in: trace),
                title: "changed services not discovered again",
                "The client used handle 0x\(hexadecimal(use.handle)) of before the change.",
                .proved("The table of the server had changed: \(change.reason.rawValue) (frame \(change.until))."),
                next: "Discover the services again before a handle is used.")
            incident.add(change.until, change.reason.rawValue)
            return report(incident)
        }
        guard let changed = links[slot].serviceChanged, moment.since(changed.moment) >= Self.patience else { return }
        report(
            Incident(
                .changeNotDiscovered, .hindered, changed.moment, place(slot, server: changed.server, in: trace),
                title: "changed services not discovered again",
                "The server indicated Service Changed; the client discovered nothing in the \(seconds(moment.since(changed.moment))) after it.",
                .proved("No request for services, characteristics or descriptors follows."),
                next: "Discover the services again after Service Changed."))
    }

    /// A stream of the encrypted connection before. A bonded client does not subscribe again. Vol 3, Part G, 3.3.3.3.
    private mutating func checkBonded(_ stream: ValueStream, _ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let link = links[slot]
        guard let encryption = link.encryption, link.pairing == nil, !link.hasConfigured, !link.hasFault,
            !link.streams.contains(where: { $0.server == stream.server && $0.handle == stream.handle })
        else { return }
        let silence = moment.since(encryption.moment)
        guard silence >= Self.patience, silence >= stream.period * Self.stoppedPeriods else { return }
        let attribute = trace.attribute(stream.handle, server: stream.server, connection: slot, at: stream.lastFrame)
        let subject = name(stream.handle, attribute, in: trace) ?? "an attribute"
        let read = link.configurations.last { $0.server == stream.server && $0.value == stream.handle }
        let cause: Incident.Cause
        var next = "Subscribe again after a reconnection, and correct the server."
        switch read {
        case nil:
            cause = .likely(
                "The server does not keep the Client Characteristic Configuration of a bonded client (Vol 3, Part G, 3.3.3.3)."
            )
            next =
                "Read the Client Characteristic Configuration after the reconnection: 0x0000 proves it. Until then subscribe again."
        case let read? where read.setting == 0:
            cause = .proved(
                "The server did not keep the Client Characteristic Configuration of a bonded client: it is 0x0000 (frame \(read.frame))."
            )
        case let read?:
            cause = .likely(
                "The server kept the subscription (frame \(read.frame)), and its application sends nothing.")
            next = "Look at the log of the server: why does it measure or send nothing?"
        }
        let prompt = stream.prompt.flatMap { prompt in
            link.writes.contains { $0.handle == prompt.handle && $0.server == stream.server } ? nil : prompt
        }
        var incident = Incident(
            .subscriptionNotRenewed, prompt == nil ? .broke : .hindered, link.begun,
            place(slot, server: stream.server, stream.handle, attribute, in: trace),
            title: "no values of \(subject) after the reconnection",
            "The link is encrypted with the bond, and no value of \(subject) came in \(seconds(silence)); on the connection before, one "
                + "came every \(seconds(stream.period)).",
            cause, next: next)
        incident.add(stream.last.frame, "the last value on the connection before")
        incident.add(link.begun.frame, "connected again")
        incident.add(encryption.moment.frame, "encrypted with the bond")
        if let read { incident.add(read.frame, "the Client Characteristic Configuration was read") }
        if let prompt, read == nil {
            let attribute = trace.attribute(prompt.handle, server: stream.server, connection: slot)
            let written = name(prompt.handle, attribute, in: trace) ?? "handle 0x\(hexadecimal(prompt.handle))"
            incident.cause = .unknown(
                "On the connection before, the values began after a write of \(written) (frame \(prompt.frame)), which this connection lacks."
            )
            incident.next = "Write \(written) again after the reconnection; if no values come, subscribe again."
            incident.add(prompt.frame, "\(written) was written on the connection before")
        }
        incident.add(nil, "no value and no subscription on this connection")
        report(incident)
    }

    /// Subscriptions of the connection before. A server keeps those of bonded clients only. Vol 3, Part G, 3.3.3.3.
    private mutating func checkRenewal(_ slot: Int, isLost: Bool, _ moment: Moment, in trace: borrowing Trace) {
        let link = links[slot]
        guard link.isWhole, let address = trace.peerAddress(trace.connections[slot].peer) else { return }
        if link.wasEncrypted {
            for stream in devices[address]?.streams ?? [] { checkBonded(stream, slot, moment, in: trace) }
            var steady = link.streams.filter { stream in
                !stream.answersWrites && stream.count >= Self.steadyCount
                    && stream.longestGap <= stream.period * Self.steadyGap
                    && (isLost || moment.since(stream.last) <= stream.period * Self.steadyGap)
            }
            for index in steady.indices {
                steady[index].prompt = promptingWrite(
                    steady[index], within: -Self.promptTime...0, of: steady[index].first, slot, in: trace
                ).map { ($0.handle, $0.frame) }
            }
            devices.change(address) {
                $0.subscriptions = []
                if !steady.isEmpty { $0.streams = steady }
            }
            return
        }
        let isLong = moment.since(link.begun) >= Self.patience
        for subscribed in devices[address]?.subscriptions ?? []
        where isLong && !link.hasConfigured && !hasValues(subscribed, slot) {
            let attribute = trace.attribute(subscribed.value, server: subscribed.server, connection: slot)
            let subject = name(subscribed.value, attribute, in: trace) ?? "an attribute"
            let client = party(subscribed.server == .peer ? .tx : .rx, slot, in: trace)
            var incident = Incident(
                .subscriptionNotRenewed, .broke, link.begun,
                place(slot, server: subscribed.server, subscribed.value, attribute, in: trace),
                title: "\(subject) not subscribed to after the reconnection",
                "\(client.capitalizedFirst) connected again and did not subscribe in \(seconds(moment.since(link.begun))); no values came.",
                .proved(
                    "Without a bond a subscription ends with its connection; no Client Characteristic Configuration was written on this one."
                ),
                next: PlatformAdvice.subscribeAgain.rawValue)
            incident.add(subscribed.moment.frame, "subscribed on the connection before")
            incident.add(link.begun.frame, "connected again")
            incident.add(
                nil,
                link.lastOpcode.rawValue == 0 ? "no ATT PDU on this connection" : "no subscription on this connection")
            incident.note(moment.frame)
            report(incident)
        }
        let heard = link.subscriptions.filter { hasValues($0, slot) }
        if !heard.isEmpty { devices.change(address) { $0.subscriptions = heard } }
    }
}

/// Measurements of the Bluetooth SIG that are notified in regular intervals, about once a second.
package let measuredAllTheTime: Set<UInt16> = [
    0x2A37,  // Heart Rate Measurement
    0x2A53,  // RSC Measurement
    0x2A5B,  // CSC Measurement
    0x2A5F,  // PLX Continuous Measurement
    0x2A63,  // Cycling Power Measurement
    0x2A67,  // Location and Speed
]

/// Treadmill Data to Indoor Bike Data.
private let dataOfFitnessMachines: ClosedRange<UInt16> = 0x2ACD...0x2AD2
private let fitnessMachineControlPoint: UInt16 = 0x2AD9
/// Start or Resume. Fitness Machine Service, 4.16.1.
private let startOfFitnessMachine: Int64 = 0x07

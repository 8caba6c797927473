import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// Subscriptions: requested, refused, forgotten, without a value. Core Specification, Vol 3, Part G, 3.3.3.3.
extension LintCollector {
    private static let mostReads = 4
    private static let mostReadsBesideValues = 9
    /// Nanoseconds in which a server that answers a command, or measures all the time, would have sent something.
    private static let patience: Int64 = 10_000_000_000

    mutating func checkSubscriptions(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard event.direction != .unknown else { return }
        let server = operation.server
        switch operation.pdu {
        case .handleValueNotification(let pdu):
            watches[slot][server].subscribed.hear(pdu.attributeHandle)
            if watches[slot][server].subscribed.doubled.isWaiting,
                let value = values.octets(of: event, in: trace)?.bytes
            {
                watches[slot][server].subscribed.doubled.note(alone: value, pdu.attributeHandle, event)
            }
        case .handleValueIndication(let pdu): watches[slot][server].subscribed.hear(pdu.attributeHandle)
        case .multipleHandleValueNotification(let pdu):
            event.forEachAttribute(in: trace) { attribute in
                if let handle = attribute.handle, let value = values.octets(of: attribute, in: trace)?.bytes {
                    watches[slot][server].subscribed.doubled.note(first: value, handle, event)
                }
                return false
            }
            var tuples = pdu.tuples
            while tuples.next() != nil { watches[slot][server].subscribed.hear(tuples.handle) }
        case .readResponse:
            guard let handle = operation.handle, let attribute = operation.attribute,
                let properties = attribute.declaredProperties, !properties.isDisjoint(with: [.notify, .indicate])
            else { return }
            watches[slot][server].subscribed.read(handle, attribute, frame: event.frame, event.time)
        case .writeCommand: noteUse(operation, slot, event, in: trace)
        case .writeRequest(let pdu):
            noteUse(operation, slot, event, in: trace)
            watches[slot][server].subscribed.asked = nil
            guard operation.fault == nil, let value = operation.profileValue(in: trace), value.count == 2,
                value.uint16(at: 0) <= 3,
                operation.attribute.map({ trace.uuids[$0.type] == .clientCharacteristicConfiguration }) ?? true
            else { return }
            if operation.attribute != nil { met.insert(.configured) }
            watches[slot][server].subscribed.asked = SubscriptionWatch.Asked(
                handle: pdu.attributeHandle, configuration: value.uint16(at: 0), frame: event.frame)
        case .writeResponse: watches[slot][server].subscribed.settle()
        case .errorResponse(let pdu):
            guard let asked = watches[slot][server].subscribed.asked, pdu.requestOpcodeInError == .writeRequest else {
                return
            }
            watches[slot][server].subscribed.asked = nil
            guard asked.handle == operation.handle, asked.configuration != 0 else { return }
            watches[slot][server].subscribed.refuse(
                SubscriptionWatch.Refused(
                    asked: asked, code: pdu.errorCode, attribute: operation.attribute, frame: event.frame,
                    time: event.time))
        default: break
        }
    }

    private mutating func noteUse(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        // Writes to Generic Attribute configure the server.
        guard let attribute = operation.attribute, attribute.role == .value, let service = attribute.serviceHandle,
            attribute.service.map({ trace.uuids[$0] != .genericAttribute }) ?? true
        else { return }
        watches[slot][operation.server].subscribed.write(service, frame: event.frame, event.time)
    }

    /// The server took a configuration.
    mutating func note(_ subscription: Subscription, _ slot: Int, _ event: borrowing Event) {
        met.insert(.configured)
        guard let value = subscription.attribute.valueHandle else { return }
        watches[slot][subscription.server].subscribe(value, subscription.configuration)
        watches[slot][subscription.server].subscribed.take(
            value,
            SubscriptionWatch.Made(
                configuration: subscription.configuration, frame: event.frame, time: event.time,
                attribute: subscription.attribute))
    }

    // MARK: The end

    mutating func closeSubscriptions(_ slot: Int, _ end: Moment, in trace: borrowing Trace) {
        guard trace.connections[slot].transport == .lowEnergy else { return }
        // Without HCI events it is unknown how long a connection lived after its last packet.
        var alive = end.time
        if !watches[slot].isComplete, let last = watches[slot].lastSign { alive = last }
        for server in ServerSide.allCases {
            reportRefused(slot, server, in: trace)
            reportSilent(slot, server, alive, in: trace)
            reportPolled(slot, server, in: trace)
            reportDoubled(slot, server, in: trace)
            reportUnused(slot, server, alive, in: trace)
        }
        reportLost(slot, alive, end, in: trace)
    }

    private mutating func reportRefused(_ slot: Int, _ server: ServerSide, in trace: borrowing Trace) {
        for refused in watches[slot][server].subscribed.refused.values.sorted(by: { $0.frame < $1.frame }) {
            let (asked, name) = (refused.asked, refused.code.name)
            let code = hexadecimal(UInt16(refused.code.rawValue), digits: 2)
            let place = place(slot, server: server, asked.handle, refused.attribute, in: trace)
            let moment = Moment(frame: refused.frame, time: refused.time)
            let isUnknown = refused.attribute == nil
            if isUnknown, refused.code != .invalidHandle { continue }
            let sentence =
                "0x\(hexadecimal(asked.configuration)) was written to 0x\(hexadecimal(asked.handle)) in frame "
                + "\(asked.frame); the answer is \(name) (0x\(code))."
            if isUnknown {
                report(.subscribedToUnknown, moment, related: [asked.frame], place, sentence)
            } else if refused.code.wantsSecurity, let encryption = refused.encryption {
                report(
                    .subscribedBeforeEncryption, moment, related: [asked.frame, encryption.frame], place,
                    sentence + " The link was encrypted in frame \(encryption.frame).")
            } else {
                report(.subscriptionRefused, moment, related: [asked.frame], place, sentence)
            }
        }
    }

    private mutating func reportSilent(
        _ slot: Int, _ server: ServerSide, _ end: Timestamp, in trace: borrowing Trace
    ) {
        for (handle, made) in watches[slot][server].subscribed.made.sorted(by: { $0.key < $1.key })
        where !made.hasValue {
            guard let type = made.attribute.characteristic,
                let since = silence(after: made, type, slot, server, in: trace),
                end.nanoseconds(since: since) >= Self.patience
            else { continue }
            report(
                .subscribedInSilence, Moment(frame: made.frame, time: made.time),
                place(slot, server: server, handle, valueInfo(handle, server, slot, in: trace), in: trace),
                "Subscribed in frame \(made.frame); no value came in the \(seconds(end.nanoseconds(since: made.time)))"
                    + " until the end.")
        }
    }

    /// Since when a value is overdue; nil if the server may have had nothing to send.
    private func silence(
        after made: SubscriptionWatch.Made, _ type: UUIDIndex, _ slot: Int, _ server: ServerSide,
        in trace: borrowing Trace
    ) -> Timestamp? {
        if let uuid = trace.uuids[type].uint16, BluetoothUUID.characteristics.contains(uuid) {
            return measuredAllTheTime.contains(uuid) ? made.time : nil
        }
        let hasAnswer = watches[slot][server].subscribed.made.values.contains {
            $0.hasValue && $0.attribute.serviceHandle == made.attribute.serviceHandle
        }
        guard !hasAnswer,
            let use = watches[slot][server].subscribed.uses.first(where: { $0.service == made.attribute.serviceHandle }
            ),
            use.lastFrame > made.frame
        else { return nil }
        return use.firstFrame > made.frame ? use.firstTime : made.time
    }

    private mutating func reportPolled(_ slot: Int, _ server: ServerSide, in trace: borrowing Trace) {
        for (handle, polled) in watches[slot][server].subscribed.polled.sorted(by: { $0.key < $1.key }) {
            let moment = Moment(frame: polled.lastFrame, time: polled.lastTime)
            let place = place(slot, server: server, handle, polled.attribute, in: trace)
            if let made = watches[slot][server].subscribed.made[handle], made.hasValue {
                guard polled.count > Self.mostReadsBesideValues else { continue }
                report(
                    .polledValue, moment, related: [made.frame], place,
                    "Subscribed in frame \(made.frame), then read \(polled.count) times.")
            } else if polled.count > Self.mostReads, isUnsubscribed(handle, slot, server) {
                report(
                    .neverSubscribed, moment, related: [polled.firstFrame], place,
                    "Read \(polled.count) times since frame \(polled.firstFrame); the Client Characteristic "
                        + "Configuration was not written.")
            }
        }
    }

    private mutating func reportDoubled(_ slot: Int, _ server: ServerSide, in trace: borrowing Trace) {
        let doubled = watches[slot][server].subscribed.doubled
        guard doubled.isReported, let first = doubled.first else { return }
        report(
            .valueSentTwice, first,
            place(
                slot, server: server, doubled.handle, valueInfo(doubled.handle, server, slot, in: trace), in: trace),
            "\(doubled.count) values came in a Multiple Handle Value Notification, and again in a Handle Value Notification within 20 ms."
        )
    }

    /// Whether the client certainly did not subscribe: not in records that are missing, nor in an earlier connection, nor to an unknown
    /// handle.
    private func isUnsubscribed(_ value: AttributeHandle, _ slot: Int, _ server: ServerSide) -> Bool {
        watches[slot].isMade && !watches[slot][server].hasLost && !watches[slot][server].wroteUnknown
            && (!watches[slot].wasEncrypted || watches[slot].pairing.hasPaired)
            && watches[slot][server].subscriptions[value] == nil
    }

    /// Values of services in use that can be had by a subscription only.
    private mutating func reportUnused(
        _ slot: Int, _ server: ServerSide, _ end: Timestamp, in trace: borrowing Trace
    ) {
        for use in watches[slot][server].subscribed.uses where end.nanoseconds(since: use.firstTime) >= Self.patience {
            for characteristic in trace.table(of: server, connection: slot).characteristics
            where characteristic.handle > use.service {
                let value = characteristic.valueHandle
                guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]),
                    !characteristic.properties.contains(.read), isUnsubscribed(value, slot, server),
                    let attribute = valueInfo(value, server, slot, in: trace), attribute.serviceHandle == use.service,
                    !hasSubscription(to: use.service, slot, server)
                else { continue }
                report(
                    .neverSubscribed, Moment(frame: use.lastFrame, time: use.lastTime), related: [use.firstFrame],
                    place(slot, server: server, value, attribute, in: trace),
                    "Its service was written since frame \(use.firstFrame); the Client Characteristic Configuration was "
                        + "not written, and the value cannot be read.")
            }
        }
    }

    private func hasSubscription(to service: AttributeHandle, _ slot: Int, _ server: ServerSide) -> Bool {
        watches[slot][server].subscribed.made.values.contains { $0.attribute.serviceHandle == service }
    }

    private func valueInfo(
        _ handle: AttributeHandle, _ server: ServerSide, _ slot: Int, in trace: borrowing Trace
    ) -> AttributeInfo? {
        trace.attribute(handle, server: server, connection: slot)
    }

    /// Subscriptions of an earlier connection with the same device. A server keeps those of bonded clients.
    private mutating func reportLost(_ slot: Int, _ alive: Timestamp, _ end: Moment, in trace: borrowing Trace) {
        guard watches[slot].isComplete, let peer = trace.peerAddress(trace.connections[slot].peer) else { return }
        if watches[slot].wasEncrypted { return peers.forgetSubscriptions(of: peer) }
        let isLong =
            !watches[slot].hasJumped && alive.nanoseconds(since: trace.connections[slot].begun) >= Self.patience
        for server in ServerSide.allCases {
            let heard = watches[slot][server].subscribed.made.filter(\.value.hasValue)
            if heard.isEmpty, isLong, !watches[slot].bearers.isEmpty, !watches[slot][server].wroteUnknown,
                watches[slot][server].subscriptions.isEmpty
            {
                for (handle, frame) in peers.subscriptions(of: peer, server).sorted(by: { $0.key < $1.key }) {
                    report(
                        .subscriptionLost, end, related: [frame],
                        place(slot, server: server, handle, valueInfo(handle, server, slot, in: trace), in: trace),
                        "Subscribed in frame \(frame) of an earlier connection, but not in this one.")
                }
            }
            if !heard.isEmpty { peers.note(heard.mapValues(\.frame), of: peer, server) }
        }
    }
}

import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Traffic of each attribute, gathered while the trace learns the tree.
public struct TreeCollector: DocumentCollector {
    package struct Activity: Sendable {
        package internal(set) var reads = 0
        package internal(set) var writes = 0
        package internal(set) var notifications = 0
        package internal(set) var indications = 0
        package internal(set) var errors = 0
        package internal(set) var firstError: Moment?
        package var isAccessed: Bool { reads + writes + notifications + indications + errors > 0 }
        package internal(set) var firstValue: Timestamp?
        package internal(set) var lastValueTime: Timestamp?
        /// Notifications and indications that followed others of their connection, and nanoseconds between them.
        package private(set) var sentInARow = 0
        package private(set) var sentTime: Int64 = 0
        private var lastSent: (time: Timestamp, connection: Int)?
        /// Uses without a known value: errors, and values that cannot be separated.
        private var otherUses: SeenTimes?
        /// nil if it was not used.
        package var uses: SeenTimes? {
            guard let firstValue, let lastValueTime else { return otherUses }
            var uses = SeenTimes(firstValue)
            uses.add(lastValueTime)
            return uses.joined(with: otherUses)
        }
        /// A copy: the record is gone when the tree is shown.
        var lastValue: StoredOctets?
        /// It was put together from several values.
        var isMessage = false
        var lastAccess = AttributeAccess.read
        package internal(set) var lastEnding = AttributeValue.Ending.whole
        /// States of an Audio Stream Endpoint.
        package private(set) var endpointStates: [EndpointMoment] = []
        /// States that are not kept.
        package private(set) var endpointStatesLeftOut = 0
        private static let endpointStateLimit = 64
        /// Value of a Client Characteristic Configuration before the write that has not been answered.
        var valueBeforeWrite: StoredOctets??
        /// The frame of the last subscription, and its configuration.
        package internal(set) var subscribedFrame: Int?
        package internal(set) var configuration: UInt16 = 0
        /// The attribute's type when the activity took place.
        var type: UUIDIndex?

        package struct EndpointMoment: Sendable {
            package let moment: Moment
            package let state: AudioEndpointState
        }

        mutating func note(_ state: AudioEndpointState, _ moment: Moment) {
            guard endpointStates.last?.state.rawState != state.rawState else { return }
            guard endpointStates.count < Self.endpointStateLimit else {
                endpointStatesLeftOut += 1
                return
            }
            endpointStates.append(EndpointMoment(moment: moment, state: state))
        }

        /// Another attribute has the handle now: after Service Changed, or with another Database Hash.
        ///
        /// - Returns: the traffic of the previous one.
        mutating func settle(_ type: UUIDIndex) -> Activity? {
            var former: Activity?
            if let before = self.type, before != type {
                former = self
                self = Activity()
            }
            self.type = type
            return former
        }

        mutating func count(_ access: AttributeAccess, _ time: Timestamp, connection: Int) {
            switch access {
            case .read: reads += 1
            case .write: writes += 1
            case .notify:
                notifications += 1
                noteSent(time, connection)
            case .indicate:
                indications += 1
                noteSent(time, connection)
            }
        }

        private mutating func noteSent(_ time: Timestamp, _ connection: Int) {
            if let last = lastSent, last.connection == connection, let pause = time.duration(since: last.time) {
                sentInARow += 1
                sentTime = sentTime.addingReportingOverflow(pause).partialValue
            }
            lastSent = (time, connection)
        }

        mutating func noteUse(_ time: Timestamp) {
            if otherUses == nil { otherUses = SeenTimes(time) } else { otherUses?.add(time) }
        }

        /// Both together; the values and the configuration of the one that had them last.
        func joined(with other: Activity) -> Activity {
            func isLater(_ time: Timestamp?, _ than: Timestamp?) -> Bool {
                guard let time else { return false }
                guard let than else { return true }
                return time.nanoseconds(since: than) > 0
            }
            var joined = isLater(other.lastValueTime, lastValueTime) ? other : self
            joined.reads = reads + other.reads
            joined.writes = writes + other.writes
            joined.notifications = notifications + other.notifications
            joined.indications = indications + other.indications
            joined.errors = errors + other.errors
            joined.sentInARow = sentInARow + other.sentInARow
            joined.sentTime = sentTime.addingReportingOverflow(other.sentTime).partialValue
            joined.firstError = [firstError, other.firstError].compactMap(\.self).min { $0.frame < $1.frame }
            joined.firstValue = isLater(firstValue, other.firstValue) ? other.firstValue : firstValue
            joined.otherUses = otherUses?.joined(with: other.otherUses) ?? other.otherUses
            let subscribed = (other.subscribedFrame ?? 0) > (subscribedFrame ?? 0) ? other : self
            let earlier = isLater(firstValue, other.firstValue) ? (other, self) : (self, other)
            joined.endpointStates = Array(
                (earlier.0.endpointStates + earlier.1.endpointStates).prefix(Self.endpointStateLimit))
            joined.subscribedFrame = subscribed.subscribedFrame
            joined.configuration = subscribed.configuration
            return joined
        }
    }

    /// Attributes whose activity is kept, and octets of their last values.
    package static let limit = 16_384
    static let octetLimit = 8 << 20

    package private(set) var activities = ActivityTable()
    /// Activities of attributes whose handles were given to others.
    private var formerActivities: [Former: Activity] = [:]

    private struct Former: Hashable {
        let owner: TableOwner
        let handle: AttributeHandle
        let type: UUIDIndex
    }

    func formerActivity(_ owner: TableOwner, _ handle: AttributeHandle, _ type: UUIDIndex) -> Activity? {
        formerActivities[Former(owner: owner, handle: handle, type: type)]
    }

    private mutating func keep(_ activity: Activity?, _ handle: AttributeHandle, _ owner: TableOwner) {
        guard var activity, let type = activity.type, formerActivities.count < Self.limit else { return }
        // Its octets do not count any more.
        if (activity.lastValue?.count ?? 0) > 512 { activity.lastValue = nil }
        formerActivities[Former(owner: owner, handle: handle, type: type)] = activity
    }
    private var octets = 0
    /// Operations on attributes over the limit.
    private(set) var leftOut = 0

    private var values: ValueInterpreter
    /// Servers that the model has.
    private let serverLimit: Int

    /// - Parameters:
    ///   - values: of the `Interpreted` that hands on the events.
    ///   - serverLimit: servers that the model has; the others are counted.
    package init(values: ValueInterpreter, serverLimit: Int = .max) {
        self.values = values
        self.serverLimit = serverLimit
    }

    /// From the next event on, it is part of another conversation with the same past.
    ///
    /// - Parameter values: of the `Interpreted` that hands on the events.
    package mutating func use(_ values: ValueInterpreter) {
        self.values = values
    }

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if case .identified(let identification) = event.detail { follow(identification) }
        guard let connection = event.connection, let server = event.server else { return }
        let owner = TableOwner(server, connection, in: trace)
        switch event.detail {
        case .att(let operation): receive(operation, event, owner, in: trace)
        case .assembled(let assembled) where assembled.outcome == .complete:
            event.forEachAttribute(in: trace) { value in
                guard value.isWhole else { return true }
                let message = values.message(of: value)
                change(assembled.handle, owner) { activity in
                    Self.keep(value.access, value.ending, message, event.time, &activity) { value.store(in: &$0) }
                }
                return true
            }
        case .subscription(let subscription):
            change(subscription.handle, owner) { activity in
                activity.subscribedFrame = event.frame
                activity.configuration = subscription.configuration
            }
        default: return
        }
    }

    private mutating func receive(
        _ operation: ATTOperation, _ event: borrowing Event, _ owner: TableOwner, in trace: borrowing Trace
    ) {
        // A PDU that carries one whole value, as most do, is counted in its place, without a walk over its attributes.
        switch operation.pdu {
        case .handleValueNotification: receive(.notify, operation, event, owner, in: trace)
        case .handleValueIndication: receive(.indicate, operation, event, owner, in: trace)
        case .readResponse: receive(.read, operation, event, owner, in: trace)
        case .writeRequest: receive(.write, operation, event, owner, in: trace)
        case .writeCommand: receive(.write, operation, event, owner, in: trace)
        case .signedWriteCommand: receive(.write, operation, event, owner, in: trace)
        default: receiveOther(operation, event, owner, in: trace)
        }
    }

    @inline(__always)
    private mutating func receive(
        _ access: AttributeAccess, _ operation: ATTOperation, _ event: borrowing Event,
        _ owner: TableOwner, in trace: borrowing Trace
    ) {
        guard let handle = operation.handle else { return }
        let attribute = operation.attribute
        let message = values.message(ofValueOf: attribute)
        let isConfiguration =
            access == .write && attribute.map { trace.uuids[$0.type] } == .clientCharacteristicConfiguration
        let (time, ending) = (event.time, operation.ending)
        let endpoint = access == .write ? nil : AudioEndpointState(operation, in: trace)
        let moment = Moment(event)
        let connection = event.connection.map { trace.connections[$0].number } ?? 0
        var former: Activity?
        change(handle, owner) { activity in
            if let type = attribute?.type { former = activity.settle(type) }
            if let endpoint { activity.note(endpoint, moment) }
            activity.valueBeforeWrite = isConfiguration ? .some(activity.lastValue) : nil
            activity.count(access, time, connection: connection)
            Self.keep(access, ending, message, time, &activity) { operation.store(in: &$0) }
        }
        if former != nil { keep(former, handle, owner) }
    }

    private mutating func receiveOther(
        _ operation: ATTOperation, _ event: borrowing Event, _ owner: TableOwner, in trace: borrowing Trace
    ) {
        let time = event.time
        let moment = Moment(event)
        let connection = event.connection.map { trace.connections[$0].number } ?? 0
        var isError = false
        var isEnd = false
        if case .errorResponse(let pdu) = operation.pdu {
            isError = true
            // Read Blob: Invalid Offset and Attribute Not Long mean that the value before was complete. Vol 3, Part F, 3.4.4.5.
            isEnd =
                pdu.requestOpcodeInError == .readBlobRequest
                && [.invalidOffset, .attributeNotLong].contains(pdu.errorCode)
        }
        event.forEachAttribute(in: trace) { value in
            guard let handle = value.handle, Self.isAccess(value, in: trace) else { return true }
            let message = values.message(of: value)
            var former: Activity?
            change(handle, owner) { activity in
                if value.listing == nil, let type = value.type { former = activity.settle(type) }
                if isError {
                    activity.errors += 1
                    activity.firstError = activity.firstError ?? moment
                    activity.noteUse(time)
                    if isEnd { activity.lastEnding = .whole }
                    // The server did not take the write.
                    if let before = activity.valueBeforeWrite { activity.lastValue = before }
                }
                activity.valueBeforeWrite = nil
                if value.isWhole {
                    activity.count(value.access, time, connection: connection)
                    Self.keep(value.access, value.ending, message, time, &activity) { value.store(in: &$0) }
                } else if case .readMultipleResponse = operation.pdu {
                    activity.reads += 1
                    activity.noteUse(time)
                }
            }
            if former != nil { keep(former, handle, owner) }
            return true
        }
    }

    /// Whether the attribute was accessed, not only searched for or listed. Declarations are in the tree already.
    private static func isAccess(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> Bool {
        guard value.listing != nil else { return true }
        guard value.isWhole, let type = value.type else { return false }
        return !BluetoothUUID.declarations.contains(trace.uuids[type].uint16 ?? 0)
    }

    /// A message that came in parts is kept when it is whole, and stays until the next one is.
    private static func keep(
        _ access: AttributeAccess, _ ending: AttributeValue.Ending, _ message: MessageState?, _ time: Timestamp,
        _ activity: inout Activity, _ store: (inout StoredOctets) -> Void
    ) {
        if activity.firstValue == nil { activity.firstValue = time }
        activity.lastValueTime = time
        switch message {
        case .part where activity.isMessage, .stray where activity.isMessage: return
        case .complete(let octets, _):
            activity.lastValue = octets
            activity.isMessage = true
        case .part, .stray, nil:
            var kept = activity.lastValue ?? StoredOctets()
            activity.lastValue = nil
            store(&kept)
            activity.lastValue = kept
            activity.isMessage = false
        }
        activity.lastAccess = access
        activity.lastEnding = ending
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> TreeModel {
        TreeModel(self, values, integrity, serverLimit: serverLimit, in: trace)
    }

    /// Changes the activity of an attribute, as long as there is room for it.
    @inline(__always)
    private mutating func change(
        _ handle: AttributeHandle, _ owner: TableOwner, _ change: (inout Activity) -> Void
    ) {
        let before = octets
        let after = activities.change(owner, handle, limit: Self.limit) { activity in
            let others = before - (activity.lastValue?.count ?? 0)
            change(&activity)
            if others + (activity.lastValue?.count ?? 0) > Self.octetLimit { activity.lastValue = nil }
            return others + (activity.lastValue?.count ?? 0)
        }
        if let after { octets = after } else { leftOut += 1 }
    }

    /// Data gathered under another address belongs to the device.
    private mutating func follow(_ identification: PeerIdentification) {
        activities.move(.peer(identification.previous), to: .peer(identification.peer))
    }
}

import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasWire

/// What passed over each attribute, gathered while the trace learns the tree.
public struct TreeCollector: EventSink {
    struct Activity {
        var reads = 0
        var writes = 0
        var notifications = 0
        var indications = 0
        var errors = 0
        var firstValue: Timestamp?
        var lastValueTime: Timestamp?
        /// A copy: the record is gone when the tree is shown.
        var lastValue: [UInt8]?
        var lastAccess = AttributeAccess.read
        /// The frame of the last subscription, and what it turned on.
        var subscribedFrame: Int?
        var configuration: UInt16 = 0
        /// What the attribute was when the activity took place.
        var type: UUIDIndex?

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
            joined.firstValue = isLater(firstValue, other.firstValue) ? other.firstValue : firstValue
            let subscribed = (other.subscribedFrame ?? 0) > (subscribedFrame ?? 0) ? other : self
            joined.subscribedFrame = subscribed.subscribedFrame
            joined.configuration = subscribed.configuration
            return joined
        }
    }

    /// Attributes whose activity is kept, and octets of their last values.
    static let limit = 16_384
    static let octetLimit = 8 << 20

    private(set) var activities: [TableOwner: [AttributeHandle: Activity]] = [:]
    private var count = 0
    private var octets = 0
    /// Operations on attributes beyond the limit.
    public private(set) var leftOut = 0

    public init() {}

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if case .identified(let identification) = event.detail { follow(identification) }
        guard let connection = event.connection else { return }
        switch event.detail {
        case .att(let operation):
            if case .readByTypeResponse(let pdu) = operation.pdu { note(pdu, operation, event, in: trace) }
            guard let handle = operation.handle, !operation.endsDiscovery else { return }
            let owner = TableOwner(operation.server, connection, in: trace)
            change(handle, owner) { Self.note(operation, event.time, &$0) }
        case .assembled(let assembled) where assembled.outcome == .complete && assembled.offset == 0:
            let owner = TableOwner(assembled.server, connection, in: trace)
            let access: AttributeAccess = assembled.kind == .longRead ? .read : .write
            change(assembled.handle, owner) { Self.keep(assembled.value, access, event.time, &$0) }
        case .subscription(let subscription):
            let owner = TableOwner(subscription.server, connection, in: trace)
            change(subscription.handle, owner) { activity in
                activity.subscribedFrame = event.frame
                activity.configuration = subscription.configuration
            }
        default: return
        }
    }

    /// Changes what is kept of an attribute, as long as there is room for it.
    private mutating func change(
        _ handle: AttributeHandle, _ owner: TableOwner, _ change: (inout Activity) -> Void
    ) {
        var activity = Activity()
        // Taken out, so that its value is not copied to be changed.
        if let known = activities[owner]?.removeValue(forKey: handle) {
            activity = known
        } else if count < Self.limit {
            count += 1
        } else {
            leftOut += 1
            return
        }
        octets -= activity.lastValue?.count ?? 0
        change(&activity)
        octets += activity.lastValue?.count ?? 0
        if octets > Self.octetLimit {
            octets -= activity.lastValue?.count ?? 0
            activity.lastValue = nil
        }
        activities[owner, default: [:]][handle] = activity
    }

    /// What was gathered under another address is the device's.
    private mutating func follow(_ identification: PeerIdentification) {
        guard identification.peer != identification.previous,
            let moved = activities.removeValue(forKey: .peer(identification.previous))
        else { return }
        let known = activities[.peer(identification.peer)]?.count ?? 0
        activities[.peer(identification.peer), default: [:]].merge(moved) { $0.joined(with: $1) }
        count -= known + moved.count - (activities[.peer(identification.peer)]?.count ?? 0)
    }

    /// Values read by their type; declarations are in the tree already.
    private mutating func note(
        _ pdu: ReadByTypeResponse, _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let connection = event.connection, let type = operation.request?.attributeType,
            !(0x2800...0x28FF).contains(trace.uuids[type].uint16 ?? 0)
        else { return }
        let owner = TableOwner(operation.server, connection, in: trace)
        for index in 0..<pdu.list.count {
            change(pdu.handle(index), owner) { activity in
                activity.reads += 1
                Self.keep(pdu.value(index), .read, event.time, &activity)
            }
        }
    }

    private static func note(_ operation: ATTOperation, _ time: Timestamp, _ activity: inout Activity) {
        if let type = operation.attribute?.type {
            // Another attribute has the handle now: after Service Changed, or behind another Database Hash.
            if let before = activity.type, before != type { activity = Activity() }
            activity.type = type
        }
        switch operation.pdu {
        case .readResponse(let pdu):
            activity.reads += 1
            keep(pdu.attributeValue, .read, time, &activity)
        case .writeRequest(let pdu):
            activity.writes += 1
            keep(pdu.attributeValue, .write, time, &activity)
        case .writeCommand(let pdu):
            activity.writes += 1
            keep(pdu.attributeValue, .write, time, &activity)
        case .signedWriteCommand(let pdu):
            activity.writes += 1
            keep(pdu.attributeValue, .write, time, &activity)
        case .handleValueNotification(let pdu):
            activity.notifications += 1
            keep(pdu.attributeValue, .notify, time, &activity)
        case .handleValueIndication(let pdu):
            activity.indications += 1
            keep(pdu.attributeValue, .indicate, time, &activity)
        case .errorResponse: activity.errors += 1
        default: break
        }
    }

    private static func keep(_ value: Bytes, _ access: AttributeAccess, _ time: Timestamp, _ activity: inout Activity) {
        if activity.firstValue == nil { activity.firstValue = time }
        activity.lastValueTime = time
        activity.lastAccess = access
        var kept = activity.lastValue ?? []
        activity.lastValue = nil
        kept.removeAll(keepingCapacity: true)
        value.append(to: &kept)
        activity.lastValue = kept
    }
}

import AttlasCapture
import AttlasTrace
import AttlasWire

/// A client's steps in one connection to receive the values of one server, and their results.
struct SubscriptionWatch {
    /// A Client Characteristic Configuration that the server took.
    struct Made {
        let configuration: UInt16
        let frame: Int
        let time: Timestamp
        let attribute: AttributeInfo
        var hasValue = false
    }

    /// A write of one that waits for its response.
    struct Asked {
        let handle: AttributeHandle
        let configuration: UInt16
        let frame: Int
    }

    /// One that the server refused, and has not taken since.
    struct Refused {
        let asked: Asked
        let code: ATTErrorCode
        let attribute: AttributeInfo?
        let frame: Int
        let time: Timestamp
        /// The link was encrypted after that.
        var encryption: (frame: Int, time: Timestamp)?
    }

    /// Reads of a value that the server would notify or indicate.
    struct Polled {
        var count = 0
        let firstFrame: Int
        var lastFrame: Int
        var lastTime: Timestamp
        let attribute: AttributeInfo
    }

    /// Writes to the values of one service.
    struct Use {
        let service: AttributeHandle
        let firstFrame: Int
        let firstTime: Timestamp
        var lastFrame: Int
        var lastTime: Timestamp
    }

    private static let limit = 512

    /// By the handles of the values.
    private(set) var made: [AttributeHandle: Made] = [:]
    /// Those of which no value has come.
    private var silentCount = 0
    var asked: Asked?
    /// By the handles of the descriptors.
    private(set) var refused: [AttributeHandle: Refused] = [:]
    /// By the handles of the values.
    private(set) var polled: [AttributeHandle: Polled] = [:]
    /// The service that was written last is the last one.
    private(set) var uses: [Use] = []
    var doubled = DoubledValues()

    /// Records were lost: refused or accepted writes in them are unknown.
    mutating func lose() { self = SubscriptionWatch() }

    /// The clock jumped: durations without values are unknown.
    mutating func forgetTimes() {
        made = made.filter(\.value.hasValue)
        silentCount = 0
        uses = []
    }

    mutating func take(_ value: AttributeHandle, _ subscription: Made) {
        // Earlier reads are not polling next to a subscription.
        polled[value] = nil
        if made[value]?.hasValue == false { silentCount -= 1 }
        made[value] = nil
        guard subscription.configuration != 0, made.count < Self.limit else { return }
        made[value] = subscription
        silentCount += 1
    }

    /// The server answered a write.
    mutating func settle() {
        guard let asked else { return }
        refused[asked.handle] = nil
        self.asked = nil
    }

    mutating func refuse(_ refusal: Refused) {
        if refused.count < Self.limit { refused[refusal.asked.handle] = refusal }
    }

    mutating func noteEncryption(_ frame: Int, _ time: Timestamp) {
        for handle in refused.keys where refused[handle]?.encryption == nil {
            refused[handle]?.encryption = (frame, time)
        }
    }

    /// A value came.
    @inline(__always)
    mutating func hear(_ value: AttributeHandle) {
        if silentCount > 0 { hearFirst(value) }
    }

    private mutating func hearFirst(_ value: AttributeHandle) {
        guard made[value]?.hasValue == false else { return }
        made[value]?.hasValue = true
        silentCount -= 1
    }

    mutating func read(_ value: AttributeHandle, _ attribute: AttributeInfo, frame: Int, _ time: Timestamp) {
        guard polled[value] != nil || polled.count < Self.limit else { return }
        polled[
            value, default: Polled(firstFrame: frame, lastFrame: frame, lastTime: time, attribute: attribute)
        ].note(frame, time)
    }

    mutating func write(_ service: AttributeHandle, frame: Int, _ time: Timestamp) {
        if uses.last?.service != service { turn(to: service, frame: frame, time) }
        guard !uses.isEmpty else { return }
        uses[uses.count - 1].lastFrame = frame
        uses[uses.count - 1].lastTime = time
    }

    private mutating func turn(to service: AttributeHandle, frame: Int, _ time: Timestamp) {
        if let index = uses.firstIndex(where: { $0.service == service }) {
            uses.append(uses.remove(at: index))
        } else {
            if uses.count == 64 { uses.removeFirst() }
            uses.append(Use(service: service, firstFrame: frame, firstTime: time, lastFrame: frame, lastTime: time))
        }
    }
}

/// Values that come in a Multiple Handle Value Notification and alone, too.
struct DoubledValues {
    /// Nanoseconds between the two.
    private static let soon: Int64 = 20_000_000
    private static let least = 5

    private var last: (handle: AttributeHandle, value: [UInt8], time: Timestamp)?
    private(set) var count = 0
    private(set) var handle: AttributeHandle = 0
    private(set) var first: Moment?
    /// A value came once.
    private var isOver = false

    var isReported: Bool { count >= Self.least && !isOver }
    /// Asked for each notification.
    var isWaiting: Bool { last != nil }

    /// The first value of a Multiple Handle Value Notification.
    mutating func note(first value: Bytes, _ handle: AttributeHandle, _ event: borrowing Event) {
        if last != nil { isOver = true }
        last = isOver ? nil : (handle, value.copy(), event.time)
    }

    /// The value of a Handle Value Notification.
    mutating func note(alone value: Bytes, _ handle: AttributeHandle, _ event: borrowing Event) {
        guard let last, last.handle == handle else { return }
        self.last = nil
        guard event.time.nanoseconds(since: last.time) <= Self.soon, value.count == last.value.count,
            last.value.indices.allSatisfy({ value[$0] == last.value[$0] })
        else {
            isOver = true
            return
        }
        if count == 0 { (self.handle, first) = (handle, Moment(event)) }
        count += 1
    }
}

extension SubscriptionWatch.Polled {
    mutating func note(_ frame: Int, _ time: Timestamp) {
        count += 1
        lastFrame = frame
        lastTime = time
    }
}

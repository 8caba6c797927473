import AttlasCapture

/// The connection events of one link, of which a sniffer may have heard only some. Core Specification, Vol 6, Part B, 4.5.1.
struct AirEvents: Sendable {
    /// Whether the first of them was heard.
    private let isWhole: Bool
    /// When the last one that was heard began.
    private var anchor: Timestamp?
    /// Its number, counted from 0 at the first event; nil if that was not heard and the sniffer does not count.
    private(set) var number: UInt16?
    /// Units of 125 µs.
    private var interval: UInt32?
    /// One in this number of events is used. 4.5.1.
    private var subrateFactor = 1
    private var pendingUpdate: PendingUpdate?
    /// Whether the sniffer's counter is one, and whether that is certain because it has changed.
    private var isCounted = true
    private var hasChanged = false
    /// Events in a row that seemed to have the same number.
    private var repeats: UInt16 = 0
    private static let enoughRepeats: UInt16 = 8

    init(isWhole: Bool, interval: UInt16?) {
        self.isWhole = isWhole
        self.interval = interval.map { UInt32($0) * 10 }
    }

    /// Whether a packet with that counter may belong to the event that is under way.
    func isCurrent(_ counter: UInt16?) -> Bool {
        guard isCounted, let counter, let number else { return true }
        return counter == number
    }

    /// How many events in use lie between the one before and the one that begins, this one included, at least; 1 if it is unknown.
    ///
    /// - Parameters:
    ///   - counter: As the sniffer counts them.
    ///   - hops: Whether the channel is another one.
    mutating func begin(_ counter: UInt16?, hops: Bool, at time: Timestamp) -> Int {
        defer { anchor = time }
        guard let anchor else {
            number = counter ?? (isWhole ? 0 : nil)
            return 1
        }
        let elapsed = time.nanoseconds(since: anchor)
        let counter = check(counter, hops: hops, elapsed: elapsed)
        let events = events(until: counter, elapsed: elapsed)
        let isExact = counter != nil && number != nil
        number = counter ?? number.map { $0 &+ UInt16(truncatingIfNeeded: events) }
        var factor = subrateFactor
        if let pending = pendingUpdate, let number, Int16(bitPattern: number &- pending.instant) >= 0 {
            apply(pending)
            factor = max(factor, subrateFactor)
        }
        // Times may be late, and are rounded to the nearest event in use.
        return isExact ? (events + factor - 1) / factor : max(1, (events + factor / 2) / factor)
    }

    /// The same, unless the sniffer does not count: the next event is on another channel, or an interval later, and has another
    /// number. One that has counted once does so; then times that contradict it are wrong, as those of many files are.
    private mutating func check(_ counter: UInt16?, hops: Bool, elapsed: Int64) -> UInt16? {
        guard isCounted, let counter else { return nil }
        if let number, counter != number { hasChanged = true }
        // The longest interval is 4 s. 4.5.1.
        let longest = interval.map { Int64($0) * 125_000 / 16 * 15 } ?? 4_000_000_000
        guard !hasChanged, counter == number, longest > 0, elapsed >= longest else { return counter }
        repeats += 1
        guard hops || repeats == Self.enoughRepeats else { return counter }
        isCounted = false
        number = isWhole ? number.map { $0 &+ repeats &- 1 } : nil
        return nil
    }

    private func events(until counter: UInt16?, elapsed: Int64) -> Int {
        if let counter, let number { return Int(counter &- number) }
        // Beyond the longest supervision timeout of 32 s nothing is counted.
        guard let interval, interval > 0, elapsed > 0, elapsed < 32_000_000_000 else { return 1 }
        func count(_ duration: Int64, _ interval: UInt32) -> Int {
            let length = Int64(interval) * 125_000
            return max(0, Int((duration + length / 2) / length))
        }
        if let pending = pendingUpdate, let number {
            // The event of the instant comes later by the offset, and those after it have the new interval. 5.1.1.
            let before = Int(Int16(bitPattern: pending.instant &- number))
            let instant = Int64(before) * Int64(interval) * 125_000 + Int64(pending.winOffset) * 1_250_000
            if before > 0, elapsed > instant - Int64(interval) * 62_500, pending.interval > 0 {
                return before + count(elapsed - instant, pending.interval)
            }
        }
        return max(1, count(elapsed, interval))
    }

    /// LL_CONNECTION_UPDATE_IND: another interval from an event on.
    mutating func update(_ update: PendingUpdate) {
        guard let number else { return stopCounting() }
        if Int16(bitPattern: number &- update.instant) >= 0 { apply(update) } else { pendingUpdate = update }
    }

    private mutating func apply(_ update: PendingUpdate) {
        interval = update.interval
        subrate(update.subrateFactor)
        pendingUpdate = nil
    }

    /// LL_SUBRATE_IND. Events that its continuation number keeps in use need not be there.
    mutating func subrate(_ factor: UInt16) { subrateFactor = max(1, Int(factor)) }

    private mutating func stopCounting() {
        interval = nil
        pendingUpdate = nil
        number = nil
    }
}

/// The update that LL_CONNECTION_UPDATE_IND or LL_CONNECTION_RATE_IND announces.
struct PendingUpdate: Sendable {
    /// Units of 125 µs.
    let interval: UInt32
    /// Units of 1.25 ms.
    let winOffset: UInt16
    /// The number of the first event that it holds for.
    let instant: UInt16
    /// LL_CONNECTION_UPDATE_IND ends subrating. 5.1.1.
    var subrateFactor: UInt16 = 1
}

/// A moment in UTC, to the nanosecond, and how many decimal places of it the capture recorded.
///
/// Seconds and nanoseconds apart, because a broken btsnoop record can have a year beyond the range of 64 bits of nanoseconds.
public struct Timestamp: Sendable, Equatable {
    /// Whole seconds since 1970-01-01, rounded down; negative before.
    public let seconds: Int64
    /// 0 ..< 1 000 000 000.
    public let nanoseconds: UInt32
    /// Decimal places of a second: 6 for btsnoop, 0 … 9 for pcapng.
    public let precision: UInt8
    /// Which run of the capture's clock it belongs to: another one after each jump. `Trace` counts them; no duration spans two.
    package var run: UInt8 = 0

    /// `nanoseconds` is below 1 000 000 000; `precision` is the number of decimals of the seconds that are known.
    public init(seconds: Int64, nanoseconds: UInt32, precision: UInt8) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.precision = precision
    }

    /// Nanoseconds from `earlier` to this moment, at the limits of `Int64` when there are more.
    public func nanoseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = seconds.subtractingReportingOverflow(earlier.seconds)
        let (scaled, overflow2) = difference.multipliedReportingOverflow(by: 1_000_000_000)
        let (total, overflow3) = scaled.addingReportingOverflow(Int64(nanoseconds) - Int64(earlier.nanoseconds))
        if overflow || overflow2 || overflow3 { return seconds < earlier.seconds ? .min : .max }
        return total
    }

    /// The moment that is earlier by this number of nanoseconds, in the same run of the clock.
    package func earlier(by duration: Int64) -> Timestamp {
        let (carry, rest) = (Int64(nanoseconds) - duration % 1_000_000_000).dividedDown(by: 1_000_000_000)
        var earlier = Timestamp(
            seconds: seconds &- duration / 1_000_000_000 &+ carry, nanoseconds: UInt32(rest), precision: precision)
        earlier.run = run
        return earlier
    }

    /// Whole microseconds from `earlier` to this moment, at the limits of `Int64` when there are more: spans of 290,000 years
    /// fit, of nanoseconds only 292.
    package func microseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = seconds.subtractingReportingOverflow(earlier.seconds)
        let (scaled, overflow2) = difference.multipliedReportingOverflow(by: 1_000_000)
        let fraction = (Int64(nanoseconds) - Int64(earlier.nanoseconds)) / 1_000
        let (total, overflow3) = scaled.addingReportingOverflow(fraction)
        if overflow || overflow2 || overflow3 { return seconds < earlier.seconds ? .min : .max }
        return total
    }

    /// How long after `earlier` it was, in nanoseconds; nil when it is unknown: the clock went back or jumped in between, or the records
    /// have no time.
    public func duration(since earlier: Timestamp) -> Int64? {
        let nanoseconds = nanoseconds(since: earlier)
        return nanoseconds < 0 || run != earlier.run || isMissing ? nil : nanoseconds
    }
}

extension Timestamp {
    /// For records without a time that come before any with one.
    package static let epoch = Timestamp(seconds: 0, nanoseconds: 0, precision: 0)

    /// Whether it is that of a record without a time.
    package var isMissing: Bool { seconds == 0 && precision == 0 }

    /// Whether it is not a time of the day, nor since the start of a device or of a log: no capture is from 1970.
    package var hasDate: Bool { seconds >= 365 * 86_400 }

    /// Whether a record of this time may well come near one of the time `other`. Only the search for the next record
    /// after a broken one asks this.
    func isWithinADay(of other: Timestamp) -> Bool {
        let day: Int64 = 86_400_000_000_000
        return (-day...day).contains(nanoseconds(since: other))
    }
}

import Histogram

/// Round-trip times, in microseconds, in a histogram of constant size with three significant digits.
public struct RoundTrips: Sendable {
    /// An hour: a request that waits longer is counted as an hour. The transaction timeout is 30 s.
    static let highest: UInt64 = 3_600_000_000

    private var histogram = Histogram<UInt32>(highestTrackableValue: highest, numberOfSignificantValueDigits: .three)

    public init() {}

    public mutating func record(nanoseconds: Int64) {
        histogram.record(min(UInt64(max(0, nanoseconds)) / 1_000, Self.highest))
    }

    public var count: Int { Int(histogram.totalCount) }

    /// Microseconds that `percent` of the round trips did not exceed.
    public func percentile(_ percent: Double) -> Int {
        Int(histogram.valueAtPercentile(percent))
    }
}

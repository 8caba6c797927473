import AttlasCapture

/// From the first sign of something to the last.
public struct SeenTimes: Sendable, Equatable {
    public private(set) var first: Timestamp
    public private(set) var last: Timestamp

    public init(_ time: Timestamp) { (first, last) = (time, time) }

    /// A capture's clock may go back.
    public mutating func add(_ time: Timestamp) {
        if time.nanoseconds(since: last) > 0 { last = time }
        if time.nanoseconds(since: first) < 0 { first = time }
    }

    public func joined(with other: SeenTimes?) -> SeenTimes {
        guard let other else { return self }
        var joined = self
        joined.add(other.first)
        joined.add(other.last)
        return joined
    }
}

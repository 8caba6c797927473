import AttlasCapture

/// From the first sign of something to the last.
package struct SeenTimes: Sendable, Equatable {
    package private(set) var first: Timestamp
    package private(set) var last: Timestamp

    package init(_ time: Timestamp) { (first, last) = (time, time) }

    /// A capture's clock may go back.
    mutating func add(_ time: Timestamp) {
        if time.nanoseconds(since: last) > 0 { last = time }
        if time.nanoseconds(since: first) < 0 { first = time }
    }

    package func joined(with other: SeenTimes?) -> SeenTimes {
        guard let other else { return self }
        var joined = self
        joined.add(other.first)
        joined.add(other.last)
        return joined
    }
}

import AttlasCapture

/// A record and its time.
public struct Moment: Sendable, Equatable {
    /// The number of the record, from 1.
    public let frame: Int
    /// Time of the record.
    public let time: Timestamp

    /// A record by its number, from 1.
    @inlinable
    public init(frame: Int, time: Timestamp) {
        self.frame = frame
        self.time = time
    }

    /// Record that completed an event.
    @inlinable @inline(__always)
    public init(_ event: borrowing Event) {
        frame = event.frame
        time = event.time
    }

    /// Nanoseconds from an earlier one; 0 when the clock went back or jumped in between.
    public func since(_ other: Moment) -> Int64 { time.duration(since: other.time) ?? 0 }
}

import AttlasCapture

/// How long a capture is.
public struct CaptureExtent: Sendable {
    public private(set) var records = 0
    public private(set) var first: Timestamp?
    public private(set) var last: Timestamp?

    public init() {}

    /// Nanoseconds from the first record to the last; nil for a single one, and when the clock was set back between.
    public var duration: Int64? {
        guard records > 1, let first, let last else { return nil }
        let duration = last.nanoseconds(since: first)
        return duration < 0 ? nil : duration
    }

    public mutating func note(_ record: Record) {
        let time = record.time
        if records == 0 { first = time }
        records += 1
        last = time
    }
}

import AttlasCapture

/// The length of a capture, and the missing part according to its records.
public struct CaptureExtent: Sendable {
    /// All records that were read, also those that could not be read.
    public private(set) var records = 0
    /// Records that could not be read.
    public private(set) var unreadable = 0
    /// Records that were dropped while the capture was recorded.
    public private(set) var lost: UInt64 = 0
    /// Records of which octets are missing.
    public private(set) var cut = 0
    /// Time of the first record.
    public private(set) var first: Timestamp?
    /// Time of the last record.
    public internal(set) var last: Timestamp?

    /// No records yet.
    public init() {}

    /// Nanoseconds from the first record to the last; nil for a single one, and when the clock was set back between.
    public var duration: Int64? {
        guard records > 1, let first else { return nil }
        return last?.duration(since: first)
    }

    /// Counts a record; call once for each, in order.
    public mutating func note(_ record: Record) {
        let time = record.time
        if records == 0 { first = time }
        records += 1
        last = time
        lost &+= UInt64(record.lost)
        if record.missing > 0 { cut += 1 }
        if case .broken = record.content { unreadable += 1 }
    }

    /// The same for records in a row: each of several is a whole packet with nothing lost before it.
    @inline(__always)
    public mutating func note(_ row: RecordRow) {
        guard row.count > 1 else { return note(row[0]) }
        if records == 0 { first = row[0].time }
        records += row.count
        last = row[row.count - 1].time
    }
}

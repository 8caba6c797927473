import AttlasWire

/// Records in a row, borrowed from the reader's buffer: one record of any kind, or several that are one whole packet each, with nothing
/// lost before them and no comments.
public struct RecordRow: ~Escapable, Copyable {
    private let headers: Span<RecordHeader>
    /// The octets that places in the headers refer to.
    private let buffer: Bytes

    @inline(__always)
    @_lifetime(copy headers, copy buffer)
    init(_ headers: Span<RecordHeader>, in buffer: Bytes) {
        self.headers = headers
        self.buffer = buffer
    }

    /// The record alone.
    @inline(__always)
    @_lifetime(copy record)
    public init(_ record: Record) {
        headers = record.headers
        buffer = record.buffer
    }

    /// Number of records.
    public var count: Int { headers.count }

    /// Whether each record is one whole packet, with nothing lost before it.
    public var isPlain: Bool { count > 1 || headers[0].missing == 0 && headers[0].lost == 0 }

    /// Record at an index below `count`.
    public subscript(index: Int) -> Record {
        @inline(__always) @_lifetime(copy self) get {
            Record(headers.extracting(index..<index &+ 1), in: buffer)
        }
    }
}

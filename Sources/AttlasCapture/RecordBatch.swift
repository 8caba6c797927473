import AttlasWire

/// Records that were copied out of a reader's buffer, for other threads.
public struct RecordBatch: Sendable {
    private var headers: [RecordHeader] = []
    private var octets: [UInt8] = []

    public init() {}

    public var count: Int { headers.count }

    /// Octets of memory.
    public var size: Int { headers.count * MemoryLayout<RecordHeader>.stride + octets.count }

    public mutating func append(_ record: Record) {
        headers.append(record.copy(to: &octets))
    }

    /// So many records that came before the first one are missing.
    public mutating func addLost(_ count: Int) {
        guard !headers.isEmpty else { return }
        headers[0].lost = UInt32(clamping: Int(headers[0].lost) + count)
    }

    /// Calls `body` with each record until that returns false.
    /// - Returns: whether it was called with all.
    @discardableResult
    public func visit(_ body: (Record) -> Bool) -> Bool {
        for index in headers.indices {
            let header = CollectionOfOne(headers[index])
            guard body(Record(header, bytes: Bytes(octets.span))) else { return false }
        }
        return true
    }
}

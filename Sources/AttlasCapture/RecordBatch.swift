import AttlasWire

/// Records that were copied out of a reader's buffer, for other threads.
public struct RecordBatch: Sendable {
    fileprivate var headers: [RecordHeader] = []
    fileprivate var octets: [UInt8] = []

    /// No records.
    public init() {}

    /// Number of records.
    public var count: Int { headers.count }

    /// The number of the last record.
    package var lastFrame: Int? { headers.last?.frame }

    /// Octets of memory.
    public var size: Int { headers.count * MemoryLayout<RecordHeader>.stride + octets.count }

    /// Copies a record, with its octets.
    public mutating func append(_ record: Record) {
        headers.append(record.copy(to: &octets))
    }

    /// Records missing before the first one.
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

extension SeekableCapture {
    /// Records that are kept in memory, one batch after the other.
    ///
    /// - Parameter isOver: false if more records come, which are not part of it.
    public init(_ batches: [RecordBatch], _ info: CaptureInfo, isOver: Bool) {
        let size = UInt64(batches.reduce(0) { $0 + $1.octets.count })
        self.init(CapturePosition(format: BatchReader(batches, info), offset: 0), info, isOver: isOver) {
            size
        } source: { offset in
            var (batch, place) = (0, Int(offset))
            return ByteSource(name: info.file) { buffer in
                while batch < batches.count, place >= batches[batch].octets.count {
                    place -= batches[batch].octets.count
                    batch += 1
                }
                guard batch < batches.count else { return .octets }
                let end = min(place + buffer.freeCapacity, batches[batch].octets.count)
                while place < end {
                    buffer.append(batches[batch].octets[place])
                    place += 1
                }
                return .octets
            }
        }
    }
}

/// Gives the headers of records in memory to their octets.
private final class BatchReader: RecordSource {
    private let batches: [RecordBatch]
    let info: CaptureInfo
    private var batch = 0
    /// In its batch, the record that comes next.
    private var record = 0
    private(set) var frame = 0

    init(_ batches: [RecordBatch], _ info: CaptureInfo) {
        self.batches = batches
        self.info = info
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        while batch < batches.count, record == batches[batch].count { (batch, record) = (batch + 1, 0) }
        guard batch < batches.count else { return false }
        header = batches[batch].headers[record]
        let (length, options) = (Int(header.framing) + header.place.count, header.options.count)
        guard try input.fill(length + options) else { return false }
        header.place = input.place(Int(header.framing), header.place.count)
        header.options = input.place(length, options)
        input.consume(length + options)
        record += 1
        frame = header.frame
        return true
    }

    func copy(after frame: Int) -> any RecordSource {
        let copy = BatchReader(batches, info)
        (copy.batch, copy.record, copy.frame) = (batch, record, self.frame)
        return copy
    }
}

import AttlasWire

/// Records in a row that are as nearly all are: one whole packet each, and nothing lost before it.
///
/// A format reads the headers of as many of them together as are in the buffer. Without the calls, the copies and the rare cases of
/// each record, a capture is read with half of the instructions.
package struct PlainRecords {
    /// The result of a format's look at a record.
    struct Head {
        let time: Timestamp
        /// Where its packet is, from the beginning of the record on; there the record ends too.
        let start: Int
        let end: Int
        let controller: UInt16
        /// 0 of a packet from the air.
        let type: UInt8
        /// Radio data of a packet from the air.
        let radio: RadioInfo?
        let direction: Direction
        /// 1 for ACL data, else 0; and the same for commands and events.
        let isData: Int
        let isControl: Int

        /// A packet from the air.
        @inline(__always)
        init(_ radio: RadioInfo, _ direction: Direction, start: Int, end: Int, _ time: Timestamp) {
            type = 0
            self.radio = radio
            isData = 0
            isControl = 0
            self.direction = direction
            self.time = time
            self.start = start
            self.end = end
            controller = 0
        }

        /// A packet of HCI.
        ///
        /// - Parameters:
        ///   - type: The type of the H4 indicator.
        ///   - word: The first octets of the packet, little-endian: the header of ACL data at least.
        ///   - isReceived: As the capture wrote it down: `PacketHead.direction(of:recorded:)`.
        /// - Returns: nil if the packet is to be looked at more closely: its type is seldom, or its own length does not fit.
        @inline(__always)
        init?(
            _ type: UInt8, _ word: UInt64, isReceived: Bool, controller: UInt16 = 0, start: Int, end: Int,
            _ time: Timestamp
        ) {
            // Jumps that depend on the type would be mispredicted for many records: the results are calculated from its bits.
            guard type < 8, 0b0001_0110 >> type & 1 == 1 else { return nil }
            self.type = type
            radio = nil
            direction = ((isReceived ? 1 : 0) | type >> 2) & ~type & 1 == 0 ? .tx : .rx
            isData = Int(type >> 1 & 1)
            isControl = 1 &- isData
            let needed = 1 &+ isData &* (3 &+ Int(truncatingIfNeeded: word >> 16 & 0xFFFF))
            guard end &- start >= needed, end &- start <= Int(packetLimit) else { return nil }
            self.time = time
            self.start = start
            self.end = end
            self.controller = controller
        }
    }

    /// This number of headers, and the octets that they lead to, fit the first-level cache.
    private static let limit = 64

    /// Fields that are the same for all plain records are never changed.
    fileprivate var headers = [RecordHeader](repeating: RecordHeader(), count: limit)
    fileprivate(set) var count = 0
    private(set) var position = 0
    /// Number of ACL data packets, and of commands and events.
    fileprivate(set) var dataCount = 0
    fileprivate(set) var controlCount = 0

    var isEmpty: Bool {
        @inline(__always) get { position == count }
    }

    /// The one that comes next; nil if there is none left.
    var following: RecordHeader? { isEmpty ? nil : headers[position] }

    /// Time of the last record; nil if none is left.
    var lastTime: Timestamp? { isEmpty ? nil : headers[count - 1].time }

    /// The next one, unless there is none left: one element.
    @inline(__always)
    @_lifetime(&self)
    mutating func next() -> Span<RecordHeader> {
        defer { position &+= 1 }
        return headers.span.extracting(position..<position &+ 1)
    }

    /// All that are left, at most `limit`.
    @inline(__always)
    @_lifetime(&self)
    mutating func rest(limit: Int) -> Span<RecordHeader> {
        let end = position &+ min(count &- position, limit)
        defer { position = end }
        return headers.span.extracting(position..<end)
    }

    fileprivate mutating func begin() {
        position = 0
        count = 0
        dataCount = 0
        controlCount = 0
    }
}

extension InputBuffer {
    /// Moves past plain records, as long as `read` finds one at the beginning of the octets that are left.
    ///
    /// - Parameters:
    ///   - frame: Frame of the record before them.
    /// - Returns: how many there are.
    @inline(__always)
    mutating func nextPlain(
        into records: inout PlainRecords, after frame: Int,
        _ read: (borrowing Bytes) -> PlainRecords.Head?
    ) -> Int {
        records.begin()
        let start = place(0, 0).lowerBound
        var left = buffer.dropFirst(start)
        // Where the next record begins.
        var (begin, position) = (start, offset)
        var count = 0
        var (dataCount, controlCount) = (0, 0)
        var headers = records.headers.mutableSpan
        while count < headers.count, let head = read(left) {
            count &+= 1
            headers[count &- 1].set(head, at: begin, frame: frame &+ count, offset: position)
            dataCount &+= head.isData
            controlCount &+= head.isControl
            left = left.dropFirst(head.end)
            begin &+= head.end
            position &+= UInt64(truncatingIfNeeded: head.end)
        }
        records.count = count
        (records.dataCount, records.controlCount) = (dataCount, controlCount)
        consume(begin &- start)
        return count
    }
}

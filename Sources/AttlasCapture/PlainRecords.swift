import AttlasWire

/// Records in a row that are as nearly all are: one whole packet each, and nothing lost before it.
///
/// A format reads the headers of as many of them together as are in the buffer. Without the calls, the copies and the rare cases of
/// each record, a capture is read with half of the instructions.
package struct PlainRecords {
    /// What a format found in a record.
    struct Head {
        let time: Timestamp
        /// Where in the buffer the record begins, and where its packet is.
        let record: Int
        let start: Int
        let end: Int
        let controller: UInt16
        let content: Record.Content
        let direction: Direction

        /// A packet from the air.
        @inline(__always)
        init(_ radio: RadioInfo, _ direction: Direction, record: Int, start: Int, end: Int, _ time: Timestamp) {
            content = .air(radio)
            self.direction = direction
            self.time = time
            self.record = record
            self.start = start
            self.end = end
            controller = 0
        }

        /// A packet of HCI.
        ///
        /// - Parameters:
        ///   - type: As the H4 indicator says it.
        ///   - word: The first octets of the packet, little-endian: the header of ACL data at least.
        ///   - isReceived: As the capture wrote it down: `PacketHead.direction(of:recorded:)`.
        /// - Returns: nil if the packet is to be looked at more closely: its type is seldom, or its own length does not fit.
        @inline(__always)
        init?(
            _ type: UInt8, _ word: UInt64, isReceived: Bool, controller: UInt16 = 0, record: Int, start: Int,
            end: Int, _ time: Timestamp
        ) {
            // Jumps that depend on the type would be mispredicted for many records: what follows is calculated from its bits.
            guard type == 1 || type == 2 || type == 4 else { return nil }
            content = .packet(type == 2 ? .acl : type == 4 ? .event : .command)
            direction = ((isReceived ? 1 : 0) | type >> 2) & ~type & 1 == 0 ? .tx : .rx
            let isACL = Int(type >> 1 & 1)
            let needed = 1 &+ isACL &* (3 &+ Int(truncatingIfNeeded: word >> 16 & 0xFFFF))
            guard end &- start >= needed, end &- start <= Int(packetLimit) else { return nil }
            self.time = time
            self.record = record
            self.start = start
            self.end = end
            self.controller = controller
        }
    }

    /// So many headers, and the octets that they lead to, stay in the nearest cache of the processor.
    private static let limit = 64

    /// What is the same for all plain records is never changed.
    fileprivate var headers = [RecordHeader](repeating: RecordHeader(), count: limit)
    fileprivate var count = 0
    private(set) var position = 0

    var isEmpty: Bool {
        @inline(__always) get { position == count }
    }

    /// The one that comes next; nil if there is none left.
    var following: RecordHeader? { isEmpty ? nil : headers[position] }

    /// Of the last one; nil if there is none left.
    var lastTime: Timestamp? { isEmpty ? nil : headers[count - 1].time }

    /// The next one, unless there is none left: one element.
    @inline(__always)
    @_lifetime(&self)
    mutating func next() -> Span<RecordHeader> {
        defer { position &+= 1 }
        return headers.span.extracting(position..<position &+ 1)
    }

    fileprivate mutating func begin() {
        position = 0
        count = 0
    }
}

extension InputBuffer {
    /// Moves past plain records, as long as `read` finds one at a place in the buffer.
    ///
    /// - Parameters:
    ///   - frame: Of the record before them.
    /// - Returns: how many there are.
    @inline(__always)
    mutating func nextPlain(
        into records: inout PlainRecords, behind frame: Int,
        _ read: (borrowing Bytes, Int) -> PlainRecords.Head?
    ) -> Int {
        records.begin()
        let start = place(0, 0).lowerBound
        let distance = Int(truncatingIfNeeded: offset) &- start
        var end = start
        var count = 0
        var headers = records.headers.mutableSpan
        while count < headers.count, let head = read(buffer, end) {
            headers[count].set(
                head, frame: frame &+ 1 &+ count, offset: UInt64(bitPattern: Int64(head.record &+ distance)))
            count &+= 1
            end = head.end
        }
        records.count = count
        consume(end &- start)
        return count
    }
}

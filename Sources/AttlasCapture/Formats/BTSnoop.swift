import AttlasWire

/// btsnoop, version 1: the log of Android, of BlueZ, and of Symbian, which made it from RFC 1761. All fields are big-endian.
///
/// ```
/// file    | "btsnoop" 0 | version 32 = 1 | datalink 32 |
/// record  | original length 32 | included length 32 | flags 32 | cumulative drops 32 | time 64 | packet …
/// ```
/// Flags of 1001 and 1002: bit 0 is set for received, bit 1 for a command or an event. Flags of 2001: adapter index, then opcode, of 16
/// bits each. The time is µs since 0000-01-01.
final class BTSnoop: ResumableReader {
    static let fileHeaderLength = 16
    static let recordHeaderLength = 24

    private let datalink: LinkType
    private let framing: PacketFraming
    private let name: String
    private(set) var frame = 0
    private var drops: UInt32 = 0
    private(set) var lastTime: Timestamp?
    var lost: LostPlace?

    static func recognizes(_ bytes: borrowing Bytes) -> Bool {
        bytes.starts(with: "btsnoop\0")
    }

    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        guard try input.fill(Self.fileHeaderLength) else {
            throw input.cutShort("the btsnoop file header", need: Self.fileHeaderLength)
        }
        let version = input.bytes.bigEndianUInt32(at: 8)
        datalink = LinkType(rawValue: input.bytes.bigEndianUInt32(at: 12))
        guard version == 1 else {
            throw CaptureError(.unsupported, file: name, "btsnoop version \(version): not supported, only version 1 is")
        }
        guard datalink.rawValue > 1000, let framing = datalink.framing else {
            throw CaptureError(
                .unsupported, file: name,
                "btsnoop with datalink \(datalink.numberAndName): \(Self.reason(datalink))",
                advice: "Datalinks 1001 (HCI H1), 1002 (HCI H4) and 2001 (Linux monitor) are supported.")
        }
        self.framing = framing
        input.consume(Self.fileHeaderLength)
    }

    private static func reason(_ datalink: LinkType) -> String {
        switch datalink.rawValue {
        case 1003, 1004: "not supported, because the file does not state if the packets are still in serial line frames"
        case 2002: "not supported, because it contains the traffic between BlueZ's emulated controllers, not HCI"
        default: "not supported"
        }
    }

    var info: CaptureInfo {
        CaptureInfo(file: name, format: "btsnoop", linkTypes: [datalink])
    }

    /// Some vendors restart the count of dropped records in each file, some do not.
    func follow(_ previous: any RecordSource) {
        if let previous = previous as? BTSnoop { drops = previous.drops }
    }

    private init(continuing other: BTSnoop, after frame: Int) {
        datalink = other.datalink
        framing = other.framing
        name = other.name
        self.frame = frame
        drops = other.drops
        lastTime = other.lastTime
        lost = other.lost
    }

    func copy(after frame: Int) -> any RecordSource {
        BTSnoop(continuing: self, after: frame)
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        if lost != nil { try resume(&input) }
        guard try input.fill(Self.recordHeaderLength) else {
            guard input.available > 0 else { return false }
            throw input.cutShort("the last record's header", need: Self.recordHeaderLength)
        }
        let fields = Fields(input.bytes)
        // The first record's own time, true or not, is all there is to compare later ones with.
        if lastTime == nil { lastTime = fields.time }
        let length = Self.recordHeaderLength + Int(fields.included)
        frame += 1
        guard contradiction(captured: fields.included, original: fields.original) == nil, try input.fill(length) else {
            return try refuse(&header, &input, length, captured: fields.included, original: fields.original)
        }
        // A counter that goes back was restarted: the losses in between are unknown.
        let newDrops = fields.drops > drops ? fields.drops - drops : 0
        drops = fields.drops
        lastTime = fields.time
        let place = input.place(Self.recordHeaderLength, Int(fields.included))
        let head = head(fields.flags, input.bytes(at: place))
        header = RecordHeader(
            frame: frame, offset: input.offset, time: fields.time, head: head, place: place,
            missing: fields.original - fields.included, lost: newDrops)
        input.consume(length)
        return true
    }

    func nextPlain(_ input: inout InputBuffer, into records: inout PlainRecords, framesBefore: Int) {
        guard lost == nil else { return }
        switch framing {
        case .h4:
            frame += input.nextPlain(into: &records, after: frame + framesBefore) {
                plainH4($0)
            }
        case .monitorInFlags:
            frame += input.nextPlain(into: &records, after: frame + framesBefore) {
                plainMonitor($0)
            }
        default: return
        }
        if let time = records.lastTime { lastTime = time }
    }

    @inline(__always)
    private func plainH4(_ bytes: borrowing Bytes) -> PlainRecords.Head? {
        guard bytes.count >= Self.recordHeaderLength &+ 8 else { return nil }
        let fields = Fields(bytes)
        let word = bytes.uint64(at: Self.recordHeaderLength)
        let end = Self.recordHeaderLength &+ Int(fields.included)
        return isPlain(fields, end: end, in: bytes)
            ? PlainRecords.Head(
                UInt8(truncatingIfNeeded: word), word >> 8, isReceived: fields.flags & 1 != 0,
                start: Self.recordHeaderLength &+ 1, end: end, fields.time) : nil
    }

    @inline(__always)
    private func plainMonitor(_ bytes: borrowing Bytes) -> PlainRecords.Head? {
        guard bytes.count >= Self.recordHeaderLength &+ 8 else { return nil }
        let fields = Fields(bytes)
        let word = bytes.uint64(at: Self.recordHeaderLength)
        let end = Self.recordHeaderLength &+ Int(fields.included)
        let type: UInt8
        // Command, event, and ACL data of both directions: `PacketHead.init(monitorOpcode:adapter:)`.
        switch UInt16(truncatingIfNeeded: fields.flags) {
        case 2: type = 1
        case 3: type = 4
        case 4, 5: type = 2
        default: return nil
        }
        return isPlain(fields, end: end, in: bytes)
            ? PlainRecords.Head(
                type, word, isReceived: fields.flags & 1 != 0, controller: UInt16(fields.flags >> 16),
                start: Self.recordHeaderLength, end: end, fields.time) : nil
    }

    /// Whether a record is whole and nothing was lost before it.
    @inline(__always)
    private func isPlain(_ fields: Fields, end: Int, in bytes: borrowing Bytes) -> Bool {
        fields.original == fields.included && fields.drops == drops && end <= bytes.count
    }

    @inline(__always)
    private func head(_ flags: UInt32, _ packet: borrowing Bytes) -> PacketHead {
        let direction: Direction = flags & 1 == 0 ? .tx : .rx
        return switch framing {
        case .h1: PacketHead(h1IsCommandOrEvent: flags & 2 != 0, direction: direction)
        case .monitorInFlags:
            PacketHead(monitorOpcode: UInt16(truncatingIfNeeded: flags), adapter: UInt16(flags >> 16))
        default: PacketHead(framing, packet, direction: direction)
        }
    }

    /// Whether a record seems to begin at the first octet.
    func isStart(_ bytes: borrowing Bytes, isSearching: Bool) -> Verdict {
        guard bytes.count >= Self.recordHeaderLength else { return .needs(Self.recordHeaderLength) }
        let fields = Fields(bytes)
        guard fields.original > 0, contradiction(captured: fields.included, original: fields.original) == nil
        else { return .no }
        guard let lastTime else { return .yes }
        return fields.time.isWithinADay(of: lastTime) ? .yes : .no
    }

    /// A record header.
    private struct Fields {
        let original: UInt32
        let included: UInt32
        let flags: UInt32
        let drops: UInt32
        let time: Timestamp

        @inline(__always)
        init(_ bytes: borrowing Bytes) {
            let lengths = bytes.bigEndianUInt64(at: 0)
            original = UInt32(lengths >> 32)
            included = UInt32(truncatingIfNeeded: lengths)
            let flagsAndDrops = bytes.bigEndianUInt64(at: 8)
            flags = UInt32(flagsAndDrops >> 32)
            drops = UInt32(truncatingIfNeeded: flagsAndDrops)
            let time = Int64(bitPattern: bytes.bigEndianUInt64(at: 16))
            self.time = Timestamp(microsecondsSinceYearZero: time)
        }
    }
}

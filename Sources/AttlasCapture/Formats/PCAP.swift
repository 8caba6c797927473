import AttlasWire

/// pcap, the format of libpcap and tcpdump. Fields are in the byte order of the machine that captured.
///
/// ```
/// file    | magic 32 | major 16 = 2 | minor 16 = 4 | zone 32 | accuracy 32 | snapshot length 32 | link type 32 |
/// record  | seconds 32 | µs or ns 32 | captured length 32 | original length 32 | packet …
/// ```
/// draft-ietf-opsawg-pcap. Zone and accuracy are 0 or arbitrary: no program reads them.
final class PCAP: ResumableReader {
    static let fileHeaderLength = 24
    static let recordHeaderLength = 16

    private let order: ByteOrder
    private let isNanoseconds: Bool
    private let linkType: LinkType
    private let framing: PacketFraming
    private let name: String
    private(set) var frame = 0
    private(set) var lastTime: Timestamp?
    var lost: LostPlace?
    private var clock = RadioClock()
    private var usb = USBTransport()

    private static func variant(_ bytes: borrowing Bytes) -> (order: ByteOrder, isNanoseconds: Bool)? {
        guard bytes.count >= 4 else { return nil }
        return switch bytes.bigEndianUInt32(at: 0) {
        case 0xA1B2_C3D4: (.big, false)
        case 0xD4C3_B2A1: (.little, false)
        case 0xA1B2_3C4D: (.big, true)
        case 0x4D3C_B2A1: (.little, true)
        default: nil
        }
    }

    static func recognizes(_ bytes: borrowing Bytes) -> Bool {
        variant(bytes) != nil
    }

    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        guard try input.fill(Self.fileHeaderLength), let (order, isNanoseconds) = Self.variant(input.bytes) else {
            throw input.cutShort("the pcap file header", need: Self.fileHeaderLength)
        }
        let major = input.bytes.uint16(at: 4, order)
        let minor = input.bytes.uint16(at: 6, order)
        // The uppermost six bits are the length of the packets' check sequence; HCI has none.
        linkType = LinkType(rawValue: input.bytes.uint32(at: 20, order) & 0x03FF_FFFF)
        guard major == 2, minor == 4 else {
            throw CaptureError(
                .unsupported, file: name, "pcap version \(major).\(minor): not supported, only version 2.4 is")
        }
        guard linkType.rawValue < 1000, let framing = linkType.framing else {
            throw CaptureError(
                .unsupported, file: name, "pcap with link type \(linkType.numberAndName): not supported yet",
                advice: Self.advice)
        }
        self.order = order
        self.isNanoseconds = isNanoseconds
        self.framing = framing
        input.consume(Self.fileHeaderLength)
    }

    /// The supported link types, for pcapng too.
    static let advice =
        "Link types 187 and 201 (HCI H4), 254 (Linux monitor), 251, 256, 272 and 192 (captures from the air), "
        + "189, 220 and 249 (USB) are supported."

    var info: CaptureInfo {
        CaptureInfo(file: name, format: "pcap", linkTypes: [linkType], radioClock: clock.use)
    }

    private init(continuing other: PCAP, after frame: Int) {
        order = other.order
        isNanoseconds = other.isNanoseconds
        linkType = other.linkType
        framing = other.framing
        name = other.name
        self.frame = frame
        lastTime = other.lastTime
        lost = other.lost
        clock = other.clock
        usb = other.usb
    }

    func copy(after frame: Int) -> any RecordSource {
        PCAP(continuing: self, after: frame)
    }

    func follow(_ previous: any RecordSource) {
        if let previous = previous as? PCAP { usb = previous.usb }
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        guard case .usb(let framing) = framing else { return try readRecord(&input, into: &header) }
        let before = frame
        while true {
            if let packet = usb.next() {
                // The second one in a transfer.
                if frame == before { frame += 1 }
                header = RecordHeader(
                    packet, in: &input, frame: frame, offset: header.offset, time: lastTime ?? .epoch, lost: 0)
                return true
            }
            guard try readRecord(&input, into: &header) else {
                if let refusal = usb.refusal(name) { throw refusal }
                return false
            }
            if case .broken = header.content { return true }
            usb.take(input.bytes(at: header.place), framing, order, missing: UInt32(header.missing))
        }
    }

    private func readRecord(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        if lost != nil { try resume(&input) }
        guard try input.fill(Self.recordHeaderLength) else {
            guard input.available > 0 else { return false }
            throw input.cutShort("the last record's header", need: Self.recordHeaderLength)
        }
        let fields = Fields(input.bytes, order, isNanoseconds)
        // The first record's own time, true or not, is all there is to compare later ones with.
        if lastTime == nil { lastTime = fields.time }
        let length = Self.recordHeaderLength + Int(fields.captured)
        frame += 1
        guard contradiction(captured: fields.captured, original: fields.original) == nil, try input.fill(length) else {
            return try refuse(&header, &input, length, captured: fields.captured, original: fields.original)
        }
        let place = input.place(Self.recordHeaderLength, Int(fields.captured))
        let head = PacketHead(framing, input.bytes(at: place), direction: .unknown)
        let time = clock.time(framing, input.bytes(at: place), head, file: fields.time)
        lastTime = time
        header = RecordHeader(
            frame: frame, offset: input.offset, time: time, head: head, place: place,
            missing: fields.original - fields.captured, lost: 0)
        input.consume(length)
        return true
    }

    func nextPlain(_ input: inout InputBuffer, into records: inout PlainRecords, framesBefore: Int) {
        guard lost == nil else { return }
        let before = frame + framesBefore
        switch framing {
        case .h4WithDirection: frame += input.nextPlain(into: &records, after: before) { plain($0) }
        case .linkLayerWithPHDR: frame += input.nextPlain(into: &records, after: before) { plainAir($0) }
        default: return
        }
        if let time = records.lastTime { lastTime = time }
    }

    /// A whole record, with a packet from the air after the sniffer's header.
    @inline(__always)
    private func plainAir(_ bytes: borrowing Bytes) -> PlainRecords.Head? {
        guard bytes.count >= Self.recordHeaderLength else { return nil }
        let fields = Fields(bytes, order, isNanoseconds)
        let end = Self.recordHeaderLength &+ Int(fields.captured)
        guard fields.original == fields.captured, fields.captured <= packetLimit, end <= bytes.count else { return nil }
        let head = PacketHead(linkLayerWithPHDR: bytes.slice(Self.recordHeaderLength..<end))
        guard case .air(let radio) = head.content else { return nil }
        return PlainRecords.Head(
            radio, head.direction, start: Self.recordHeaderLength &+ head.length, end: end, fields.time)
    }

    /// A record that is whole, of an H4 packet after its direction.
    @inline(__always)
    private func plain(_ bytes: borrowing Bytes) -> PlainRecords.Head? {
        guard bytes.count >= Self.recordHeaderLength + 12 else { return nil }
        let fields = Fields(bytes, order, isNanoseconds)
        let end = Self.recordHeaderLength &+ Int(fields.captured)
        // A direction with its first octet set is left to `PacketHead`.
        guard fields.original == fields.captured, end <= bytes.count, bytes[Self.recordHeaderLength] == 0 else {
            return nil
        }
        // The last octet of the direction, the type, and the packet.
        let word = bytes.uint64(at: Self.recordHeaderLength + 3)
        return PlainRecords.Head(
            UInt8(truncatingIfNeeded: word >> 8), word >> 16, isReceived: word & 1 != 0,
            start: Self.recordHeaderLength &+ 5, end: end, fields.time)
    }

    /// Whether a record seems to begin at the first octet.
    func isStart(_ bytes: borrowing Bytes, isSearching: Bool) -> Verdict {
        guard bytes.count >= Self.recordHeaderLength else { return .needs(Self.recordHeaderLength) }
        let fields = Fields(bytes, order, isNanoseconds)
        guard fields.captured > 0, bytes.uint32(at: 4, order) < (isNanoseconds ? 1_000_000_000 : 1_000_000),
            contradiction(captured: fields.captured, original: fields.original) == nil
        else { return .no }
        guard let lastTime else { return .yes }
        return fields.time.isWithinADay(of: lastTime) ? .yes : .no
    }

    /// A record header.
    private struct Fields {
        let time: Timestamp
        let captured: UInt32
        let original: UInt32

        @inline(__always)
        init(_ bytes: borrowing Bytes, _ order: ByteOrder, _ isNanoseconds: Bool) {
            original = bytes.uint32(at: 12, order)
            captured = bytes.uint32(at: 8, order)
            time = Timestamp(
                seconds: bytes.uint32(at: 0, order), fraction: bytes.uint32(at: 4, order), isNanoseconds: isNanoseconds)
        }
    }
}

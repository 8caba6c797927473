import AttlasWire

/// The log of hcidump, BlueZ's tool before btmon: no file header, records one after the other. Little-endian.
///
/// ```
/// record  | packet length 16 | received 8 | padding 8 = 0 | seconds 32 | µs 32 | H4 packet … |
/// ```
/// A packet that the tool cut to its snapshot length has only the shorter length.
final class HCIDump: ResumableReader {
    static let recordHeaderLength = 12

    private let name: String
    private(set) var frame = 0
    private(set) var lastTime: Timestamp?
    var lost: LostPlace?

    /// The header has little by which the format can be detected: the first packet has to fill its record, too.
    static func recognizes(_ bytes: borrowing Bytes) -> Bool {
        guard case .yes = verdict(bytes) else { return false }
        return true
    }

    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
    }

    var info: CaptureInfo {
        CaptureInfo(file: name, format: "hcidump", linkTypes: [.bluetoothHCIH4])
    }

    private init(continuing other: HCIDump, after frame: Int) {
        name = other.name
        self.frame = frame
        lastTime = other.lastTime
        lost = other.lost
    }

    func copy(after frame: Int) -> any RecordSource {
        HCIDump(continuing: self, after: frame)
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        if lost != nil { try resume(&input) }
        guard try input.fill(Self.recordHeaderLength) else {
            guard input.available > 0 else { return false }
            throw input.cutShort("the last record's header", need: Self.recordHeaderLength)
        }
        let fields = Fields(input.bytes)
        let length = Self.recordHeaderLength + fields.packetLength
        guard fields.isPlausible else {
            frame += 1
            return losePlace(&header, input, length: length, .contradictoryHeader)
        }
        guard try input.fill(length) else {
            let isLie = try input.isFollowed(step: 1, isStart)
            guard isLie else { throw input.cutShort("the last record", need: length) }
            frame += 1
            return losePlace(&header, input, length: nil, .packetBeyondFile(UInt32(clamping: fields.packetLength)))
        }
        return record(fields, length, &input, &header)
    }

    private func record(
        _ fields: Fields, _ length: Int, _ input: inout InputBuffer, _ header: inout RecordHeader
    ) -> Bool {
        frame += 1
        lastTime = fields.time
        let place = input.place(Self.recordHeaderLength, fields.packetLength)
        let head = PacketHead(h4: input.bytes(at: place), direction: fields.received == 0 ? .tx : .rx)
        defer { input.consume(length) }
        header = RecordHeader(
            frame: frame, offset: input.offset, time: fields.time, head: head, place: place, missing: 0, lost: 0)
        return true
    }

    /// Whether a record seems to begin at the first octet.
    func isStart(_ bytes: borrowing Bytes, isSearching: Bool) -> Verdict {
        guard bytes.count >= Self.recordHeaderLength else { return .needs(Self.recordHeaderLength) }
        let fields = Fields(bytes)
        guard fields.isPlausible else { return .no }
        if let lastTime, !fields.time.isWithinADay(of: lastTime) { return .no }
        return isSearching ? Self.verdict(bytes) : .yes
    }

    /// Whether the octets begin with a record that its packet fills.
    private static func verdict(_ bytes: borrowing Bytes) -> Verdict {
        guard bytes.count > recordHeaderLength else { return .needs(recordHeaderLength + 1) }
        let fields = Fields(bytes)
        guard fields.isPlausible, let type = HCIPacketType(rawValue: bytes[recordHeaderLength]) else { return .no }
        guard let own = type.length(bytes.dropFirst(recordHeaderLength + 1)) else {
            return .needs(recordHeaderLength + 1 + type.headerLength)
        }
        return own + 1 == fields.packetLength ? .yes : .no
    }

    /// A record header.
    private struct Fields {
        let packetLength: Int
        let received: UInt8
        let padding: UInt8
        let microseconds: UInt32
        let time: Timestamp

        var isPlausible: Bool { packetLength > 0 && received <= 1 && padding == 0 && microseconds < 1_000_000 }

        init(_ bytes: borrowing Bytes) {
            packetLength = Int(bytes.uint16(at: 0))
            received = bytes[2]
            padding = bytes[3]
            microseconds = bytes.uint32(at: 8)
            time = Timestamp(seconds: bytes.uint32(at: 4), fraction: microseconds, isNanoseconds: false)
        }
    }
}

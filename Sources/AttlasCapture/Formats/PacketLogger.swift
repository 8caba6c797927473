import AttlasWire

/// The log of Apple's PacketLogger (.pklg): no file header, records one after the other. Old ones are big-endian, new ones
/// little-endian; one file keeps to one order.
///
/// ```
/// record  | length 32 of what follows | seconds 32 | µs 32 | type 8 | packet or text … |
/// ```
/// Apple does not describe it; the layout is the one that Wireshark and BlueZ read.
final class PacketLogger: ResumableReader {
    /// Up to and with the type.
    static let recordHeaderLength = 13

    private let order: ByteOrder
    private let name: String
    private(set) var frame = 0
    private(set) var lastTime: Timestamp?
    var lost: LostPlace?

    static func recognizes(_ bytes: borrowing Bytes) -> Bool {
        order(bytes) != nil
    }

    /// A length of at most 64 KiB has its zeros at the one end or at the other.
    private static func order(_ bytes: borrowing Bytes) -> ByteOrder? {
        for order in [ByteOrder.big, .little] {
            guard let fields = Fields(bytes, order), fields.isPlausible, fields.length <= 0xFFFF else { continue }
            // hcidump's records look alike: the first packet has to fill its own.
            guard let type = fields.type.packet?.type else { return order }
            if type.length(bytes.dropFirst(recordHeaderLength)) == fields.packetLength { return order }
        }
        return nil
    }

    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        guard let order = Self.order(input.bytes) else {
            throw input.cutShort("the first PacketLogger record", need: Self.recordHeaderLength)
        }
        self.order = order
    }

    var info: CaptureInfo {
        var info = CaptureInfo(file: name, format: "PacketLogger", linkTypes: [])
        // pymobiledevice3 11.45.0 writes this order, and the local time of the phone.
        info.lacksZone = order == .big
        return info
    }

    private init(continuing other: PacketLogger, after frame: Int) {
        order = other.order
        name = other.name
        self.frame = frame
        lastTime = other.lastTime
        lost = other.lost
    }

    func copy(after frame: Int) -> any RecordSource {
        PacketLogger(continuing: self, after: frame)
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        if lost != nil { try resume(&input) }
        guard try input.fill(4) else {
            guard input.available > 0 else { return false }
            throw input.cutShort("the last record's header", need: Self.recordHeaderLength)
        }
        let following = input.bytes.uint32(at: 0, order)
        let length = Int(following) + 4
        // The length includes the type: a packet may be empty, a record may not.
        guard following >= 9, following - 9 <= packetLimit else {
            frame += 1
            let known = (8...packetLimit + 9).contains(following)
            return losePlace(
                &header, input, length: known ? length : nil, .impossibleRecordLength(UInt32(clamping: following)))
        }
        guard try input.fill(length) else {
            let isLie = try input.isFollowed(step: 1, isStart)
            guard isLie else { throw input.cutShort("the last record", need: length) }
            frame += 1
            return losePlace(&header, input, length: nil, .recordBeyondFile(UInt32(clamping: following)))
        }
        return record(length, &input, &header)
    }

    private func record(_ length: Int, _ input: inout InputBuffer, _ header: inout RecordHeader) -> Bool {
        guard let fields = Fields(input.bytes, order) else { return false }
        frame += 1
        lastTime = fields.time
        let place = input.place(Self.recordHeaderLength, fields.packetLength)
        defer { input.consume(length) }
        header = RecordHeader(
            frame: frame, offset: input.offset, time: fields.time, head: PacketHead(fields.type), place: place,
            missing: 0, lost: 0)
        return true
    }

    /// Whether a record seems to begin at the first octet. When many places are tried, its packet must fill it.
    func isStart(_ bytes: borrowing Bytes, isSearching: Bool) -> Verdict {
        guard let fields = Fields(bytes, order) else { return .needs(Self.recordHeaderLength) }
        guard fields.isPlausible else { return .no }
        if let lastTime, !fields.time.isWithinADay(of: lastTime) { return .no }
        guard isSearching, let type = fields.type.packet?.type else { return .yes }
        guard let own = type.length(bytes.dropFirst(Self.recordHeaderLength)) else {
            return .needs(Self.recordHeaderLength + type.headerLength)
        }
        return own == fields.packetLength ? .yes : .no
    }

    /// The octets before a packet.
    private struct Fields {
        let length: UInt32
        let microseconds: UInt32
        let time: Timestamp
        let type: PacketLoggerType

        /// Octets after the type.
        var packetLength: Int { Int(length) - 9 }

        var isPlausible: Bool {
            length >= 9 && length - 9 <= packetLimit && microseconds < 1_000_000 && type.name != nil
        }

        init?(_ bytes: borrowing Bytes, _ order: ByteOrder) {
            guard bytes.count >= PacketLogger.recordHeaderLength else { return nil }
            length = bytes.uint32(at: 0, order)
            microseconds = bytes.uint32(at: 8, order)
            time = Timestamp(seconds: bytes.uint32(at: 4, order), fraction: microseconds, isNanoseconds: false)
            type = PacketLoggerType(rawValue: bytes[12])
        }
    }
}

extension PacketHead {
    init(_ type: PacketLoggerType) {
        if let packet = type.packet {
            self.init(.packet(packet.type), packet.direction)
        } else {
            self.init(.packetLogger(type), type.direction)
        }
    }
}

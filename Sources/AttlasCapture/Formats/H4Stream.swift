import AttlasWire

/// The octets of a serial line to a controller (H4): packets one after the other, of both directions, without times.
///
/// ```
/// record  | indicator 8 | packet … |
/// ```
/// Core Specification, Vol 4, Part A, 2. There is no signature: `isStream` looks at the first packets.
final class H4Stream: FormatReader {
    /// Packets that show that a file is a stream.
    private static let evidence = 3
    /// Octets in which the next two packets are looked for.
    private static let window = 4096

    private let name: String
    private(set) var frame = 0
    /// Direction of the last ACL packet: a continuing fragment goes the same way.
    private var lastDirection = Direction.unknown

    static func recognizes(_ bytes: borrowing Bytes) -> Bool { false }

    /// Whether octets begin with three packets that make sense, or are two.
    static func isStream(_ bytes: borrowing Bytes) -> Bool {
        var (place, packets) = (0, 0)
        while packets < evidence, let length = packetLength(bytes.dropFirst(place)), place + length <= bytes.count {
            (place, packets) = (place + length, packets + 1)
        }
        return packets == evidence || packets == 2 && place == bytes.count
    }

    /// Length of a plausible packet, with its indicator; nil if it is implausible or incomplete.
    private static func packetLength(_ bytes: borrowing Bytes) -> Int? {
        guard bytes.count > 4, let type = HCIPacketType(rawValue: bytes[0]),
            let length = type.length(bytes.dropFirst(1)), length < bytes.count
        else { return nil }
        return type.isDumped(bytes.slice(1..<length + 1)) ? length + 1 : nil
    }

    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
    }

    private init(continuing other: H4Stream, after frame: Int) {
        name = other.name
        self.frame = frame
        lastDirection = other.lastDirection
    }

    func copy(after frame: Int) -> any RecordSource { H4Stream(continuing: self, after: frame) }

    var info: CaptureInfo {
        var info = CaptureInfo(file: name, format: "H4 stream", linkTypes: [])
        info.lacksTimes = true
        return info
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        guard try input.fill(1) else { return false }
        guard let type = HCIPacketType(rawValue: input.bytes[0]) else { return try skip(&input, &header) }
        _ = try input.fill(type.headerLength + 1)
        guard let length = type.length(input.bytes.dropFirst(1)) else {
            throw input.cutShort("the last packet", need: type.headerLength + 1)
        }
        guard try input.fill(length + 1) else { throw input.cutShort("the last packet", need: length + 1) }
        guard type.isPlausible(input.bytes.slice(1..<length + 1)) else { return try skip(&input, &header) }
        frame += 1
        var direction = Direction.unknown
        if type == .acl {
            direction = Direction(ofACL: input.bytes[2], last: lastDirection)
            lastDirection = direction
        }
        let place = input.place(0, length + 1)
        header = RecordHeader(
            frame: frame, offset: input.offset, time: .epoch,
            head: PacketHead(h4: input.bytes(at: place), direction: direction), place: place, missing: 0, lost: 0)
        input.consume(length + 1)
        return true
    }

    /// Reports octets that are not a packet, and moves to the next place where two packets begin.
    private func skip(_ input: inout InputBuffer, _ header: inout RecordHeader) throws(CaptureError) -> Bool {
        let offset = input.offset
        input.consume(1)
        while try input.fill(1) {
            let isEnd = try !input.fill(Self.window)
            if Self.isPair(input.bytes.prefix(min(Self.window, input.bytes.count)), isEnd) { break }
            input.consume(1)
        }
        frame += 1
        let count = UInt32(clamping: input.offset - offset)
        header = RecordHeader(frame: frame, offset: offset, time: .epoch, broken: .strayOctets(count))
        return true
    }

    /// - Parameter isEnd: Whether the file ends with these octets.
    private static func isPair(_ bytes: borrowing Bytes, _ isEnd: Bool) -> Bool {
        guard let first = packetLength(bytes) else { return false }
        return packetLength(bytes.dropFirst(first)) != nil || isEnd && first == bytes.count
    }
}

import AttlasWire

/// The octets of a serial line to a controller with the Three-wire UART (H5): frames one after the other, of both directions, without times.
///
/// ```
/// frame   | C0 | header 32 | packet … | CRC 16, if the header announces it | C0 |
/// header  | sequence 3 | acknowledgement 3 | has CRC 1 | is reliable 1 | type 4 | length 12 | checksum 8 |
/// ```
/// Core Specification, Vol 4, Part D, 3 and 4. Frames without a packet (acknowledgements, link control) and packets that are sent again are
/// counted, and are no records.
final class H5Stream: FormatReader {
    /// A frame's header is followed by the packet.
    private static let headerLength = 4
    /// Escaped octets of the longest frame: a header, 4,095 octets of packet and a CRC.
    private static let longest = 2 * (headerLength + 0xFFF + 2)
    private static let delimiter: UInt8 = 0xC0
    /// Frames that show that a file is a stream.
    private static let evidence = 3

    private let name: String
    private(set) var frame = 0
    /// Direction of the last ACL packet: a continuing fragment goes the same way.
    private var lastDirection = Direction.unknown
    /// The last packet of each sequence number, and the last number, of each direction.
    private var sent = Sequence()
    private var received = Sequence()

    private struct Sequence {
        private var packets = [[UInt8]](repeating: [], count: 8)
        private var last: Int?

        /// Whether the packet came before; otherwise it is noted.
        mutating func repeats(_ packet: [UInt8], _ number: Int) -> Bool {
            if let last, number != (last + 1) & 7, packets[number] == packet { return true }
            (packets[number], last) = (packet, number)
            return false
        }
    }

    static func recognizes(_ bytes: borrowing Bytes) -> Bool { false }

    /// Whether octets have three frames in a row whose headers are right, of which the first may be cut at its beginning.
    static func isStream(_ bytes: borrowing Bytes) -> Bool {
        var (frames, start) = (0, 0)
        for index in 0..<bytes.count where bytes[index] == delimiter {
            if index > start {
                if Frame(bytes.slice(start..<index)) != nil { frames += 1 } else { frames = 0 }
                if frames == evidence { return true }
            }
            start = index + 1
            if start > longest { break }
        }
        return false
    }

    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
    }

    private init(continuing other: H5Stream, after frame: Int) {
        name = other.name
        self.frame = frame
        lastDirection = other.lastDirection
        (sent, received) = (other.sent, other.received)
    }

    func copy(after frame: Int) -> any RecordSource { H5Stream(continuing: self, after: frame) }

    var info: CaptureInfo {
        var info = CaptureInfo(file: name, format: "H5 stream", linkTypes: [])
        info.lacksTimes = true
        return info
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        while try input.fill(1) {
            guard input.bytes[0] != Self.delimiter else {
                input.consume(1)
                continue
            }
            let length = try Self.length(&input)
            let content = Frame(input.bytes.prefix(length))
            // A frame at the end of the file may lack its delimiter.
            if content == nil, length == input.available, try !input.fill(length + 1) {
                throw input.cutShort("the last frame", need: length + 1)
            }
            frame += 1
            let offset = input.offset
            input.consume(length)
            guard let content else {
                header = RecordHeader(
                    frame: frame, offset: offset, time: .epoch, broken: .strayOctets(UInt32(clamping: length)))
                return true
            }
            guard let type = HCIPacketType(rawValue: content.type) else {
                if content.isLinkControl { (sent, received) = (Sequence(), Sequence()) }
                continue
            }
            if type == .acl { lastDirection = Direction(ofACL: content.packet[1], last: lastDirection) }
            let direction = PacketHead.direction(of: type, recorded: type == .acl ? lastDirection : .unknown)
            if content.isReliable, repeats(content, direction) { continue }
            let place = input.put([content.type] + content.packet)
            header = RecordHeader(
                frame: frame, offset: offset, time: .epoch,
                head: PacketHead(h4: input.bytes(at: place), direction: direction), place: place, missing: 0, lost: 0)
            return true
        }
        return false
    }

    /// Octets before the next delimiter, or of all that may be one frame.
    private static func length(_ input: inout InputBuffer) throws(CaptureError) -> Int {
        var length = 1
        while length < longest, try input.fill(length + 1), input.bytes[length] != delimiter { length += 1 }
        return length
    }

    private func repeats(_ content: Frame, _ direction: Direction) -> Bool {
        switch direction {
        case .tx: sent.repeats(content.packet, content.sequence)
        case .rx: received.repeats(content.packet, content.sequence)
        case .unknown: false
        }
    }

    /// A frame without its escapes.
    private struct Frame {
        let sequence: Int
        let isReliable: Bool
        /// As in the H4 indicator; 0, 14 and 15 are no packets of HCI.
        let type: UInt8
        let packet: [UInt8]

        var isLinkControl: Bool { type == 15 }

        /// nil if its checksum, its length or the packet's length is wrong.
        init?(_ escaped: borrowing Bytes) {
            var octets: [UInt8] = []
            var index = 0
            while index < escaped.count {
                guard escaped[index] == 0xDB else {
                    octets.append(escaped[index])
                    index += 1
                    continue
                }
                guard index + 1 < escaped.count, let octet = Self.escaped(escaped[index + 1]) else { return nil }
                octets.append(octet)
                index += 2
            }
            guard octets.count >= headerLength,
                octets[..<headerLength].reduce(0, &+) == 0xFF as UInt8
            else { return nil }
            let length = Int(octets[1] >> 4) | Int(octets[2]) << 4
            guard octets.count == headerLength + length + (octets[0] & 0x40 == 0 ? 0 : 2) else { return nil }
            (sequence, isReliable, type) = (Int(octets[0] & 7), octets[0] & 0x80 != 0, octets[1] & 0x0F)
            packet = Array(octets[headerLength..<headerLength + length])
            if let type = HCIPacketType(rawValue: type), type.length(Bytes(packet.span)) != length { return nil }
        }

        /// The octet that two stand for: 11 and 13 control the flow of the line.
        private static func escaped(_ second: UInt8) -> UInt8? {
            switch second {
            case 0xDC: 0xC0
            case 0xDD: 0xDB
            case 0xDE: 0x11
            case 0xDF: 0x13
            default: nil
            }
        }
    }
}

extension Direction {
    /// The direction of ACL data that has none: by the Packet_Boundary_Flag in its second octet, or that of the fragment before. Vol 4, Part E, 5.4.2.
    init(ofACL second: UInt8, last: Direction) {
        switch second >> 4 & 3 {
        case 0: self = .tx
        case 2: self = .rx
        default: self = last
        }
    }
}

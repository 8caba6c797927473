import AttlasWire

/// The octets of serial lines as a logic analyzer exports them (Saleae Logic): a line of CSV with a time for each octet. The packets are those of
/// H4, and each analyzer of the export is one direction.
///
/// ```
/// name,type,start_time,duration,data      Time [s],Value,Parity Error,Framing Error
/// "TX","data",0.1,8.68e-05,0x01           0.100000000000000,0x01,,
/// ```
final class SerialExport: FormatReader {
    /// Between two octets of one packet there is no longer pause: the rest of the packet was not sent.
    private static let pause: Int64 = 100_000_000
    private static let lineLimit = 64

    private let name: String
    private(set) var frame = 0
    private let columns: Columns
    private var lines: [Line] = []
    /// A packet, before which octets were reported that are none.
    private var waiting: Packet?

    /// Where a line has its fields.
    private struct Columns {
        var time = 0
        var value = 0
        var name: Int?

        init?(_ head: [[UInt8]]) {
            let fields = head.map { String(decoding: $0, as: UTF8.self).lowercased() }
            guard let time = fields.firstIndex(where: { $0 == "start_time" || $0 == "time [s]" }),
                let value = fields.firstIndex(where: { $0 == "data" || $0 == "value" })
            else { return nil }
            (self.time, self.value) = (time, value)
            name = fields.firstIndex { $0 == "name" || $0 == "analyzer name" }
        }
    }

    /// The octets of one analyzer that are no packet yet.
    private struct Line {
        let name: [UInt8]
        var octets: [UInt8] = []
        var times: [Timestamp] = []
        /// Octets before them that were no packet.
        private(set) var stray = 0
        /// That of its commands or events; unknown before the first.
        var direction = Direction.unknown

        /// Octets after the first, by the header of the packet; nil if they are not all there.
        func length(_ type: HCIPacketType) -> Int? {
            type.length(Bytes(octets.span).dropFirst(1)).flatMap { octets.count > $0 ? $0 : nil }
        }

        func isPacket(_ type: HCIPacketType, _ length: Int) -> Bool {
            type.isPlausible(Bytes(octets.span).slice(1..<length + 1))
        }

        mutating func remove(_ count: Int) {
            octets.removeFirst(count)
            times.removeFirst(count)
        }

        mutating func drop(_ count: Int) {
            remove(count)
            stray += count
        }

        mutating func takeStray() -> Int {
            defer { stray = 0 }
            return stray
        }
    }

    private struct Packet {
        let octets: [UInt8]
        let time: Timestamp
        let direction: Direction
    }

    static func recognizes(_ bytes: borrowing Bytes) -> Bool { false }

    /// Whether a text begins with the head of this export.
    static func isExport(_ bytes: borrowing Bytes) -> Bool {
        for index in 0..<min(bytes.count, 512) where bytes[index] == UInt8(ascii: "\n") {
            return Columns(fields(bytes.prefix(index))) != nil
        }
        return false
    }

    init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        guard case .octets(let length) = try input.line(at: 0),
            let columns = Columns(Self.fields(input.bytes.prefix(length)))
        else { throw input.cutShort("the head of the table", need: 1) }
        self.columns = columns
        input.consume(length)
    }

    private init(continuing other: SerialExport, after frame: Int) {
        (name, columns, lines, waiting) = (other.name, other.columns, other.lines, other.waiting)
        self.frame = frame
    }

    func copy(after frame: Int) -> any RecordSource { SerialExport(continuing: self, after: frame) }

    var info: CaptureInfo {
        var info = CaptureInfo(file: name, format: "table of a logic analyzer", linkTypes: [])
        info.isText = true
        return info
    }

    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        if let packet = waiting {
            waiting = nil
            emit(packet, &input, &header)
            return true
        }
        while true {
            switch try input.line(at: 0) {
            case .octets(let length):
                let fields = Self.fields(input.bytes.prefix(length))
                input.consume(length)
                guard let index = take(fields), let packet = packet(of: index) else { continue }
                let stray = lines[index].takeStray()
                if stray > 0 {
                    waiting = packet
                    report(stray, packet.time, input, &header)
                } else {
                    emit(packet, &input, &header)
                }
                return true
            case .beyondLimit: _ = try input.skip(after: "\n")
            case .end:
                // Octets after the last packet of an analyzer.
                if frame > 0, let index = lines.firstIndex(where: { $0.stray + $0.octets.count > 0 }) {
                    let time = lines[index].times.last
                    lines[index].drop(lines[index].octets.count)
                    report(lines[index].takeStray(), time ?? .epoch, input, &header)
                    return true
                }
                guard frame == 0 else { return false }
                throw CaptureError(
                    .unknownFormat, file: name, "a table of a logic analyzer without HCI packets",
                    advice: "Export the octets of a UART (H4) in hexadecimal, one in each line.")
            }
        }
    }

    /// Adds the octet of a line; nil if it has none.
    ///
    /// - Returns: the index of its analyzer.
    private func take(_ fields: [[UInt8]]) -> Int? {
        guard fields.count > max(columns.time, columns.value),
            let seconds = Double(String(decoding: fields[columns.time], as: UTF8.self)),
            seconds.isFinite, abs(seconds) < 1e9, let value = Self.octet(fields[columns.value])
        else { return nil }
        // Before the trigger it is negative.
        let whole = Int64(seconds.rounded(.down))
        let rest = UInt32(((seconds - Double(whole)) * 1e9).rounded(.down))
        let time = Timestamp(seconds: whole, nanoseconds: min(rest, 999_999_999), precision: 9)
        let name = columns.name.flatMap { fields.indices.contains($0) ? fields[$0] : nil } ?? []
        var index = lines.firstIndex { $0.name == name }
        if index == nil, lines.count < Self.lineLimit {
            lines.append(Line(name: name))
            index = lines.count - 1
        }
        guard let index else { return nil }
        if let last = lines[index].times.last, time.nanoseconds(since: last) > Self.pause {
            lines[index].drop(lines[index].octets.count)
        }
        lines[index].octets.append(value)
        lines[index].times.append(time)
        return index
    }

    /// The packet that the octets of an analyzer are, if it is whole.
    private func packet(of index: Int) -> Packet? {
        while !lines[index].octets.isEmpty {
            guard let type = HCIPacketType(rawValue: lines[index].octets[0]) else {
                lines[index].drop(1)
                continue
            }
            guard let length = lines[index].length(type) else { return nil }
            guard lines[index].isPacket(type, length) else {
                lines[index].drop(1)
                continue
            }
            let (packet, time) = (Array(lines[index].octets.prefix(length + 1)), lines[index].times[0])
            switch type {
            case .command: lines[index].direction = .tx
            case .event: lines[index].direction = .rx
            default: break
            }
            var direction = lines[index].direction
            if direction == .unknown, type == .acl { direction = Direction(ofACL: packet[2], last: .unknown) }
            lines[index].remove(length + 1)
            return Packet(octets: packet, time: time, direction: direction)
        }
        return nil
    }

    /// The record of octets that are no packet.
    private func report(_ count: Int, _ time: Timestamp, _ input: borrowing InputBuffer, _ header: inout RecordHeader) {
        frame += 1
        header = RecordHeader(
            frame: frame, offset: input.offset, time: time, broken: .strayOctets(UInt32(clamping: count)))
    }

    private func emit(_ packet: Packet, _ input: inout InputBuffer, _ header: inout RecordHeader) {
        frame += 1
        let place = input.put(packet.octets)
        header = RecordHeader(
            frame: frame, offset: input.offset, time: packet.time,
            head: PacketHead(h4: input.bytes(at: place), direction: packet.direction), place: place, missing: 0, lost: 0
        )
    }

    /// The fields of a line, without blanks and quotation marks around them.
    private static func fields(_ line: borrowing Bytes) -> [[UInt8]] {
        var fields: [[UInt8]] = [[]]
        // The byte order mark of UTF-8.
        let start = line.contains("\u{FEFF}", at: 0) ? 3 : 0
        for index in start..<line.count {
            switch line[index] {
            case UInt8(ascii: ","): fields.append([])
            case UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
            case UInt8(ascii: " ") where fields[fields.count - 1].isEmpty: break
            case let octet: fields[fields.count - 1].append(octet)
            }
        }
        return fields
    }

    /// `0x04`, `'4' (0x04)`; nil if there is none.
    private static func octet(_ field: [UInt8]) -> UInt8? {
        guard
            let place = field.indices.dropLast(2).last(where: {
                field[$0] == UInt8(ascii: "0") && field[$0 + 1] | 0x20 == UInt8(ascii: "x")
            })
        else { return nil }
        let digits = field[(place + 2)...].prefix { $0.hexadecimalValue != nil }
        guard 1...2 ~= digits.count else { return nil }
        return digits.reduce(0) { $0 << 4 | ($1.hexadecimalValue ?? 0) }
    }
}

import AttlasCapture
import AttlasDefinitions
import AttlasLint
import AttlasReport
import AttlasTrace
import AttlasValues
import AttlasWire

/// A conversation as text, a record a line, 1 ms apart:
///
/// ```
/// connect [peripheral] [presumed]  LE Connection Complete with F2:F2:F2:F2:F2:F2, as central or peripheral; nothing
/// > 0A 0300                        an ATT PDU of the host in hexadecimal
/// < 0B 57                          … and of the peer
/// smp > 01 …                       an SMP PDU
/// l2cap 5 < 13 …                   a frame on another fixed channel
/// event 3E …                       an HCI event
/// encrypt, disconnect
/// advertise 5F…                    an advertising report of a random address, least significant octet first
/// lose                             records are lost before the next one
/// wait 31000                       milliseconds, no record
/// ```
///
/// `✗` before a line marks where a finding is expected. What stands behind `#` is for the reader.
struct Conversation {
    private var packets: [Packet] = []
    /// Frames of the marked lines.
    private(set) var marked: [Int] = []
    private var time = 1_000
    private var isLosing = false

    private struct Packet {
        let type: HCIPacketType
        let direction: Direction
        let octets: [UInt8]
        let milliseconds: Int
        let lost: UInt32
    }

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            var words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            if words.first == "✗" {
                marked.append(packets.count + 1)
                words.removeFirst()
            }
            guard let word = words.first else { continue }
            add(word, Array(words.dropFirst()))
        }
    }

    private mutating func add(_ word: String, _ words: [String]) {
        switch word {
        case ">", "<": frame(word, channel: 4, words)
        case "smp": frame(words[0], channel: 6, Array(words.dropFirst()))
        case "l2cap": frame(words[1], channel: Int(words[0])!, Array(words.dropFirst(2)))
        case "connect":
            let role: UInt8 = words.contains("peripheral") ? 1 : 0
            // 30 ms, latency 0, timeout 720 ms. Vol 4, Part E, 7.7.65.1.
            add(.event, .rx, hex("3E 13 01 00 4000") + [role, 1] + hex("F2F2F2F2F2F2 1800 0000 4800 00"))
        case "disconnect": add(.event, .rx, hex("05 04 00 4000 13"))
        case "encrypt": add(.event, .rx, hex("08 04 00 4000 01"))
        case "advertise":
            // LE Advertising Report: one, ADV_IND, random, no data, −60 dBm. Vol 4, Part E, 7.7.65.2.
            add(.event, .rx, hex("3E 0C 02 01 00 01") + hex(words.joined()) + hex("00 C4"))
        case "command": add(.command, .tx, hex(words.joined()))
        case "event": add(.event, .rx, hex(words.joined()))
        case "lose": isLosing = true
        case "wait": time += Int(words[0])!
        default: preconditionFailure("what is \(word)?")
        }
    }

    private mutating func frame(_ direction: String, channel: Int, _ words: [String]) {
        let payload = hex(words.joined())
        let data = little(payload.count) + little(channel) + payload
        let side: Direction = direction == ">" ? .tx : .rx
        // Non-flushable from a host, flushable from a controller. Vol 4, Part E, 5.4.2.
        add(.acl, side, little(0x40 | (side == .tx ? 0b00 : 0b10) << 12) + little(data.count) + data)
    }

    private mutating func add(_ type: HCIPacketType, _ direction: Direction, _ octets: [UInt8]) {
        time += 1
        packets.append(
            Packet(type: type, direction: direction, octets: octets, milliseconds: time, lost: isLosing ? 1 : 0))
        isLosing = false
    }

    /// The same with one octet in ten changed.
    func damaged(by generator: inout some RandomNumberGenerator) -> Conversation {
        var damaged = self
        damaged.packets = packets.map { packet in
            Packet(
                type: packet.type, direction: packet.direction,
                octets: packet.octets.map {
                    Int.random(in: 0..<10, using: &generator) == 0 ? .random(in: 0...255, using: &generator) : $0
                },
                milliseconds: packet.milliseconds, lost: packet.lost)
        }
        return damaged
    }

    /// - Parameter undirected: as a capture does that does not record who sent a packet.
    func lint(disabled: Set<String> = [], undirected: Bool = false) -> LintModel {
        var trace = Trace()
        var sink = Interpreted(library: .shipped) { LintCollector(values: $0, disabled: disabled) }
        for (index, packet) in packets.enumerated() {
            let header = CollectionOfOne(
                RecordHeader(
                    frame: index + 1,
                    time: Timestamp(
                        seconds: Int64(packet.milliseconds / 1_000),
                        nanoseconds: UInt32(packet.milliseconds % 1_000) * 1_000_000, precision: 6),
                    content: .packet(packet.type), direction: undirected ? .unknown : packet.direction, controller: 0,
                    length: packet.octets.count, missing: 0, lost: packet.lost))
            let record = Record(header, bytes: Bytes(packet.octets.span))
            trace.decode(record, into: &sink)
        }
        trace.finish(into: &sink)
        return sink.finish(in: trace, CaptureExtent())
    }
}

/// Octets from hexadecimal digits; white space is for the reader.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { $0.hexDigitValue! }
    precondition(digits.count.isMultiple(of: 2), "half an octet")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }

func repeated(_ line: String, _ count: Int) -> String {
    Array(repeating: line, count: count).joined(separator: "\n")
}

/// A connection and the discovery of one table, nine records.
///
/// | value  | UUID | properties | |
/// |---|---|---|---|
/// | 0x0012 | 2A6E Temperature | notify | configuration in 0x0013 |
/// | 0x0015 | 2A38 Body Sensor Location | read | |
/// | 0x0017 | 2A39 Heart Rate Control Point | write | |
/// | 0x0019 | 2A05 Service Changed | indicate | configuration in 0x001A |
/// | 0x001C | 2A06 Alert Level | write without response | |
/// | 0x001E | FFF1 | read, write, write without response | |
let table = """
    connect
    > 08 1000 FFFF 0328
    < 09 07 1100 10 1200 6E2A 1400 02 1500 382A 1600 08 1700 392A
    > 08 1700 FFFF 0328
    < 09 07 1800 20 1900 052A 1B00 04 1C00 062A 1D00 0E 1E00 F1FF
    > 04 1300 1300
    < 05 01 1300 0229
    > 04 1A00 1A00
    < 05 01 1A00 0229

    """

/// Numbers that are the same in every run. SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

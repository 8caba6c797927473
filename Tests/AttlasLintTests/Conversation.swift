import AttlasLint
import AttlasTestSupport

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
            add(.connected(role: role))
        case "disconnect": add(.disconnected())
        case "encrypt": add(.event("08 04 00 4000 01"))
        case "advertise":
            // LE Advertising Report: one, ADV_IND, random, no data, −60 dBm. Vol 4, Part E, 7.7.65.2.
            add(.event("3E 0C 02 01 00 01 \(words.joined()) 00 C4"))
        case "command": add(.command(words.joined()))
        case "event": add(.event(words.joined()))
        case "lose": isLosing = true
        case "wait": time += Int(words[0])!
        default: preconditionFailure("what is \(word)?")
        }
    }

    private mutating func frame(_ direction: String, channel: Int, _ words: [String]) {
        add(.frame(direction == ">" ? .tx : .rx, channel: channel, hex(words.joined())))
    }

    private mutating func add(_ packet: Packet) {
        time += 1
        packets.append(packet.at(milliseconds: Double(time)).losing(isLosing ? 1 : 0))
        isLosing = false
    }

    /// The same with one octet in ten changed.
    func damaged(by generator: inout some RandomNumberGenerator) -> Conversation {
        var damaged = self
        for index in packets.indices {
            damaged.packets[index].octets = packets[index].octets.map {
                Int.random(in: 0..<10, using: &generator) == 0 ? .random(in: 0...255, using: &generator) : $0
            }
        }
        return damaged
    }

    /// - Parameter undirected: as a capture does that does not record who sent a packet.
    func lint(disabled: Set<String> = [], undirected: Bool = false) -> LintModel {
        document(of: packets, as: RecordMaker(undirected: undirected)) { LintCollector(values: $0, disabled: disabled) }
    }
}

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

/// A connection and the discovery of two services: of a member, FEE0, and Battery.
///
/// | value  | UUID | properties |
/// |---|---|---|
/// | 0x0012 | 2A19 Battery Level, in FEE0 | read |
/// | 0x0015 | 2AE2 Boolean, in FEE0 | read |
/// | 0x0022 | 2A19 Battery Level, in Battery | read |
let vendorTable = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1F00 E0FE 2000 2F00 0F18
    > 08 1000 2F00 0328
    < 09 07 1100 02 1200 192A 1400 02 1500 E22A 2100 02 2200 192A

    """

/// A conversation as text, a record a line, 1 ms apart:
///
/// ```
/// connect [peripheral] [presumed]  LE Connection Complete with F2:F2:F2:F2:F2:F2, as central or peripheral; nothing
/// > 0A 0300                        an ATT PDU of the host in hexadecimal
/// < 0B 57                          … and of the peer
/// smp > 01 …                       an SMP PDU
/// l2cap 5 < 13 …                   a frame on another fixed channel
/// event 3E …                       an HCI event
/// encrypt, disconnect [reason]
/// advertise 5F…                    an advertising report of a random address, least significant octet first
/// lose                             records are lost before the next one
/// wait 31000                       milliseconds, no record
/// ```
///
/// `✗` before a line marks where a finding, or an incident, is expected. What is after `#` is for the reader.
public struct Conversation {
    public private(set) var packets: [Packet] = []
    /// Frames of the marked lines.
    public private(set) var marked: [Int] = []
    private var time = 1_000
    private var isLosing = false

    public init(_ text: String) {
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
        case "disconnect": add(.disconnected(reason: words.first.map { hex($0)[0] } ?? 0x13))
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
    public func damaged(by generator: inout some RandomNumberGenerator) -> Conversation {
        var damaged = self
        for index in packets.indices {
            damaged.packets[index].octets = packets[index].octets.map {
                Int.random(in: 0..<10, using: &generator) == 0 ? .random(in: 0...255, using: &generator) : $0
            }
        }
        return damaged
    }
}

public func repeated(_ line: String, _ count: Int) -> String {
    Array(repeating: line, count: count).joined(separator: "\n")
}

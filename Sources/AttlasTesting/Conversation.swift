import Attlas
import AttlasWire

/// A conversation as text, a record a line, 1 ms apart:
///
/// ```
/// connect [peripheral]             LE Connection Complete with F2:F2:F2:F2:F2:F2, as central or peripheral
/// > 0A 0300                        an ATT PDU of the host in hexadecimal
/// < 0B 57                          … and of the peer
/// smp > 01 …                       an SMP PDU
/// l2cap 5 < 13 …                   a frame on another fixed channel
/// command 6F20 …, event 3E …       an HCI command or event
/// iso > 6000 …                     an HCI ISO Data packet
/// encrypt, disconnect [reason]
/// advertise 5F…                    an advertising report of a random address, least significant octet first
/// lose                             records are lost before the next one
/// wait 31000                       milliseconds, no record
/// ```
///
/// Text after `#` is a comment. `✗` before a line marks it: `marked` has its frame.
///
/// ```swift
/// let capture = try Conversation("""
///     connect
///     < 1B 0300 06 48   # a heart rate
///     """).capture()
/// ```
public struct Conversation: Sendable {
    /// One record.
    package struct Record: Sendable {
        package let type: HCIPacketType
        package let direction: Direction
        /// After the H4 indicator.
        package let octets: [UInt8]
        package let milliseconds: Int
        package let isAfterLoss: Bool
    }

    /// The records, in their order.
    package private(set) var records: [Record] = []
    /// Frames of the marked lines.
    public private(set) var marked: [Int] = []
    private var time = 1_000
    private var isLosing = false

    /// - Throws: the mistake in a line.
    public init(_ text: String) throws(ConversationError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            if words.first == "✗" {
                marked.append(records.count + 1)
                words.removeFirst()
            }
            guard let word = words.first else { continue }
            do throws(Mistake) {
                try add(word, Array(words.dropFirst()))
            } catch {
                throw ConversationError(line: index + 1, description: "line \(index + 1): \(error.text)")
            }
        }
    }

    private struct Mistake: Error {
        let text: String
    }

    private mutating func add(_ word: String, _ words: [String]) throws(Mistake) {
        switch word {
        case ">", "<": try frame(word, channel: 4, words[...])
        case "smp": try frame(words.first ?? "", channel: 6, words.dropFirst())
        case "l2cap": try frame(words.dropFirst().first ?? "", channel: try number(words.first), words.dropFirst(2))
        case "connect":
            let role = words.contains("peripheral") ? "01" : "00"
            // Status 0, handle 0x0040, 30 ms, latency 0, timeout 720 ms. Core Specification, Vol 4, Part E, 7.7.65.1.
            try add(.event, .rx, ["3E13 01 00 4000 \(role) 01 F2F2F2F2F2F2 1800 0000 4800 00"])
        case "disconnect": try add(.event, .rx, ["0504 00 4000", words.first ?? "13"])
        case "encrypt": try add(.event, .rx, ["0804 00 4000 01"])
        // LE Advertising Report: one, ADV_IND, random, no data, −60 dBm. Vol 4, Part E, 7.7.65.2.
        case "advertise": try add(.event, .rx, ["3E0C 02 01 00 01"] + words + ["00 C4"])
        case "command": try add(.command, .tx, words)
        case "event": try add(.event, .rx, words)
        case "iso":
            guard let arrow = words.first, arrow == ">" || arrow == "<" else { throw Mistake(text: "expected > or <") }
            try add(.isochronous, arrow == ">" ? .tx : .rx, Array(words.dropFirst()))
        case "lose": isLosing = true
        case "wait": time += try number(words.first)
        default: throw Mistake(text: "\"\(word)\" does not begin a line")
        }
    }

    private mutating func frame(
        _ arrow: String, channel: Int, _ words: ArraySlice<String>
    ) throws(Mistake) {
        guard arrow == ">" || arrow == "<" else { throw Mistake(text: "expected > or <, found \"\(arrow)\"") }
        let payload = try octets(Array(words))
        guard payload.count <= 0xFFF0 else { throw Mistake(text: "more than 65520 octets") }
        func little(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
        // The first fragment of the handle 0x0040: non-flushable from a host, flushable from a controller. Vol 4, Part E, 5.4.2.
        append(
            .acl, arrow == ">" ? .tx : .rx,
            [0x40, arrow == ">" ? 0x00 : 0x20] + little(payload.count + 4) + little(payload.count) + little(channel)
                + payload)
    }

    private mutating func add(_ type: HCIPacketType, _ direction: Direction, _ words: [String]) throws(Mistake) {
        append(type, direction, try octets(words))
    }

    private mutating func append(_ type: HCIPacketType, _ direction: Direction, _ octets: [UInt8]) {
        time += 1
        records.append(
            Record(type: type, direction: direction, octets: octets, milliseconds: time, isAfterLoss: isLosing))
        isLosing = false
    }

    private func number(_ word: String?) throws(Mistake) -> Int {
        guard let word, let number = Int(word), UInt32(exactly: number) != nil else {
            throw Mistake(text: "expected a number, found \"\(word ?? "")\"")
        }
        return number
    }

    private func octets(_ words: [String]) throws(Mistake) -> [UInt8] {
        let text = words.joined(separator: " ")
        let digits = text.filter { $0 != " " }.map(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else {
            throw Mistake(text: "expected pairs of hex digits, found \"\(text)\"")
        }
        let values = digits.compactMap(\.self)
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// A btsnoop file with the records.
    public var octets: [UInt8] {
        func big(_ number: some BinaryInteger, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
        }
        // Version 1, datalink 1002: H4.
        var file = Array("btsnoop\0".utf8) + big(1, 4) + big(1002, 4)
        var lost = 0
        for record in records {
            if record.isAfterLoss { lost += 1 }
            let count = record.octets.count + 1
            let flags = (record.direction == .rx ? 1 : 0) | (record.type == .acl || record.type == .isochronous ? 0 : 2)
            // Microseconds from the year 0 to 1970.
            let time = 0x00DC_DDB3_0F2F_8000 + record.milliseconds * 1_000
            file += big(count, 4) + big(count, 4) + big(flags, 4) + big(lost, 4) + big(time, 8)
            file += [record.type.rawValue] + record.octets
        }
        return file
    }

    /// The conversation as a capture.
    public func capture(dissectors: [Dissector] = []) throws(CaptureError) -> Capture {
        try Capture(octets, named: "the conversation", dissectors: dissectors)
    }
}

/// A line of a `Conversation` that cannot be read.
public struct ConversationError: Error, Sendable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    public let description: String
}

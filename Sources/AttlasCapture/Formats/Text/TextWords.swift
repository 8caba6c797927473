import AttlasWire

/// A packet in btmon's words: a line that names it, and below it lines with its fields.
///
/// ```
/// > ACL Data RX: Handle 64 flags 0x02 dlen 9       #30 [hci0] 47.377839
///       ATT: Write Request (0x12) len 4
///         Handle: 0x0009
///           Data: 0200
/// ```
struct TextWords {
    /// Octets of lines that are kept of one packet.
    private static let limit = 64 << 10

    /// nil for non-packets: a new controller, a note, a command of the management interface.
    let type: HCIPacketType?
    let direction: Direction
    /// The opcode of a command, the code of an event, the handle and flags of data.
    var code: UInt16
    /// btmon's name for it, and the name's length.
    let name: [UInt8]
    /// Octets after the header, as the first line states.
    var length: Int
    var controller: UInt16 = 0
    /// Whether the line has no handle of its data.
    private(set) var isWithoutHandle = false
    /// btmon's own count of the controller's packets.
    var number: Int?
    let time: TextTime?
    /// Whether the words are hcidump's.
    let isHCIDump: Bool
    private var body: [UInt8] = []
    private var lines: [Range<Int>] = []
    /// Whether its fields are not indented: mail programs and web pages drop blanks.
    private var isFlat = false

    var hasFields: Bool { !lines.isEmpty }

    /// Whether the octets of the fragment follow, because btmon could not put the frame together.
    var isFragmentDump: Bool {
        guard let first = lines.first else { return false }
        return Bytes(body.span).slice(first).starts(with: "unexpected ")
    }

    /// Whether it is a command whose answer may be missing: mostly those without parameters, and with hcidump, which does not know
    /// LE Enhanced Connection Complete, those of a connection attempt.
    var isUnanswered: Bool {
        guard type == .command else { return false }
        return length == 0 && WordsLayout.command(code) == nil || isHCIDump && [0x200D, 0x200E, 0x2043].contains(code)
    }

    /// The Linux monitor's opcode for non-packets.
    var monitorOpcode: UInt16 {
        let name = Bytes(name.span)
        return name.starts(with: "Close Index: ") ? 9 : name.starts(with: "Delete Index: ") ? 1 : 12
    }

    /// The packet boundary flag of ACL data: 1 continues the previous fragment.
    var boundary: UInt16 { code >> 12 & 3 }

    /// Whether `other` continues the same frame.
    func isContinued(by other: TextWords) -> Bool {
        direction == other.direction && controller == other.controller && code & 0xFFF == other.code & 0xFFF
            && other.boundary == 1
    }

    /// nil if the line is not the first of a packet.
    ///
    /// - Parameter takesNotes: Whether to take non-packets, too.
    init?(_ full: borrowing Bytes, takesNotes: Bool) {
        let start = full.endOfHCIDumpTime
        let line = full.dropFirst(start > 0 ? start : full.endOfProcess)
        guard line.count > 12, line[1] == 0x20 else { return nil }
        switch line[0] {
        // The word decides where a quotation mark hides the arrow.
        case _ where line.contains(" ACL Data TX: ", at: 1): direction = .tx
        case UInt8(ascii: ">"): direction = .rx
        case UInt8(ascii: "<"): direction = .tx
        case UInt8(ascii: "@"), UInt8(ascii: "="): direction = .unknown
        default: return nil
        }
        if line.contains("HCI Command: ", at: 2) {
            guard let place = line.offset(of: "|0x"), let group = line.number(at: place - 2, radix: 16),
                let command = line.number(at: place + 3, radix: 16), let length = line.number(after: "plen "),
                group < 0x40, command < 0x400, length <= 0xFF
            else { return nil }
            type = .command
            code = UInt16(group << 10 | command)
            self.length = length
        } else if line.contains("HCI Event: ", at: 2) {
            guard let place = line.offset(of: "(0x"), let event = line.number(at: place + 3, radix: 16),
                let length = line.number(after: "plen "), event <= 0xFF, length <= 0xFF
            else { return nil }
            type = .event
            code = UInt16(event)
            self.length = length
        } else if line.isACLData {
            // In 80 columns, btmon shortens the handle to two dots: "Handle..", and after a process "Ha..".
            isWithoutHandle = line.offset(of: ".. flags ") != nil
            guard let handle = isWithoutHandle ? 0 : line.number(after: "andle "),
                let flags = line.number(after: "flags "),
                let length = line.number(after: "dlen "), handle <= 0x0FFF, flags <= 0xF, length <= 0xFFFF
            else { return nil }
            type = .acl
            code = UInt16(handle | flags << 12)
            self.length = length
        } else {
            let isKnown = line.contains("= Note: ", at: 0) || line.contains("= New Index: ", at: 0)
            guard takesNotes || isKnown || line.contains("@ MGMT ", at: 0) else { return nil }
            (type, code, length) = (nil, 0, 0)
        }
        var end = min(line.count, 256)
        if let place = line.offset(of: "  ") { end = min(end, place) }
        name = line.slice(2..<max(2, end)).copy()
        if let place = line.offset(of: " #") { number = line.number(at: place + 2, radix: 10) }
        if let index = line.number(after: "[hci") { controller = UInt16(clamping: index) }
        let lastTime = TextTime(endOf: line)
        time = start > 0 ? TextTime(full, end: start) : lastTime
        isHCIDump =
            start > 0 || type == .acl && line.contains("ACL data: ", at: 2)
            || type != .acl && lastTime == nil && !takesNotes
    }

    /// False if the line is not one of this packet's: those are indented further.
    mutating func take(_ line: borrowing Bytes) -> Bool {
        let indent = line.endOfBlanks(from: 0)
        if lines.isEmpty {
            isFlat = !isHCIDump && indent == 0 && (type == .acl ? line.channelOfTitle != nil : type != nil)
        }
        guard line.count > 2, indent >= (isHCIDump ? 2 : 4) || isFlat && line.isField else { return false }
        guard body.count + line.count <= Self.limit else { return true }
        let start = body.count + line.endOfBlanks(from: 0)
        line.append(to: &body)
        if start < body.count { lines.append(start..<body.count) }
        return true
    }

    /// The packet with its H4 indicator, as far as the fields show it.
    func octets() -> [UInt8] {
        guard let type else { return [] }
        var octets: [UInt8] = [type.rawValue, UInt8(code & 0xFF)]
        if type != .event { octets.append(UInt8(code >> 8)) }
        octets.append(UInt8(length & 0xFF))
        if type == .acl { octets.append(UInt8(length >> 8)) }
        let header = octets.count
        let fields = TextFields(body, lines)
        if fields.fillDump(from: isFragmentDump ? 1 : 0, into: &octets), octets.count == header + length {
            return octets
        }
        octets.removeSubrange(header...)
        switch type {
        case .command where isHCIDump: fields.fill(InlineLayout.command(code), into: &octets)
        case .event where isHCIDump: fields.fillInlineEvent(UInt8(code), length, into: &octets)
        case .command: fields.fill(WordsLayout.command(code), into: &octets)
        case .event: fields.fillEvent(UInt8(code), into: &octets)
        default: fields.fillFrame(length, isHCIDump: isHCIDump, into: &octets)
        }
        // Fields that do not fit are not this packet's.
        if octets.count > header + length { octets.removeSubrange(header...) }
        return octets
    }
}

/// The lines below the name of a packet.
struct TextFields {
    private let body: [UInt8]
    private let lines: [Range<Int>]

    var count: Int { lines.count }

    @_lifetime(borrow self)
    func line(_ index: Int) -> Bytes { Bytes(body.span).slice(lines[index]) }

    init(_ body: [UInt8], _ lines: [Range<Int>]) {
        self.body = body
        self.lines = lines
    }

    /// Appends the fields of a layout that the text has.
    func fill(_ layout: WordsLayout?, from line: Int = 0, into octets: inout [UInt8]) {
        guard let layout else { return }
        var line = line
        for field in layout.fields where !append(field, &line, &octets) { return }
        while !layout.repeated.isEmpty {
            for field in layout.repeated where !append(field, &line, &octets) { return }
        }
    }

    func fillEvent(_ code: UInt8, into octets: inout [UInt8]) {
        switch code {
        case 0x0E, 0x0F:
            var parameters: [UInt8] = []
            fill(WordsLayout(code == 0x0F ? [.status] : [.status, .handle]), from: 1, into: &parameters)
            fillAnswer(code, parameters, into: &octets)
        case 0x3E:
            guard let first = lines.first, let sub = Bytes(body.span).slice(first).lastCode, sub <= 0xFF else { return }
            octets.append(UInt8(sub))
            fill(WordsLayout.lowEnergyEvent(UInt8(sub)), from: 1, into: &octets)
        default: fill(WordsLayout.event(code), into: &octets)
        }
    }

    /// The same in hcidump's words, which have no code of an LE event.
    func fillInlineEvent(_ code: UInt8, _ length: Int, into octets: inout [UInt8]) {
        switch code {
        case 0x0E, 0x0F:
            var parameters: [UInt8] = []
            fill(InlineLayout(code == 0x0F ? [.status] : [.status, .handle]), into: &parameters)
            fillAnswer(code, parameters, into: &octets)
        case 0x3E where !lines.isEmpty: fill(InlineLayout.lowEnergyEvent(line(0)), into: &octets)
        default: fill(InlineLayout.event(code, length: length), into: &octets)
        }
    }

    /// Command Status, or Command Complete with its parameters, which are a dump if the program does not know the command.
    private func fillAnswer(_ code: UInt8, _ parameters: [UInt8], into octets: inout [UInt8]) {
        guard let command else { return }
        if code == 0x0E, lines.count > 1, isDump(lines[1]) {
            octets += command
            _ = fillDump(from: 1, into: &octets)
        } else if !parameters.isEmpty {
            octets += code == 0x0F ? parameters + command : command + parameters
        }
    }

    /// The number of commands that are accepted and the opcode, in the first line.
    private var command: [UInt8]? {
        guard let first = lines.first else { return nil }
        let line = Bytes(body.span).slice(first)
        guard let place = line.offset(of: "|0x"), let group = line.number(at: place - 2, radix: 16),
            let command = line.number(at: place + 3, radix: 16), let count = line.number(after: "ncmd "),
            group < 0x40, command < 0x400, count <= 0xFF
        else { return nil }
        let opcode = group << 10 | command
        return [UInt8(count), UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
    }

    /// An L2CAP frame with one PDU.
    func fillFrame(_ length: Int, isHCIDump: Bool, into octets: inout [UInt8]) {
        guard let first = lines.first, length >= 4 else { return }
        let title = Bytes(body.span).slice(first)
        let number = title.channelOfTitle ?? title.number(after: "Channel: ") ?? title.number(after: "L2CAP(d): cid ")
        guard let channel = number.flatMap({ UInt16(exactly: $0) }) else { return }
        octets += [UInt8((length - 4) & 0xFF), UInt8((length - 4) >> 8), UInt8(channel & 0xFF), UInt8(channel >> 8)]
        let hasNumber = title.starts(with: "Channel: ") || title.starts(with: "L2CAP(d): ")
        guard hasNumber else { return fillPDU(channel, from: 0, isHCIDump, &octets) }
        // btmon reads a length in each segment of an SDU, but only the first has one. One segment that is all is certain.
        if lines.count > 1, line(1).starts(with: "ATT: "), let size = title.number(after: " sdu "), size == length - 6 {
            octets += [UInt8(size & 0xFF), UInt8(size >> 8)]
            fillPDU(4, from: 1, isHCIDump, &octets)
        } else {
            _ = fillDump(from: 1, into: &octets)
        }
    }

    /// A PDU of a channel, which line `start` names.
    private func fillPDU(_ channel: UInt16, from start: Int, _ isHCIDump: Bool, _ octets: inout [UInt8]) {
        let title = line(start)
        guard let code = title.lastCode, code <= 0xFF else { return }
        octets.append(UInt8(code))
        if lines.count > start + 1, isDump(lines[start + 1]) {
            _ = fillDump(from: start + 1, into: &octets)
            return
        }
        switch channel {
        case 4 where isHCIDump: fill(InlineLayout.attribute(UInt8(code)), into: &octets)
        case 6 where isHCIDump: fill(InlineLayout.security(UInt8(code)), into: &octets)
        case 4: fill(WordsLayout.attribute(UInt8(code)), from: start + 1, into: &octets)
        case 5:
            guard let identifier = title.number(after: "ident "), let data = title.number(after: "len ") else { return }
            octets += [UInt8(identifier & 0xFF), UInt8(data & 0xFF), UInt8(data >> 8 & 0xFF)]
            fill(WordsLayout.signal(UInt8(code)), from: start + 1, into: &octets)
        default: fill(WordsLayout.security(UInt8(code)), from: start + 1, into: &octets)
        }
    }

    private func isDump(_ line: Range<Int>) -> Bool {
        let bytes = Bytes(body.span).slice(line)
        var octets: [UInt8] = []
        return bytes.dumpOffset != nil || bytes.readHexWords(from: 0, hasColumns: true, into: &octets) > 0
    }

    /// The octets of an undecoded part; false if there are none.
    func fillDump(from start: Int, into octets: inout [UInt8]) -> Bool {
        let first = octets.count
        for line in lines.dropFirst(start) {
            let before = octets.count
            let bytes = Bytes(body.span).slice(line)
            _ = bytes.readHexWords(from: bytes.dumpOffset?.end ?? 0, hasColumns: true, into: &octets)
            guard octets.count > before else { break }
        }
        return octets.count > first
    }

    /// Looks for the field from `line` on, and moves past it.
    private func append(_ field: WordsField, _ line: inout Int, _ octets: inout [UInt8]) -> Bool {
        while line < lines.count {
            defer { line += 1 }
            if case .octets = field.kind, appendDump(field, line, &octets) { return true }
            if append(field, Bytes(body.span).slice(lines[line]), &octets) { return true }
            if case .octets(nil) = field.kind { return false }
        }
        return false
    }

    /// "Data[30]:", and the octets on the lines below it.
    private func appendDump(_ field: WordsField, _ line: Int, _ octets: inout [UInt8]) -> Bool {
        let title = self.line(line)
        guard title.offset(of: field.name) == 0, title[title.count - 1] == UInt8(ascii: ":"),
            let count = title.number(after: "[")
        else { return false }
        var value: [UInt8] = []
        for next in lines.dropFirst(line + 1) where value.count < count {
            let before = value.count
            _ = Bytes(body.span).slice(next).readHexWords(from: 0, hasColumns: true, into: &value)
            guard value.count > before else { break }
        }
        guard value.count == count else { return false }
        octets += value
        return true
    }

    private func append(_ field: WordsField, _ line: borrowing Bytes, _ octets: inout [UInt8]) -> Bool {
        guard let name = line.offset(of: field.name) else { return false }
        let colon = line.offset(of: ":") ?? -1
        switch field.kind {
        case .handle:
            guard let value = line.firstNumber(from: colon + 1), value <= 0xFFFF else { return false }
            octets += [UInt8(value & 0xFF), UInt8(value >> 8)]
        case .code(let width):
            guard let value = line.lastCode ?? line.firstNumber(from: colon + 1) else { return false }
            for index in 0..<width { octets.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
        case .range:
            guard let start = line.firstNumber(from: colon + 1), let dash = line.offset(of: "-0x"),
                let end = line.number(at: dash + 3, radix: 16), start <= 0xFFFF, end <= 0xFFFF
            else { return false }
            octets += [UInt8(start & 0xFF), UInt8(start >> 8), UInt8(end & 0xFF), UInt8(end >> 8)]
        case .address, .typedAddress:
            guard let address = line.dropFirst(colon + 2).octets(6)?.octets, name < colon else { return false }
            if case .typedAddress = field.kind {
                // A public address has a maker's name or "(OUI 11-22-33)" there.
                let isRandom = line.offset(of: "(Static)") != nil || line.offset(of: "esolvable)") != nil
                octets.append(isRandom ? 1 : 0)
            }
            octets += address.reversed()
        case .uuid:
            guard let uuid = line.lastUUID else { return false }
            octets += uuid
        case .octets(let count):
            guard name < colon else { return false }
            var value: [UInt8] = []
            let end = line.readHexWords(from: colon + 1, into: &value)
            guard line.endOfBlanks(from: end) == line.count, count == nil || value.count == count else { return false }
            octets += value
        }
        return true
    }
}

extension TextTime {
    /// The time that btmon prints at the end of a line: "47.377839", "2026-11-21 09:55:20.369922".
    init?(endOf line: borrowing Bytes) {
        var end = line.count
        while end > 0, line[end - 1] == 0x20 { end -= 1 }
        var start = end
        while start > 0, line[start - 1] != 0x20 { start -= 1 }
        let word = line.slice(start..<end)
        if word.offset(of: ":") != nil {
            let tail = line.slice(max(0, start - 13)..<end)
            self.init(tail, end: tail.count)
            return
        }
        guard let point = word.offset(of: "."), let seconds = word.number(at: 0, radix: 10) else { return nil }
        self.init(seconds: Int64(seconds), word.fraction(at: point))
    }
}

extension Bytes {
    /// Where the packet begins after the process that sent it: "bluetoothd[753]: "; 0 if there is none.
    fileprivate var endOfProcess: Int {
        let end = endOfWord(from: 0)
        guard end >= 4, end + 2 < count, self[end - 1] == UInt8(ascii: ":"), self[end - 2] == UInt8(ascii: "]"),
            [UInt8(ascii: "<"), UInt8(ascii: "@"), UInt8(ascii: "=")].contains(self[end + 1])
        else { return 0 }
        return end + 1
    }

    /// That of the protocol in the title of a PDU: "ATT: Write Request (0x12) len 4".
    fileprivate var channelOfTitle: Int? {
        starts(with: "ATT: ") ? 4 : starts(with: "LE L2CAP: ") ? 5 : starts(with: "SMP: ") ? 6 : nil
    }

    /// "Handle range: 0x0007-0xffff", "Data[30]:", "Read By Type Request (0x08)"; neither a log's line with a time, nor a sentence.
    fileprivate var isField: Bool {
        guard count > 2, (0x41...0x5A).contains(self[0]) else { return false }
        guard let colon = offset(of: ":") else { return lastCode != nil && self[count - 1] == UInt8(ascii: ")") }
        return colon < 40 && (colon + 1 == count || self[colon + 1] == 0x20)
    }

    /// "ACL Data RX: Handle 64", hcidump's "ACL data: handle 64", and since BlueZ 5.86 "ACL: Handle 64", "LE-ACL: …", "BR-ACL: …".
    fileprivate var isACLData: Bool {
        contains("ACL Data ", at: 2) || contains("ACL data: ", at: 2) || contains("ACL: ", at: 2)
            || contains("-ACL: ", at: 4)
    }

    /// Where the packet begins after hcidump's "2026-11-21 09:55:20.369922 "; 0 if there is none.
    fileprivate var endOfHCIDumpTime: Int {
        guard count > 30, self[0].isDigit else { return 0 }
        // The year has six digits if it is wrong.
        let end = self[26] == 0x20 ? 26 : 28
        return self[end] == 0x20 && TextTime(self, end: end)?.days != nil ? end + 1 : 0
    }

    /// At most eight digits.
    func number(at start: Int, radix: Int) -> Int? {
        guard start >= 0 else { return nil }
        var (index, value) = (start, 0)
        while index < count, index - start < 8, let digit = self[index].hexadecimalValue, digit < radix {
            value = value * radix + Int(digit)
            index += 1
        }
        return index > start ? value : nil
    }

    /// The number after `name`, hexadecimal after 0x.
    func number(after name: StaticString) -> Int? {
        guard let place = offset(of: name) else { return nil }
        let start = place + name.utf8CodeUnitCount
        return contains("0x", at: start) ? number(at: start + 2, radix: 16) : number(at: start, radix: 10)
    }

    /// The last "(0x…)", up to 64 bits.
    var lastCode: UInt64? {
        var index = count - 3
        while index >= 0 {
            if contains("(0x", at: index) {
                guard let code = hexadecimal(at: index + 3), code.end < count, self[code.end] == UInt8(ascii: ")")
                else {
                    return nil
                }
                return code.value
            }
            index -= 1
        }
        return nil
    }

    /// The number that begins at the first word from `start` on.
    func firstNumber(from start: Int) -> UInt64? {
        let start = endOfBlanks(from: max(0, start))
        if contains("0x", at: start) { return hexadecimal(at: start + 2)?.value }
        return number(at: start, radix: 10).map { UInt64($0) }
    }

    private func hexadecimal(at start: Int) -> (value: UInt64, end: Int)? {
        var (index, value) = (start, UInt64(0))
        while index < count, index - start < 16, let digit = self[index].hexadecimalValue {
            value = value << 4 | UInt64(digit)
            index += 1
        }
        return index > start ? (value, index) : nil
    }

    /// The text in the last parentheses: "(0x2a37)" or all 128 bits. Little-endian.
    var lastUUID: [UInt8]? {
        if let code = lastCode { return code <= 0xFFFF ? [UInt8(code & 0xFF), UInt8(code >> 8)] : nil }
        guard count > 0, self[count - 1] == UInt8(ascii: ")") else { return nil }
        var start = count
        while start > 0, self[start - 1] != UInt8(ascii: "(") { start -= 1 }
        var octets: [UInt8] = []
        let word = slice(start..<count - 1)
        return word.readHexWords(from: 0, into: &octets) == word.count && octets.count == 16 ? octets.reversed() : nil
    }
}

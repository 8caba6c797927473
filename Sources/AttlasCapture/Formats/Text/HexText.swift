import AttlasWire

extension UInt8 {
    /// The value of a hexadecimal digit.
    @inline(__always)
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension Bytes {
    /// Appends octets written as hexadecimal words ("04 3E", "0x04 0x3e", "043E", "04-3e") from `start` on.
    ///
    /// - Parameter hasColumns: Stops at a gap, where the same octets follow as text; eight octets may be set apart.
    /// - Returns: Where the words end.
    func readHexWords(from start: Int, hasColumns: Bool = false, into octets: inout [UInt8]) -> Int {
        let before = octets.count
        var end = start
        while true {
            let next = endOfSeparators(from: end)
            if hasColumns, next - end >= 2, octets.count > before {
                guard next - end == 2 || contains(" - ", at: end), octets.count - before == 8, isPair(at: next) else {
                    return end
                }
            }
            guard let wordEnd = readHexWord(at: next, into: &octets) else { return end }
            end = wordEnd
        }
    }

    /// This number of octets at the start, with a character between them or without, and their end.
    func octets(_ wanted: Int) -> (octets: [UInt8], end: Int)? {
        var octets: [UInt8] = []
        let end = prefix(3 * wanted - 1).readHexWords(from: 0, into: &octets)
        return octets.count == wanted ? (octets, end) : nil
    }

    /// The octet of two digits.
    @inline(__always)
    func octet(at index: Int) -> UInt8? {
        guard index + 1 < count, let high = self[index].hexadecimalValue, let low = self[index + 1].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }

    private func isPair(at index: Int) -> Bool {
        octet(at: index) != nil && (index + 2 == count || self[index + 2] == UInt8(ascii: " "))
    }

    private func endOfSeparators(from index: Int) -> Int {
        var index = index
        while index < count {
            switch self[index] {
            case 0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: ":"): index += 1
            default: return index
            }
        }
        return index
    }

    /// An even number of digits, or after 0x also one digit; nil if there is no such word.
    private func readHexWord(at start: Int, into octets: inout [UInt8]) -> Int? {
        var index = start
        let hasPrefix =
            index + 2 < count && self[index] == UInt8(ascii: "0") && self[index + 1] | 0x20 == UInt8(ascii: "x")
        if hasPrefix { index += 2 }
        let before = octets.count
        let first = index
        while let octet = octet(at: index) {
            octets.append(octet)
            index += 2
        }
        if hasPrefix, index == first, index < count, let digit = self[index].hexadecimalValue {
            octets.append(digit)
            index += 1
        }
        guard index > first, index == count || self[index].endsHexWord else {
            octets.removeSubrange(before...)
            return nil
        }
        return index
    }

    /// The octets of a line that has nothing else but a prefix of a log, ending in ": " or "] ", and after `|` the same as text.
    ///
    /// - Returns: where the octets begin; nil if it is not a line like this, and nothing is appended.
    func readHexLine(into octets: inout [UInt8]) -> Int? {
        let before = octets.count
        let start = hexLineStart
        var rest = endOfBlanks(from: readHexWords(from: start, into: &octets))
        // An array in C: a comment or its end may follow.
        if rest < count, self[rest] == UInt8(ascii: ",") { rest = endOfBlanks(from: rest + 1) }
        let isEnd = rest == count || self[rest] == UInt8(ascii: "|") || self[rest] == UInt8(ascii: "}")
        // STM32duinoBLE prints the parameters of a packet in a line, and the packet as ArduinoBLE does in another.
        let prefix = self.prefix(start)
        if octets.count > before, isEnd || contains("/*", at: rest), prefix.offset(of: "X>> BLE ") == nil,
            prefix.offset(of: "X<< BLE ") == nil
        {
            return start
        }
        octets.removeSubrange(before...)
        return nil
    }

    private var hexLineStart: Int {
        var start = endOfBlanks(from: 0)
        // Most lines begin with their octets.
        if isPair(at: start) { return start }
        var index = start
        while index + 1 < count, self[index] != UInt8(ascii: "|") {
            let isEnd = self[index] == UInt8(ascii: ":") || self[index] == UInt8(ascii: "]")
            if isEnd, self[index + 1] == UInt8(ascii: " ") { start = endOfBlanks(from: index + 1) }
            index += 1
        }
        return start
    }

    /// The offset at the beginning of a dump's line: "0010  ", "00000010: ", "I 0010  ", "O 09:55:20.631 0010  ".
    var dumpOffset: DumpOffset? {
        var start = endOfBlanks(from: 0)
        var direction = Direction.unknown
        // text2pcap's letters for received and sent.
        if start + 1 < count, self[start + 1] == UInt8(ascii: " ") {
            if self[start] == UInt8(ascii: "I") { direction = .rx }
            if self[start] == UInt8(ascii: "O") { direction = .tx }
            if direction != .unknown { start = endOfBlanks(from: start + 1) }
        }
        if let offset = dumpOffset(at: start, direction) { return offset }
        // A time, which ends with a colon and digits.
        guard start < count, self[start].isDigit, let mark = endOfTime(from: start) else { return nil }
        return dumpOffset(at: endOfBlanks(from: mark), direction, mark: mark)
    }

    /// The end of the first word from `start` on that has the colons of a time, within two words.
    private func endOfTime(from start: Int) -> Int? {
        var word = start
        for _ in 0..<2 {
            let end = endOfWord(from: word)
            guard end < count, end - word < 32 else { return nil }
            if slice(word..<end).offset(of: ":") != nil { return end - word >= 8 ? end : nil }
            word = endOfBlanks(from: end)
        }
        return nil
    }

    private func dumpOffset(at start: Int, _ direction: Direction, mark: Int? = nil) -> DumpOffset? {
        guard let offset = offsetDigits(at: start), offset.end < count else { return nil }
        var index = offset.end
        let hasColon = self[index] == UInt8(ascii: ":")
        if hasColon { index += 1 }
        let words = endOfBlanks(from: index)
        guard words > index, hasColon || isPair(at: words) || start == 0 && index == 7 && isPair(at: words + 2) else {
            return nil
        }
        return DumpOffset(
            hexadecimal: offset.hexadecimal, octal: offset.octal, digits: offset.end - start, column: start,
            direction: direction,
            mark: mark, end: words)
    }

    private func offsetDigits(at start: Int) -> (hexadecimal: Int, octal: Int, end: Int)? {
        var (index, hexadecimal, octal) = (start, 0, 0)
        while index < count, index - start < 9, let digit = self[index].hexadecimalValue {
            hexadecimal = hexadecimal << 4 | Int(digit)
            octal = octal << 3 | Int(digit)
            index += 1
        }
        return (3...8).contains(index - start) ? (hexadecimal, octal, index) : nil
    }

    /// The offset of the end, alone on the last line.
    var lastOffset: DumpOffset? {
        let start = endOfBlanks(from: 0)
        guard let offset = offsetDigits(at: start), endOfBlanks(from: offset.end) == count else { return nil }
        return DumpOffset(
            hexadecimal: offset.hexadecimal, octal: offset.octal, digits: offset.end - start, column: start,
            direction: .unknown,
            mark: nil, end: count)
    }

    /// "*" in place of lines that repeat the one before.
    var isRepeatMark: Bool {
        let start = endOfBlanks(from: 0)
        return start < count && self[start] == UInt8(ascii: "*") && endOfBlanks(from: start + 1) == count
    }
}

/// The offset at the beginning of a dump's line.
struct DumpOffset {
    let hexadecimal: Int
    /// As `od` counts.
    let octal: Int
    let digits: Int
    /// Where it is in its line.
    let column: Int
    let direction: Direction
    /// Where a time before it ends.
    let mark: Int?
    /// Where the octets begin.
    let end: Int
}

extension UInt8 {
    fileprivate var endsHexWord: Bool {
        switch self {
        case 0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "|"): true
        default: false
        }
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }
}

extension BluetoothUUID {
    /// 2 or 16 octets, little-endian.
    var shortest: [UInt8] { uint16?.littleEndianOctets ?? value.littleEndianOctets }
}

import AttlasWire

/// One line of a text, without additions of terminals, mail programs and web pages: colours, quotation marks, HTML entities.
struct TextLine {
    /// Longer lines are not read. A packet of 64 KiB as "0x00 " for each octet fits.
    static let limit = 512 << 10

    private var octets: [UInt8] = []
    private var start = 0

    var bytes: Bytes {
        @_lifetime(borrow self) get { Bytes(octets.span).dropFirst(start) }
    }

    /// - Parameter raw: With its line end, if it has one.
    mutating func set(_ raw: borrowing Bytes) {
        octets.removeAll(keepingCapacity: true)
        start = 0
        var count = raw.count
        while count > 0, raw[count - 1] == 0x0A || raw[count - 1] == 0x0D { count -= 1 }
        let line = raw.prefix(count)
        if line.needsCleaning { clean(line) } else { line.append(to: &octets) }
        skipQuotes()
    }

    func readHexWords(from start: Int, hasColumns: Bool = false, into octets: inout [UInt8]) -> Int {
        bytes.readHexWords(from: start, hasColumns: hasColumns, into: &octets)
    }

    func readHexLine(into octets: inout [UInt8]) -> Int? { bytes.readHexLine(into: &octets) }

    private mutating func clean(_ line: borrowing Bytes) {
        var index = 0
        while index < line.count {
            switch line[index] {
            // A terminal that erases the line before it: the prompt of bluetoothctl.
            case 0x0D where line.contains("\u{1B}[K", at: index + 1): (octets, index) = ([], index + 4)
            case 0x1B: index = line.endOfEscape(at: index)
            // The same after the escape character was lost, or became a full stop.
            case UInt8(ascii: "["), UInt8(ascii: "."):
                if let end = line.endOfColour(at: index) {
                    index = end
                } else {
                    octets.append(line[index])
                    index += 1
                }
            case UInt8(ascii: "&"):
                let entity = line.entity(at: index)
                octets.append(entity?.octet ?? line[index])
                index += entity?.length ?? 1
            // A no-break space in UTF-8.
            case 0xC2 where index + 1 < line.count && line[index + 1] == 0xA0:
                octets.append(UInt8(ascii: " "))
                index += 2
            // A byte order mark, and control characters of serial lines.
            case 0xEF where index + 2 < line.count && line[index + 1] == 0xBB && line[index + 2] == 0xBF: index += 3
            case 0x00...0x08, 0x7F: index += 1
            case let octet:
                octets.append(octet)
                index += 1
            }
        }
    }

    /// Skips "> " of quoted mail, but not that of hcidump and btmon, which is followed by a packet.
    private mutating func skipQuotes() {
        while start < octets.count, octets[start] == UInt8(ascii: ">"), !bytes.isReceivedPacket {
            start += 1
            if start < octets.count, octets[start] == UInt8(ascii: " ") { start += 1 }
        }
    }
}

extension Bytes {
    fileprivate var needsCleaning: Bool {
        for index in 0..<count {
            let octet = self[index]
            switch octet {
            case 0x00...0x08, 0x1B, UInt8(ascii: "&"), 0x7F, 0xC2, 0xEF: return true
            case UInt8(ascii: "[") where endOfColour(at: index) != nil: return true
            default: break
            }
        }
        return false
    }

    /// The rest after a control sequence of a terminal (ECMA-48, 5.4).
    fileprivate func endOfEscape(at index: Int) -> Int {
        guard index + 1 < count, self[index + 1] == UInt8(ascii: "[") else { return index + 1 }
        var end = index + 2
        while end < count, !(0x40...0x7E).contains(self[end]) { end += 1 }
        return min(end + 1, count)
    }

    /// The rest after a colour without its escape character: "[0;31m", ".[0m".
    fileprivate func endOfColour(at index: Int) -> Int? {
        var end = self[index] == UInt8(ascii: ".") ? index + 1 : index
        guard end + 2 < count, self[end] == UInt8(ascii: "["), self[end + 1] == UInt8(ascii: "0") else { return nil }
        end += 2
        while end < count, self[end] == UInt8(ascii: ";") || self[end].isDigit { end += 1 }
        return end < count && self[end] == UInt8(ascii: "m") ? end + 1 : nil
    }

    fileprivate func entity(at index: Int) -> (octet: UInt8, length: Int)? {
        for (name, character) in Self.entities where contains(name, at: index) {
            return (UInt8(ascii: character), name.utf8CodeUnitCount)
        }
        return nil
    }

    private static let entities: [(StaticString, Unicode.Scalar)] = [
        ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"), ("&quot;", "\""), ("&nbsp;", " "),
    ]

    /// Whether "> " is followed by two hexadecimal digits or the name of a packet.
    fileprivate var isReceivedPacket: Bool {
        guard count >= 4, self[1] == UInt8(ascii: " ") else { return false }
        for name in Self.packetNames where contains(name, at: 2) { return true }
        return octet(at: 2) != nil && (count == 4 || self[4] == UInt8(ascii: " "))
    }

    /// Since BlueZ 5.86, data has the kind of its link.
    private static let packetNames: [StaticString] = [
        "HCI ", "ACL ", "ACL: ", "SCO Data ", "ISO Data ", "LE-", "BR-", "SCO: ",
    ]

    /// Whether the line separates one log from the next: a code fence, or the first line of a program's output.
    package var isTextBoundary: Bool {
        var start = 0
        while start < count, self[start] == 0x20 || self[start] == UInt8(ascii: ">") { start += 1 }
        return contains("```", at: start) || contains("~~~", at: start) || contains("HCI sniffer - ", at: start)
            || contains("Bluetooth monitor ver", at: start)
    }

    /// The first octet from `index` on that is neither a blank nor a tab.
    func endOfBlanks(from index: Int) -> Int {
        var index = index
        while index < count, self[index] == 0x20 || self[index] == 0x09 { index += 1 }
        return index
    }

    /// The first blank from `index` on.
    func endOfWord(from index: Int) -> Int {
        var index = index
        while index < count, self[index] != 0x20, self[index] != 0x09 { index += 1 }
        return index
    }

    /// The number of octets up to and with the next line feed from `start` on.
    func lineEnd(from start: Int) -> Int? {
        var index = start
        while index &+ 8 <= count {
            let word = uint64(at: index) ^ 0x0A0A_0A0A_0A0A_0A0A
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if zeros != 0 { return index &+ zeros.trailingZeroBitCount / 8 &+ 1 }
            index &+= 8
        }
        while index < count {
            if self[index] == 0x0A { return index + 1 }
            index += 1
        }
        return nil
    }
}

extension InputBuffer {
    package enum LineLength {
        /// With its line end.
        case octets(Int)
        case beyondLimit
        case end
    }

    /// The line that begins `distance` ahead; nothing is consumed.
    package mutating func line(at distance: Int) throws(CaptureError) -> LineLength {
        var searched = distance
        while true {
            if let end = bytes.lineEnd(from: searched) {
                return end - distance > TextLine.limit ? .beyondLimit : .octets(end - distance)
            }
            searched = max(distance, available)
            guard searched - distance <= TextLine.limit else { return .beyondLimit }
            guard try fill(searched + 1) else {
                return available > distance ? .octets(available - distance) : .end
            }
        }
    }
}

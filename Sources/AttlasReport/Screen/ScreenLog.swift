/// The last lines of the conversation.
struct ScreenLog {
    struct Entry {
        let text: [UInt8]
        let runs: [StyledRun]
        /// The attribute that the line is about.
        let place: AttributePlace?
    }

    static let limit = 5_000
    /// Octets of a line; what is longer is cut.
    static let longestLine = 1_000
    /// Lines that are made between two pictures of the screen: more cannot be seen.
    static let frameLimit = 1_000

    private var entries: [Entry] = []
    /// Lines that came before the oldest one that is kept.
    private(set) var first = 0
    private var linesLeft = frameLimit
    private var skipped = 0

    /// The number after the last line's. Lines are numbered from 0 over the whole conversation.
    var end: Int { first + entries.count }

    /// - Parameter number: of a line that is kept.
    subscript(_ number: Int) -> Entry { entries[number % Self.limit] }

    /// Whether a line for another event is to be made. In a flood most are only counted.
    mutating func takesLine() -> Bool {
        if linesLeft > 0 {
            linesLeft -= 1
            return true
        }
        skipped += 1
        return false
    }

    /// A picture is painted: there is time for more lines.
    mutating func beginFrame() {
        linesLeft = Self.frameLimit
        guard skipped > 0 else { return }
        var text = TextBuffer()
        text.append("              ")
        text.append(decimal: skipped)
        text.append(skipped == 1 ? " event" : " events")
        text.append(" more, too many at once to be listed")
        skipped = 0
        append(Entry(text: Array(text.bytes), runs: [StyledRun(style: .faint, start: 0, end: text.count)], place: nil))
    }

    mutating func append(_ entry: Entry) {
        if entries.count < Self.limit {
            entries.append(entry)
        } else {
            entries[first % Self.limit] = entry
            first += 1
        }
    }

    /// What a writer has made since it was emptied, line by line.
    mutating func append(_ line: inout LineWriter, _ place: AttributePlace?) {
        for entry in Self.entries(&line, place) { append(entry) }
    }

    /// Takes the lines out of a writer.
    static func entries(_ line: inout LineWriter, _ place: AttributePlace?) -> [Entry] {
        var entries: [Entry] = []
        var start = 0
        let octets = line.text.bytes
        var run = 0
        let all = line.runs ?? []
        for end in octets.indices where octets[end] == UInt8(ascii: "\n") {
            var runs: [StyledRun] = []
            while run < all.count, all[run].start < end {
                runs.append(StyledRun(style: all[run].style, start: all[run].start - start, end: all[run].end - start))
                run += 1
            }
            entries.append(Entry(text: cut(octets[start..<end]), runs: runs, place: place))
            start = end + 1
        }
        line.removeAll()
        return entries
    }

    /// At the end of a character.
    private static func cut(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        guard octets.count > longestLine else { return Array(octets) }
        var end = octets.startIndex + longestLine
        while end > octets.startIndex, octets[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(octets[..<end]) + Array("…".utf8)
    }

    // MARK: Looking

    /// The last line before `number`, among those about an attribute when one is given.
    func line(before number: Int, about place: AttributePlace?) -> Int? {
        var line = min(number, end) - 1
        while line >= first {
            if place == nil || self[line].place == place { return line }
            line -= 1
        }
        return nil
    }
}

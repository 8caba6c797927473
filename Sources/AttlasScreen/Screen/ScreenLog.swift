import AttlasMetrics
import AttlasText

/// The last lines of the conversation.
struct ScreenLog {
    struct Entry {
        let text: [UInt8]
        let runs: [StyledRun]
        /// The attribute that the line is about.
        let place: AttributePlace?
    }

    static let limit = 5_000
    /// Maximum octets of a line; longer ones are cut.
    static let longestLine = 1_000

    private var entries: [Entry] = []
    /// Lines that came before the oldest one that is kept.
    private(set) var first = 0

    /// The number after the last line's. Lines are numbered from 0 over the whole conversation.
    var end: Int { first + entries.count }

    /// - Parameter number: of a line that is kept.
    subscript(_ number: Int) -> Entry { entries[number % Self.limit] }

    mutating func append(_ entry: Entry) {
        if entries.count < Self.limit {
            entries.append(entry)
        } else {
            entries[first % Self.limit] = entry
            first += 1
        }
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

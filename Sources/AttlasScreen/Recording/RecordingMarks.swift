import AttlasText
import AttlasWire

/// Records that the user has marked, each with a note or without: the contents of the file next to a capture.
package struct RecordingMarks: Sendable, Equatable {
    /// Marks, and characters of a note; more are left out.
    package static let limit = 10_000
    static let noteLimit = 200
    /// Octets of a file.
    package static let fileLimit = 4 << 20
    /// The file's name after that of the capture.
    package static let ending = ".attlas-marks"

    private(set) var notes: [Int: String] = [:]
    /// In order.
    private(set) var frames: [Int] = []

    package init() {}

    /// Lines of a number and a note; other lines are skipped.
    package init(_ octets: [UInt8]) {
        for line in Self.lines(octets).filter({ !$0.isEmpty }).prefix(Self.limit + 1) {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard let first = parts.first, let frame = Int(first), frame > 0, notes.count < Self.limit else { continue }
            notes[frame] = parts.count > 1 ? Self.readable(parts[1]) : ""
        }
        frames = notes.keys.sorted()
    }

    /// Lines of a file that any editor may have written.
    package static func lines(_ octets: [UInt8]) -> [Substring] {
        String(decoding: octets, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    package var isEmpty: Bool { frames.isEmpty }

    /// The contents of the file.
    package var text: TextBuffer {
        var text = TextBuffer()
        text.append("# Marks of attlas open: the number of a frame, and a note.\n")
        for frame in frames {
            text.append(decimal: frame)
            if let note = notes[frame], !note.isEmpty {
                text.append(" ")
                text.append(string: note)
            }
            text.append("\n")
        }
        return text
    }

    /// - Parameter note: nil: no mark any more.
    /// - Returns: false if there is no room for one more.
    @discardableResult
    package mutating func set(_ frame: Int, _ note: String?) -> Bool {
        guard note == nil || notes[frame] != nil || notes.count < Self.limit else { return false }
        frames.removeAll { $0 == frame }
        if note != nil { frames.insert(frame, at: frames.firstIndex { $0 > frame } ?? frames.count) }
        notes[frame] = note.map { Self.readable($0[...]) }
        return true
    }

    /// Nothing in it controls a terminal, even if a stranger wrote the file.
    private static func readable(_ note: Substring) -> String {
        var text = TextBuffer()
        text.append(display: String(note.prefix(noteLimit)))
        return text.text
    }
}

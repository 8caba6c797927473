import AttlasCapture
import AttlasFilter
import AttlasTrace
import AttlasValues

/// The lines of a recording that a selection holds: where they are, and those of them that were made last.
struct Listing {
    /// Lines of a chunk, which are made at once.
    let chunkLength: Int
    /// Chunks of selected lines that are kept from the beginning: few lines in a long capture are far apart.
    static let keptChunks = 64
    /// Other chunks that are kept.
    static let recentChunks = 16

    /// Where a chunk begins.
    struct Mark {
        /// Records before the one with the chunk's first line, and lines before that record.
        let record: Int
        let lines: Int
        /// Frame of the first line.
        let frame: Int
        let time: Timestamp
    }

    /// nil: all lines.
    let selection: Selection?
    private(set) var marks: [Mark] = []
    private(set) var count = 0
    /// Records that were looked at.
    private(set) var records = 0
    private var chunks: [Int: [RecordedLine]] = [:]
    /// The least recently used first.
    private var recent: [Int] = []

    init(_ selection: Selection?, chunkLength: Int) {
        self.chunkLength = chunkLength
        self.selection = selection
    }

    /// Octets of the index.
    var footprint: Int { marks.count * MemoryLayout<Mark>.stride }

    /// Notes the lines of one more record.
    /// - Parameters:
    ///   - record: how many records there are with it.
    ///   - lines: how many lines there are with it.
    mutating func note(_ record: Int, lines: Int, frame: Int, _ time: Timestamp) {
        while marks.count * chunkLength < lines {
            marks.append(Mark(record: record - 1, lines: count, frame: frame, time: time))
        }
        count = lines
        records = record
    }

    /// Forgets everything after a number of records, to continue there.
    mutating func truncate(records: Int, lines: Int) {
        marks.removeLast(marks.count - min(marks.count, (lines + chunkLength - 1) / chunkLength))
        count = lines
        self.records = records
        for chunk in chunks.keys where (chunk + 1) * chunkLength > lines { chunks[chunk] = nil }
        recent.removeAll { chunks[$0] == nil }
    }

    mutating func forgetLines() {
        chunks = [:]
        recent = []
    }

    // MARK: Chunks

    func chunk(of line: Int) -> Int { line / chunkLength }

    func range(ofChunk chunk: Int) -> Range<Int> {
        chunk * chunkLength..<min(count, (chunk + 1) * chunkLength)
    }

    /// - Returns: nil if the chunk has to be made.
    mutating func lines(ofChunk chunk: Int) -> [RecordedLine]? {
        guard let lines = chunks[chunk], lines.count == range(ofChunk: chunk).count else { return nil }
        if let place = recent.firstIndex(of: chunk) { recent.append(recent.remove(at: place)) }
        return lines
    }

    mutating func keep(_ lines: [RecordedLine], ofChunk chunk: Int) {
        if chunks[chunk] == nil, !isKept(chunk) {
            recent.append(chunk)
            if recent.count > Self.recentChunks { chunks[recent.removeFirst()] = nil }
        }
        chunks[chunk] = lines
    }

    /// Keeps lines that were made while the listing was.
    mutating func keep(_ lines: [RecordedLine]) {
        for line in lines { chunks[chunk(of: line.number), default: []].append(line) }
    }

    private func isKept(_ chunk: Int) -> Bool { selection != nil && chunk < Self.keptChunks }

    // MARK: Looking up

    /// The chunk that a place is in; `isBefore` compares a mark with the place.
    func chunk(where isBefore: (Mark) -> Bool) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(marks[middle]) { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

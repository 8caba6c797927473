import AttlasTrace

/// What somebody wrote beside records, until the events of these have come.
struct RecordComments {
    /// Records that wait: more than fragments of one PDU are commented.
    private static let limit = 16

    private var records: [(frame: Int, comments: [String])] = []

    /// The usual case.
    var isEmpty: Bool { records.isEmpty }

    mutating func note(_ comments: [String], of frame: Int) {
        guard !comments.isEmpty else { return }
        if records.count >= Self.limit { records.removeFirst() }
        records.append((frame, comments))
    }

    /// Those of the records that made the event.
    func comments(of event: borrowing Event) -> [String] {
        let frames = event.frames
        let frame = event.frame
        return records.filter { $0.frame == frame || frames.contains($0.frame) }.flatMap(\.comments)
    }

    /// The same, each record once.
    mutating func take(for event: borrowing Event) -> [(frame: Int, comments: [String])] {
        let frames = event.frames
        let frame = event.frame
        let taken = records.filter { $0.frame == frame || frames.contains($0.frame) }
        if !taken.isEmpty { records.removeAll { $0.frame == frame || frames.contains($0.frame) } }
        return taken
    }
}

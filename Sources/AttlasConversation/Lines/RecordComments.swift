import AttlasTrace

/// Comments of records, kept until the events made of these records arrive.
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
        var found: [String] = []
        for record in records where event.isMade(of: record.frame) { found += record.comments }
        return found
    }

    /// The same, each record once.
    mutating func take(for event: borrowing Event) -> [(frame: Int, comments: [String])] {
        var taken: [(frame: Int, comments: [String])] = []
        for index in records.indices.reversed() where event.isMade(of: records[index].frame) {
            taken.append(records.remove(at: index))
        }
        return taken.reversed()
    }
}

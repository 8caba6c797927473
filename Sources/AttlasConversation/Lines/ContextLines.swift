import AttlasText

/// The lines around those that are looked for, as `grep -C` shows them.
///
/// Lines that may become context wait here, never more than `limit` of them nor 1 MiB in all.
struct ContextLines {
    static let octetLimit = 1 << 20

    private let limit: Int
    private var waiting: [UInt8] = []
    /// The lengths of the waiting lines, event by event; one event may give several lines.
    private var lengths: [Int] = []
    /// Lines that are still to be shown after the last match.
    private var following = 0
    private var hasShown = false
    /// Something was left out since the last line shown.
    private var hasGap = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Decides about the lines that an event gave, from octet `start` of the sink's lines on.
    mutating func note(from start: Int, isMatch: Bool, in sink: inout some LineSink) {
        guard sink.lines.count > start else { return }
        if isMatch {
            showWaiting(before: start, in: &sink)
            following = limit
        } else if following > 0 {
            following -= 1
        } else {
            keep(sink.lines.bytes[start...])
            sink.lines.truncate(to: start)
        }
    }

    private mutating func showWaiting(before start: Int, in sink: inout some LineSink) {
        let match = Array(sink.lines.bytes[start...])
        sink.lines.truncate(to: start)
        if hasShown, hasGap { sink.separateGroups() }
        sink.lines.append(contentsOf: waiting)
        sink.lines.append(contentsOf: match)
        waiting.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        hasShown = true
        hasGap = false
    }

    private mutating func keep(_ lines: ArraySlice<UInt8>) {
        waiting.append(contentsOf: lines)
        lengths.append(lines.count)
        while lengths.count > limit || waiting.count > Self.octetLimit {
            waiting.removeFirst(lengths.removeFirst())
            hasGap = true
        }
    }
}

import AttlasLint

/// What lint found, for the lines of a conversation: each behind the first line of its record, or where that would be.
public struct FindingLines: Sendable {
    private var findings: [Int: [LintFinding]] = [:]
    /// The record that had no line so far.
    private var waiting: Int?

    public init(_ findings: [LintFinding] = []) {
        self.findings = Dictionary(grouping: findings, by: \.frame)
    }

    var isEmpty: Bool { findings.isEmpty }

    /// An event of this record got no line.
    mutating func wait(_ frame: Int) {
        if findings[frame] != nil { waiting = frame }
    }

    /// What waits, unless a line of its own record may still come.
    mutating func takeWaiting(before frame: Int) -> [LintFinding] {
        guard let waiting, waiting != frame else { return [] }
        self.waiting = nil
        return take(waiting)
    }

    mutating func take(_ frame: Int) -> [LintFinding] { findings.removeValue(forKey: frame) ?? [] }
}

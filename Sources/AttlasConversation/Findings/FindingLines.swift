import AttlasLint
import AttlasTrace
import AttlasValues

/// The findings of lint, for the lines of a conversation.
///
/// Found before: each after the first line of its record, or where that would be. Found meanwhile: after the line of the event
/// by which it was found.
public struct FindingLines {
    private var known: [Int: [LintFinding]] = [:]
    /// The record that had no line so far.
    private var waiting: Int?
    package private(set) var collector: LintCollector?
    private var taken = 0
    // Constants, because every event asks: to look whether there is a collector copies it.
    private let isKnown: Bool
    private let isFollowing: Bool

    /// Without findings.
    public init() {
        isKnown = false
        isFollowing = false
    }

    /// - Parameter findings: of a reading before this one.
    package init(_ findings: [LintFinding]) {
        known = Dictionary(grouping: findings, by: \.frame)
        isKnown = !findings.isEmpty
        isFollowing = false
    }

    /// Checks the events that it gets against the rules.
    package init(following values: ValueInterpreter) {
        collector = LintCollector(values: values)
        isKnown = false
        isFollowing = true
    }

    package var isActive: Bool { isFollowing || isKnown }
    /// Any event may be the first of a record with a finding.
    var wantsPackets: Bool { isKnown }
    package var wantsControl: Bool { isActive }
    /// How many there were.
    package var count: Int {
        collector.map { $0.findings.findings.count + $0.findings.leftOut.values.reduce(0, +) } ?? 0
    }

    /// Definitions that have changed.
    package mutating func use(_ values: ValueInterpreter) { collector?.use(values) }

    /// Findings of an earlier record that had no line.
    mutating func takeWaiting(before frame: Int) -> [LintFinding] {
        guard let waiting, waiting != frame else { return [] }
        self.waiting = nil
        return known.removeValue(forKey: waiting) ?? []
    }

    /// Those to be written after an event.
    ///
    /// - Parameters:
    ///   - isShown: whether a selection holds it.
    ///   - hasLine: whether it gave a line.
    package mutating func take(
        after event: borrowing Event, isShown: Bool, hasLine: Bool, in trace: borrowing Trace
    ) -> [LintFinding] {
        if isFollowing {
            collector?.receive(event, in: trace)
            return takeNew(in: trace)
        }
        guard isShown, known[event.frame] != nil else { return [] }
        if hasLine { return known.removeValue(forKey: event.frame) ?? [] }
        waiting = event.frame
        return []
    }

    /// Those that the end of the conversation settles.
    package mutating func takeLast(in trace: borrowing Trace) -> [LintFinding] {
        collector?.end(in: trace)
        return takeWaiting(before: .max) + takeNew(in: trace)
    }

    /// All that were found meanwhile and are kept.
    package func all(in trace: borrowing Trace) -> [LintFinding] {
        var all: [LintFinding] = []
        for finding in collector?.findings.sorted ?? [] where finding.holds(in: trace) { all.append(finding) }
        return all
    }

    private mutating func takeNew(in trace: borrowing Trace) -> [LintFinding] {
        guard let all = collector?.findings.findings, all.count > taken else { return [] }
        var new: [LintFinding] = []
        for finding in all[taken...] where finding.holds(in: trace) { new.append(finding) }
        taken = all.count
        return new
    }
}

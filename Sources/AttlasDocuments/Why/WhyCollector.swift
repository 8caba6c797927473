import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// Collects the incidents of a capture; for the story of a subject also its tree, statistics and findings.
public struct WhyCollector: DocumentCollector {
    private var incidents: IncidentCollector
    private var story: StoryCollector?
    /// nil with a subject, and beyond `lintLimit`.
    private var lint: LintCollector?
    private let subject: String?

    /// Records after which the rules are left to `attlas lint`: they cost three times as much as the incidents.
    package static let lintLimit = 50_000

    private struct StoryCollector {
        var tree: TreeCollector
        var statistics: SelectedStatistics
        var lint: LintCollector
    }

    /// - Parameters:
    ///   - subject: a characteristic or a peer, by name, UUID or address, or a part of them; nil for the incidents alone.
    ///   - values: of the `Interpreted` that hands on the events.
    package init(_ subject: String?, values: ValueInterpreter) {
        self.subject = subject
        incidents = IncidentCollector(values: values)
        guard subject != nil else {
            lint = LintCollector(values: values)
            return
        }
        story = StoryCollector(
            tree: TreeCollector(values: values),
            statistics: SelectedStatistics(selection: Selection(), values: values), lint: LintCollector(values: values))
    }

    public var wantsPackets: Bool { story != nil }
    public var wantsControl: Bool { true }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        incidents.receive(event, in: trace)
        if lint != nil {
            if event.frame > Self.lintLimit { lint = nil } else { lint?.receive(event, in: trace) }
        }
        guard story != nil else { return }
        story?.tree.receive(event, in: trace)
        story?.statistics.receive(event, in: trace)
        story?.lint.receive(event, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> WhyModel {
        let incidents = incidents.finish(in: trace, integrity)
        guard let subject, var story else {
            var findings = lint?.finish(in: trace, integrity)
            return WhyModel(incidents, findings: findings?.notable(beside: incidents))
        }
        self.story = nil
        let answer = WhyAnswer(
            tree: story.tree.finish(in: trace, integrity), statistics: story.statistics.finish(in: trace, integrity),
            lint: story.lint.finish(in: trace, integrity), incidents: incidents)
        let answers = answer.answers(to: subject)
        return WhyModel(incidents, subject: subject, answers: answers, known: answers.isEmpty ? answer.known : [])
    }
}

extension LintModel {
    /// Errors and warnings that no incident reports, the errors first.
    fileprivate mutating func notable(beside incidents: IncidentsModel) -> [LintFinding] {
        self.incidents = incidents
        return ranked.filter { $0.rule.severity > .info && incident(of: $0) == nil }
    }
}

import AttlasFilter
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// Collects the tree, the statistics and the findings of a capture, of which answers are made.
public struct WhyCollector: DocumentCollector {
    private var tree: TreeCollector
    private var statistics: SelectedStatistics
    private var lint: LintCollector
    private let subject: String?

    /// - Parameters:
    ///   - subject: the name or the UUID of a characteristic, or the name or the address of a peer; nil for all peers.
    ///   - values: of the `Interpreted` that hands on the events.
    public init(_ subject: String?, values: ValueInterpreter) {
        self.subject = subject
        tree = TreeCollector(values: values)
        statistics = SelectedStatistics(selection: Selection(), values: values)
        lint = LintCollector(values: values)
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        tree.receive(event, in: trace)
        statistics.receive(event, in: trace)
        lint.receive(event, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> WhyModel {
        let teller = WhyTeller(
            tree: tree.finish(in: trace, integrity), statistics: statistics.finish(in: trace, integrity),
            lint: lint.finish(in: trace, integrity))
        let answers = teller.answers(to: subject)
        return WhyModel(
            subject: subject, answers: answers, known: answers.isEmpty ? teller.known : [], names: teller.tree.names,
            integrity: integrity)
    }
}

import AttlasDissection
import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// Collects the models that expectations are checked against, and the findings of `lint`.
public struct CheckCollector: DocumentCollector {
    private var lint: LintCollector
    private var incidents: IncidentCollector
    private var tree: TreeCollector?
    private var statistics: SelectedStatistics?
    private var fields: FieldRanges?
    private let expectations: [Expectation]
    private let isStrict: Bool
    private let library: DissectorLibrary

    /// - Parameters:
    ///   - disabled: ids of the rules of `lint` that are not to report.
    ///   - isStrict: The document has the expectations only, and one that cannot be checked is a finding.
    ///   - values: of the `Interpreted` that hands on the events.
    package init(_ expectations: [Expectation], disabled: Set<String> = [], isStrict: Bool, values: ValueInterpreter) {
        self.expectations = expectations
        self.isStrict = isStrict
        library = values.library
        lint = LintCollector(values: values, disabled: disabled)
        incidents = IncidentCollector(values: values)
        // Without expectations, nothing is collected.
        guard !expectations.isEmpty else { return }
        tree = TreeCollector(values: values)
        statistics = SelectedStatistics(selection: Selection(), values: values)
        fields = FieldRanges(values: values)
    }

    public var wantsPackets: Bool { lint.wantsPackets || statistics != nil }
    public var wantsControl: Bool { lint.wantsControl || statistics != nil }
    public var wantsCompletedPackets: Bool { lint.wantsCompletedPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        lint.receive(event, in: trace)
        incidents.receive(event, in: trace)
        tree?.receive(event, in: trace)
        statistics?.receive(event, in: trace)
        fields?.receive(event, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> LintModel {
        var model = lint.finish(in: trace, integrity)
        let incidents = incidents.finish(in: trace, integrity)
        model.incidents = incidents
        guard let tree = tree?.finish(in: trace, integrity), let statistics = statistics?.finish(in: trace, integrity),
            let fields
        else { return model }
        let judge = ExpectationJudge(
            tree: tree, statistics: statistics, fields: fields.ranges, lint: model, incidents: incidents,
            library: library)
        if isStrict { model.removeRules() }
        for expectation in expectations {
            var found: [LintFinding] = []
            var unchecked: String?
            switch judge.judge(expectation) {
            case .judged(let failures): found = failures
            case .unknown(let reason):
                if isStrict {
                    found = [judge.finding(expectation, nil, "Could not be checked: \(reason).")]
                } else {
                    unchecked = reason
                }
            }
            model.add(expectation.rule, found, unchecked: unchecked, in: trace)
        }
        return model
    }
}

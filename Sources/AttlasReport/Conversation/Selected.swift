import AttlasFilter
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// A sink that hands on what a selection holds.
public struct Selected<Sink: LineSink>: EventSink {
    public var sink: Sink
    private var selector: EventSelector
    /// What is selected; nil if that is everything.
    public private(set) var totals: ConversationTotals?
    private var context: ContextLines?
    private var findings: FindingLines
    /// Whether all that it holds is passed over, too.
    public var isMuted = false

    public init(
        sink: Sink, selection: Selection, values: ValueInterpreter, findings: FindingLines = FindingLines()
    ) {
        self.sink = sink
        self.findings = findings
        selector = EventSelector(selection, values: values)
        totals = selection.isEverything ? nil : ConversationTotals()
        context = selection.context.map { ContextLines(limit: $0) }
    }

    /// Whether a selection found nothing.
    public var foundNothing: Bool { selector.foundNothing(withPackets: sink.wantsPackets) }

    public var wantsPackets: Bool { sink.wantsPackets || findings.wantsPackets }
    public var wantsControl: Bool { sink.wantsControl || findings.wantsControl || selector.wantsControl }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if findings.isActive { write(findings.takeWaiting(before: event.frame), after: event.frame, in: trace) }
        let isEverything = selector.isEverything
        let isInScope =
            isEverything || selector.isWithin(event, in: trace) && selector.isInScope(event, in: trace)
        let isFound = isEverything || isInScope && selector.isFound(event, in: trace)
        if isFound { totals?.receive(event, in: trace) }
        let start = sink.lines.count
        let isShown = context == nil ? isFound : isInScope
        if isShown {
            if isMuted { sink.pass(event) } else { sink.receive(event, in: trace) }
        }
        if findings.isActive {
            let hasLine = sink.lines.count > start
            write(
                findings.take(after: event, isShown: isShown, hasLine: hasLine, in: trace), after: event.frame,
                in: trace)
        }
        if isInScope { context?.note(from: start, isMatch: isFound, in: &sink) }
    }

    /// What lint finds in the end. To be called after the last event.
    public mutating func finishFindings(in trace: borrowing Trace) {
        write(findings.takeLast(in: trace), after: .max, in: trace)
    }

    private mutating func write(_ findings: [LintFinding], after frame: Int, in trace: borrowing Trace) {
        for finding in findings { sink.write(finding, after: frame, in: trace) }
    }
}

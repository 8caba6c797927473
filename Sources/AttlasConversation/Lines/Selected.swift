import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues

/// A sink that hands on a selection's events.
public struct Selected<Sink: LineSink>: EventSink {
    /// Prints the selected events.
    public var sink: Sink
    private var selector: EventSelector
    /// Totals of the selection; nil if everything is selected.
    public private(set) var totals: ConversationTotals?
    private var context: ContextLines?
    private var findings: FindingLines
    /// Incidents of an unfinished conversation.
    private var incidents: OptionalSink<IncidentCollector>
    private let onIncident: (IncidentCollector.News) -> Void
    /// Whether all that it holds is passed over, too.
    public var isMuted = false

    /// A sink that passes on the events of a selection.
    ///
    /// - Parameter onIncident: Called with incidents as they happen, if they are written.
    public init(
        sink: Sink, selection: Selection, values: ValueInterpreter, findings: FindingLines = FindingLines(),
        writesIncidents: Bool = false, onIncident: @escaping (IncidentCollector.News) -> Void = { _ in }
    ) {
        self.sink = sink
        self.onIncident = onIncident
        self.findings = findings
        incidents = OptionalSink(writesIncidents ? IncidentCollector(values: values, isFollowed: true) : nil)
        selector = EventSelector(selection, values: values)
        totals = selection.isEverything ? nil : ConversationTotals()
        context = selection.context.map { ContextLines(limit: $0) }
    }

    /// Whether a selection found nothing.
    public var foundNothing: Bool { selector.foundNothing(withPackets: sink.wantsPackets) }

    public var wantsPackets: Bool { sink.wantsPackets || findings.wantsPackets }
    public var wantsControl: Bool {
        sink.wantsControl || findings.wantsControl || incidents.wantsControl || selector.wantsControl
    }

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
        var hasIncident = false
        if incidents.wantsControl {
            incidents.receive(event, in: trace)
            hasIncident = writeIncidents(after: event.frame, in: trace)
        }
        if isInScope || hasIncident { context?.note(from: start, isMatch: isFound || hasIncident, in: &sink) }
    }

    /// Writes the findings that lint reports only at the end. To be called after the last event.
    public mutating func finishFindings(in trace: borrowing Trace) {
        write(findings.takeLast(in: trace), after: .max, in: trace)
    }

    /// Writes the incidents, including those that only the end settles; returns nil if they were not requested. To be called after
    /// `finishFindings`.
    public mutating func finishIncidents(_ integrity: CaptureIntegrity, in trace: borrowing Trace) -> IncidentsModel? {
        let model = incidents.sink?.finish(in: trace, integrity)
        writeIncidents(after: .max, in: trace)
        return model
    }

    /// - Returns: whether there is something new.
    @discardableResult
    private mutating func writeIncidents(after frame: Int, in trace: borrowing Trace) -> Bool {
        let new = incidents.sink?.takeNew(in: trace) ?? []
        var isWritten = false
        for news in new {
            if let incident = news.incident {
                sink.write(incident, after: frame, in: trace)
                isWritten = true
            }
            // Except news that only the end shows.
            if frame != .max { onIncident(news) }
        }
        return isWritten
    }

    private mutating func write(_ findings: [LintFinding], after frame: Int, in trace: borrowing Trace) {
        for finding in findings { sink.write(finding, after: frame, in: trace) }
    }
}

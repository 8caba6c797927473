import AttlasFilter
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
    /// Whether all that it holds is passed over, too.
    public var isMuted = false

    public init(sink: Sink, selection: Selection, values: ValueInterpreter) {
        self.sink = sink
        selector = EventSelector(selection, values: values)
        totals = selection.isEverything ? nil : ConversationTotals()
        context = selection.context.map { ContextLines(limit: $0) }
    }

    /// Whether a selection found nothing.
    public var foundNothing: Bool { selector.foundNothing(withPackets: sink.wantsPackets) }

    public var wantsPackets: Bool { sink.wantsPackets }
    public var wantsControl: Bool { sink.wantsControl }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard selector.isWithin(event, in: trace), selector.isInScope(event, in: trace) else { return }
        let isFound = selector.isFound(event, in: trace)
        if isFound { totals?.receive(event, in: trace) }
        guard context != nil else {
            guard isFound else { return }
            return isMuted ? sink.pass(event) : sink.receive(event, in: trace)
        }
        let start = sink.lines.count
        sink.receive(event, in: trace)
        context?.note(from: start, isMatch: isFound, in: &sink)
    }
}

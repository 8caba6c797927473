import AttlasCapture
import AttlasTrace
import AttlasValues

/// Decides of one event after the other whether a selection holds it.
public struct EventSelector {
    private var selection: Selection
    private var values: ValueInterpreter
    private let frames: ClosedRange<Int>?
    private let from: TimeBound?
    private let to: TimeBound?
    private var start: Timestamp?
    private var scope: FilterMatcher?
    private var filter: FilterMatcher?
    /// Whether the ATT operation that came last was selected.
    private var hadOperation = false

    /// - Parameter values: of the `Interpreted` that hands on the events.
    public init(_ selection: Selection, values: ValueInterpreter) {
        self.selection = selection
        self.values = values
        frames = selection.frames
        from = selection.from
        to = selection.to
        makeMatchers()
    }

    private mutating func makeMatchers() {
        scope = selection.scope.map { FilterMatcher($0, values: values) }
        let filter = selection.filter ?? (selection.context == nil ? nil : .trouble)
        self.filter = filter.map { FilterMatcher($0, values: values) }
    }

    /// From the next event on, the filter is this one.
    public mutating func find(_ filter: Filter?) {
        selection.filter = filter
        makeMatchers()
    }

    /// From the next event on, values are read with this.
    public mutating func use(_ values: ValueInterpreter) {
        self.values = values
        makeMatchers()
    }

    /// Times count from the first record, which may give no event but its packet.
    public var needsStart: Bool { start == nil && (from != nil || to != nil) }

    /// Whether the event lies within the frames and the times. To be asked of every event, first.
    public mutating func isWithin(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        let start = start ?? event.time
        self.start = start
        if let frames, !frames.contains(event.frame) { return false }
        if let from, from.nanoseconds(to: event.time, start: start) < 0 { return false }
        if let to, to.nanoseconds(to: event.time, start: start) > 0 { return false }
        return true
    }

    /// Whether it belongs to the conversation.
    public mutating func isInScope(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        scope?.matches(event, in: trace) ?? true
    }

    /// Whether it is what the filter looks for. To be asked of all events in scope.
    public mutating func isFound(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        // The MTU in force stands beside the response that settled it, and has nothing else to be asked for.
        if case .mtu = event.detail { return hadOperation }
        let isFound = filter?.matches(event, in: trace) ?? true
        if case .att = event.detail { hadOperation = isFound }
        return isFound
    }
}

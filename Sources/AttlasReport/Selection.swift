import AttlasCapture
import AttlasDissection
import AttlasMetrics
import AttlasTrace
import AttlasWire

/// Which part of a conversation is shown.
///
/// `frames`, `from`, `to`, `peer` and `characteristic` say which conversation it is, `filter` what in it is looked for; an event must meet
/// all that are set.
public struct Selection: Sendable {
    /// Numbers of records, counted from 1.
    public var frames: ClosedRange<Int>?
    /// Times, both included.
    public var from: TimeBound?
    public var to: TimeBound?
    /// Part of the peer's name or address, in any letter case.
    public var peer: String?
    /// A characteristic's UUID, or part of its name in any letter case.
    public var characteristic: String?
    public var filter: Filter?
    /// Show so many lines of the conversation before and behind each that the filter selects. Without a filter, around what
    /// went wrong: errors, faults, records lost.
    public var context: Int?

    public init() {}

    /// Whether no record from here on can be selected.
    public func isPast(_ frame: Int) -> Bool {
        frames.map { frame >= $0.upperBound } ?? false
    }

    /// The conversation; nil when it is the whole of it.
    fileprivate var scope: Filter? {
        var tests: [FilterTest] = []
        if let peer { tests.append(.peer(.contains, FoldedText(peer))) }
        if let characteristic {
            tests.append(
                .uuid(
                    UUIDTest(
                        property: .characteristic, comparison: .contains, uuid: BluetoothUUID(characteristic),
                        name: FoldedText(characteristic), slot: 0)))
        }
        return tests.isEmpty ? nil : Filter(.all(tests.map { .test($0) }), uuidCount: 1)
    }
}

/// A moment of a capture.
public enum TimeBound: Sendable, Equatable {
    /// Nanoseconds from the first record.
    case sinceStart(Int64)
    case moment(Timestamp)

    /// Nanoseconds from this moment to `time`.
    fileprivate func nanoseconds(to time: Timestamp, start: Timestamp) -> Int64 {
        switch self {
        case .sinceStart(let offset): time.nanoseconds(since: start).subtractingReportingOverflow(offset).partialValue
        case .moment(let moment): time.nanoseconds(since: moment)
        }
    }
}

/// Decides of one event after the other whether a selection holds it.
struct EventSelector {
    private var selection: Selection
    private var values: ValueReader
    private let frames: ClosedRange<Int>?
    private let from: TimeBound?
    private let to: TimeBound?
    private var start: Timestamp?
    private var scope: FilterMatcher?
    private var filter: FilterMatcher?
    /// Whether the ATT operation that came last was selected.
    private var hadOperation = false

    /// - Parameter values: told of every event, selected or not.
    init(_ selection: Selection, values: ValueReader) {
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
    mutating func find(_ filter: Filter?) {
        selection.filter = filter
        makeMatchers()
    }

    /// From the next event on, values are read with this.
    mutating func use(_ values: ValueReader) {
        self.values = values
        makeMatchers()
    }

    /// Times count from the first record, which may give no event but its packet.
    var needsStart: Bool { start == nil && (from != nil || to != nil) }

    /// Whether the event lies within the frames and the times. To be asked of every event, first.
    mutating func isWithin(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        values.memory.follow(event, in: trace)
        let start = start ?? event.time
        self.start = start
        if let frames, !frames.contains(event.frame) { return false }
        if let from, from.nanoseconds(to: event.time, start: start) < 0 { return false }
        if let to, to.nanoseconds(to: event.time, start: start) > 0 { return false }
        return true
    }

    /// Whether it belongs to the conversation.
    mutating func isInScope(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        scope?.matches(event, in: trace) ?? true
    }

    /// Whether it is what the filter looks for. To be asked of all events in scope.
    mutating func isFound(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        // The MTU in force stands beside the response that settled it, and has nothing else to be asked for.
        if case .mtu = event.detail { return hadOperation }
        let isFound = filter?.matches(event, in: trace) ?? true
        if case .att = event.detail { hadOperation = isFound }
        return isFound
    }
}

/// A sink that turns events into lines.
public protocol LineSink: EventSink {
    /// Finished lines that wait to be written.
    var lines: TextBuffer { get set }
    /// Writes what stands between lines that were not neighbours.
    mutating func separateGroups()
    /// Takes what somebody wrote beside a record. Called before its events; some of them may come with a later record,
    /// which completes a PDU. A sink that has no place for it need not do anything.
    mutating func note(_ comments: [String], of frame: Int)
    /// Notes what later lines need to know of an event that gets no line.
    mutating func pass(_ event: borrowing Event)
}

extension LineSink {
    /// Hands over the finished lines when they are worth a write, or when whoever reads would wait for them.
    public mutating func drain(into output: inout Output, isForced: Bool) {
        if isForced || lines.count >= Output.chunk { output.write(&lines) }
    }

    public mutating func note(_ comments: [String], of frame: Int) {}

    public mutating func pass(_ event: borrowing Event) {}
}

/// A sink that hands on what a selection holds.
public struct Selected<Sink: LineSink>: EventSink {
    public var sink: Sink
    private var selector: EventSelector
    private var context: ContextLines?
    /// Whether all that it holds is passed over, too.
    public var isMuted = false

    /// - Parameter values: what `sink` reads values with; it is told of every event, selected or not.
    public init(sink: Sink, selection: Selection, values: ValueReader) {
        self.sink = sink
        selector = EventSelector(selection, values: values)
        context = selection.context.map { ContextLines(limit: $0) }
    }

    public var wantsPackets: Bool { sink.wantsPackets || selector.needsStart }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard selector.isWithin(event, in: trace), selector.isInScope(event, in: trace) else { return }
        let isFound = selector.isFound(event, in: trace)
        guard context != nil else {
            guard isFound else { return }
            return isMuted ? sink.pass(event) : sink.receive(event, in: trace)
        }
        let start = sink.lines.count
        sink.receive(event, in: trace)
        context?.note(from: start, isMatch: isFound, in: &sink)
    }
}

/// Measures what a selection holds.
public struct SelectedStatistics: EventSink {
    public private(set) var collector = StatisticsCollector()
    private(set) var fields: FieldRanges?
    private var selector: EventSelector

    /// - Parameter readsFields: whether the numbers in the values are measured, too.
    public init(selection: Selection, values: ValueReader, readsFields: Bool = false) {
        selector = EventSelector(selection, values: values)
        fields = readsFields ? FieldRanges(values: values) : nil
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        collector.isWithin = selector.isWithin(event, in: trace)
        let isInScope = collector.isWithin && selector.isInScope(event, in: trace)
        collector.isSelected = isInScope && selector.isFound(event, in: trace)
        collector.receive(event, in: trace)
        if collector.isSelected { fields?.receive(event, in: trace) }
    }

    public mutating func finish(in trace: borrowing Trace) {
        collector.finish(in: trace)
    }
}

/// Two sinks that receive the same events.
public struct Both<First: EventSink, Second: EventSink>: EventSink {
    public var first: First
    public var second: Second

    public init(first: First, second: Second) {
        self.first = first
        self.second = second
    }

    public var wantsPackets: Bool { first.wantsPackets || second.wantsPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        first.receive(event, in: trace)
        second.receive(event, in: trace)
    }
}

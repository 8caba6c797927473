import AttlasDissection
import AttlasTrace
import AttlasWire

/// Which part of a conversation is shown.
///
/// `frames`, `peer` and `characteristic` say which conversation it is, `filter` what in it is looked for; an event must meet
/// all that are set. All of them are filters inside.
public struct Selection: Sendable {
    /// Numbers of records, counted from 1.
    public var frames: ClosedRange<Int>?
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
        if let frames {
            tests.append(.number(.frame, .greaterOrEqual, Int64(frames.lowerBound)))
            tests.append(.number(.frame, .lessOrEqual, Int64(frames.upperBound)))
        }
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

/// A sink that turns events into lines.
public protocol LineSink: EventSink {
    /// Finished lines that wait to be written.
    var lines: TextBuffer { get set }
    /// Writes what stands between lines that were not neighbours.
    mutating func separateGroups()
    /// Takes what somebody wrote beside a record. Called before its events; some of them may come with a later record,
    /// which completes a PDU. A sink that has no place for it need not do anything.
    mutating func note(_ comments: [String], of frame: Int)
}

extension LineSink {
    /// Hands over the finished lines when they are worth a write, or when whoever reads would wait for them.
    public mutating func drain(into output: inout Output, isForced: Bool) {
        if isForced || lines.count >= Output.chunk { output.write(&lines) }
    }

    public mutating func note(_ comments: [String], of frame: Int) {}
}

/// A sink that hands on what a selection holds.
public struct Selected<Sink: LineSink>: EventSink {
    public var sink: Sink
    private let memory: ValueMemory
    private var scope: FilterMatcher?
    private var filter: FilterMatcher?
    private var context: ContextLines?
    /// Whether the ATT operation that came last was selected.
    private var hadOperation = false

    /// - Parameter values: what `sink` reads values with; it is told of every event, selected or not.
    public init(sink: Sink, selection: Selection, values: ValueReader) {
        self.sink = sink
        memory = values.memory
        scope = selection.scope.map { FilterMatcher($0, values: values) }
        context = selection.context.map { ContextLines(limit: $0) }
        let filter = selection.filter ?? (selection.context == nil ? nil : .trouble)
        self.filter = filter.map { FilterMatcher($0, values: values) }
    }

    public var wantsPackets: Bool { sink.wantsPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        memory.follow(event, in: trace)
        guard scope?.matches(event, in: trace) ?? true else { return }
        let isMatch = matches(event, in: trace)
        guard context != nil else {
            if isMatch { sink.receive(event, in: trace) }
            return
        }
        let start = sink.lines.count
        sink.receive(event, in: trace)
        context?.note(from: start, isMatch: isMatch, in: &sink)
    }

    private mutating func matches(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        // The MTU in force stands beside the response that settled it, and has nothing else to be asked for.
        if case .mtu = event.detail { return hadOperation }
        let isMatch = filter?.matches(event, in: trace) ?? true
        if case .att = event.detail { hadOperation = isMatch }
        return isMatch
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

import AttlasDissection
import AttlasTrace

/// Passes every event to the history of the conversation's values, and then to a sink that reads values with it.
///
/// It is the only caller of the history, and makes the interpreters that share it. So no event is followed twice, which
/// would take the second part of a message for a new one.
public struct Interpreted<Sink: EventSink>: EventSink {
    /// Receives the events.
    public var sink: Sink
    private let history: SharedValueHistory
    private let isFollowed: Bool

    /// - Parameters:
    ///   - readsValues: whether the sink reads the meaning of values at all.
    ///   - makeSink: gets the interpreter of the conversation's values.
    public init(library: DissectorLibrary, readsValues: Bool = true, _ makeSink: (ValueInterpreter) -> Sink) {
        isFollowed = readsValues
        history = SharedValueHistory(ValueHistory(library: library))
        sink = makeSink(ValueInterpreter(library: library, history))
    }

    public static var depth: DecodingDepth { Sink.depth }

    @inlinable public var wantsPackets: Bool { sink.wantsPackets }
    @inlinable public var wantsControl: Bool { sink.wantsControl }
    @inlinable public var wantsCompletedPackets: Bool { sink.wantsCompletedPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if isFollowed { history.history.follow(event, in: trace) }
        sink.receive(event, in: trace)
    }

    /// The same history for another sink: from here on, each goes its own way.
    ///
    /// - Parameter makeSink: gets this sink, and the interpreter of the other one's values.
    public func copy<Other>(_ makeSink: (Sink, ValueInterpreter) -> Other) -> Interpreted<Other> {
        Interpreted<Other>(copying: self, makeSink)
    }

    private init<Former>(copying other: Interpreted<Former>, _ makeSink: (Former, ValueInterpreter) -> Sink) {
        isFollowed = other.isFollowed
        history = SharedValueHistory(other.history.history)
        sink = makeSink(other.sink, ValueInterpreter(library: history.history.library, history))
    }

    /// From the next event on, values are read with other definitions. The history of values is kept.
    ///
    /// - Returns: the interpreter for the sink.
    public mutating func use(_ library: DissectorLibrary) -> ValueInterpreter {
        history.history = ValueHistory(library: library, continuing: history.history)
        return ValueInterpreter(library: library, history)
    }
}

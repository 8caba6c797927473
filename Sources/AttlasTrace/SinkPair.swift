/// Two sinks that receive the same events, except that HCI commands and events go only to sinks that request them.
public struct SinkPair<First: EventSink, Second: EventSink>: EventSink {
    /// Receives each event first.
    public var first: First
    /// Receives each event after `first`.
    public var second: Second

    /// A sink of both.
    @inlinable
    public init(first: First, second: Second) {
        self.first = first
        self.second = second
    }

    @inlinable public var wantsPackets: Bool { first.wantsPackets || second.wantsPackets }
    @inlinable public var wantsControl: Bool { first.wantsControl || second.wantsControl }
    @inlinable public var wantsCompletedPackets: Bool { first.wantsCompletedPackets || second.wantsCompletedPackets }

    @inlinable
    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        let isControl = event.isControl
        if !isControl || first.wantsControl { first.receive(event, in: trace) }
        if !isControl || second.wantsControl { second.receive(event, in: trace) }
    }
}

/// An optional sink whose requested events never change.
public struct OptionalSink<Sink: EventSink>: EventSink {
    /// nil takes no events.
    public var sink: Sink?
    // Constants, because every event asks: to look into an optional sink copies it.
    @usableFromInline let isPresent: Bool
    public let wantsPackets: Bool
    public let wantsControl: Bool
    public let wantsCompletedPackets: Bool

    /// Reads once which events `sink` requests.
    @inlinable
    public init(_ sink: Sink?) {
        self.sink = sink
        isPresent = sink != nil
        wantsPackets = sink?.wantsPackets == true
        wantsControl = sink?.wantsControl == true
        wantsCompletedPackets = sink?.wantsCompletedPackets == true
    }

    @inlinable
    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if isPresent { sink?.receive(event, in: trace) }
    }
}

extension Event {
    /// Whether it reports an HCI command or event.
    @inlinable @inline(__always)
    var isControl: Bool {
        switch detail {
        case .command, .hciEvent: true
        default: false
        }
    }
}

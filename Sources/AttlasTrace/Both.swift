/// Two sinks that receive the same events.
public struct Both<First: EventSink, Second: EventSink>: EventSink {
    public var first: First
    public var second: Second

    public init(first: First, second: Second) {
        self.first = first
        self.second = second
    }

    public var wantsPackets: Bool { first.wantsPackets || second.wantsPackets }
    public var wantsControl: Bool { first.wantsControl || second.wantsControl }
    public var wantsCompletedPackets: Bool { first.wantsCompletedPackets || second.wantsCompletedPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        first.receive(event, in: trace)
        second.receive(event, in: trace)
    }
}

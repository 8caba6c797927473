import AttlasDissection
import AttlasTrace
import AttlasWire

/// Which events are shown: those of some frames, of one peer, of one characteristic. An event must meet all that are set.
public struct Selection: Sendable {
    /// Numbers of records, counted from 1.
    public var frames: ClosedRange<Int>?
    /// Part of the peer's name or address, in any letter case.
    public var peer: String?
    /// A characteristic's UUID, or part of its name in any letter case.
    public var characteristic: String?

    public init() {}

    public var isEmpty: Bool { frames == nil && peer == nil && characteristic == nil }

    /// Whether no record from here on can be selected.
    public func isPast(_ frame: Int) -> Bool {
        frames.map { frame >= $0.upperBound } ?? false
    }
}

/// A sink that hands on what a selection holds.
public struct Selected<Sink: EventSink>: EventSink {
    public var sink: Sink
    private let selection: Selection
    private let peer: String
    private let characteristic: String
    private let uuid: BluetoothUUID?
    private let library: DissectorLibrary
    /// Whether a UUID is the characteristic asked for, by the trace's number for it.
    private var matches: [Int32: Bool] = [:]

    public init(sink: Sink, selection: Selection, library: DissectorLibrary) {
        self.sink = sink
        self.selection = selection
        self.library = library
        peer = selection.peer?.lowercased() ?? ""
        characteristic = selection.characteristic?.lowercased() ?? ""
        uuid = selection.characteristic.flatMap { BluetoothUUID($0) }
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if let frames = selection.frames, !frames.contains(event.frame) { return }
        if selection.peer != nil, !hasPeer(event, in: trace) { return }
        if selection.characteristic != nil, !hasCharacteristic(event, in: trace) { return }
        sink.receive(event, in: trace)
    }

    private func hasPeer(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        func isAsked(_ address: BluetoothAddress?) -> Bool {
            address.map { $0.description.lowercased().contains(peer) } ?? false
        }
        if case .advertising(let report) = event.detail { return isAsked(report.address) || isAsked(report.identity) }
        guard let connection = event.connection else { return false }
        let index = trace.connections[connection].peer
        if let name = trace.peerName(index), name.lowercased().contains(peer) { return true }
        return isAsked(trace.peerAddress(index)) || isAsked(trace.connections[connection].privateAddress)
    }

    private mutating func hasCharacteristic(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        let attribute: AttributeInfo?
        switch event.detail {
        case .att(let operation): attribute = operation.attribute
        case .assembled(let value): attribute = value.attribute
        case .subscription(let subscription): attribute = subscription.attribute
        default: return false
        }
        guard let index = attribute?.characteristic else { return false }
        if let known = matches[index.value] { return known }
        let found = trace.uuids[index]
        let match =
            found == uuid || library.attributeName(of: found)?.lowercased().contains(characteristic) ?? false
        matches[index.value] = match
        return match
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

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        first.receive(event, in: trace)
        second.receive(event, in: trace)
    }
}

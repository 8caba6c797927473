import AttlasTrace
import AttlasWire

/// The counts in the summary at the end of a conversation.
public struct ConversationTotals: EventSink, Sendable {
    package private(set) var connections = 0
    package private(set) var operations = 0
    /// Error Responses, without those by which a search of handles ends.
    package private(set) var errors = 0
    package private(set) var malformed = 0
    package private(set) var cutShort = 0
    /// Frames with a hole because of packets that the sniffer missed.
    package private(set) var holes = 0
    package private(set) var clockSteps = 0
    /// Packets of unknown types.
    package private(set) var unknownPackets = UnknownPackets()
    /// Operations on handles that the capture does not explain, and those handles.
    private(set) var unknownOperations = 0
    private var unknownHandles: Set<UInt64> = []
    /// Those that were counted last, by a few bits: hashing one takes ten times as long as comparing it.
    private var recent = [UInt64](repeating: .max, count: 1_024)
    /// Microseconds.
    package private(set) var roundTrips = Distribution()

    package init() {}

    package var unknownHandleCount: Int { unknownHandles.count }

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard case .att(let operation) = event.detail else { return receiveOther(event) }
        receive(operation, event.connection, in: trace)
    }

    /// Counts events that are not ATT PDUs; kept apart, because a switch over all details reads the fields that several share before it
    /// knows which one it has.
    @inline(never)
    private mutating func receiveOther(_ event: borrowing Event) {
        switch event.detail {
        case .connection(let change):
            switch change {
            case .made, .presumed: connections += 1
            default: break
            }
        case .clockStep: clockSteps += 1
        case .data(let packet): if packet.isUnknown { unknownPackets.note(packet) }
        case .fault(.wire(let error)): count(error)
        default: break
        }
    }

    @inline(__always)
    private mutating func receive(_ operation: ATTOperation, _ connection: Int?, in trace: borrowing Trace) {
        operations += 1
        if operation.opcode == .errorResponse, !operation.endsDiscovery { errors += 1 }
        if let fault = operation.fault { count(fault) }
        if let roundTrip = operation.request?.roundTrip { roundTrips.record(roundTrip / 1_000) }
        // Bounded: a hostile capture can name 65 535 handles on any number of connections.
        if let handle = operation.handle, operation.attribute == nil, !operation.endsDiscovery, let connection {
            unknownOperations += 1
            guard unknownHandles.count < 100_000 else { return }
            let number = trace.connections[connection].number
            let side: UInt64 = operation.server == .local ? 1 : 0
            let unknown = UInt64(truncatingIfNeeded: number) << 17 | side << 16 | UInt64(handle)
            // The handles of a connection are near each other, and the connections are not.
            let hint = Int(truncatingIfNeeded: unknown ^ (unknown >> 17) &* 0x9E5) & (recent.count - 1)
            guard recent[hint] != unknown else { return }
            recent[hint] = unknown
            unknownHandles.insert(unknown)
        }
    }

    private mutating func count(_ error: WireError) {
        switch error.limit {
        case .capturedLength: cutShort += 1
        case .missedPackets: holes += 1
        default: malformed += 1
        }
    }
}

/// Packets of unknown types.
package struct UnknownPackets: Sendable {
    /// Types that are named.
    private static let typeLimit = 4

    package private(set) var count = 0
    /// The first few.
    package private(set) var types: [UInt8] = []
    package private(set) var hasMoreTypes = false
    /// Octets after the type, as the capture lays them out.
    package private(set) var lengths = Int.max...Int.max

    mutating func note(_ packet: DataPacket) {
        lengths =
            count == 0
            ? packet.length...packet.length
            : min(lengths.lowerBound, packet.length)...max(lengths.upperBound, packet.length)
        count += 1
        guard !types.contains(packet.type) else { return }
        guard types.count < Self.typeLimit else {
            hasMoreTypes = true
            return
        }
        types.append(packet.type)
    }
}

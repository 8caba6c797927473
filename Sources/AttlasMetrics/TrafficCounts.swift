import AttlasTrace
import AttlasWire

/// Counts of a conversation's events, of any length, without names of devices and values.
public struct TrafficCounts: EventSink, Sendable {
    /// Upper limits of round trips, in microseconds; the last has none.
    package static let roundTripLimits: [Int64] = [
        5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
        30_000_000,
    ]

    /// The round trips of one kind of request.
    package struct RoundTrips: Sendable {
        /// Up to each limit, and above all.
        package private(set) var counts = [Int](repeating: 0, count: roundTripLimits.count + 1)
        /// Nanoseconds.
        package private(set) var sum: Int64 = 0

        fileprivate mutating func note(_ nanoseconds: Int64) {
            let limits = TrafficCounts.roundTripLimits
            counts[limits.firstIndex { nanoseconds <= $0 * 1_000 } ?? limits.count] += 1
            sum = sum.addingReportingOverflow(nanoseconds).partialValue
        }
    }

    package private(set) var totals = ConversationTotals()
    /// By the direction's number and the opcode.
    private var pdus = [Int](repeating: 0, count: 3 * 256)
    /// Error Responses, without those by which a search of handles ends.
    package private(set) var errors: [ATTErrorCode: Int] = [:]
    package private(set) var roundTrips: [ATTOpcode: RoundTrips] = [:]
    package private(set) var disconnections: [HCIErrorCode: Int] = [:]
    package private(set) var connectionsEnded = 0

    package init() {}

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        totals.receive(event, in: trace)
        switch event.detail {
        case .att(let operation):
            pdus[Int(event.direction.rawValue) * 256 + Int(operation.opcode.rawValue)] += 1
            if case .errorResponse(let pdu) = operation.pdu, !operation.endsDiscovery {
                errors[pdu.errorCode, default: 0] += 1
            }
            guard let request = operation.request, let roundTrip = request.roundTrip else { break }
            roundTrips[request.opcode, default: RoundTrips()].note(roundTrip)
        case .connection(.ended(let end)):
            connectionsEnded += 1
            if case .disconnected(let reason, by: _) = end { disconnections[reason, default: 0] += 1 }
        default: break
        }
    }

    package func pdus(_ opcode: UInt8, _ direction: Direction) -> Int {
        pdus[Int(direction.rawValue) * 256 + Int(opcode)]
    }
}

import AttlasCapture
import AttlasDissection
import AttlasValues
import AttlasWire

/// Which part of a conversation is shown.
///
/// `frames`, `from`, `to`, `peer` and `characteristic` choose the conversation, `filter` the events in it; an event must meet all that are
/// set.
public struct Selection: Sendable {
    /// Numbers of records, counted from 1.
    package var frames: ClosedRange<Int>?
    /// Times, both included.
    package var from: TimeBound?
    package var to: TimeBound?
    /// Part of the peer's name or address, in any letter case.
    package var peer: String?
    /// The peers that `peer` names anywhere in the capture, where that is known before it is read.
    package var peers: PeerSet?
    /// A characteristic's UUID, or part of its name in any letter case.
    package var characteristic: String?
    package var filter: Filter?
    /// Lines of the conversation to show before and after each that the filter selects. Without a filter, around problems: errors, faults,
    /// records lost.
    package var context: Int?

    /// Selects everything.
    public init() {}

    /// Whether frames and times alone select.
    package var isOfRecords: Bool {
        peer == nil && characteristic == nil && filter == nil && context == nil
    }

    /// Whether the frames and the times hold a record.
    ///
    /// - Parameter start: From which times are counted.
    package func holds(_ frame: Int, _ time: Timestamp, start: Timestamp) -> Bool {
        if let frames, !frames.contains(frame) { return false }
        if let from, from.nanoseconds(to: time, start: start) < 0 { return false }
        if let to, to.nanoseconds(to: time, start: start) > 0 { return false }
        return true
    }

    /// Whether it is shown only with the packets below ATT and with advertisements: signal strengths.
    package var findsPackets: Bool { filter?.findsPackets ?? false }

    /// No record after this number can be selected.
    package var recordLimit: Int { frames?.upperBound ?? .max }

    private var characteristicTest: UUIDTest? {
        characteristic.map(BluetoothUUID.digits).map { text in
            UUIDTest(
                property: .characteristic, comparison: .contains, uuid: BluetoothUUID(text), name: FoldedText(text),
                slot: 0)
        }
    }

    /// Whether `characteristic` means this UUID.
    package func holds(characteristic uuid: BluetoothUUID, _ library: DissectorLibrary) -> Bool {
        characteristicTest?.isMet(by: uuid, library) ?? true
    }

    /// The conversation; nil if it is the whole of it.
    var scope: Filter? {
        var terms = characteristicTest.map { [FilterExpression.test(.uuid($0))] } ?? []
        if let peer {
            let named = FilterExpression.test(.peer(.contains, FoldedText(peer)))
            terms.append(peers.map { .any([named, .test(.peerIsIn($0))]) } ?? named)
        }
        return terms.isEmpty ? nil : Filter(.all(terms), uuidCount: 1)
    }
}

/// A moment of a capture.
package enum TimeBound: Sendable, Equatable {
    /// Nanoseconds from the first record.
    case sinceStart(Int64)
    case moment(Timestamp)
    /// Nanoseconds since midnight in UTC: the first such moment that is not before the first record.
    case timeOfDay(Int64)

    /// Whether it is earlier in any capture: of two of one kind.
    package func isBefore(_ other: TimeBound) -> Bool {
        switch (self, other) {
        case (.sinceStart(let first), .sinceStart(let second)): first < second
        case (.moment(let first), .moment(let second)): first.nanoseconds(since: second) < 0
        // A capture may pass midnight.
        default: false
        }
    }

    /// Nanoseconds from this moment to `time`.
    package func nanoseconds(to time: Timestamp, start: Timestamp) -> Int64 {
        switch self {
        case .sinceStart(let offset): Self.difference(time.nanoseconds(since: start), offset)
        case .moment(let moment): time.nanoseconds(since: moment)
        case .timeOfDay(let moment):
            Self.difference(time.nanoseconds(since: start), Self.offset(of: moment, from: start))
        }
    }

    /// The whole second in which the capture begins belongs to it.
    private static func offset(of timeOfDay: Int64, from start: Timestamp) -> Int64 {
        let day: Int64 = 86_400_000_000_000
        let startOfDay = ((start.nanoseconds(since: .epoch) % day) + day) % day
        let offset = timeOfDay - startOfDay
        return offset > -1_000_000_000 ? offset : offset + day
    }

    /// At the limits of `Int64` when there are more.
    private static func difference(_ time: Int64, _ offset: Int64) -> Int64 {
        let (difference, overflow) = time.subtractingReportingOverflow(offset)
        return overflow ? (time < 0 ? .min : .max) : difference
    }
}

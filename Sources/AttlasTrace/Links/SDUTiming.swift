import AttlasCapture
import AttlasWire

/// The times at which this host gave the SDUs of a stream to its controller, compared with their places in the rhythm of SDU_Interval. Core
/// Specification, Vol 4, Part E, 5.4.5 and 7.8.97.
///
/// Sequence numbers count intervals. The place of an SDU follows from the earliest SDU of the last 1,024 to 2,048, so that a drift of the
/// clocks does not count. Constant memory.
package struct SDUTiming: Sendable {
    /// SDUs that were late by more than `tolerance`, after the controller had no other left. When the host does not return to its rhythm, the
    /// first one after a gap.
    package private(set) var late = 0
    /// Nanoseconds.
    package private(set) var largestLateness: Int64 = 0
    /// The first SDU of those that were late together last.
    package private(set) var lastLate: Moment?
    /// Times of more than `tolerance` beyond one interval in which no SDU was given.
    package private(set) var gaps = 0
    /// Nanoseconds from one SDU to the next.
    package private(set) var longestGap: Int64 = 0
    /// The transport latency in nanoseconds.
    package let latency: Int64
    private let interval: Int64

    private var last: (number: UInt16, time: Timestamp)?
    /// Losses, and jumps of the clock, when `last` was given.
    private var disruptions = 0
    /// SDUs since the measurement began.
    private var count = 0
    /// How much later `last` was than its place after the first SDU, in nanoseconds.
    private var phase: Int64 = 0
    /// The earliest phases of these SDUs and of the 1,024 before.
    private var (earliest, earlier): (Int64, Int64) = (0, 0)
    /// Late SDUs after which the host has not returned to its rhythm.
    private var pending: Pending?

    private struct Pending {
        let first: Moment
        let isAfterGap: Bool
        /// Lateness of the first, in nanoseconds.
        let lateness: Int64
        var count = 0
        var largest: Int64 = 0
        var earliest: Int64 = .max
    }

    /// SDUs of which the earliest is kept.
    private static let window = 1_024
    /// SDUs of which none is late, because a host begins in bursts.
    private static let settling = 16
    /// Nanoseconds after which a host that does not return to its rhythm has another one.
    private static let patience: Int64 = 500_000_000
    /// Nanoseconds of a pause, across which nothing is measured.
    private static let pause: Int64 = 1_000_000_000

    /// nil unless this host sends, and both SDU_Interval and the transport latency are known and valid (Vol 4, Part E, 7.8.97 and 7.7.65.25).
    package init?(_ stream: IsochronousStream) {
        guard let way = stream.transmit, let interval = way.sduInterval,
            LESetCIGParametersCommand.sduIntervals.contains(interval),
            LECISEstablishedEvent.transportLatencies.contains(way.transportLatency)
        else { return nil }
        self.interval = Int64(interval) * 1_000
        latency = Int64(way.transportLatency) * 1_000
    }

    package var isEmpty: Bool { last == nil }

    /// - Parameters:
    ///   - inFlight: packets of the stream that the controller has; nil if it is not known.
    ///   - disruptions: losses, and jumps of the clock, until now.
    package mutating func note(_ packet: borrowing ISOPacket, _ moment: Moment, inFlight: Int?, disruptions: Int) {
        // Coarser times show no rhythm.
        guard let number = packet.sequenceNumber, moment.time.precision >= 3 else { return }
        let known = last
        last = (number, moment.time)
        guard let known, disruptions == self.disruptions, let duration = moment.time.duration(since: known.time) else {
            self.disruptions = disruptions
            return restart()
        }
        // The earliest SDU of a host may have been early by an interval.
        let tolerance = max(latency, interval)
        let isAfterGap = duration - interval > tolerance
        if isAfterGap {
            gaps += 1
            longestGap = max(longestGap, duration)
        }
        let step = Int64(number &- known.number) * interval
        guard duration <= Self.pause, 1...Self.pause ~= step else { return restart() }
        phase &+= duration - step
        count += 1
        let lateness = phase &- min(earliest, earlier)
        guard count > Self.settling, lateness > tolerance, pending != nil || inFlight == 0 else { return keepRhythm() }
        var pending = pending ?? Pending(first: moment, isAfterGap: isAfterGap, lateness: lateness)
        pending.count += 1
        pending.largest = max(pending.largest, lateness)
        pending.earliest = min(pending.earliest, phase)
        self.pending = pending
        guard moment.time.nanoseconds(since: pending.first.time) > Self.patience else { return }
        (earliest, earlier, self.pending) = (pending.earliest, pending.earliest, nil)
        if pending.isAfterGap { add(1, pending.lateness, pending.first) }
    }

    private mutating func keepRhythm() {
        if let pending { add(pending.count, pending.largest, pending.first) }
        pending = nil
        earliest = min(earliest, phase)
        if count.isMultiple(of: Self.window) { (earlier, earliest) = (earliest, phase) }
    }

    private mutating func add(_ late: Int, _ lateness: Int64, _ first: Moment) {
        self.late += late
        largestLateness = max(largestLateness, lateness)
        lastLate = first
    }

    private mutating func restart() {
        (count, phase, earliest, earlier, pending) = (0, 0, 0, 0, nil)
    }
}

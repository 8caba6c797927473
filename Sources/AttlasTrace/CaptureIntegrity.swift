import AttlasCapture
import AttlasWire

/// Missing data of a capture: records that were not captured, records that could not be read, and data that the trace dropped at its
/// limits.
public struct CaptureIntegrity: Sendable {
    /// Length of the capture, and its lost and truncated records.
    public let extent: CaptureExtent
    /// Nanoseconds from the origin of relative times to the last record; nil for a single record, and when the clock jumped.
    public let duration: Int64?
    /// Where relative times begin; nil without records.
    public let start: Timestamp?
    /// Where that is if it is not the first record.
    public let origin: TimeOrigin?
    /// Jumps of the clock ahead; the first 16.
    public let leaps: [ClockLeap]
    /// The capture's metadata; nil for records that come from no file.
    public let info: CaptureInfo?
    /// Records that were dropped while the capture was recorded, as it counts them.
    public let lost: UInt64
    /// Lower bound on the packets that the sniffer missed.
    public let missed: Int
    /// Packets from the air with a wrong CRC, and all whose CRC was checked, if nearly all are wrong.
    public let damaged: (wrong: Int, checked: Int)?
    /// Packets of link types that are not read.
    public let skipped: UInt64
    /// Truncation by the program that made the capture.
    public let cuts: [CaptureTruncation]
    /// The only direction that the capture holds, though its PDUs belong to exchanges.
    public let onlySide: Direction?
    /// Why the capture could not be read to its end.
    public let error: CaptureError?
    /// Memory limits that the trace reached, with their numbers.
    public let limits: [(limit: TraceLimit, number: Int)]

    /// - Parameters:
    ///   - info: nil for records that come from no file.
    ///   - error: by which the reading ended.
    public init(
        _ extent: CaptureExtent, _ info: CaptureInfo? = nil, in trace: borrowing Trace,
        endedBy error: CaptureError? = nil
    ) {
        var extent = extent
        // With the run of the clock.
        extent.last = trace.lastTime ?? extent.last
        self.extent = extent
        start = trace.start ?? extent.first
        duration = extent.records > 1 ? start.flatMap { extent.last?.duration(since: $0) } : nil
        origin = trace.origin
        leaps = trace.leaps
        self.info = info
        lost = extent.lost.addingSaturating(info?.lostAtEnd ?? 0)
        missed = trace.missedPackets
        let checks = trace.checks
        damaged = checks.wrong > 19 * checks.right ? (checks.wrong, checks.wrong + checks.right) : nil
        skipped = info?.skipped ?? 0
        cuts = info?.cuts ?? []
        onlySide = trace.onlySide
        self.error = error
        var limits: [(TraceLimit, Int)] = []
        for limit in trace.limitsReached { limits.append((limit, trace.limits[limit])) }
        self.limits = limits
    }

    /// Whether nothing is known to be missing.
    public var isComplete: Bool {
        lost == 0 && missed == 0 && damaged == nil && skipped == 0 && extent.unreadable == 0 && extent.cut == 0
            && cuts.isEmpty
            && onlySide == nil && error == nil && limits.isEmpty
    }
}

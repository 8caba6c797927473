/// What the screen says of the session itself.
public struct ScreenStatus: Sendable {
    /// Where records come from.
    public var source = ""
    public var format = ""
    /// The source has ended: nothing more will come.
    public var isEnded = false
    /// The file that is written meanwhile.
    public var recording: String?
    /// Nanoseconds from the arrival of the last record to now, by this machine's clock.
    public var idle: Int64 = 0
    /// Nanoseconds of a record, from its octets in memory to its place on the screen.
    public var recordCost: Double?
    public var recordsPerSecond = 0
    /// Of one processor, by the whole process.
    public var processorPercent = 0
    /// Resident memory.
    public var memory = 0
    /// Microseconds from the kernel's timestamp of a record to its decoding, for sources whose clock is this machine's.
    public var lag: (median: Int, high: Int)?

    public init() {}
}

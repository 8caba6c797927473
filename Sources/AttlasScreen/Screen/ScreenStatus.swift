/// State of the session itself, for the screen.
package struct ScreenStatus: Sendable {
    /// Where records come from.
    package var source = ""
    package var format = ""
    /// The source has ended: nothing more will come.
    package var isEnded = false
    /// The file that is written meanwhile.
    package var recording: String?
    /// Nanoseconds from the arrival of the last record to now, by this machine's clock.
    package var idle: Int64 = 0
    /// Nanoseconds of a record, from its octets in memory to its place on the screen.
    package var recordCost: Double?
    package var recordsPerSecond = 0
    /// Load in percent of one processor, by the whole process.
    package var processorPercent = 0
    /// Resident memory.
    package var memory = 0
    /// Microseconds from the kernel's timestamp of a record to its decoding, for sources whose clock is this machine's.
    package var lag: (median: Int, high: Int)?

    package init() {}
}

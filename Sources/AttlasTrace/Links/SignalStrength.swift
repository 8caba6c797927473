import AttlasCapture

/// How well a device was heard: readings in dBm.
public struct SignalStrength: Sendable, Equatable {
    /// A reading, and its time.
    public struct Reading: Sendable, Equatable {
        /// The reading.
        public let dBm: Int8
        /// When it was taken.
        public let time: Timestamp
    }

    /// The first of the last minute.
    public private(set) var first: Reading
    /// The newest one.
    public private(set) var last: Reading
    /// The weakest and the strongest of all.
    public private(set) var range: ClosedRange<Int8>

    package init(_ dBm: Int8, _ time: Timestamp) {
        first = Reading(dBm: dBm, time: time)
        last = first
        range = dBm...dBm
    }

    package mutating func note(_ dBm: Int8, _ time: Timestamp) {
        if time.nanoseconds(since: first.time) > 60_000_000_000 { first = last }
        last = Reading(dBm: dBm, time: time)
        range = (dBm...dBm).joined(range)
    }

    /// dB from the first to the last reading of the last minute; nil for a single one.
    package var change: Int? { first == last ? nil : Int(last.dBm) - Int(first.dBm) }
}

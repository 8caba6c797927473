import AttlasCapture

/// The time zone of this machine, or of the variable TZ, at one moment: how far its clocks are ahead of UTC, and its name then.
package struct LocalTime {
    /// Seconds east of Greenwich.
    package let offset: Int64
    /// "CET", "CEST", "-03".
    package let zone: String

    /// UTC for a year that the C library does not reach.
    package init(at time: Timestamp) {
        (offset, zone) = SystemCalls.localTime(at: time.seconds) ?? (0, "UTC")
    }
}

extension TextBuffer {
    /// `10:55:20.369`.
    package mutating func append(clock time: Timestamp) {
        let (seconds, overflow) = time.seconds.addingReportingOverflow(LocalTime(at: time).offset)
        let second = (overflow ? time.seconds : seconds) % 86_400
        let ofDay = second < 0 ? second + 86_400 : second
        append(decimal: ofDay / 3_600, minimumDigits: 2)
        append(":")
        append(decimal: ofDay / 60 % 60, minimumDigits: 2)
        append(":")
        append(decimal: ofDay % 60, minimumDigits: 2)
        append(fractionOf: time.nanoseconds, digits: 3)
    }

    /// `2026-11-21 10:55:20.369922+01:00`.
    package mutating func append(local time: Timestamp, separator: UInt8 = UInt8(ascii: " ")) {
        let local = LocalTime(at: time)
        let (seconds, overflow) = time.seconds.addingReportingOverflow(local.offset)
        guard !overflow else { return append(utc: time, separator: separator, suffix: "Z") }
        append(
            utc: Timestamp(seconds: seconds, nanoseconds: time.nanoseconds, precision: time.precision),
            separator: separator, suffix: "")
        append(local.offset < 0 ? "-" : "+")
        let magnitude = local.offset.magnitude
        append(decimal: magnitude / 3_600, minimumDigits: 2)
        append(":")
        append(decimal: magnitude / 60 % 60, minimumDigits: 2)
        // Local mean times, before there were zones.
        guard magnitude % 60 != 0 else { return }
        append(":")
        append(decimal: magnitude % 60, minimumDigits: 2)
    }
}

import AttlasCapture
import AttlasDissection

extension TextBuffer {
    /// RFC 3339 in UTC with as many decimal places as the capture recorded: `2026-11-21T06:41:45.885184Z`.
    public mutating func append(utc time: Timestamp) {
        let time = time.nearestInRFC3339
        append(utc: time, separator: UInt8(ascii: "T"), suffix: "Z")
    }

    /// The same in a readable form, for any year: `2026-11-21 06:41:45.885184 UTC`.
    public mutating func append(utc time: Timestamp, separator: UInt8, suffix: StaticString) {
        append(utcSecond: time.seconds, separator: separator)
        append(fractionOf: time.nanoseconds, digits: Int(time.precision))
        append(suffix)
    }

    /// ` 06:41:45`, in UTC.
    package mutating func append(utcTimeOfDay time: Timestamp) {
        append(
            UInt8(ascii: " "), secondOfDay: time.seconds &- time.seconds.flooredQuotient(86_400) &* 86_400)
    }

    /// `2025-10-24`, or `2025-10-24 13:30:05.5`, in the zone that the time is in.
    mutating func append(_ time: PointInTime, separator: UInt8) {
        guard !time.isDate else { return append(CivilDate(daysSince1970: time.seconds.flooredQuotient(86_400))) }
        append(utcSecond: time.seconds, separator: separator)
        var (fraction, digits) = (time.nanoseconds, 9)
        while digits > 0, fraction.isMultiple(of: 10) { (fraction, digits) = (fraction / 10, digits - 1) }
        append(fractionOf: time.nanoseconds, digits: digits)
    }

    private mutating func append(_ date: CivilDate) {
        append(decimal: date.year, minimumDigits: 4)
        append(UInt8(ascii: "-"), twoDigits: date.month)
        append(UInt8(ascii: "-"), twoDigits: date.day)
    }

    fileprivate mutating func append(utcSecond seconds: Int64, separator: UInt8) {
        let days = seconds.flooredQuotient(86_400)
        // Wraps for the first second there is, and comes back: the difference is always within a day.
        append(CivilDate(daysSince1970: days))
        append(separator, secondOfDay: seconds &- days &* 86_400)
    }

    private mutating func append(_ separator: UInt8, secondOfDay second: Int64) {
        append(separator, twoDigits: second / 3_600)
        append(UInt8(ascii: ":"), twoDigits: second / 60 % 60)
        append(UInt8(ascii: ":"), twoDigits: second % 60)
    }

    /// The decimal point and `digits` decimal places of `nanoseconds`; nothing when `digits` is 0.
    mutating func append(fractionOf nanoseconds: UInt32, digits: Int) {
        guard digits > 0 else { return }
        var value = nanoseconds
        if digits == 6 {
            value /= 1_000
        } else {
            for _ in min(digits, 9)..<9 { value /= 10 }
        }
        append(byte: UInt8(ascii: "."))
        append(decimal: value, minimumDigits: min(digits, 9))
    }

    /// A duration in seconds with six decimal places: `-0.000125`.
    public mutating func append(secondsOf nanoseconds: Int64) {
        if nanoseconds < 0 { append(byte: UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        append(decimal: magnitude / 1_000_000_000)
        append(fractionOf: UInt32(magnitude % 1_000_000_000), digits: 6)
    }

    /// A duration for people: `850 µs`, `44.7 ms`, `2.1 s`, `3 min 12 s`, `2 d 4 h`.
    public mutating func append(duration nanoseconds: Int64) {
        if nanoseconds < 0 { append(byte: UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        func tenths(_ unit: UInt64) -> UInt64 { (magnitude + unit / 20) / (unit / 10) }
        let seconds = magnitude / 1_000_000_000
        switch magnitude {
        case ..<1_000_000:
            append(decimal: magnitude / 1_000)
            append(" µs")
        case ..<999_950_000:
            append(tenths: tenths(1_000_000))
            append(" ms")
        case ..<120_000_000_000:
            append(tenths: tenths(1_000_000_000))
            append(" s")
        case ..<7_200_000_000_000: append(seconds / 60, " min ", seconds % 60, " s")
        case ..<172_800_000_000_000: append(seconds / 3_600, " h ", seconds / 60 % 60, " min")
        default: append(seconds / 86_400, " d ", seconds / 3_600 % 24, " h")
        }
    }

    /// An interval or a time in a PDU, exact below a second: `375 µs`, `1.25 ms`, `4 s`.
    public mutating func append(exact microseconds: Int) {
        guard (1_000..<120_000_000).contains(microseconds) else {
            return append(duration: Int64(microseconds) * 1_000)
        }
        let isShort = microseconds < 1_000_000
        let thousandths = isShort ? microseconds : microseconds / 1_000
        append(decimal: thousandths / 1_000)
        var (rest, digits) = (thousandths % 1_000, 3)
        while digits > 0, rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
        if digits > 0 {
            append(byte: UInt8(ascii: "."))
            append(decimal: rest, minimumDigits: digits)
        }
        append(isShort ? " ms" : " s")
    }

    /// The same for microseconds, which may be more than 64 bits hold in nanoseconds.
    public mutating func append(durationOfMicroseconds microseconds: UInt64) {
        if microseconds < 1 << 50 { return append(duration: Int64(microseconds) * 1_000) }
        append(microseconds / 86_400_000_000, " d ", microseconds / 3_600_000_000 % 24, " h")
    }

    /// Seconds from one time to another with six decimal places, of any two times: `-0.000125`.
    public mutating func append(secondsFrom start: Timestamp, to time: Timestamp) {
        let nanoseconds = time.nanoseconds(since: start)
        guard nanoseconds == .min || nanoseconds == .max else { return append(secondsOf: nanoseconds) }
        let microseconds = time.microseconds(since: start)
        if microseconds < 0 { append(byte: UInt8(ascii: "-")) }
        append(decimal: microseconds.magnitude / 1_000_000)
        append(byte: UInt8(ascii: "."))
        append(decimal: microseconds.magnitude % 1_000_000, minimumDigits: 6)
    }

    /// A number of tenths, without the decimal place when that is 0 … `44.7`, `15`.
    public mutating func append(tenths: UInt64) {
        append(decimal: tenths / 10)
        if tenths % 10 != 0 {
            append(byte: UInt8(ascii: "."))
            append(decimal: tenths % 10)
        }
    }

    private mutating func append(_ major: UInt64, _ majorUnit: StaticString, _ minor: UInt64, _ minorUnit: StaticString)
    {
        append(decimal: major)
        append(majorUnit)
        append(decimal: minor)
        append(minorUnit)
    }
}

/// The times of one line after the other, in UTC: many lie within the same second, whose text is kept.
public struct UTCText {
    private var second: Int64?
    private var text = TextBuffer()

    /// No second is kept.
    public init() {}

    /// The same as `append(utc:)`.
    public mutating func write(_ time: Timestamp, to buffer: inout TextBuffer) {
        let time = time.nearestInRFC3339
        if time.seconds != second {
            second = time.seconds
            text.removeAll()
            text.append(utcSecond: time.seconds, separator: UInt8(ascii: "T"))
        }
        buffer.append(contentsOf: text)
        buffer.append(fractionOf: time.nanoseconds, digits: Int(time.precision))
        buffer.append(byte: UInt8(ascii: "Z"))
    }
}

extension Timestamp {
    /// RFC 3339 has the years 0000 to 9999. A broken record can name any.
    fileprivate var nearestInRFC3339: Timestamp {
        if seconds < -62_167_219_200 {
            return Timestamp(seconds: -62_167_219_200, nanoseconds: 0, precision: precision)
        }
        if seconds > 253_402_300_799 {
            return Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999, precision: precision)
        }
        return self
    }
}

/// A date of the proleptic Gregorian calendar, for any number of days that whole seconds in 64 bits can reach.
package struct CivilDate: Equatable {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Counts in eras of 400 years, which all have the same number of days, and in years that begin on 1 March, so that
    /// the leap day is the last of its year.
    init(daysSince1970: Int64) {
        let days = daysSince1970 + 719_468
        let era = days.flooredQuotient(146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package init(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Days since 1970, for a year after 0.
    package var daysSince1970: Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}

extension Int64 {
    package func flooredQuotient(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

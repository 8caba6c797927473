/// The day at whose start a count of time begins, in the proleptic Gregorian calendar.
public struct Epoch: Hashable, Sendable {
    /// Days since 1970-01-01.
    var days: Int64

    init(days: Int64) {
        self.days = days
    }

    /// Midnight at the start of the day.
    public var start: PointInTime { PointInTime(seconds: days * 86_400, nanoseconds: 0, isDate: true) }

    /// `2000-01-01`
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let year = Int64(parts[0]), year > 0,
            let month = Int64(parts[1]), 1...12 ~= month, let day = Int64(parts[2]), 1...31 ~= day
        else { return nil }
        // Years that begin on 1 March: the leap day is the last of its year.
        let shiftedYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        days = 365 * shiftedYear + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
    }
}

/// A time of the calendar, in the unspecified zone of its value.
public struct PointInTime: Equatable, Sendable {
    /// Since 1970-01-01, in days of 86400 seconds: leap seconds are not counted.
    public var seconds: Int64
    /// After `seconds`, below 1 000 000 000.
    public var nanoseconds: UInt32
    /// Whole days were counted.
    public var isDate: Bool
}

/// The day at whose start a count of time begins, in the proleptic Gregorian calendar.
public struct Epoch: Hashable, Sendable {
    /// Days since 1970-01-01.
    public var days: Int64

    package init(days: Int64) {
        self.days = days
    }

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

/// A time of the calendar, in whatever zone its value is.
public struct PointInTime: Equatable, Sendable {
    /// Since 1970-01-01, in days of 86400 seconds: leap seconds are not counted.
    public var seconds: Int64
    public var nanoseconds: UInt32
    /// Whole days were counted.
    public var isDate: Bool
}

extension Dissector {
    /// The time that a field with an epoch names; nil if it is outside the years 1 to 9999.
    public func pointInTime(of field: DissectedField) -> PointInTime? {
        guard field.special == .none, field.field != DissectedField.unexplainedOctets else { return nil }
        let definition = fields[Int(field.field)]
        guard let epoch = definition.epoch, let unit = definition.unit.flatMap(Self.nanoseconds),
            case .ratio(let numerator, let denominator)? = number(of: field)
        else { return nil }
        let product = numerator.multipliedReportingOverflow(by: Int128(unit))
        guard !product.overflow else { return nil }
        let total = product.partialValue / denominator + Int128(epoch.days) * 86_400_000_000_000
        let (quotient, rest) = total.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard -62_135_596_800...253_402_300_799 ~= quotient else { return nil }
        return PointInTime(
            seconds: Int64(rest < 0 ? quotient - 1 : quotient),
            nanoseconds: UInt32(rest < 0 ? rest + 1_000_000_000 : rest),
            isDate: definition.unit == "d" && denominator == 1)
    }

    /// In one of a unit of time.
    package static func nanoseconds(_ unit: String) -> Int64? {
        switch unit {
        case "µs": 1_000
        case "ms": 1_000_000
        case "s": 1_000_000_000
        case "min": 60_000_000_000
        case "h": 3_600_000_000_000
        case "d": 86_400_000_000_000
        default: nil
        }
    }
}

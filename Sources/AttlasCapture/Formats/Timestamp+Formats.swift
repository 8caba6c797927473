/// The clocks of the capture formats. None of them can name a moment that these initializers refuse.
extension Timestamp {
    /// From 0000-01-01 to 1970-01-01 as btsnoop counts: 0x00DC_DDB3_0F2F_8000 µs.
    package static let yearZero: Int64 = -62_168_256_000

    /// btsnoop: microseconds since 0000-01-01, signed.
    init(microsecondsSinceYearZero microseconds: Int64) {
        let (seconds, rest) = microseconds.dividedDown(by: 1_000_000)
        self.init(seconds: seconds + Self.yearZero, nanoseconds: UInt32(rest) * 1000, precision: 6)
    }

    /// btsnooz: microseconds since 1970-01-01.
    init(microsecondsSince1970 microseconds: Int64) {
        let (seconds, rest) = microseconds.dividedDown(by: 1_000_000)
        self.init(seconds: seconds, nanoseconds: UInt32(rest) * 1000, precision: 6)
    }

    /// pcap: seconds since 1970-01-01, and micro- or nanoseconds, which may exceed a second.
    init(seconds: UInt32, fraction: UInt32, isNanoseconds: Bool) {
        let unit: UInt32 = isNanoseconds ? 1_000_000_000 : 1_000_000
        let nanoseconds: UInt32 = isNanoseconds ? 1 : 1000
        let precision: UInt8 = isNanoseconds ? 9 : 6
        // Dividing takes longer than asking.
        if fraction < unit {
            self.init(seconds: Int64(seconds), nanoseconds: fraction &* nanoseconds, precision: precision)
        } else {
            self.init(
                seconds: Int64(seconds) + Int64(fraction / unit), nanoseconds: fraction % unit * nanoseconds,
                precision: precision)
        }
    }

    /// pcapng: ticks since 1970-01-01, shifted by `offset` seconds. Seconds beyond 64 bits stay at their limit.
    init(ticks: UInt64, resolution: TickResolution, offset: Int64) {
        let (whole, nanoseconds) = resolution.divide(ticks)
        let (sum, overflow) = Int64(clamping: whole).addingReportingOverflow(offset)
        // `whole` is not negative: only a positive offset can overflow.
        self.init(seconds: overflow ? .max : sum, nanoseconds: nanoseconds, precision: resolution.precision)
    }
}

/// if_tsresol of pcapng: with the most significant bit clear a tick is 10⁻ⁿ s, with it set 2⁻ⁿ s; n is 0 … 127.
struct TickResolution: RawRepresentable, Equatable, Sendable {
    let rawValue: UInt8

    static let microseconds = TickResolution(rawValue: 6)

    private var exponent: Int { Int(rawValue & 0x7F) }
    private var isBinary: Bool { rawValue & 0x80 != 0 }

    /// Decimal places of a second that a tick is worth, at most the nanosecond's 9.
    var precision: UInt8 {
        // A bit is worth 0.301 decimal places.
        UInt8(min(9, isBinary ? (exponent * 301 + 999) / 1000 : exponent))
    }

    /// Decimal places that hold every tick, up to the nanosecond.
    var decimalPlaces: UInt8 { isBinary ? 9 : precision }

    /// Whole seconds, and nanoseconds rounded down.
    func divide(_ ticks: UInt64) -> (seconds: UInt64, nanoseconds: UInt32) {
        isBinary ? divideBinary(ticks) : divideDecimal(ticks)
    }

    private func divideBinary(_ ticks: UInt64) -> (seconds: UInt64, nanoseconds: UInt32) {
        // Shifting by the width or more gives 0, which is right here: all 64 bits are fraction.
        let seconds = ticks >> exponent
        let fraction = UInt128(ticks) - UInt128(seconds) << exponent
        return (seconds, UInt32((fraction * 1_000_000_000) >> exponent))
    }

    private func divideDecimal(_ ticks: UInt64) -> (seconds: UInt64, nanoseconds: UInt32) {
        guard let unit = UInt64(powerOfTen: exponent) else {
            // 64 bits of these ticks are less than a second, and soon less than a nanosecond.
            return (0, UInt64(powerOfTen: exponent - 9).map { UInt32(ticks / $0) } ?? 0)
        }
        let (seconds, fraction) = ticks.quotientAndRemainder(dividingBy: unit)
        // Either way the result is below 10⁹, as the fraction is below its unit.
        let scaled = unit <= 1_000_000_000 ? fraction * (1_000_000_000 / unit) : fraction / (unit / 1_000_000_000)
        return (seconds, UInt32(scaled))
    }
}

extension UInt64 {
    /// 10ⁿ for a power from 0 to 19; above, it does not fit.
    init?(powerOfTen power: Int) {
        guard power <= 19 else { return nil }
        self = 1
        for _ in 0..<power { self *= 10 }
    }
}

extension Int64 {
    /// The quotient rounded down, and a remainder that is not negative. `divisor` is positive.
    func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

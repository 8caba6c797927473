import AttlasDissection

extension TextBuffer {
    /// The number in decimal digits, exactly: 832/1024 is 0.8125. JSON reads all of it.
    ///
    /// Only a fraction without end is rounded, to 12 decimals, and one that `maximumDecimals` cuts: half goes to the even digit.
    public mutating func append(number: ExactNumber, maximumDecimals: Int? = nil) {
        switch number {
        case .ratio(let numerator, 1): append(decimal: numerator)
        case .ratio(let numerator, let denominator):
            append(numerator, over: denominator.magnitude, maximumDecimals: maximumDecimals)
        case .decimal(let mantissa, let exponent):
            append(mantissa: mantissa, exponent: exponent, maximumDecimals: maximumDecimals)
        case .float32(let value): append(binary: value.description)
        case .float64(let value): append(binary: value.description)
        case .outOfRange: append("null")
        }
    }

    /// The shortest digits that read back as the same binary fraction.
    private mutating func append(binary description: String) {
        append(string: description.hasSuffix(".0") ? String(description.dropLast(2)) : description)
    }

    private mutating func append(mantissa: Int64, exponent: Int, maximumDecimals: Int?) {
        var (mantissa, exponent) = (mantissa, exponent)
        while mantissa != 0, mantissa.isMultiple(of: 10) {
            mantissa /= 10
            exponent += 1
        }
        if mantissa == 0 { exponent = 0 }
        if -18...(-1) ~= exponent {
            var denominator: UInt64 = 1
            for _ in exponent..<0 { denominator *= 10 }
            guard let maximumDecimals, maximumDecimals < -exponent else {
                let (whole, decimals) = mantissa.magnitude.quotientAndRemainder(dividingBy: denominator)
                if mantissa < 0 { append("-") }
                append(decimal: whole)
                append(".")
                return append(decimal: decimals, minimumDigits: -exponent)
            }
            return append(Int128(mantissa), over: UInt128(denominator), maximumDecimals: maximumDecimals)
        }
        append(decimal: mantissa)
        if 0...15 ~= exponent {
            append(repeating: UInt8(ascii: "0"), count: exponent)
        } else {
            append("e")
            append(decimal: exponent)
        }
    }

    private mutating func append(_ numerator: Int128, over denominator: UInt128, maximumDecimals: Int?) {
        guard denominator > 0 else { return append("null") }
        var (whole, rest) = numerator.magnitude.quotientAndRemainder(dividingBy: denominator)
        // Ten times a remainder fits, because denominators stay under 2^120. Each two in the denominator takes a decimal.
        var decimals = InlineArray<120, UInt8>(repeating: 0)
        var count = 0
        let limit = min(maximumDecimals ?? (Self.ends(rest, over: denominator) ? 120 : 12), 120)
        while rest != 0, count < limit {
            let (digit, next) = (rest * 10).quotientAndRemainder(dividingBy: denominator)
            decimals[count] = UInt8(truncatingIfNeeded: digit)
            count += 1
            rest = next
        }
        let half = rest * 2
        let isLastEven = count > 0 ? decimals[count - 1].isMultiple(of: 2) : whole.isMultiple(of: 2)
        if half > denominator || half == denominator && !isLastEven {
            var index = count - 1
            while index >= 0, decimals[index] == 9 {
                decimals[index] = 0
                index -= 1
            }
            if index >= 0 { decimals[index] += 1 } else { whole += 1 }
        }
        while count > 0, decimals[count - 1] == 0 { count -= 1 }
        if numerator < 0, whole != 0 || count > 0 { append("-") }
        append(decimal: whole)
        guard count > 0 else { return }
        append(".")
        append(count) { room, start in
            for index in 0..<count { room[start + index] = UInt8(ascii: "0") + decimals[index] }
        }
    }

    /// Whether the decimals of `rest`/`denominator` come to an end: only twos and fives below the line, when it is in its
    /// lowest terms.
    private static func ends(_ rest: UInt128, over denominator: UInt128) -> Bool {
        var remaining = denominator >> UInt128(denominator.trailingZeroBitCount)
        while remaining.isMultiple(of: 5) { remaining /= 5 }
        return rest.isMultiple(of: remaining)
    }
}

extension TextBuffer {
    /// Nanoseconds as microseconds, with decimal places only when there are any.
    public mutating func append(microsecondsOf nanoseconds: Int64) {
        if nanoseconds < 0 { append(byte: UInt8(ascii: "-")) }
        append(decimal: nanoseconds.magnitude / 1_000)
        let rest = nanoseconds.magnitude % 1_000
        if rest != 0 {
            append(byte: UInt8(ascii: "."))
            append(decimal: rest, minimumDigits: 3)
        }
    }
}

// MARK: Radio

extension TextBuffer {
    /// LE 1M, LE 2M, LE Coded. Core Specification, Vol 4, Part E, 7.7.65.12.
    public mutating func append(phy: UInt8?) {
        switch phy {
        case 1: append("LE 1M")
        case 2: append("LE 2M")
        case 3: append("LE Coded")
        default: append("unknown")
        }
    }

    /// `-71 … -64 dBm`
    public mutating func append(rssi: ClosedRange<Int8>) {
        append(rssi.count > 1 ? "\(rssi.lowerBound) … \(rssi.upperBound) dBm" : "\(rssi.lowerBound) dBm")
    }
}

/// Numbers next to a plot.
extension TextBuffer {
    /// With as many decimals as an eye can use: `71.24`, `1234`, `0.8125`.
    public mutating func append(rounded number: Double) {
        guard number.magnitude < 1e12 else { return append(number: .float64(number)) }
        let decimals =
            switch number.magnitude {
            case 1_000...: 0
            case 100...: 1
            case 1...: 2
            default: 4
            }
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        append(number: .decimal(mantissa: Int64((number * factor).rounded()), exponent: -decimals))
    }

    /// A unit after a number.
    public mutating func append(unit: String?) {
        guard let unit else { return }
        append(" \(display: unit)")
    }
}

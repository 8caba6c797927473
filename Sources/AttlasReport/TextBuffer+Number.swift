import AttlasDissection

extension TextBuffer {
    /// The number in decimal digits, exactly: 832/1024 is 0.8125. JSON reads all of it.
    ///
    /// Only a fraction that never ends is rounded, to 12 decimals, and what `maximumDecimals` cuts: half goes to the even
    /// digit.
    public mutating func append(number: ExactNumber, maximumDecimals: Int? = nil) {
        switch number {
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
        append(description.hasSuffix(".0") ? String(description.dropLast(2)) : description)
    }

    private mutating func append(mantissa: Int64, exponent: Int, maximumDecimals: Int?) {
        var (mantissa, exponent) = (mantissa, exponent)
        while mantissa != 0, mantissa.isMultiple(of: 10) {
            mantissa /= 10
            exponent += 1
        }
        if mantissa == 0 { exponent = 0 }
        if -18...(-1) ~= exponent {
            var denominator: UInt128 = 1
            for _ in exponent..<0 { denominator *= 10 }
            return append(Int128(mantissa), over: denominator, maximumDecimals: maximumDecimals)
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
        var decimals: [UInt8] = []
        let limit = maximumDecimals ?? (Self.ends(rest, over: denominator) ? .max : 12)
        // Denominators stay below 2^120, so ten times a remainder fits.
        while rest != 0, decimals.count < limit {
            let (digit, next) = (rest * 10).quotientAndRemainder(dividingBy: denominator)
            decimals.append(UInt8(digit))
            rest = next
        }
        let half = rest * 2
        let last = decimals.last.map { UInt128($0) } ?? whole
        if half > denominator || half == denominator && !last.isMultiple(of: 2) {
            var index = decimals.count - 1
            while index >= 0, decimals[index] == 9 {
                decimals[index] = 0
                index -= 1
            }
            if index >= 0 { decimals[index] += 1 } else { whole += 1 }
        }
        while decimals.last == 0 { decimals.removeLast() }
        if numerator < 0, whole != 0 || !decimals.isEmpty { append("-") }
        append(decimal: whole)
        guard !decimals.isEmpty else { return }
        append(".")
        for digit in decimals { append(byte: UInt8(ascii: "0") + digit) }
    }

    /// Whether the decimals of `rest`/`denominator` come to an end: only twos and fives below the line.
    private static func ends(_ rest: UInt128, over denominator: UInt128) -> Bool {
        var (first, second) = (denominator, rest)
        while second != 0 { (first, second) = (second, first % second) }
        var remaining = denominator / first
        while remaining.isMultiple(of: 2) { remaining /= 2 }
        while remaining.isMultiple(of: 5) { remaining /= 5 }
        return remaining == 1
    }
}

import AttlasDissection

/// A number as it was written, exactly: 36.6 is 366/10.
struct FilterNumber: Sendable, Equatable {
    let numerator: Int128
    /// A power of ten.
    let denominator: Int128

    /// `72`, `-40.5`, `0x0019`; nil for anything else, and for more than 18 digits.
    init?(_ text: some StringProtocol) {
        var digits = Substring(text)
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            let hexadecimal = digits.dropFirst(2)
            guard hexadecimal.first?.isHexDigit == true, let value = UInt64(hexadecimal, radix: 16) else { return nil }
            numerator = isNegative ? -Int128(value) : Int128(value)
            denominator = 1
            return
        }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts[0].isEmpty, parts.count == 1 || !parts[1].isEmpty else { return nil }
        let all = parts.joined()
        guard all.utf8.count <= 18, all.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let value = Int64(all)
        else { return nil }
        numerator = isNegative ? -Int128(value) : Int128(value)
        denominator = parts.count == 2 ? Self.powerOfTen(parts[1].utf8.count) : 1
    }

    /// The number times `factor`, when that is whole and fits 64 bits.
    func whole(times factor: Int64 = 1) -> Int64? {
        // |numerator| < 2^64, so that the product fits 128 bits.
        let product = numerator * Int128(factor)
        guard product % denominator == 0 else { return nil }
        return Int64(exactly: product / denominator)
    }

    /// Whether `number` compares with this by `comparison`. Only numbers beyond 128 bits are rounded.
    func isMet(by number: ExactNumber, _ comparison: FilterComparison) -> Bool {
        switch number {
        case .ratio(let over, let under): return isMet(by: over, under, comparison)
        case .decimal(let mantissa, let exponent) where -18...18 ~= exponent:
            let power = Self.powerOfTen(abs(exponent))
            return exponent < 0
                ? isMet(by: Int128(mantissa), power, comparison) : isMet(by: Int128(mantissa) * power, 1, comparison)
        // 0.1 means the nearest binary fraction of the field's own size.
        case .float32(let value): return comparison.holds(value, Float(numerator) / Float(denominator))
        case .float64(let value): return comparison.holds(value, double)
        case .decimal, .outOfRange: return comparison.holds(number.double, double)
        }
    }

    private func isMet(by over: Int128, _ under: Int128, _ comparison: FilterComparison) -> Bool {
        let left = over.multipliedReportingOverflow(by: denominator)
        let right = numerator.multipliedReportingOverflow(by: under)
        guard !left.overflow, !right.overflow else { return comparison.holds(Double(over) / Double(under), double) }
        return comparison.holds(left.partialValue, right.partialValue)
    }

    private var double: Double { Double(numerator) / Double(denominator) }

    /// 10^exponent, for exponents up to 18.
    private static func powerOfTen(_ exponent: Int) -> Int128 {
        var power: Int128 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}

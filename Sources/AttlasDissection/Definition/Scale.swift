/// value = raw · numerator / denominator + offset, all exact.
///
/// The specifications write M·10^d·2^b, or a resolution such as 1/1024; both are ratios of integers, so a value never passes
/// through a binary fraction: 0.1 stays 0.1.
public struct Scale: Hashable, Sendable {
    /// Factor of the raw number.
    public var numerator: Int64
    /// Divisor of the raw number, positive.
    public var denominator: Int64
    /// Added after the division.
    public var offset: Ratio

    /// A ratio of integers.
    public struct Ratio: Hashable, Sendable {
        /// Above the line.
        public var numerator: Int64
        /// Below the line, positive.
        public var denominator: Int64

        package static let one = Ratio(numerator: 1, denominator: 1)
        package static let zero = Ratio(numerator: 0, denominator: 1)
    }

    package init(_ factor: Ratio, offset: Ratio = .zero) {
        numerator = factor.numerator
        denominator = factor.denominator
        self.offset = offset
    }

    func apply(to raw: Int128) -> ExactNumber {
        // |raw| < 2^64 and both ratios fit 63 bits: the products may pass 2^127, so they are checked.
        let scaled = raw.multipliedReportingOverflow(by: Int128(numerator))
        guard !scaled.overflow else { return .outOfRange }
        guard offset.numerator != 0 else {
            return .ratio(numerator: scaled.partialValue, denominator: Int128(denominator))
        }
        let left = scaled.partialValue.multipliedReportingOverflow(by: Int128(offset.denominator))
        let right = Int128(offset.numerator).multipliedReportingOverflow(by: Int128(denominator))
        let sum = left.partialValue.addingReportingOverflow(right.partialValue)
        guard !left.overflow, !right.overflow, !sum.overflow else { return .outOfRange }
        return .ratio(numerator: sum.partialValue, denominator: Int128(denominator) * Int128(offset.denominator))
    }
}

extension Scale {
    /// The raw values of the numbers from `least` to `greatest`, inside `limits`; nil if there are none, or if they cannot be
    /// computed.
    package func raws(
        from least: Ratio?, to greatest: Ratio?, inside limits: ClosedRange<Int64>
    ) -> ClosedRange<Int64>? {
        guard numerator > 0,
            let first = least.map({ quotient(of: $0, roundedUp: true) }) ?? limits.lowerBound,
            let last = greatest.map({ quotient(of: $0, roundedUp: false) }) ?? limits.upperBound, first <= last
        else { return nil }
        let range = (first...last).clamped(to: limits)
        return limits.overlaps(first...last) ? range : nil
    }

    /// (value − offset) / factor
    private func quotient(of value: Ratio, roundedUp: Bool) -> Int64? {
        let left = Int128(value.numerator) * Int128(offset.denominator)
        let right = Int128(offset.numerator) * Int128(value.denominator)
        let under = Int128(value.denominator) * Int128(offset.denominator)
        let difference = left.subtractingReportingOverflow(right)
        let over = difference.partialValue.multipliedReportingOverflow(by: Int128(denominator))
        let divisor = under.multipliedReportingOverflow(by: Int128(numerator))
        guard !difference.overflow, !over.overflow, !divisor.overflow else { return nil }
        let (whole, rest) = over.partialValue.quotientAndRemainder(dividingBy: divisor.partialValue)
        if rest > 0, roundedUp { return Int64(exactly: whole + 1) }
        if rest < 0, !roundedUp { return Int64(exactly: whole - 1) }
        return Int64(exactly: whole)
    }
}

extension ClosedRange<Int64> {
    /// The least and the greatest number of raw values.
    public func scaled(by scale: Scale?) -> (least: ExactNumber, greatest: ExactNumber) {
        func number(_ raw: Int64) -> ExactNumber {
            scale?.apply(to: Int128(raw)) ?? .ratio(numerator: Int128(raw), denominator: 1)
        }
        return (number(lowerBound), number(upperBound))
    }
}

/// The number of a value, before rounding.
public enum ExactNumber: Sendable, Equatable {
    /// numerator / denominator
    case ratio(numerator: Int128, denominator: Int128)
    /// mantissa · 10^exponent
    case decimal(mantissa: Int64, exponent: Int)
    case float32(Float)
    case float64(Double)
    /// Too large to compute exactly: no value of the field's size should need it.
    case outOfRange

    /// Of a ratio; what is too small to be exact is out of range.
    func divided(byPowerOfTen exponent: Int) -> ExactNumber {
        guard case .ratio(let numerator, var denominator) = self else { return self }
        for _ in 0..<exponent {
            guard denominator < 1 << 96 else { return .outOfRange }
            denominator *= 10
        }
        return .ratio(numerator: numerator, denominator: denominator)
    }

    /// The nearest binary fraction, for comparisons and statistics.
    public var double: Double {
        switch self {
        case .ratio(let numerator, let denominator): Double(nearest: numerator) / Double(nearest: denominator)
        case .decimal(let mantissa, let exponent): Double("\(mantissa)e\(exponent)") ?? .nan
        case .float32(let value): Double(value)
        case .float64(let value): value
        case .outOfRange: .nan
        }
    }

    /// nil of what is not a whole number, and of floating-point numbers.
    package var integer: Int128? {
        guard case .ratio(let numerator, let denominator) = self, numerator % denominator == 0 else { return nil }
        return numerator / denominator
    }
}

extension ExactNumber: CustomStringConvertible {
    /// For sentences; the digits of a fraction are those of the nearest binary fraction.
    public var description: String {
        if case .ratio(let numerator, 1) = self { return "\(numerator)" }
        let text = "\(double)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension Double {
    /// What fits 64 bits, as nearly all does, takes a hundredth of what the conversion of any integer takes.
    fileprivate init(nearest value: Int128) {
        let low = Int64(truncatingIfNeeded: value)
        self = Int128(low) == value ? Double(low) : Double(value)
    }
}

extension Scale.Ratio {
    /// Factors joined by `*`: an integer, a decimal fraction, `a/b`, `10^n`, `2^n`. "1/1024", "0.01", "5 * 10^-3 * 2^-4".
    /// nil when the text is something else or the ratio does not fit 63 bits.
    package init?(_ text: String) {
        var result = Scale.Ratio.one
        let factors = text.split(separator: "*", omittingEmptySubsequences: false)
        guard factors.count <= 8 else { return nil }
        for factor in factors {
            guard let factor = Self.factor(factor.filter { $0 != " " }),
                let product = result.multiplied(by: factor)
            else { return nil }
            result = product
        }
        self = result
    }

    private static func factor(_ text: String) -> Scale.Ratio? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let over = factor(String(parts[0])), let under = factor(String(parts[1])), under.numerator > 0
            else { return nil }
            return over.multiplied(by: Scale.Ratio(numerator: under.denominator, denominator: under.numerator))
        }
        guard parts.count == 1 else { return nil }
        let power = text.split(separator: "^", omittingEmptySubsequences: false)
        if power.count == 2 {
            guard let base = Int64(power[0]), base == 2 || base == 10, let exponent = Int(power[1]),
                abs(exponent) <= 62
            else { return nil }
            var value: Int64 = 1
            for _ in 0..<abs(exponent) {
                let product = value.multipliedReportingOverflow(by: base)
                guard !product.overflow else { return nil }
                value = product.partialValue
            }
            return exponent < 0
                ? Scale.Ratio(numerator: 1, denominator: value) : Scale.Ratio(numerator: value, denominator: 1)
        }
        let digits = text.split(separator: ".", omittingEmptySubsequences: false)
        guard digits.count <= 2, !digits[0].isEmpty, digits[0].first != "+", digits.count == 1 || !digits[1].isEmpty
        else { return nil }
        let fraction = digits.count == 2 ? String(digits[1]) : ""
        guard fraction.count <= 18, fraction.allSatisfy({ $0.isASCII && $0.isNumber }),
            let mantissa = Int64(String(digits[0]) + fraction)
        else { return nil }
        var under: Int64 = 1
        for _ in 0..<fraction.count { under *= 10 }
        return Scale.Ratio(numerator: mantissa, denominator: under).reduced
    }

    private func multiplied(by other: Scale.Ratio) -> Scale.Ratio? {
        let over = Int128(numerator) * Int128(other.numerator)
        let under = Int128(denominator) * Int128(other.denominator)
        let divisor = greatestCommonDivisor(over.magnitude, under.magnitude)
        guard divisor != 0, let numerator = Int64(exactly: over / Int128(divisor)),
            let denominator = Int64(exactly: under / Int128(divisor))
        else { return nil }
        return Scale.Ratio(numerator: numerator, denominator: denominator)
    }

    private var reduced: Scale.Ratio { multiplied(by: .one) ?? self }
}

private func greatestCommonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
}

extension Scale: CustomStringConvertible {
    /// "× 1/1024", "× 10 − 100".
    public var description: String {
        var text = "× \(Ratio(numerator: numerator, denominator: denominator))"
        if offset.numerator != 0 { text += " \(offset.numerator < 0 ? "−" : "+") \(offset.magnitude)" }
        return text
    }
}

extension Scale.Ratio: CustomStringConvertible {
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

    fileprivate var magnitude: String { String(description.drop { $0 == "-" }) }
}

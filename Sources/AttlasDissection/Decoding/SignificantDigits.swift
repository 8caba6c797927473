import AttlasSystem

extension Double {
    /// The nearest number of `digits` significant decimal digits, the precision of an octet's exponent or of a rate of two counters.
    func rounded(toSignificantDigits digits: Int) -> Double {
        guard isFinite, self != 0 else { return self }
        let places = digits - 1 - Int(Mathematics.log10(magnitude).rounded(.down))
        // A power of ten with a positive exponent is exact up to 10^22, so the result prints as the decimal it stands for.
        let power = Mathematics.pow(10, Double(places.magnitude))
        return places >= 0 ? (self * power).rounded() / power : (self / power).rounded() * power
    }
}

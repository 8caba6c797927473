extension Dissector {
    /// The time that a field with an epoch names; nil if it is outside the years 1 to 9999.
    public func pointInTime(of field: DissectedField) -> PointInTime? {
        guard field.special == .none, field.field != DissectedField.unexplainedOctets else { return nil }
        let definition = fields[Int(field.field)]
        guard let epoch = definition.epoch, let unit = definition.unit.flatMap(Units.nanoseconds),
            case .ratio(let numerator, let denominator)? = number(of: field)
        else { return nil }
        let product = numerator.multipliedReportingOverflow(by: Int128(unit))
        // Far beyond the year 9999, and far from the limits of the number.
        guard !product.overflow, product.partialValue.magnitude < 1 << 120 else { return nil }
        let total = product.partialValue / denominator + Int128(epoch.days) * 86_400_000_000_000
        let (quotient, rest) = total.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard -62_135_596_800...253_402_300_799 ~= quotient else { return nil }
        return PointInTime(
            seconds: Int64(rest < 0 ? quotient - 1 : quotient),
            nanoseconds: UInt32(rest < 0 ? rest + 1_000_000_000 : rest),
            isDate: definition.unit == "d" && denominator == 1)
    }
}

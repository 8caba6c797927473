/// The floating-point numbers of IEEE 11073-20601: a mantissa times a power of ten.
///
/// SFLOAT-Type is 4 bits of exponent over 12 bits of mantissa, FLOAT-Type 8 over 24. Both parts are in two's complement; the exponent has
/// no bias. Five values around the extremes of the mantissa are not numbers, and only with the exponent 0.
package struct MedicalFloat: Equatable, Sendable {
    package var mantissa: Int32
    package var exponent: Int8
    package var special: SpecialValue

    /// An SFLOAT-Type.
    package init(medfloat16 raw: UInt16) {
        mantissa = Int32(Int16(bitPattern: raw << 4) >> 4)
        exponent = Int8(Int16(bitPattern: raw) >> 12)
        special = exponent == 0 ? Self.special(raw & 0x0FFF, positiveInfinity: 0x07FE) : .none
    }

    /// A FLOAT-Type.
    package init(medfloat32 raw: UInt32) {
        mantissa = Int32(bitPattern: raw << 8) >> 8
        exponent = Int8(truncatingIfNeeded: raw >> 24)
        special = exponent == 0 ? Self.special(raw & 0x00FF_FFFF, positiveInfinity: 0x007F_FFFE) : .none
    }

    /// From +INFINITY on: +INFINITY, NaN, NRes, reserved, −INFINITY.
    private static func special<Raw: FixedWidthInteger>(_ mantissa: Raw, positiveInfinity first: Raw) -> SpecialValue {
        guard mantissa >= first else { return .none }
        switch mantissa - first {
        case 0: return .positiveInfinity
        case 1: return .notANumber
        case 2: return .notAtThisResolution
        case 3: return .reserved
        case 4: return .negativeInfinity
        default: return .none
        }
    }
}

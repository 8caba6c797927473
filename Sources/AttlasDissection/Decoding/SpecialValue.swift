/// A raw value that stands for something other than its number.
public struct SpecialValue: Hashable, BitwiseCopyable, Sendable {
    let code: UInt8

    /// Not special.
    public static let none = SpecialValue(code: 0)
    /// IEEE 11073-20601: not a number.
    public static let notANumber = SpecialValue(code: 1)
    /// Not at this resolution.
    public static let notAtThisResolution = SpecialValue(code: 2)
    /// +∞ of a floating-point type.
    public static let positiveInfinity = SpecialValue(code: 3)
    /// −∞ of a floating-point type.
    public static let negativeInfinity = SpecialValue(code: 4)
    /// Reserved for future use.
    public static let reserved = SpecialValue(code: 5)

    /// Octets that are not a number where one has to be: characters, or digits beyond 9.
    static let unreadable = SpecialValue(code: 6)
    /// A number in text without characters.
    static let empty = SpecialValue(code: 7)

    /// The special value number `index` of the field's definition.
    static func defined(_ index: Int) -> SpecialValue {
        SpecialValue(code: UInt8(clamping: index + 16))
    }

    var definedIndex: Int? { code >= 16 ? Int(code) - 16 : nil }
}

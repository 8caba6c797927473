/// What a value should not be by its definition. Only definitions that follow the specification (confidence A) are held
/// against anybody.
extension LintRule {
    static let value = [
        valueTooShort, valueTooLong, reservedBits, undefinedEnumeration, reservedSpecial, invalidUTF8, wrongCheck,
    ]

    private static let needsDefinition = "what the handle is, the whole value, and a definition of it"

    static let valueTooShort = LintRule(
        "value/too-short", .error, title: "a value that ends before its fields do",
        explanation: "Its flags or its layout call for more octets than there are. Readers take what follows for "
            + "zero, or refuse the value.",
        section: "the specification of the characteristic (GATT Specification Supplement)",
        advice: "Set a flag only when its field is there, and send every mandatory field.",
        needs: needsDefinition)

    static let valueTooLong = LintRule(
        "value/too-long", .warning, title: "octets behind the last field",
        explanation: "The definition does not say what they are: a flag that was not set, a field too wide, or a "
            + "newer version of the service.",
        section: "the specification of the characteristic (GATT Specification Supplement)",
        advice: "Set the flag of each field that is sent; send no padding.",
        needs: needsDefinition)

    static let reservedBits = LintRule(
        "value/reserved-bits", .warning, title: "bits set that are reserved for future use",
        explanation: "A later version of the specification will give them a meaning that is not meant here.",
        section: "Core Specification, Vol 1, Part E; the specification of the characteristic",
        advice: "Send 0 in every bit that the specification does not define.",
        needs: needsDefinition)

    static let undefinedEnumeration = LintRule(
        "value/undefined-enumeration", .warning, title: "a number that its enumeration does not define",
        explanation: "Readers cannot know what it means.", section: "the specification of the characteristic",
        advice: "Send one of the numbers that the specification lists.",
        needs: needsDefinition)

    static let reservedSpecial = LintRule(
        "value/reserved-special", .warning, title: "a medical float with a reserved special value",
        explanation: "The format has NaN, NRes, +INFINITY and −INFINITY; this one is reserved.",
        section: "IEEE 11073-20601",
        advice: "Send NRes or NaN for a value that is not there.",
        needs: needsDefinition)

    static let invalidUTF8 = LintRule(
        "value/invalid-utf8", .error, title: "a string that is not UTF-8",
        explanation: "Readers show replacement characters, cut the string, or refuse it.",
        section: "the specification of the characteristic",
        advice: "Encode strings as UTF-8, and cut them between characters.",
        needs: needsDefinition)

    static let wrongCheck = LintRule(
        "value/wrong-crc", .error, title: "a CRC that does not hold",
        explanation: "The value was changed on its way through the device, or the CRC is computed over something "
            + "else.",
        section: "the specification of the service (for the E2E-CRC: CRC-CCITT, initial value 0xFFFF)",
        advice: "Compute the CRC last, over all octets before it, least significant octet first.",
        needs: needsDefinition)
}

import AttlasIncidents

/// Values that contradict their definition. Only definitions that follow the specification (confidence A) are used.
extension LintRule {
    static let value = [
        valueTooShort, valueTooLong, reservedBits, undefinedEnumeration, valueOutOfRange, reservedSpecial, invalidUTF8,
        wrongCheck,
        cutAtMTU,
    ]

    private static let needsDefinition = "the handle's type, the whole value, and its definition"

    static let valueTooShort = LintRule(
        "value/too-short", .error, title: "a value that ends before its last field",
        explanation: "Its flags or its layout require more octets than it has. Readers treat missing octets as zero, "
            + "or reject the value.",
        section: "the specification of the characteristic (GATT Specification Supplement)",
        advice: "Set a flag only if its field is present, and send every mandatory field.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let valueTooLong = LintRule(
        "value/too-long", .warning, title: "octets after the last field",
        explanation: "The definition does not explain these octets. Possible causes: a flag that was not set, a field "
            + "that is too wide, or a newer version of the service.",
        section: "the specification of the characteristic (GATT Specification Supplement)",
        advice: "Set the flag of each field that is sent; send no padding.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let reservedBits = LintRule(
        "value/reserved-bits", .warning, title: "reserved bits that are set",
        explanation: "A later version of the specification may give them another meaning.",
        section: "Core Specification, Vol 1, Part E; the specification of the characteristic",
        advice: "Send 0 in every bit that the specification does not define.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let undefinedEnumeration = LintRule(
        "value/undefined-enumeration", .warning, title: "a number that its enumeration does not define",
        explanation: "Readers do not know its meaning.", section: "the specification of the characteristic",
        advice: "Send one of the numbers that the specification lists.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let valueOutOfRange = LintRule(
        "value/out-of-range", .warning, title: "a number outside its permitted range",
        explanation:
            "The specification excludes it, or no calendar has it: a humidity of 120 %, a month 13. Readers reject "
            + "the value, or show what cannot be.",
        section: "the specification of the characteristic (GATT Specification Supplement)",
        advice: "Limit the number before sending it; send the special value, if there is one, when nothing is known.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let reservedSpecial = LintRule(
        "value/reserved-special", .warning, title: "a medical float with a reserved special value",
        explanation: "The format has NaN, NRes, +INFINITY and −INFINITY; this one is reserved.",
        section: "IEEE 11073-20601",
        advice: "Send NRes or NaN if there is no value.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let invalidUTF8 = LintRule(
        "value/invalid-utf8", .error, title: "a string that is not UTF-8",
        explanation: "Readers show replacement characters, truncate the string, or reject it.",
        section: "the specification of the characteristic",
        advice: "Encode strings as UTF-8, and cut them between characters.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let wrongCheck = LintRule(
        "value/wrong-crc", .error, title: "a wrong CRC or other checksum",
        explanation: "The value was changed inside the device, or the checksum is computed over other octets.",
        section: "the specification of the service, or the vendor's description",
        advice: "Compute the checksum last, with the algorithm and over the octets that the definition names.",
        needs: needsDefinition,
        requires: [.pdus, .values])

    static let cutAtMTU = LintRule(
        "value/cut-at-mtu", .warning, title: "a value that its sender cut to fit the MTU",
        explanation:
            "A notification or an indication carries MTU − 3 octets. This one is full, and ends within a field: the "
            + "sender dropped the rest, and nobody can ask for it.",
        section: "Core Specification, Vol 3, Part F, 3.4.7.1; Part G, 4.10.1",
        advice:
            "Client: exchange a larger MTU before subscribing. Server: send the value in a form that fits, or do not send it.",
        needs: "the handle's type, its definition, and the MTU", requires: [.pdus, .knownMTU],
        needsNoGap: true)
}

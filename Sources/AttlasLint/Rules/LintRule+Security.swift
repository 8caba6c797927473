/// What others can hear, or do.
extension LintRule {
    static let security = [
        sensitiveUnencrypted, personalUnencrypted, justWorks, legacyPairing, shortKey, debugKey, privateAddressKept,
    ]

    private static let needsClearValue =
        "the LE connection from its start, in a host's log without a loss, and the type of the handle"
    private static let needsPairing = "the Pairing Request, the Pairing Response and the encryption of the link"

    static let sensitiveUnencrypted = LintRule(
        "security/sensitive-unencrypted", .warning,
        title: "health data or input sent without encryption, which the profile demands",
        explanation: "Anybody within range can read the value. The profile of the service demands encryption for it.",
        section:
            "Blood Pressure Profile 1.1.1, 6.1; Glucose Profile 1.0.1, 6.1; Pulse Oximeter Profile 1.0.1, 7.1; HID over "
            + "GATT Profile",
        advice: "Server: require encryption in the permissions of the characteristic.",
        needs: needsClearValue,
        requires: [.pdus, .declared, .whole], needsNoGap: true)

    static let personalUnencrypted = LintRule(
        "security/personal-unencrypted", .info,
        title: "health, location, identity, input or messages sent without encryption",
        explanation:
            "Anybody within range can read the value. The service leaves it to the manufacturer to encrypt it.",
        section: "Core Specification, Vol 3, Part C, 10.2",
        advice: "Server: require encryption in the permissions of the characteristic, if the value should be private.",
        needs: needsClearValue,
        requires: [.pdus, .declared, .whole], needsNoGap: true)

    static let justWorks = LintRule(
        "security/just-works", .warning, title: "pairing by Just Works where an authenticated method was possible",
        explanation: "With the input and output of both sides the pairing could have been authenticated, if one side "
            + "had requested protection against a man in the middle.",
        section: "Core Specification, Vol 3, Part H, 2.3.5.1",
        advice: "Set MITM in AuthReq on the side that needs protection.",
        needs: needsPairing,
        requires: [.paired])

    static let legacyPairing = LintRule(
        "security/legacy-pairing", .warning, title: "LE legacy pairing",
        explanation: "An eavesdropper who records the pairing finds the key in seconds, even with a passkey. LE Secure"
            + " Connections exist since version 4.2 (2014).",
        section: "Core Specification, Vol 3, Part H, 2.3.5.2 to 2.3.5.5",
        advice: "Support Secure Connections on the side that does not offer it.",
        needs: needsPairing,
        requires: [.paired])

    static let shortKey = LintRule(
        "security/short-key", .warning, title: "an encryption key of less than 16 octets",
        explanation: "The smaller maximum of both sides is used, and a key of 7 octets can be found by trying all "
            + "keys.",
        section: "Core Specification, Vol 3, Part H, 2.3.4",
        advice: "Offer 16 octets as the maximum, and reject shorter keys.",
        needs: needsPairing,
        requires: [.paired])

    static let debugKey = LintRule(
        "security/debug-key", .error, title: "pairing with the Diffie-Hellman debug key",
        explanation: "The specification publishes the private key: everybody can decrypt the link.",
        section: "Core Specification, Vol 3, Part H, 2.3.5.6.1",
        advice: "Generate a key pair for each pairing. Disable debug keys in shipped products.",
        needs: "the Pairing Public Key",
        requires: [.publicKeys])

    static let privateAddressKept = LintRule(
        "security/private-address-kept", .info, title: "a resolvable private address kept for more than 15 minutes",
        explanation: "Anybody who receives it can track the device while it keeps the address.",
        section: "Core Specification, Vol 3, Part C, 10.7.1 and Appendix A (T_GAP(private_addr_int))",
        advice: "Change the address every 15 minutes, also during advertising.",
        needs: "advertising with the address over more than 16 minutes, without a jump of the clock",
        requires: [.privateAddresses])
}

/// What others can hear, or do.
extension LintRule {
    static let security = [
        sensitiveUnencrypted, justWorks, legacyPairing, shortKey, debugKey, privateAddressKept,
    ]

    private static let needsPairing = "the Pairing Request, the Pairing Response and that the link was encrypted"

    static let sensitiveUnencrypted = LintRule(
        "security/sensitive-unencrypted", .warning, title: "health, location, identity or input sent in the clear",
        explanation: "Anybody within range can read the value.",
        section: "Core Specification, Vol 3, Part C, 10.2 and 10.3; the specification of the service",
        advice: "Server: ask for encryption in the permissions of the characteristic. Some services leave that to "
            + "the device: then this is a decision to be made, not forgotten.",
        needs: "the LE connection from its start without a loss, and what the handle is")

    static let justWorks = LintRule(
        "security/just-works", .warning, title: "pairing by Just Works where more was possible",
        explanation: "The input and output that both sides have would have made sure of the other side, had one of "
            + "them asked for protection against a man in the middle.",
        section: "Core Specification, Vol 3, Part H, 2.3.5.1",
        advice: "Set MITM in AuthReq on the side that has something to protect.",
        needs: needsPairing)

    static let legacyPairing = LintRule(
        "security/legacy-pairing", .warning, title: "LE legacy pairing",
        explanation: "Who hears the pairing finds the key in seconds, with a passkey too. LE Secure Connections "
            + "exist since version 4.2 (2014).",
        section: "Core Specification, Vol 3, Part H, 2.3.5",
        advice: "Offer Secure Connections on the side that does not.",
        needs: needsPairing)

    static let shortKey = LintRule(
        "security/short-key", .warning, title: "an encryption key of less than 16 octets",
        explanation: "The shorter side decides, and 7 octets can be searched through.",
        section: "Core Specification, Vol 3, Part H, 2.3.4",
        advice: "Offer 16 octets as the maximum, and refuse less.",
        needs: needsPairing)

    static let debugKey = LintRule(
        "security/debug-key", .error, title: "pairing with the Diffie-Hellman debug key",
        explanation: "The private part is printed in the specification: everybody can decrypt the link.",
        section: "Core Specification, Vol 3, Part H, 2.3.5.6.1",
        advice: "Make a key pair for each pairing; turn debug keys off in what is shipped.",
        needs: "the Pairing Public Key")

    static let privateAddressKept = LintRule(
        "security/private-address-kept", .info, title: "a resolvable private address kept for more than 15 minutes",
        explanation: "Whoever hears it can follow the device for as long as it keeps the address.",
        section: "Core Specification, Vol 3, Part C, 10.7.1 and Appendix A (T_GAP(private_addr_int))",
        advice: "Change the address every 15 minutes, also while advertising goes on.",
        needs: "advertising with the address over more than 16 minutes, without a jump of the clock")
}

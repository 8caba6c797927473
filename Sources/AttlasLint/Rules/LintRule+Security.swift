import AttlasIncidents

/// Data that others can hear, or actions that they can take.
extension LintRule {
    static let security = [
        sensitiveUnencrypted, personalUnencrypted, justWorks, legacyPairing, shortKey, debugKey, passkeyRepeated,
        keyMissing, pairingRepeated, neverPaired, publicAddressUsed, privateAddressKept, sharedIdentityKey,
    ]

    private static let needsClearValue =
        "the LE connection from its start, in a host's log without loss, and the handle's type"
    private static let needsPairing = "Pairing Request, Pairing Response and encryption"

    static let sensitiveUnencrypted = LintRule(
        "security/sensitive-unencrypted", .warning,
        title: "a sensitive value sent without encryption, which the profile demands",
        explanation: "Anybody within range can read the value. The profile of the service demands encryption for it.",
        section:
            "Blood Pressure Profile 1.1.1, 6.1; Glucose Profile 1.0.1, 6.1; Pulse Oximeter Profile 1.0.1, 7.1; Call "
            + "Control Profile 1.0, 5.1; HID over GATT Profile",
        advice: "Server: require encryption in the permissions of the characteristic.",
        needs: needsClearValue,
        requires: [.pdus, .declared, .whole], needsNoGap: true)

    static let personalUnencrypted = LintRule(
        "security/personal-unencrypted", .info,
        title: "health, location, identity, input or messages sent without encryption",
        explanation:
            "Anybody within range can read the value. The service leaves it to the manufacturer to encrypt it.",
        section: "Core Specification, Vol 3, Part C, 10.2.1",
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

    static let passkeyRepeated = LintRule(
        "security/passkey-repeated", .error, title: "the same passkey in two pairings",
        explanation:
            "A new passkey is demanded for each pairing. A pairing reveals its passkey to everybody who receives it: someone who "
            + "recorded one can pair, or act as a man in the middle, the next time.",
        section: "Core Specification, Vol 3, Part H, 2.3.5.3 and 2.3.5.6.3",
        advice:
            "Device: generate the passkey at random for each pairing. Without a display, use Out of Band, or Just Works and a "
            + "check of the application's own.",
        needs: "two pairings with one device by Passkey Entry with LE Secure Connections, each to its last round",
        requires: [.passkeys])

    static let keyMissing = LintRule(
        "security/key-missing", .warning, title: "encryption that failed because one side has lost the key",
        explanation:
            "PIN or Key Missing (0x06): the other side has no key of this bond. MIC failure (0x3D) before a PDU "
            + "was decrypted: the two keys differ. One side deleted the bond, was restored or reset, or never finished the pairing, and the other still uses it.",
        section: "Core Specification, Vol 6, Part B, 5.1.3.1; Vol 1, Part F, 2",
        advice:
            "Delete the bond on both sides and pair again. Device: keep bonds over firmware updates, and do not give up the "
            + "oldest bond without need.",
        needs: "the start of encryption with a key of an earlier pairing, and no loss after it",
        requires: [.encryptionTried], needsNoGap: true)

    static let pairingRepeated = LintRule(
        "security/pairing-repeated", .warning, title: "a new pairing on each connection, although the devices bond",
        explanation:
            "Bonded devices keep the keys and encrypt with them at the next connection. Here they paired again in "
            + "each of at least three connections: one side does not keep or does not find the keys.",
        section: "Core Specification, Vol 3, Part C, 9.4.4; Part H, 2.4.4",
        advice:
            "Look whether both sides store the keys, and whether they find them by the identity address when the other side "
            + "uses a private one.",
        needs: "three connections with one device, each with a pairing that bonds", requires: [.paired, .reconnected],
        needsNoGap: true)

    static let neverPaired = LintRule(
        "security/never-paired", .warning, title: "requests refused for missing security, without pairing",
        explanation:
            "The server answered three requests or more with Insufficient Authentication, Authorization or Encryption. "
            + "The client repeats them, but the link is never encrypted.",
        section: "Core Specification, Vol 3, Part C, 10.3.1 and 10.3.2; Part F, 3.4.1.1",
        advice:
            "Client: pair, or encrypt with the key of the bond, then repeat the request. Most operating systems do this by "
            + "themselves, unless the device does not accept pairing.",
        needs: "the Error Responses, and the connection from its start without loss",
        requires: [.pdus, .errors, .whole],
        needsNoGap: true)

    static let publicAddressUsed = LintRule(
        "security/public-address-used", .warning, title: "the public address used although privacy is on",
        explanation:
            "The host gave the controller its own Identity Resolving Key and switched address resolution on, and then "
            + "connected or advertised with its public address: everybody can recognise it.",
        section: "Core Specification, Vol 3, Part C, 10.7.1 and 10.7.2; Vol 4, Part E, 7.8.38 and 7.8.44",
        advice:
            "Host: choose Own_Address_Type 0x02 or 0x03 (a resolvable private address), or set a private address and "
            + "choose 0x01.",
        needs:
            "the commands that set keys and enable address resolution, and a later one to connect or advertise",
        requires: [.privacy], needsNoGap: true)

    static let privateAddressKept = LintRule(
        "security/private-address-kept", .info, title: "a resolvable private address kept for more than 15 minutes",
        explanation: "Anybody who receives it can track the device while it keeps the address.",
        section: "Core Specification, Vol 3, Part C, 10.7.1.2, 10.7.3 and Appendix A (T_GAP(private_addr_int))",
        advice: "Change the address every 15 minutes, also during advertising.",
        needs: "more than 16 minutes of advertising with the address, without clock jump",
        requires: [.privateAddresses])

    static let sharedIdentityKey = LintRule(
        "security/shared-identity-key", .warning, title: "two peers with the same Identity Resolving Key",
        explanation:
            "A resolvable private address belongs to the device whose key it is made with. Hosts that tell bonded devices apart by "
            + "their keys keep one of the two bonds, and may refuse the second device.",
        section: "Core Specification, Vol 3, Part H, 2.4.2.1 and 3.6.4",
        advice:
            "Device: make the key at random once for each device. Without private addresses, do not distribute it (IdKey).",
        needs: "Identity Information and Identity Address Information of both",
        requires: [.identityKeys])
}

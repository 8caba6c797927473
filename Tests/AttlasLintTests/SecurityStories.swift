import AttlasTestSupport

/// Pairing Request and Response. Core Specification, Vol 3, Part H, 3.5.1: IO capability, OOB, AuthReq, key size, keys.
private let ownKey =
    "command 2720 27 00 F2F2F2F2F2F2 0102030405060708090A0B0C0D0E0F10 100F0E0D0C0B0A090807060504030201"

// Nearly the keys, and the nonce, of Vol 3, Part H, D.2, and what another program's f4 makes of them with 0x00, 0x80 and 0x81.
private let nonce = "ABAE2B71ECB2FFFF3E7377D15484CBD5"
private let publicKeys = """
    smp > 0C E69D350E480103CCDBFDF4AC1191F4EFB9A5F9E9A7832C5E2CBE97F2D203B021 \(String(repeating: "00", count: 32))
    smp < 0C FDC57FF449DD4F6BFB7C9DF1C29ACB592AE7D4EEFBFC0A909ABBF6323D8B1855 \(String(repeating: "00", count: 32))

    """

private let zeros = String(repeating: "00", count: 16)

/// A connection, and Identity Information and Identity Address Information of the peer. Vol 3, Part H, 3.6.4 and 3.6.5.
private func identity(_ key: String, _ address: String, marking mark: String = "") -> String {
    "connect\nsmp < 08 \(key)\n\(mark)smp < 09 01 \(address)\n"
}

/// What the initiator says in Passkey Entry. A round has the same nonce as the others, which no host would do.
private func passkeyEntry(_ bits: String, marking mark: String = "") -> String {
    let rounds = bits.map { bit in
        let confirm = bit == "0" ? "76A004810782A96076582ABEA7730EE1" : "CA04AB51A64DE51B9505E8A9DCA1D1CE"
        return "smp > 03 \(confirm)\nsmp > 04 \(nonce)"
    }
    var lines = (publicKeys + rounds.joined(separator: "\n")).split(separator: "\n").map(String.init)
    lines[lines.count - 1] = mark + lines[lines.count - 1]
    return lines.joined(separator: "\n")
}

let securityStories = [
    RuleStory(
        "security/sensitive-unencrypted",
        """
        connect
        > 08 0100 FFFF 0328
        < 09 07 1100 20 1200 352A
        > 12 1300 0200
        < 13
        ✗ < 1D 1200 00 78005000 5D00       # Blood Pressure Measurement
        """,
        """
        connect
        > 08 0100 FFFF 0328
        < 09 07 1100 20 1200 352A
        encrypt
        > 12 1300 0200
        < 13
        < 1D 1200 00 78005000 5D00
        """),
    RuleStory(
        "security/personal-unencrypted",
        """
        connect
        > 08 0100 FFFF 0328
        < 09 07 1100 10 1200 372A
        > 12 1300 0100
        < 13
        ✗ < 1B 1200 00 48       # Heart Rate Measurement
        """,
        """
        connect
        > 08 0100 FFFF 0328
        < 09 07 1100 10 1200 372A
        encrypt
        > 12 1300 0100
        < 13
        < 1B 1200 00 48
        """),
    RuleStory(
        "security/just-works",
        // KeyboardDisplay and DisplayYesNo, Secure Connections, neither with MITM; then one with it.
        """
        connect
        smp > 01 04 00 09 10 00 00
        smp < 02 01 00 09 10 00 00
        ✗ encrypt
        """,
        """
        connect
        smp > 01 04 00 0D 10 00 00
        smp < 02 01 00 09 10 00 00
        encrypt
        disconnect
        connect
        smp > 01 04 00 09 10 00 00
        smp < 02 03 00 09 10 00 00      # NoInputNoOutput: no more was possible
        encrypt
        """),
    RuleStory(
        "security/legacy-pairing",
        """
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 01 10 00 00
        ✗ encrypt
        """,
        """
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        disconnect
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 01 10 00 00
        smp > 05 03                     # refused
        """),
    RuleStory(
        "security/short-key",
        """
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 07 00 00
        ✗ encrypt
        """,
        """
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        """),
    RuleStory(
        "security/debug-key",
        // The key of Vol 3, Part H, 2.3.5.6.1, and that of the sample data in Part H, D.
        """
        connect
        ✗ smp > 0C E69D350E480103CCDBFDF4AC1191F4EFB9A5F9E9A7832C5E2CBE97F2D203B020 \
        8BD28915D08E1C742430ED8FC2456376 5C15525ABF9A32636DEB2A65499C80DC
        """,
        """
        connect
        smp > 0C E69D350E480103CCDBFDF4AC1191F4EFB9A5F9E9A7832C5E2CBE97F2D203B021 \
        8BD28915D08E1C742430ED8FC2456376 5C15525ABF9A32636DEB2A65499C80DC
        """),
    // Identity Information and Identity Address Information: another device's key; the same device again, the host with its peer's key, and
    // another key.
    RuleStory(
        "security/shared-identity-key",
        identity(zeros, "0100000000E1") + "disconnect\n" + identity(zeros, "0200000000E1", marking: "✗ ")
            + "\ncommand 14 0C 00",
        repeated(identity(zeros, "0100000000E1") + "disconnect", 2) + "\n" + identity(zeros, "0100000000E1")
            + "smp > 08 \(zeros)\nsmp > 09 00 0300000000C0\ndisconnect\n"
            + identity("000102030405060708090A0B0C0D0E0F", "0200000000E1")),
    RuleStory(
        "security/passkey-repeated",
        "connect\n" + passkeyEntry("01101001000011100101") + "\ndisconnect\nconnect\n"
            + passkeyEntry("01101001000011100101", marking: "✗ "),
        // The last bit is another one; then Numeric Comparison, in which the responder commits itself to 0.
        "connect\n" + passkeyEntry("01101001000011100101") + "\ndisconnect\nconnect\n"
            + passkeyEntry("01101001000011100100") + "\ndisconnect\nconnect\n" + publicKeys
            + repeated("smp > 03 42432840C42A81B307DE0B60186B77A6\nsmp > 04 \(nonce)", 20)),
    RuleStory(
        "security/key-missing",
        """
        connect
        ✗ event 08 04 06 4000 00
        disconnect
        connect
        encrypt
        ✗ event 05 04 00 4000 3D
        """,
        """
        connect
        encrypt
        > 0A 0300
        < 0B 57
        event 05 04 00 4000 3D
        """),
    RuleStory(
        "security/pairing-repeated",
        """
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        disconnect
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        disconnect
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        ✗ encrypt
        disconnect
        """,
        """
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        disconnect
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        disconnect
        connect
        encrypt                         # with the key of the bond
        disconnect
        connect
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        disconnect
        """),
    RuleStory(
        "security/never-paired",
        """
        connect
        > 0A 0300
        < 01 0A 0300 05
        > 0A 0300
        < 01 0A 0300 05
        > 0A 0300
        ✗ < 01 0A 0300 0F
        disconnect
        """,
        """
        connect
        > 0A 0300
        < 01 0A 0300 05
        > 0A 0300
        < 01 0A 0300 05
        > 0A 0300
        < 01 0A 0300 05
        smp > 01 03 00 09 10 00 00
        smp < 02 03 00 09 10 00 00
        encrypt
        > 0A 0300
        < 0B 57
        disconnect
        """),
    RuleStory(
        "security/public-address-used",
        // LE Add Device To Resolving List with a key of the host, LE Set Address Resolution Enable, LE Set Advertising Parameters.
        """
        \(ownKey)
        command 2D20 01 01
        ✗ command 0620 0F 0008 0008 00 00 00 000000000000 07 00
        """,
        """
        command 2720 27 00 F2F2F2F2F2F2 0102030405060708090A0B0C0D0E0F10 00000000000000000000000000000000
        command 2D20 01 01
        command 0620 0F 0008 0008 00 00 00 000000000000 07 00
        \(ownKey)
        command 0620 0F 0008 0008 00 02 00 000000000000 07 00
        command 2D20 01 00
        command 0620 0F 0008 0008 00 00 00 000000000000 07 00
        """),
    RuleStory(
        "security/private-address-kept",
        // 4A:… and 5B:… are resolvable; C0:… is static.
        """
        advertise 01020304054A
        wait 961000
        ✗ advertise 01020304054A
        """,
        """
        advertise 01020304054A
        advertise 0102030405C0
        wait 900000
        advertise 01020304055B
        wait 900000
        advertise 01020304055B
        advertise 0102030405C0
        """),
]

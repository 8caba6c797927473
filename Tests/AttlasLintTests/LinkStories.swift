import AttlasTestSupport

private let full = "41 42 43 44 45 46 47 48 49 4A 4B 4C 4D 4E 4F 50 51 52 53 54"

private let long = String(repeating: "41", count: 509)
private let features = "event 0E 0C 01 0320 00 0001000000000000\n"
private let remoteFeatures = "event 3E 0C 04 00 4000 0001000000000000"

// LE Read Buffer Size: 27 octets, 2 packets. Vol 4, Part E, 7.8.2.
private let buffers = "event 0E 07 01 0220 00 1B00 02\n"
private let completed = "event 13 05 01 4000 0100"

/// A channel of PSM 0x0090 between 0x0040 of the host and 0x0041 of the peer. Vol 3, Part A, 4.22 and 4.23.
private let channel =
    "connect\nl2cap 5 > 14 01 0A00 9000 4000 0002 1700 0A00\nl2cap 5 < 15 01 0A00 4100 1700 1700 0A00 0000\n"

let linkStories = [
    // LE Credit Based Connection Request (MTU 512, MPS 23, 10 credits), and its Response with an MTU of 23: an SDU of 24 octets in two
    // frames, and of 23; the peer may send 24.
    RuleStory(
        "link/sdu-too-long",
        channel + """
            l2cap 65 > 1800000102030405060708090A0B0C0D0E0F1011121314
            ✗ l2cap 65 > 151617
            disconnect
            """,
        channel + """
            l2cap 65 > 1700000102030405060708090A0B0C0D0E0F1011121314
            l2cap 65 > 1516
            l2cap 64 < 1800000102030405060708090A0B0C0D0E0F1011121314
            l2cap 64 < 151617
            disconnect
            """),
    // An SDU that says 3 octets and has 4, and one that has them.
    RuleStory(
        "link/sdu-too-long", channel + "✗ l2cap 65 > 0300 01020304\ndisconnect",
        channel + "l2cap 65 > 0300 010203\ndisconnect"),
    // A frame of 24 octets where the receiver takes 23, and the same SDU in two frames.
    RuleStory(
        "link/sdu-too-long", channel + "✗ l2cap 65 > 1600 0102030405060708090A0B0C0D0E0F10111213141516\ndisconnect",
        channel + "l2cap 65 > 1600 0102030405060708090A0B0C0D0E0F101112131415\nl2cap 65 > 16\ndisconnect"),
    // Connection Parameter Update Request. Vol 3, Part A, 4.
    RuleStory(
        "link/signal-identifier-zero",
        "connect\n✗ l2cap 5 < 12 00 0800 1800 1800 0000 F401\ndisconnect\ncommand 14 0C 00",
        "connect\nl2cap 5 < 12 01 0800 1800 1800 0000 F401\ndisconnect"),
    // LE Data Length Change: 251 octets in 328 µs and in 2,120 µs; and in 1,064 µs, with LE 2M then. Vol 4, Part E, 7.7.65.7.
    RuleStory(
        "link/short-data-time", "connect\n✗ event 3E 0B 07 4000 FB00 4801 FB00 4808\ndisconnect",
        "connect\nevent 3E 0B 07 4000 FB00 4808 FB00 4808\ndisconnect"),
    RuleStory(
        "link/short-data-time", "connect\n✗ event 3E 0B 07 4000 FB00 2804 FB00 4808\ndisconnect",
        "connect\nevent 3E 0B 07 4000 FB00 2804 FB00 2804\nevent 3E 06 0C 00 4000 02 02\ndisconnect"),
    RuleStory(
        "link/buffers-exceeded",
        buffers + """
            connect
            > 52 0300 01
            > 52 0300 02
            ✗ > 52 0300 03
            \(completed)
            \(completed)
            \(completed)
            disconnect
            """,
        // Two of three have been sent; then a log without the events, and a loss in which they were.
        buffers + """
            connect
            > 52 0300 01
            > 52 0300 02
            \(completed)
            > 52 0300 03
            \(completed)
            disconnect
            connect
            > 52 0300 01
            > 52 0300 02
            > 52 0300 03
            disconnect
            connect
            > 52 0300 01
            > 52 0300 02
            lose
            > 52 0300 03
            \(completed)
            \(completed)
            disconnect
            """),
    RuleStory(
        "link/parameters-refused",
        """
        connect
        l2cap 5 < 12 01 0800 0C00 1800 0000 C800
        ✗ l2cap 5 > 13 01 0200 0100
        """,
        """
        connect
        l2cap 5 < 12 01 0800 0C00 1800 0000 C800
        l2cap 5 > 13 01 0200 0000
        """),
    RuleStory(
        "link/preferred-parameters",
        // The interval is 30 ms; preferred is 60 to 100 ms, and 20 to 40 ms.
        """
        connect
        > 08 0100 FFFF 042A
        < 09 0A 0500 3000 5000 0000 9001
        wait 31000
        ✗ disconnect
        """,
        """
        connect
        > 08 0100 FFFF 042A
        < 09 0A 0500 1000 2000 0000 9001
        wait 31000
        disconnect
        """),
    RuleStory(
        "link/small-mtu",
        "connect\n" + repeated("> 52 0300 \(full)", 100) + "\n✗ disconnect",
        "connect\n> 02 F700\n< 03 F700\n" + repeated("> 52 0300 \(full)", 100) + "\ndisconnect"),
    RuleStory(
        "link/mtu-exchanged-late",
        "connect\n" + repeated("> 52 0300 \(full)", 20) + "\n> 02 F700\n✗ < 03 F700\ndisconnect",
        "connect\n" + repeated("> 52 0300 \(full)", 19) + "\n> 02 F700\n< 03 F700\n"
            + repeated("> 52 0300 \(full)", 20) + "\ndisconnect"),
    RuleStory(
        "link/no-data-length-extension",
        // LE Set Event Mask with bit 6; then LE Data Length Change to 251 octets each way.
        "command 01 20 08 5F00000000000000\nconnect\n> 02 F700\n< 03 F700\n" + repeated("> 52 0300 \(full) 55", 100)
            + "\n✗ disconnect",
        "command 01 20 08 5F00000000000000\nconnect\nevent 3E 0B 07 4000 FB00 4808 FB00 4808\n> 02 F700\n< 03 F700\n"
            + repeated("> 52 0300 \(full) 55", 100) + "\ndisconnect"),
    RuleStory(
        "link/phy-not-updated",
        // Local and remote features with LE 2M; then a PHY Update to it.
        features + "connect\n\(remoteFeatures)\n> 02 0004\n< 03 0004\n" + repeated("> 52 0300 \(long)", 200)
            + "\n✗ disconnect",
        features + "connect\n\(remoteFeatures)\nevent 3E 06 0C 00 4000 02 02\n> 02 0004\n< 03 0004\n"
            + repeated("> 52 0300 \(long)", 200) + "\ndisconnect"),
    RuleStory(
        "link/latency-in-stream",
        // 30 ms with a latency of 4: silent for 150 ms at most.
        "connect\nevent 3E 0A 03 00 4000 1800 0400 C800\n" + repeated("< 1B 0300 01\nwait 29", 199)
            + "\n✗ < 1B 0300 01\ncommand 14 0C 00",
        "connect\n" + repeated("< 1B 0300 01\nwait 29", 199) + "\n< 1B 0300 01\nevent 3E 0A 03 00 4000 1800 0400 C800\n"
            + repeated("< 1B 0300 01\nwait 300", 200)),
    RuleStory(
        "link/write-requests-in-bulk",
        table + repeated("> 12 1E00 \(full)\n< 13", 49) + "\n✗ > 12 1E00 \(full)\n< 13",
        table + repeated("> 12 1E00 \(full)\n< 13", 49) + "\n> 12 1E00 01\n< 13\n"
            + repeated("> 12 1E00 \(full)\n< 13", 49)),
]

import AttlasTestSupport

/// LE Create Connection to F2:F2:F2:F2:F2:F2, 30 ms, latency 0, supervision timeout 720 ms. Vol 4, Part E, 7.8.12.
private let connectCommand = "command 0D20 19 6000 3000 00 01 F2F2F2F2F2F2 01 1800 1800 0000 4800 0000 0000"
/// … with any device of the Filter Accept List.
private let connectAny = "command 0D20 19 6000 3000 01 00 000000000000 01 1800 1800 0000 4800 0000 0000"
private let cancelled = "command 0E20 00\nevent 0E 04 01 0E20 00\n"
/// LE Connection Complete: Unknown Connection Identifier.
private let noConnection = "event 3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00"

/// Disconnection Complete.
private func end(_ reason: String) -> String { "event 05 04 00 4000 \(reason)" }

/// Core Specification, Vol 4, Part E, 7; Vol 3, Part A, 4.20.
let connectingStories = [
    RuleStory(
        "link/not-established",
        "connect\n\(end("3E"))\nconnect\n\(end("3E"))\nconnect\n✗ \(end("3E"))",
        "connect\n\(end("3E"))\nconnect\n\(end("3E"))\nconnect\n\(end("13"))\nconnect\n\(end("3E"))"),
    RuleStory(
        "link/supervision-timeouts",
        "connect\n\(end("08"))\nconnect\n\(end("08"))\nconnect\n✗ \(end("08"))",
        "connect\n\(end("08"))\nconnect\n\(end("08"))\nconnect\n\(end("16"))\nconnect\n\(end("08"))"),
    RuleStory(
        "link/attempt-cancelled-early",
        "\(connectCommand)\n\(cancelled)✗ \(noConnection)",
        "\(connectCommand)\nwait 500\n\(cancelled)\(noConnection)\n\(connectAny)\n\(cancelled)\(noConnection)"),
    RuleStory(
        "link/attempt-pending",
        "✗ \(connectCommand)\nwait 6000\nadvertise 0102030405C0",
        "\(connectCommand)\nwait 6000\nconnect\n\(connectAny)\nwait 6000\ndisconnect"),
    RuleStory(
        "link/parameters-out-of-range",
        // 5 ms; then 30 to 50 ms with a latency of 30 and 3 s; a command with 100 ms, latency 4 and 1 s; 30 ms, 720 ms and a
        // subrate factor of 12, or of 11.
        """
        connect
        ✗ l2cap 5 < 12 01 0800 0400 0400 0000 C800
        l2cap 5 > 13 01 0200 0100
        ✗ command 1320 0E 4000 5000 5000 0400 6400 0000 0000
        ✗ event 3E 0C 23 00 4000 0C00 0000 0000 4800
        disconnect
        """,
        """
        connect
        l2cap 5 < 12 01 0800 0C00 1800 1E00 2C01
        l2cap 5 > 13 01 0200 0000
        command 1320 0E 4000 5000 5000 0400 6500 0000 0000
        event 3E 0C 23 00 4000 0B00 0000 0000 4800
        disconnect
        """, also: ["link/parameters-refused@3"]),
    RuleStory(
        "link/apple-guidelines",
        // 10 to 20 ms from a peripheral, whose central is unknown. Then to a host that is no Apple device; 15 ms exactly, and
        // 30 to 45 ms with a latency of 4.
        """
        connect peripheral
        ✗ l2cap 5 > 12 01 0800 0800 1000 0000 C800
        l2cap 5 < 13 01 0200 0000
        disconnect
        """,
        """
        connect
        l2cap 5 < 12 03 0800 0800 1000 0000 C800
        l2cap 5 > 13 03 0200 0000
        l2cap 5 < 12 01 0800 0C00 0C00 0000 C800
        l2cap 5 > 13 01 0200 0000
        l2cap 5 < 12 02 0800 1800 2400 0400 C800
        l2cap 5 > 13 02 0200 0000
        disconnect
        """),
    RuleStory(
        "link/update-unanswered",
        """
        connect
        ✗ l2cap 5 < 12 01 0800 0C00 1800 0000 C800
        wait 31000
        disconnect
        command 14 0C 00    # both directions are in the log
        """,
        """
        connect
        l2cap 5 < 12 01 0800 0C00 1800 0000 C800
        l2cap 5 > 01 01 0200 0000               # Command Reject
        wait 31000
        l2cap 5 < 12 02 0800 0C00 1800 0000 C800
        wait 20000
        disconnect
        """),
    RuleStory(
        "link/update-repeated",
        """
        connect
        l2cap 5 < 12 01 0800 0C00 1800 0000 C800
        l2cap 5 > 13 01 0200 0000
        l2cap 5 < 12 02 0800 0C00 1800 0000 C800
        l2cap 5 > 13 02 0200 0000
        ✗ l2cap 5 < 12 03 0800 0C00 1800 0000 C800
        l2cap 5 > 13 03 0200 0000
        """,
        """
        connect
        l2cap 5 < 12 01 0800 0C00 1800 0000 C800
        l2cap 5 > 13 01 0200 0000
        l2cap 5 < 12 02 0800 1800 3000 0000 C800
        l2cap 5 > 13 02 0200 0000
        l2cap 5 < 12 03 0800 0C00 1800 0000 C800
        l2cap 5 > 13 03 0200 0000
        """),
    RuleStory(
        "link/update-failed",
        """
        connect
        ✗ event 3E 0A 03 3B 4000 1800 0000 4800
        """,
        """
        connect
        event 3E 0A 03 00 4000 1800 0000 4800
        """),
    RuleStory(
        "link/parameters-unsteady",
        "connect\n" + repeated("event 3E 0A 03 00 4000 1800 0000 4800", 5)
            + "\n✗ event 3E 0A 03 00 4000 0C00 0000 4800",
        "connect\n" + repeated("event 3E 0A 03 00 4000 1800 0000 4800\nwait 10000", 9)),
    RuleStory(
        "link/scanning-while-connected",
        // Window and interval of 60 ms; then a window of 10 % of it.
        """
        command 0B20 07 01 6000 6000 00 00
        command 0C20 02 01 00
        connect
        wait 11000
        ✗ command 0C20 02 00 00
        disconnect
        """,
        """
        command 0B20 07 01 6000 6000 00 00
        command 0C20 02 01 00
        connect
        wait 2000
        command 0C20 02 00 00
        wait 11000
        command 0B20 07 01 0004 6000 00 00
        command 0C20 02 01 00
        wait 11000
        disconnect
        """),
    RuleStory(
        "link/command-disallowed",
        """
        ✗ event 0E 04 01 0B20 0C        # LE Set Scan Parameters
        """,
        """
        event 0E 04 01 0B20 00
        event 0E 04 01 0E20 0C          # a cancellation after the connection was made
        """),
]

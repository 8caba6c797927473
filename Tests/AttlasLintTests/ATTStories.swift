/// Core Specification, Vol 3, Part F.
let attStories = [
    RuleStory(
        "att/request-overlap",
        """
        connect
        > 0A 0300
        ✗ > 0A 0500
        < 0B 57
        < 0B 58
        """,
        """
        connect
        > 0A 0300
        > 52 0500 01    # a command need not wait
        < 0B 57
        > 0A 0500
        < 0B 58
        < 0A 0300       # the other side is a client, too
        > 0A 0500
        > 0B 57
        < 0B 57
        """),
    // A log of what the controller sent; and of what the host sent.
    RuleStory(
        "att/unexpected-response",
        """
        connect
        > 52 0300 01
        ✗ < 0B 57
        """,
        """
        connect
        < 03 F700
        < 0B 57
        < 01 0A 0300 02
        disconnect
        """),
    RuleStory(
        "att/request-overlap",
        """
        connect
        > 0A 0300
        ✗ > 0A 0500
        < 0B 57
        """,
        """
        > 02 F700
        > 0A 0300
        > 0A 0500
        """),
    RuleStory(
        "att/unanswered-request",
        """
        connect
        > 0A 0300
        ✗ disconnect
        """,
        """
        connect
        > 0A 0300
        < 01 0A 0300 02
        disconnect
        """),
    RuleStory(
        "att/transaction-timeout",
        """
        connect
        > 0A 0300
        wait 30001
        ✗ < 0B 57
        """,
        """
        connect
        > 0A 0300
        wait 29990
        < 0B 57
        """),
    RuleStory(
        "att/request-after-timeout",
        """
        connect
        > 0A 0300
        wait 31000
        ✗ > 0A 0500
        < 0B 57
        """,
        """
        connect
        > 0A 0300
        < 0B 57
        wait 31000
        > 0A 0500
        < 0B 57
        """, also: ["att/transaction-timeout@3"]),
    // A notification after an indication without confirmation; the other side, which sends a command, waits for nothing.
    RuleStory(
        "att/request-after-timeout",
        """
        connect
        < 1D 0300 01
        wait 31000
        > 52 0500 01
        ✗ < 1B 0300 02
        """,
        """
        connect
        < 1D 0300 01
        wait 29000
        > 52 0500 01
        < 1B 0300 02
        > 1E
        wait 31000
        < 1B 0300 02
        """, also: ["att/transaction-timeout@4"]),
    RuleStory(
        "att/wrong-response",
        """
        connect
        > 0A 0300
        ✗ < 13
        > 12 0500 01
        < 13
        """,
        """
        connect
        > 0A 0300
        < 01 0A 0300 02
        > 12 0500 01
        < 13
        """),
    RuleStory(
        "att/unexpected-response",
        """
        connect
        > 0A 0300
        < 0B 57
        ✗ < 0B 57
        """,
        """
        > 52 0300 01    # begun before the capture
        < 0B 57
        > 0A 0300
        < 0B 57
        """),
    RuleStory(
        "att/response-to-command",
        """
        connect
        > 52 0300 01
        ✗ < 01 52 0300 03
        """,
        """
        connect
        > 52 0300 01
        > 12 0300 01
        < 01 12 0300 03
        """),
    RuleStory(
        "att/indication-overlap",
        """
        connect
        < 1D 0300 01
        ✗ < 1D 0300 02
        > 1E
        > 1E
        """,
        """
        connect
        < 1D 0300 01
        > 1E
        < 1D 0300 02
        > 1D 0300 01    # the other way round, another transaction
        > 1E
        < 1E
        """),
    RuleStory(
        "att/unconfirmed-indication",
        """
        connect
        < 1D 0300 01
        ✗ disconnect
        command 14 0C 00    # both directions are in the log
        """,
        """
        connect
        < 1D 0300 01
        > 1E
        disconnect
        """),
    RuleStory(
        "att/unexpected-confirmation",
        """
        connect
        < 1B 0300 01
        ✗ > 1E
        """,
        """
        connect
        < 1D 0300 01
        > 1E
        """),
    RuleStory(
        "att/pdu-above-mtu",
        """
        connect
        ✗ > 52 0300 000102030405060708090A0B0C0D0E0F1011121314
        """,
        """
        connect
        > 52 0300 000102030405060708090A0B0C0D0E0F10111213
        > 02 F700
        < 03 1800       # 24 is the smaller one
        > 52 0300 000102030405060708090A0B0C0D0E0F1011121314
        """),
    RuleStory(
        "att/mtu-exchanged-twice",
        """
        connect
        > 02 F700
        < 03 F700
        ✗ > 02 F700
        < 03 F700
        """,
        """
        connect
        > 02 F700
        < 03 F700
        < 02 F700       # each side may, as a client
        > 03 F700
        """),
    // Without HCI events: the second one may be of the next connection.
    RuleStory(
        "att/mtu-exchanged-twice",
        """
        connect
        > 02 F700
        < 03 F700
        wait 60000
        ✗ > 02 F700
        < 03 F700
        """,
        """
        > 02 F700
        < 03 F700
        wait 60000
        > 02 F700
        < 03 F700
        """),
    RuleStory(
        "att/mtu-on-enhanced-bearer",
        // A channel on PSM 0x0027: L2CAP_CREDIT_BASED_CONNECTION_REQ and _RSP, then an SDU of three octets.
        """
        connect
        l2cap 5 > 17 01 0A00 2700 4000 4000 0800 4000
        l2cap 5 < 18 01 0A00 4000 4000 0800 0000 5000
        ✗ l2cap 80 > 0300 02 F700
        """,
        """
        connect
        l2cap 5 > 17 01 0A00 2700 4000 4000 0800 4000
        l2cap 5 < 18 01 0A00 4000 4000 0800 0000 5000
        l2cap 80 > 0300 0A 0300
        l2cap 64 < 0200 0B 57
        """),
    RuleStory(
        "att/mtu-too-small",
        """
        connect
        > 02 F700
        ✗ < 03 1600
        """,
        """
        connect
        > 02 1700
        < 03 1700
        """),
    RuleStory(
        "att/mtu-asymmetric",
        """
        connect
        > 02 F700
        < 03 F700
        < 02 F700
        ✗ > 03 1700
        """,
        """
        connect
        > 02 F700
        < 03 6400
        < 02 6400
        > 03 F700
        """),
    RuleStory(
        "att/sent-during-mtu-exchange",
        """
        connect
        < 02 F700
        ✗ < 1B 0300 01
        > 03 F700
        """,
        """
        connect
        > 02 F700
        < 1B 0300 01    # the other side's exchange
        < 03 F700
        < 1B 0300 01
        """),
    RuleStory(
        "att/malformed-pdu",
        """
        connect
        ✗ > 0A 03
        """,
        """
        connect
        > 0A 0300
        < 0B            # an empty value
        """),
    RuleStory(
        "att/invalid-handle",
        """
        connect
        ✗ > 08 0000 FFFF 0328
        < 01 08 0000 01
        """,
        """
        connect
        > 08 FFFF FFFF 0328
        < 01 08 FFFF 0A
        """),
    RuleStory(
        "att/value-above-512",
        "connect\n> 02 0004\n< 03 0004\n✗ < 1B 0300 " + String(repeating: "41", count: 513),
        "connect\n> 02 0004\n< 03 0004\n< 1B 0300 " + String(repeating: "41", count: 512)),
    RuleStory(
        "att/reserved-error-code",
        """
        connect
        > 0A 0300
        ✗ < 01 0A 0300 20
        """,
        """
        connect
        > 0A 0300
        < 01 0A 0300 80
        > 0A 0300
        < 01 0A 0300 FE
        """),
    RuleStory(
        "att/error-code-not-permitted",
        """
        connect
        > 0A 0300
        ✗ < 01 0A 0300 03       # Write Not Permitted
        > 12 0300 01
        ✗ < 01 12 0300 0A       # Attribute Not Found
        """,
        """
        connect
        > 0A 0300
        < 01 0A 0300 02
        > 12 0300 01
        < 01 12 0300 13
        > 08 0100 FFFF 002A
        < 01 08 0100 0A
        """),
    RuleStory(
        "att/prepared-write-left",
        """
        connect
        > 16 0300 0000 41
        < 17 0300 0000 41
        ✗ disconnect
        """,
        """
        connect
        > 16 0300 0000 41
        < 17 0300 0000 41
        > 18 00         # cancelled
        < 19
        > 16 0300 0000 41
        < 01 16 0300 09 # refused: nothing is in the queue
        disconnect
        """),
    RuleStory(
        "att/prepared-write-altered",
        """
        connect
        > 16 0300 0000 4142
        ✗ < 17 0300 0000 4143
        > 18 00
        < 19
        """,
        """
        connect
        > 16 0300 0000 4142
        < 17 0300 0000 4142
        > 18 01
        < 19
        """),
]

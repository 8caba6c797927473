import AttlasTestSupport

/// The client subscribes to Temperature; and one value of it in both kinds of notifications. Vol 3, Part F, 3.4.7.1 and 3.4.7.4.
private let subscribed = table + "> 12 1300 0100\n< 13\n"
private let doubled = "< 23 1200 0200 0200\n< 1B 1200 0200"

/// Core Specification, Vol 3, Part G.
let gattStories = [
    RuleStory(
        "gatt/read-not-permitted",
        table + """
            ✗ > 0A 1700
            < 01 0A 1700 02
            """,
        table + """
            > 0A 1500
            < 0B 01
            > 0A 1300       # a descriptor
            < 0B 0000
            > 0A 3000       # nobody knows what that is
            < 0B 00
            """),
    RuleStory(
        "gatt/write-not-permitted",
        table + """
            ✗ > 12 1500 01
            < 01 12 1500 03
            """,
        table + """
            > 12 1700 01
            < 13
            > 52 1C00 01
            """),
    RuleStory(
        "gatt/write-needs-command",
        table + """
            ✗ > 12 1C00 01
            < 13
            """,
        table + """
            > 52 1C00 01
            > 12 1E00 01
            < 13
            """),
    RuleStory(
        "gatt/write-needs-request",
        table + """
            ✗ > 52 1700 01
            """,
        table + """
            > 12 1700 01
            < 13
            > 52 1E00 01
            """),
    RuleStory(
        "gatt/descriptor-by-command",
        table + """
            ✗ > 52 1300 0100
            """,
        table + """
            > 12 1300 0100
            < 13
            > 52 1E00 01
            """),
    RuleStory(
        "gatt/notify-not-permitted",
        table + """
            ✗ < 1B 1500 01
            """,
        table + """
            > 12 1300 0100
            < 13
            < 1B 1200 C409
            """),
    RuleStory(
        "gatt/indicate-not-permitted",
        table + """
            ✗ < 1D 1200 C409
            > 1E
            """,
        table + """
            > 12 1A00 0200
            < 13
            < 1D 1900 2000 2F00
            > 1E
            """),
    RuleStory(
        "gatt/sent-from-no-value",
        table + """
            > 04 1F00 1F00
            < 05 01 1F00 F1FF       # a second attribute of the type of the value
            ✗ < 1B 1F00 0502
            """,
        table + """
            > 12 1300 0100
            < 13
            < 1B 1200 C409
            > 04 2200 2200
            < 05 01 2200 F2FF       # there may be a declaration in 0x0020 or 0x0021
            < 1B 2200 0502
            """),
    RuleStory(
        "gatt/not-subscribed",
        table + """
            > 12 1300 0100
            < 1B 1200 C409  # on its way before the response
            < 13
            > 12 1300 0000
            < 1B 1200 C409
            < 13
            ✗ < 1B 1200 C409
            """,
        table + """
            > 12 1300 0100
            < 13
            < 1B 1200 C409
            < 1B 3000 01    # nobody knows what that is
            encrypt         # a bond: what was configured in earlier connections holds
            < 1D 1900 2000 2F00
            > 1E
            """),
    RuleStory(
        "gatt/configuration-not-permitted",
        table + """
            ✗ > 12 1300 0200
            < 13
            """,
        table + """
            > 12 1300 0100
            < 13
            > 12 1A00 0200
            < 13
            > 12 1A00 0000
            < 13
            """),
    RuleStory(
        "gatt/service-changed-ignored",
        table + """
            > 12 1A00 0200
            < 13
            < 1D 1900 1000 1700
            > 1E
            > 52 1C00 01    # not in the range
            ✗ > 0A 1500
            < 0B 01
            """,
        table + """
            > 12 1A00 0200
            < 13
            < 1D 1900 1000 1700
            > 1E
            > 08 1000 1700 0328
            < 09 07 1400 02 1500 382A
            > 0A 1500
            < 0B 01
            """),
    RuleStory(
        "gatt/hash-changed-ignored",
        """
        connect
        > 08 0100 FFFF 2A2B
        < 09 12 0C00 000102030405060708090A0B0C0D0E0F
        disconnect
        connect
        > 08 0100 FFFF 2A2B
        < 09 12 0C00 F00102030405060708090A0B0C0D0E0F
        ✗ > 0A 1500
        < 0B 01
        """,
        """
        connect
        > 08 0100 FFFF 2A2B
        < 09 12 0C00 000102030405060708090A0B0C0D0E0F
        disconnect
        connect
        > 08 0100 FFFF 2A2B
        < 09 12 0C00 000102030405060708090A0B0C0D0E0F
        > 0A 1500
        < 0B 01
        disconnect
        connect
        > 08 0100 FFFF 2A2B
        < 09 12 0C00 F00102030405060708090A0B0C0D0E0F
        > 10 0100 FFFF 0028     # as it should
        < 11 06 0100 0500 0018
        > 0A 1500
        < 0B 01
        """),
    RuleStory(
        "gatt/discovery-repeated",
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018 0600 FFFF 0A18
        encrypt
        disconnect
        connect
        ✗ > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018 0600 FFFF 0A18
        """,
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018 0600 FFFF 0A18
        disconnect      # no bond
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018 0600 FFFF 0A18
        encrypt
        disconnect
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018 0600 FFFF 0A18
        smp > 01 03 00 09 10 00 00      # the bond was deleted
        smp < 02 03 00 09 10 00 00
        encrypt
        """),
    RuleStory(
        "gatt/assigned-uuid-reused",
        vendorTable + """
            > 0A 1200
            ✗ < 0B 312E3032
            """,
        vendorTable + """
            > 0A 1200       # it fits: a battery level of 90 %
            < 0B 5A
            > 0A 1500       # a definition without a service applies everywhere
            < 0B 01
            > 0A 2200
            < 0B 5A
            """),
    RuleStory(
        "gatt/unassigned-uuid",
        """
        connect
        > 10 0100 FFFF 0028
        ✗ < 11 06 1000 1500 E0FF 1600 1F00 0F18
        > 08 1000 FFFF 0328
        ✗ < 09 07 1100 02 1200 192A 1300 02 1400 992F
        > 04 1500 1500
        ✗ < 05 01 1500 9929
        > 04 1400 1400
        < 05 01 1400 992F   # found already
        disconnect
        connect
        > 04 1500 1500
        < 05 01 1500 9929   # in another connection
        """,
        vendorTable + """
            > 06 0100 FFFF 0028 E0FF
            < 01 06 0100 0A     # it was looked for, it is not there
            """),
    RuleStory(
        "gatt/out-of-sync-ignored",
        table + """
            > 0A 1500
            < 01 0A 1500 12
            ✗ > 0A 1500
            < 0B 01
            """,
        table + """
            > 0A 1500
            < 01 0A 1500 12
            > 08 0100 FFFF 2A2B
            < 01 08 0100 0A
            > 0A 1500
            < 0B 01
            """),
    RuleStory(
        "gatt/service-changed-not-subscribed",
        table + """
            smp > 01 03 00 09 10 00 00
            smp < 02 03 00 09 10 00 00
            encrypt
            wait 11000
            ✗ disconnect
            """,
        table + """
            smp > 01 03 00 09 10 00 00
            smp < 02 03 00 09 10 00 00
            encrypt
            > 12 1A00 0200
            < 13
            wait 11000
            disconnect
            """),
    RuleStory(
        "gatt/mandatory-missing",
        // Heart Rate with Body Sensor Location only; then with the measurement too, and one whose discovery has no end.
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 1000 1F00 0D18
        > 08 1000 1F00 0328
        < 09 07 1100 02 1200 382A
        > 08 1200 1F00 0328
        < 01 08 1200 0A
        ✗ disconnect
        """,
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 1000 1F00 0D18 2000 2F00 0F18
        > 08 1000 1F00 0328
        < 09 07 1100 02 1200 382A
        > 08 1300 1F00 0328
        < 09 07 1300 10 1400 372A
        > 08 1500 1F00 0328
        < 01 08 1500 0A
        > 08 2000 2F00 0328
        < 09 07 2100 02 2200 ED2B
        disconnect
        """),
    RuleStory(
        "gatt/descriptor-missing",
        // Battery Level in 0x0003, with Extended Properties: the service ends with it, or with the descriptor.
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0300 0F18
        > 10 0400 FFFF 0028
        < 11 06 0400 0500 0A18
        > 10 0600 FFFF 0028
        < 01 10 0600 0A
        > 08 0100 0300 0328
        < 09 07 0200 82 0300 192A
        ✗ disconnect
        """,
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0400 0F18
        > 10 0500 FFFF 0028
        < 11 06 0500 0600 0A18
        > 10 0700 FFFF 0028
        < 01 10 0700 0A
        > 08 0100 0400 0328
        < 09 07 0200 82 0300 192A
        > 04 0400 0400
        < 05 01 0400 0029
        disconnect
        """),
    RuleStory(
        "gatt/long-read-left",
        table + """
            > 0A 1E00
            ✗ < 0B 4142434445464748494A4B4C4D4E4F50515253545556
            > 0A 1500
            < 0B 01
            """,
        table + """
            > 0A 1E00
            < 0B 4142434445464748494A4B4C4D4E4F50515253545556
            > 0C 1E00 1600
            < 0D
            > 0A 1E00
            < 0B 4142434445464748494A4B4C4D4E4F505152535455
            > 0A 1500
            < 0B 01
            """),
    // 22 octets of a JSON text without its end; and with it (`{"t":21.5,"h":4,"b":9}`).
    RuleStory(
        "gatt/long-read-left",
        table + """
            > 0A 1E00
            ✗ < 0B 7B2274223A32312E352C2268223A342C2262223A3939
            > 0A 1E00
            < 0B 01
            """,
        table
            + repeated("> 0A 1E00\n< 0B 7B2274223A32312E352C2268223A342C2262223A397D", 3) + "\n"
            + repeated("> 0A 1E00\n< 0B 4142434445464748494A4B4C4D4E4F50515253545556", 3) + "\n> 0C 1E00 1600\n< 0D"),
    RuleStory(
        "gatt/prepared-long-value",
        """
        connect
        > 16 0300 0000 4142434445464748494A4B4C4D4E4F505152
        < 17 0300 0000 4142434445464748494A4B4C4D4E4F505152
        > 16 0300 1200 414243
        < 17 0300 1200 414243
        > 18 01
        ✗ < 19
        """,
        """
        connect
        > 16 0300 0000 41               # reliable writes of short values
        < 17 0300 0000 41
        > 16 0400 0000 41
        < 17 0400 0000 41
        > 18 01
        < 19
        """),
    // Five values in both PDUs; and the last one alone.
    RuleStory(
        "gatt/value-sent-twice",
        subscribed + "< 23 1200 0200 0100\n✗ < 1B 1200 0100\n" + repeated("wait 500\n\(doubled)", 4) + "\ndisconnect",
        subscribed + repeated("wait 500\n\(doubled)", 5) + "\n< 23 1200 0200 0300\n< 23 1200 0200 0400\ndisconnect"),
    // Heart Rate between two services of one response, found by its UUID; and listed.
    RuleStory(
        "gatt/service-skipped",
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0700 0018 3000 3300 0F18
        > 06 0100 FFFF 0028 0D18
        ✗ < 07 0800 1F00
        disconnect
        """,
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0700 0018 0800 1F00 0D18 3000 3300 0F18
        > 06 0100 FFFF 0028 0D18
        < 07 0800 1F00
        disconnect
        """),
]

/// Values read by their type, so that no discovery is needed.
let valueStories = [
    RuleStory(
        "value/too-short",
        """
        connect
        > 08 0100 FFFF 6E2A     # Temperature: two octets
        ✗ < 09 03 1200 C4
        """,
        """
        connect
        > 08 0100 FFFF 6E2A
        < 09 04 1200 C409
        > 0A 3000               # nobody knows what that is
        < 0B C4
        """),
    RuleStory(
        "value/too-long",
        """
        connect
        > 08 0100 FFFF 6E2A
        ✗ < 09 05 1200 C40900
        """,
        """
        connect
        > 08 0100 FFFF 6E2A
        < 09 04 1200 C409
        """),
    RuleStory(
        "value/reserved-bits",
        """
        connect
        > 08 0100 FFFF 1E2A     # Intermediate Temperature: bits 3 to 7 of the flags are reserved
        ✗ < 09 07 1200 08 6E0100FF
        """,
        """
        connect
        > 08 0100 FFFF 1E2A
        < 09 08 1200 04 6E0100FF 02
        """),
    RuleStory(
        "value/undefined-enumeration",
        """
        connect
        > 08 0100 FFFF 382A     # Body Sensor Location: 0 to 6
        ✗ < 09 03 1500 07
        """,
        """
        connect
        > 08 0100 FFFF 382A
        < 09 03 1500 06
        """),
    RuleStory(
        "value/out-of-range",
        """
        connect
        > 08 0100 FFFF 192A     # Battery Level: 0 to 100 %
        ✗ < 09 03 1500 65
        """,
        """
        connect
        > 08 0100 FFFF 192A
        < 09 03 1500 64
        """),
    RuleStory(
        "value/reserved-special",
        """
        connect
        > 08 0100 FFFF 1E2A     # 0x00800001: reserved for future use
        ✗ < 09 07 1200 00 01008000
        """,
        """
        connect
        > 08 0100 FFFF 1E2A     # 0x007FFFFF: NaN
        < 09 07 1200 00 FFFF7F00
        """),
    RuleStory(
        "value/invalid-utf8",
        """
        connect
        > 08 0100 FFFF 292A     # Manufacturer Name String: the second octet does not continue the first
        ✗ < 09 04 0300 C328
        """,
        """
        connect
        > 08 0100 FFFF 292A
        < 09 04 0300 C3A9
        """),
    RuleStory(
        "value/wrong-crc",
        """
        connect
        > 08 0100 FFFF A72A     # CGM Measurement: the CRC is 0x1E8E
        ✗ < 09 0A 0300 08 00 6E00 0000 8F1E
        """,
        """
        connect
        > 08 0100 FFFF A72A
        < 09 0A 0300 08 00 6E00 0000 8E1E
        """),
    RuleStory(
        "value/cut-at-mtu",
        // Body Composition Measurement with all its fields but the height: 28 octets.
        """
        connect
        > 08 0100 FFFF 0328
        < 09 07 0200 20 0300 9C2A
        encrypt
        ✗ < 1D 0300 FE07 0A00 E907 01 02 03 04 05 01 0B00 0C00 0D00 0E00
        > 1E
        """,
        """
        connect
        > 08 0100 FFFF 0328
        < 09 07 0200 20 0300 9C2A
        encrypt
        > 02 1F00
        < 03 1F00
        < 1D 0300 FE07 0A00 E907 01 02 03 04 05 01 0B00 0C00 0D00 0E00 0F00 1000 1100 1200
        > 1E
        """),
]

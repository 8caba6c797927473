/// What a client reads first.
private let published = """
    connect
    > 02 0002
    < 03 0002
    > 08 0100 FFFF C92B     # Sink PAC: LC3, 48 kHz, 10 ms, one channel, 100 to 120 octets
    < 09 1A 1100 01 0600000000 10 03018000 020202 020301 050464007800 00
    > 08 0100 FFFF C42B     # Sink ASE
    < 09 04 1500 01 00
    > 08 2F00 3000 0328     # ASE Control Point
    < 09 07 2F00 0C 3000 C62B

    """

/// Audio Stream Endpoints. Their type is known by Read By Type, so that no discovery is needed.
let audioStories = [
    RuleStory(
        "audio/endpoint-transition",
        """
        connect
        > 02 0002
        < 03 0002
        > 08 0100 FFFF C42B     # Sink ASE
        < 09 04 1500 01 00      # ASE 1 is idle
        < 1B 1500 01 01 00 02 02 0A00 400000 409C00 400000 409C00 06 0000 0000 00
        ✗ < 1B 1500 01 04 01 01 00   # Streaming after Codec Configured
        """,
        """
        connect
        > 02 0002
        < 03 0002
        > 08 0100 FFFF C42B
        < 09 04 1500 01 00
        < 1B 1500 01 01 00 02 02 0A00 400000 409C00 400000 409C00 06 0000 0000 00
        < 1B 1500 01 02 01 01 102700 00 02 7800 05 1400 409C00
        < 1B 1500 01 03 01 01 00
        < 1B 1500 01 04 01 01 00
        < 1B 1500 01 02 01 01 102700 00 02 7800 05 1400 409C00
        < 1B 1500 01 06
        < 1B 1500 01 00
        """),
    RuleStory(
        "audio/endpoint-not-streaming",
        """
        connect
        > 02 0002
        < 03 0002
        > 08 0100 FFFF C52B     # Source ASE
        < 09 13 1500 02 02 01 01 102700 00 02 2800 05 1400 409C00
        ✗ < 1B 1500 02 03 01 01 00   # Enabling, and Receiver Start Ready never comes
        wait 6000
        < 1B 1500 02 06
        """,
        """
        connect
        > 02 0002
        < 03 0002
        > 08 0100 FFFF C52B
        < 09 13 1500 02 02 01 01 102700 00 02 2800 05 1400 409C00
        < 1B 1500 02 03 01 01 00
        wait 6000
        < 1B 1500 02 04 01 01 00
        < 1B 1500 02 05 01 01 00
        < 1B 1500 02 02 01 01 102700 00 02 2800 05 1400 409C00
        < 1B 1500 02 06
        < 1B 1500 02 01 00 02 02 0A00 400000 409C00 400000 409C00 06 0000 0000 00
        """),
    RuleStory(
        "audio/codec-not-supported",
        published + """
            ✗ > 52 3000 01 01 01 02 02 0600000000 0A 020107 020201 03047800   # 44.1 kHz
            """,
        published + """
            > 52 3000 01 01 01 02 02 0600000000 0A 020108 020201 03047800
            """),
    RuleStory(
        "audio/qos-not-supported",
        published + """
            < 1B 1500 01 01 00 02 02 0A00 204E00 409C00 204E00 409C00 0600000000 0A 020108 020201 03047800
            ✗ > 52 3000 02 01 01 01 01 102700 00 02 7800 05 1400 50C300   # a presentation delay of 50 ms
            """,
        published + """
            < 1B 1500 01 01 00 02 02 0A00 204E00 409C00 204E00 409C00 0600000000 0A 020108 020201 03047800
            > 52 3000 02 01 01 01 01 102700 00 02 7800 05 1400 409C00
            """),
]

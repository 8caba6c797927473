import AttlasTestSupport

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
    RuleStory(
        "audio/base-not-in-group",
        // BIGInfo: one stream. Core Specification, Vol 4, Part E, 7.7.65.34.
        broadcast + "✗ event 3E14 22 1000 01 03 0800 01 00 03 7800 102700 6400 02 00 01",
        broadcast + "event 3E14 22 1000 02 03 0800 01 00 03 7800 102700 6400 02 00 01"),
    RuleStory(
        "audio/sdu-late",
        sentStream + sdus(0..<20) + "wait 50\n✗ " + sdus(20..<26, wait: 0) + sdus(26..<30),
        // One SDU is late by the transport latency, and not more.
        sentStream + sdus(0..<20) + "wait 20\n" + sdus(20..<40)),
]

/// A synchronized train and the BASE of two streams. Core Specification, Vol 4, Part E, 7.7.65.14 and 7.7.65.15.
private let broadcast = """
    event 3E10 0E 00 1000 01 01 6655443322C1 02 5000 00
    event 3E36 0F 1000 7F C4 FF 00 2E \(Audio.announcement)

    """

/// LE Set CIG Parameters with an SDU every 10 ms, LE Create CIS, and LE CIS Established with a transport latency of 20 ms. Core
/// Specification, Vol 4, Part E, 7.8.97, 7.8.99 and 7.7.65.25.
private let sentStream = """
    connect
    command 6220 18 01 102700 102700 00 00 00 1400 1400 01 07 7800 0000 02 02 05 05
    event 0E08 01 6220 00 01 01 6000
    command 6420 05 01 6000 4000
    event 3E1D 19 00 6000 B80B00 B80B00 204E00 204E00 02 02 01 01 01 01 01 2800 2800 0800

    """

/// SDUs with these sequence numbers, each with its Number Of Completed Packets (Vol 4, Part E, 7.7.19): together 2 ms, and a pause.
private func sdus(_ numbers: Range<Int>, wait: Int = 8) -> String {
    numbers.map { number in
        let digits = (number < 16 ? "0" : "") + String(number, radix: 16)
        return "iso > 6020 0600 \(digits)00 0200 AABB\nevent 1305 01 6000 0100\nwait \(wait)\n"
    }.joined()
}

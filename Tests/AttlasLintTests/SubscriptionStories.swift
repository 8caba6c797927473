import AttlasTestSupport

/// Heart Rate Service as `table` has its services: Heart Rate Measurement in 0x0012, notify, its configuration in 0x0013.
private let heartRate = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 2000 0D18
    > 08 1000 2000 0328
    < 09 07 1100 10 1200 372A 1400 12 1500 392A
    > 04 1300 1300
    < 05 01 1300 0229
    > 04 1600 1600
    < 05 01 1600 0229

    """

/// A vendor's service with a value that is written, 0x0012, and one that notifies, 0x0014, its configuration in 0x0015.
private let vendor = """
    connect
    > 10 0100 FFFF 0028
    < 11 14 1000 1F00 9ECADC240EE5A9E093F3A3B50100406E
    > 08 1000 1F00 0328
    < 09 15 1100 04 1200 9ECADC240EE5A9E093F3A3B50200406E
    > 08 1200 1F00 0328
    < 09 15 1300 10 1400 9ECADC240EE5A9E093F3A3B50300406E
    > 04 1500 1500
    < 05 01 1500 0229

    """

/// Why a characteristic does not notify. Core Specification, Vol 3, Part G, 3.3.3.3.
let subscriptionStories = [
    RuleStory(
        "gatt/configuration-missing",
        // Battery Level in 0x0003, notify: the service ends with it, or with its configuration.
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0300 0F18
        > 10 0400 FFFF 0028
        < 11 06 0400 0500 0A18
        > 10 0600 FFFF 0028
        < 01 10 0600 0A
        > 08 0100 0300 0328
        < 09 07 0200 12 0300 192A
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
        < 09 07 0200 12 0300 192A
        > 04 0400 0400
        < 05 01 0400 0229
        disconnect
        """),
    RuleStory(
        "gatt/subscription-refused",
        table + """
            > 12 1300 0100
            ✗ < 01 12 1300 03       # Write Not Permitted
            wait 1000
            disconnect
            """,
        table + """
            > 12 1300 0100
            < 01 12 1300 11         # Insufficient Resources, and a second try
            > 12 1300 0100
            < 13
            < 1B 1200 C409
            disconnect
            """),
    RuleStory(
        "gatt/subscription-before-encryption",
        table + """
            > 12 1300 0100
            ✗ < 01 12 1300 05
            encrypt
            wait 1000
            disconnect
            """,
        table + """
            > 12 1300 0100
            < 01 12 1300 05
            encrypt
            > 12 1300 0100
            < 13
            < 1B 1200 C409
            disconnect
            """),
    RuleStory(
        "gatt/subscription-to-unknown-handle",
        table + """
            > 12 3100 0100
            ✗ < 01 12 3100 01
            disconnect
            """,
        table + """
            > 12 3100 0100          # a handle of an earlier connection
            < 13
            > 12 3200 414243
            < 01 12 3200 01
            disconnect
            """),
    RuleStory(
        "gatt/never-subscribed",
        heartRate + repeated("> 0A 1500\n< 0B 5A", 4) + "\n> 0A 1500\n✗ < 0B 5A\ndisconnect",
        heartRate + repeated("> 0A 1500\n< 0B 5A", 4) + "\n> 12 1600 0100\n< 13\n> 0A 1500\n< 0B 5A\ndisconnect"),
    // What can be had by a subscription only.
    RuleStory(
        "gatt/never-subscribed",
        vendor + """
            ✗ > 52 1200 01
            wait 11000
            disconnect
            """,
        vendor + """
            > 12 1500 0100
            < 13
            > 52 1200 01
            < 1B 1400 01
            wait 11000
            disconnect
            """),
    // Client Supported Features configures the server, and is no use of Service Changed.
    RuleStory(
        "gatt/never-subscribed", vendor + "✗ > 52 1200 01\nwait 11000\ndisconnect",
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0800 0F00 0118
        > 08 0800 0F00 0328
        < 09 07 0900 20 0A00 052A 0C00 0A 0D00 292B
        > 04 0B00 0B00
        < 05 01 0B00 0229
        > 12 0D00 04
        < 13
        wait 11000
        disconnect
        """),
    RuleStory(
        "gatt/subscription-silent",
        heartRate + """
            > 12 1300 0100
            ✗ < 13
            wait 11000
            disconnect
            """,
        heartRate + """
            > 12 1300 0100
            < 13
            > 12 1600 0100          # is sent when it changes
            < 13
            encrypt
            < 1B 1200 00 48
            wait 11000
            disconnect
            """),
    // A command without an answer.
    RuleStory(
        "gatt/subscription-silent",
        vendor + """
            > 12 1500 0100
            ✗ < 13
            > 52 1200 01
            wait 11000
            disconnect
            """,
        vendor + """
            > 12 1500 0100
            < 13
            > 52 1200 01
            < 1B 1400 01
            wait 11000
            disconnect
            """),
    RuleStory(
        "gatt/subscription-lost",
        vendor + """
            > 12 1500 0100
            < 13
            < 1B 1400 01
            disconnect
            connect
            > 02 F700
            < 03 F700
            wait 11000
            ✗ disconnect
            """,
        vendor + """
            > 12 1500 0100
            < 13
            < 1B 1400 01
            disconnect
            connect
            > 12 1500 0100
            < 13
            wait 11000
            disconnect
            connect
            encrypt                 # a bond
            > 02 F700
            < 03 F700
            wait 11000
            disconnect
            """),
    RuleStory(
        "gatt/polled-value",
        heartRate + "> 12 1600 0100\n< 13\n< 1B 1500 5A\n" + repeated("> 0A 1500\n< 0B 5A", 9)
            + "\n> 0A 1500\n✗ < 0B 5A\ndisconnect",
        heartRate + "> 12 1600 0100\n< 13\n< 1B 1500 5A\n" + repeated("> 0A 1500\n< 0B 5A", 9) + "\ndisconnect"),
]

let practiceStories = [
    RuleStory(
        "practice/no-device-information",
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018 0600 FFFF 0D18
        ✗ disconnect
        """,
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018 0600 FFFF 0A18
        disconnect
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0018          # and more may come
        disconnect
        """),
    RuleStory(
        "practice/no-user-description",
        // 6E400003-B5A3-F393-E0A9-E50E24DCCA9E in handle 3, its configuration in 4; then a description in 5.
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0400 0A18
        > 10 0500 FFFF 0028
        < 01 10 0500 0A
        > 08 0100 0400 0328
        < 09 15 0200 10 0300 9ECADC240EE5A9E093F3A3B50300406E
        > 04 0400 0400
        < 05 01 0400 0229
        ✗ disconnect
        """,
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0100 0500 0A18
        > 10 0600 FFFF 0028
        < 01 10 0600 0A
        > 08 0100 0500 0328
        < 09 15 0200 10 0300 9ECADC240EE5A9E093F3A3B50300406E
        > 04 0400 0500
        < 05 01 0400 0229 0500 0129
        disconnect
        """),
]

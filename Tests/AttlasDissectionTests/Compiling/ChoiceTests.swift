import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

@Suite struct ChoiceTests {
    @Test func textsAreCompared() throws {
        let yaml = definition(
            """
            - { name: Kind, type: utf8, until: 3D }
            - { name: Version, type: utf8, if: Kind == "ver" or Kind == "a=b" }
            - { name: Level, type: decimal-text, if: not (Kind != "bat") }
            """)
        try expect(Dissected(yaml: yaml, Array("ver=1".utf8)).text, equals: "Kind \"ver\" · Version \"1\"")
        try expect(Dissected(yaml: yaml, Array("bat=97".utf8)).text, equals: "Kind \"bat\" · Level 97")
        let other = try Dissected(yaml: yaml, Array("ve=1".utf8))
        expect(other.dissection.unexplained.count, equals: 1)
    }

    @Test func ofOctetsAndOfTextsUpToAZero() throws {
        let yaml = definition(
            """
            - { name: A, type: bytes, size: 2 }
            - { name: B, type: utf8z }
            - { name: C, type: uint8, if: A == "hi" and B == "" }
            """)
        try expect(Dissected(yaml: yaml, hex("68 69 00 07")).names, equals: ["A", "B", "C"])
        try expect(Dissected(yaml: yaml, hex("68 6A 00 07")).names, equals: ["A", "B"])
    }

    @Test func aTextThatWasNotReadIsEmpty() throws {
        let yaml = definition(
            """
            - { name: F, type: uint8 }
            - { name: A, type: utf8, size: 1, if: F == 1 }
            - { name: B, type: uint8, if: A == "" }
            """)
        try expect(Dissected(yaml: yaml, hex("00 05")).names, equals: ["F", "B"])
        try expect(Dissected(yaml: yaml, hex("01 41")).names, equals: ["F", "A"])
    }

    /// A number of the same name is no place of a text.
    @Test func aNumberOrATextOfOneName() throws {
        let yaml = definition(
            """
            - { name: F, type: uint8 }
            - { name: A, type: uint64, if: F == 1 }
            - { name: A, type: utf8, size: 1, if: F == 2 }
            - { name: B, type: uint8, if: A == "x" }
            """)
        try expect(Dissected(yaml: yaml, hex("01 FF FF FF FF FF FF FF FF")).names, equals: ["F", "A"])
        try expect(Dissected(yaml: yaml, hex("01 01 00 00 00 01 00 00 00")).names, equals: ["F", "A"])
        try expect(Dissected(yaml: yaml, hex("02 78 05")).names, equals: ["F", "A", "B"])
    }

    @Test func aSwitchOnText() throws {
        let yaml = definition(
            #"""
            - { name: Kind, type: utf8, size: 2 }
            - switch: Kind
              cases:
                12: [{ name: A, type: uint8 }]
                'q"': [{ name: B, type: uint8 }]
                default: [{ name: C, type: uint8 }]
            """#)
        try expect(Dissected(yaml: yaml, Array("12".utf8) + [1]).names, equals: ["Kind", "A"])
        try expect(Dissected(yaml: yaml, Array("q\"".utf8) + [1]).names, equals: ["Kind", "B"])
        try expect(Dissected(yaml: yaml, Array("zz".utf8) + [1]).names, equals: ["Kind", "C"])
    }

    @Test func aCaseHasItsSummary() throws {
        let yaml =
            definition(
                """
                - { name: Code, type: uint8 }
                - switch: Code
                  cases:
                    1: { fields: [{ name: Level, type: uint8 }], summary: "level {Level} of {Last}" }
                    2: { summary: "ping" }
                - { name: More, type: uint8, if: left > 1 }
                - if: left > 0
                  fields: [{ name: Last, type: uint8 }]
                """) + "    summary: \"code {Code}\"\n"
        try expect(Dissected(yaml: yaml, hex("01 05 09")).text, equals: "level 5 of 9")
        try expect(Dissected(yaml: yaml, hex("02")).text, equals: "ping")
        try expect(Dissected(yaml: yaml, hex("03")).text, equals: "code 3")
        // The next value has no case.
        var read = try Dissected(yaml: yaml, hex("02"))
        read.octets = [3]
        let octets = read.octets
        read.dissector.dissect(Bytes(octets.span), into: &read.dissection)
        expect(read.text, equals: "code 3")
    }
}

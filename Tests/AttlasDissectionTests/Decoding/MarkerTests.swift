import AttlasDissection
import AttlasTestSupport
import Testing

@Suite struct MarkerTests {
    @Test func endsAText() throws {
        let yaml = definition("- { name: A, type: utf8, until: 0D 0A }\n- { name: B, type: bytes, until: FF or end }")
        let whole = try Dissected(yaml: yaml, Array("x\ry\r\n".utf8) + hex("01 FF"))
        expect(whole.text, equals: "A \"x\\ry\" · B 01")
        expect(whole.records.map(\.length), equals: [5, 2])
        let open = try Dissected(yaml: yaml, Array("x\r\n".utf8) + hex("01 02"))
        expect(open.text, equals: "A \"x\" · B 01 02")
        #expect(open.dissection.fault == nil)
        let missing = try Dissected(yaml: yaml, Array("x\r".utf8))
        expect(missing.dissection.fault?.reason, equals: .truncated)
    }

    @Test func staysInItsStructure() throws {
        let yaml = definition(
            "- { name: S, size: 2, fields: [{ name: A, type: utf8, until: 2C }] }\n- { name: B, type: uint8 }")
        try expect(Dissected(yaml: yaml, Array("ab,".utf8)).dissection.fault?.reason, equals: .truncated)
    }

    @Test func paddingIsLeftOut() throws {
        let yaml = definition(
            """
            - { name: A, type: utf8, size: 6, padding: 00 }
            - { name: B, type: bytes, size: 3, padding: FF }
            - { name: C, type: uint8, if: A == "ab" and B == "x" }
            """)
        let read = try Dissected(yaml: yaml, Array("ab".utf8) + hex("00 00 00 00 78 FF FF 07"))
        expect(read.text, equals: "A \"ab\" · B 78 · C 7")
        #expect(read.json.contains(#"{"name":"A","value":"ab","offset":0,"length":6}"#))
        // Only at the end.
        try expect(Dissected(yaml: yaml, hex("00 61 00 62 00 00 FF FF FF")).text, equals: "A \"\\0a\\0b\" · B ")
    }

    @Test func endsARepetition() throws {
        let yaml = definition(
            """
            - name: Pair
              repeat: until FF 00
              fields: [{ name: Key, type: uint8 }, { name: Value, type: uint8 }]
            - { name: End, const: FF 00 }
            """)
        try expect(Dissected(yaml: yaml, hex("01 02 03 04 FF 00")).raws, equals: [0, 1, 2, 0, 3, 4, 0])
        try expect(Dissected(yaml: yaml, hex("FF 00")).names, equals: ["End"])
        // To the end, where the constant is missing.
        try expect(Dissected(yaml: yaml, hex("01 02")).dissection.fault?.need, equals: 4)
        try expect(Dissected(yaml: yaml, []).dissection.fault?.need, equals: 2)
    }

    @Test func aListInText() throws {
        let yaml = definition(
            "- { name: Item, repeat: rest, fields: [{ name: N, type: decimal-text, until: 2C or end }] }")
        try expect(Dissected(yaml: yaml, Array("1,2,30".utf8)).numbers, equals: ["N = 1", "N = 2", "N = 30"])
    }
}

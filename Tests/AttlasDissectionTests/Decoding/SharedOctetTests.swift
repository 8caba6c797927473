import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

@Suite struct SharedOctetTests {
    /// In big-endian order the first of the fields has the most significant bits: 0xAC36 is 1377 and 22.
    @Test func mayBeBigEndian() throws {
        let big = definition(
            "- { name: A, type: uint11, order: big }\n- { name: B, type: uint5, order: big }\n- { name: C, type: uint8 }"
        )
        let dissected = try Dissected(yaml: big, hex("AC 36 07"))
        expect(dissected.raws, equals: [1_377, 22, 7])
        expect(dissected.records.map(\.range), equals: [0..<2, 1..<2, 2..<3])
        let little = definition("- { name: A, type: uint11 }\n- { name: B, type: uint5 }")
        try expect(Dissected(yaml: little, hex("AC 36")).raws, equals: [0x6AC, 6])
        let signed = definition("- { name: A, type: sint4, order: big }\n- { name: B, type: uint12, order: big }")
        try expect(Dissected(yaml: signed, hex("F1 23")).raws, equals: [-1, 0x123])
    }

    @Test func haveOneOrder() {
        let yaml = definition("- { name: A, type: uint4, order: big }\n- { name: B, type: uint4 }")
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        expect(loader.mistakes.map(\.message), equals: ["fields that share octets have one order"])
    }
}

import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

@Suite struct ConstantTests {
    private let frame = definition(
        """
        - { name: Start, const: 55 AA }
        - { name: Mode, type: uint8 }
        - { name: End, const: 77 }
        """)

    @Test func isShownOnlyIfItIsSomethingElse() throws {
        let right = try Dissected(yaml: frame, hex("55 AA 02 77"))
        expect(right.text, equals: "Mode 2")
        #expect(!right.dissection.hasWrongCheck)
        #expect(right.json.contains(#"{"name":"Start","value":"55aa","check":"right","offset":0,"length":2}"#))
        let wrong = try Dissected(yaml: frame, hex("55 AB 02 78"))
        expect(wrong.text, equals: "Mode 2 · ✗ Start is not 55 AA · ✗ End is not 77")
        #expect(wrong.json.contains(#""value":"55ab","check":"wrong""#))
        // The fields after it are read.
        expect(wrong.names, equals: ["Start", "Mode", "End"])
    }

    @Test func aValueMayEndInIt() throws {
        let short = try Dissected(yaml: frame, hex("55"))
        #expect(short.dissection.fault?.need == 2 && short.dissection.fault?.reason == .truncated)
    }

    @Test func isEmbeddedAsItIs() throws {
        // Definitions in the binary went through the archive, as those of the repository do.
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: frame)], above: .empty)
        #expect(String(decoding: loader.archive, as: UTF8.self).contains("Start"))
    }
}

import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

/// Octets that may be text.
@Suite struct PrintableTests {
    @Test(arguments: [
        ("48 65 6C 6C 6F", #"48 65 6C 6C 6F "Hello""#, #""text":"Hello""#),
        ("4F 4B 21 21 0D 0A", #"4F 4B 21 21 0D 0A "OK!!""#, #""text":"OK!!\r\n""#),
        ("47 72 C3 BC C3 9F 65", #"47 72 C3 BC C3 9F 65 "Grüße""#, #""text":"Grüße""#),
        // Three may be chance; control characters and what is no UTF-8 are no text.
        ("48 65 6C", "48 65 6C", #""text":null"#), ("48 65 6C 6C 00", "48 65 6C 6C 00", #""text":null"#),
        ("48 65 6C 6C FF", "48 65 6C 6C FF", #""text":null"#),
    ])
    func areShownAsTextWhenTheyArePrintable(value: String, text: String, json: String) throws {
        let dissected = try Dissected(yaml: definition("- { name: A, type: bytes, text: true }"), hex(value))
        expect(dissected.text, equals: text)
        #expect(dissected.json.contains(json), "\(dissected.json)")
        #expect(try !Dissected(yaml: definition("- { name: A, type: bytes }"), hex(value)).json.contains("text"))
    }

    @Test func areOctets() {
        let loader = DefinitionLoader(
            [.init(path: "x.yaml", text: definition("- { name: A, type: uint8, text: true }"))], above: .empty)
        expect(loader.mistakes.map(\.message), equals: ["\"text\" is for bytes"])
    }
}

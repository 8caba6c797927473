import AttlasDissection
import AttlasTestSupport
import Testing

@testable import AttlasDefinitionFiles

/// A text's nodes with the line and the column of each, and what is no YAML.
@Suite struct YAMLTests {
    /// `line:column` in front of each node.
    private func outline(_ node: YAMLNode) -> String {
        let content =
            switch node.content {
            case .scalar(let text): "\"\(text)\""
            case .list(let items): "[" + items.map(outline).joined(separator: " ") + "]"
            case .mapping(let pairs):
                "{" + pairs.map { "\(outline($0.key))=\(outline($0.value))" }.joined(separator: " ") + "}"
            }
        return "\(node.position.line):\(node.position.column)\(content)"
    }

    private func outline(_ text: String) throws -> String? {
        var composer = YAMLComposer(text)
        return try composer.root().map(outline)
    }

    private func mistake(_ text: String) -> String? {
        var composer = YAMLComposer(text)
        do throws(CompileMistake) {
            _ = try composer.root()
            return nil
        } catch {
            return "\(error.position.line):\(error.position.column): \(error.message)"
        }
    }

    @Test func everyNodeHasItsPlace() throws {
        #expect(
            try outline("a: 1\nlist:\n  - x\n  - { b: 'two words', c: [] }\n")
                == "1:1{1:1\"a\"=1:4\"1\" 2:1\"list\"=3:3[3:5\"x\" 4:5{4:7\"b\"=4:10\"two words\" 4:23\"c\"=4:26[]}]}")
        // A column is a Unicode scalar.
        #expect(try outline("µ°: { é: 1 }") == "1:1{1:1\"µ°\"=1:5{1:7\"é\"=1:10\"1\"}}")
        // Nothing is a scalar as well, where a value could be.
        #expect(try outline("a:\nb: ") == "1:1{1:1\"a\"=1:3\"\" 2:1\"b\"=2:3\"\"}")
    }

    @Test func aScalarIsWhatItsStyleSays() throws {
        try expect(outline("plain text # comment"), equals: "1:1\"plain text\"")
        try expect(outline("'it''s'"), equals: "1:1\"it's\"")
        #expect(try outline(#""\u00B5\t\x00\"""#) == "1:1\"µ\t\0\"\"")
        try expect(outline("|\n  a\n   b\n"), equals: "1:1\"a\n b\n\"")
        try expect(outline(">-\n  a\n  b\n"), equals: "1:1\"a b\"")
        try expect(outline("a\r\n b"), equals: "1:1\"a b\"")
    }

    @Test func aTagOrAnAnchorIsWhereItsNodeBegins() throws {
        try expect(outline("- !!int 1\n- &a x\n- !t [1]"), equals: "1:1[1:3\"1\" 2:3\"x\" 3:3[3:7\"1\"]]")
    }

    @Test func aFileIsOneDocument() throws {
        try expect(outline("%YAML 1.2\n---\na\n...\n"), equals: "3:1\"a\"")
        expect(
            mistake("a: 1\n---\nb: 2\n"),
            equals: "2:1: but found another document (expected a single document in the stream, from line 1)")
        #expect(try outline("# nothing\n") == nil)
    }

    @Test(arguments: [
        ("a: [1", "2:1", "did not find expected ',' or ']'", "while parsing a flow sequence, from line 1"),
        ("a: 1\n b: 2", "2:3", "mapping values are not allowed in this context", ""),
        ("a: 'x", "1:6", "found unexpected end of stream", "while scanning a quoted scalar, from line 1"),
        (
            "a:\n\t- b", "2:1", "found character that cannot start any token",
            "while scanning for the next token, from line 2"
        ),
        ("a: \u{1}", "1:1", "control characters are not allowed", ""),
    ])
    func whatIsNoYAMLHasItsPlace(text: String, place: String, problem: String, context: String) {
        expect(mistake(text), equals: "\(place): \(problem)" + (context.isEmpty ? "" : " (\(context))"))
    }

    @Test func aKeyStandsInAMappingOnce() {
        expect(mistake("b: 1\na: 1\nc: 1\na: 2\nb: 2\n"), equals: "2:1: \"a\", \"b\" appears twice in one mapping")
        expect(mistake("- { a: 1 }\n- { a: 1, 'a': 2 }"), equals: "2:5: \"a\" appears twice in one mapping")
        #expect(mistake("{ a: { a: 1 } }") == nil)
    }
}

import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import Testing

/// Files that somebody made to break the reader.
@Suite struct FileLimitTests {
    private func mistakes(_ yaml: String) -> [DefinitionMistake] {
        DefinitionLoader([DefinitionSource(path: "a.yaml", text: yaml)], above: .empty).mistakes
    }

    /// In each way that YAML nests, as deep as the stack of the reader must not follow.
    @Test(arguments: [65, 1_000, 100_000], [("- ", ""), ("[", "]"), ("{ a: ", " }"), ("[{ fields: ", " }]")])
    func whatIsNestedTooDeepIsToldWithItsPlace(_ depth: Int, _ part: (open: String, close: String)) throws {
        let nested = String(repeating: part.open, count: depth) + "x" + String(repeating: part.close, count: depth)
        let mistake = try #require(mistakes("characteristics:\n  \(nested)\n").first)
        if nested.utf8.count > 1 << 20 {
            expect(mistake.message, equals: "the file is larger than 1 MiB")
        } else {
            expect(mistake.message, equals: "nested more than 64 deep")
            #expect(mistake.description.hasPrefix("a.yaml:2:"))
            // Not before the 32nd bracket, whose structure may be two levels, and not after the last one.
            #expect(mistake.column >= 3 + 31 * part.open.utf8.count || depth > 1_000)
            #expect(mistake.column <= 3 + depth * part.open.utf8.count)
        }
    }

    @Test func blocksThatAreNestedTooDeepAreToldWithTheirLine() throws {
        let lines = (0..<1_000).map { String(repeating: " ", count: $0) + "a:" }
        let mistake = try #require(mistakes(lines.joined(separator: "\n") + " x\n").first)
        expect(mistake.message, equals: "nested more than 64 deep")
        #expect((64...1_000).contains(mistake.line))
    }

    @Test func aliasesAreRefused() {
        var bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<20 {
            bomb +=
                "a\(level): &a\(level) [\((0..<9).map { _ in "*a\(level == 1 ? "" : "\(level - 1)")" }.joined(separator: ", "))]\n"
        }
        expect(mistakes(bomb).first?.message, equals: "YAML anchors and aliases are not part of the format")
        expect(mistakes(bomb).first?.column, equals: 4)
    }

    @Test func anAliasWithoutAnAnchorIsRefusedWhereItStands() {
        expect(
            mistakes("a: 1\nb: *c\n").map(\.description),
            equals: ["a.yaml:2:4: YAML anchors and aliases are not part of the format"])
    }

    /// What looks like one and is none.
    @Test func textMayHoldTheSignsOfAnchorsAndAliases() {
        let yaml = "# R &D *\nservice: { uuid: FFE0, name: \"a &b *c\" } # &d\n"
        #expect(mistakes(yaml).isEmpty)
    }

    @Test func aFileHasAtMost200000Nodes() {
        // The mapping, its key, its list and what is in that.
        func file(_ count: Int) -> String { "x: [" + String(repeating: "1,", count: count - 3) + "]" }
        #expect(
            mistakes(file(200_000)).first?.description.hasPrefix("a.yaml:1:1: a definition file has no key") == true)
        expect(mistakes(file(200_001)).map(\.description), equals: ["a.yaml: more than 200000 YAML nodes"])
    }

    @Test func hugeFilesAreRefused() {
        expect(
            mistakes("# " + String(repeating: "x", count: 2 << 20)).first?.message,
            equals: "the file is larger than 1 MiB")
    }

    @Test func aFileMayHaveOneMiB() {
        let start = "service: { uuid: FFE0, name: x } #"
        #expect(mistakes(start + String(repeating: "x", count: (1 << 20) - start.utf8.count)).isEmpty)
        expect(mistakes(start + String(repeating: "x", count: (1 << 20) + 1 - start.utf8.count)).count, equals: 1)
    }
}

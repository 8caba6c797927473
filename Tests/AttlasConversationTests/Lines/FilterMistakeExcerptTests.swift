import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasTestSupport
import Testing

@testable import AttlasConversation

/// A wrong expression, with a mark below the place that is wrong.
@Suite struct FilterMistakeExcerptTests {
    @Test func theCaretStandsUnderTheColumn() {
        expect(mistake("frame > 3 and chr == 2A37")?.excerpt, equals: "frame > 3 and chr == 2A37\n              ^")
        expect(mistake("char ==")?.excerpt, equals: "char ==\n       ^")
    }

    @Test func ofALongExpressionThePlaceIsShown() {
        let padding = String(repeating: "frame == 1 or ", count: 20)
        let lines = mistake(padding + "chr or " + padding + "error")?.excerpt.split(separator: "\n")
        #expect(lines?.first?.hasPrefix("…") == true)
        #expect(lines?.first?.hasSuffix("…") == true)
        expect(lines?.last.map(String.init), equals: String(repeating: " ", count: 51) + "^")
    }

    @Test func whatCouldSteerATerminalIsEscaped() {
        let mistake = mistake("peer == \"\u{1B}[2J\" chr")
        #expect(mistake?.excerpt.contains("\u{1B}") == false)
        expect(mistake?.excerpt, equals: "peer == \"\\u{1B}[2J\" chr\n                    ^")
    }

    @Test(arguments: ["(", "not ", "error or ", "error and not (", "char == \"", "e\u{301}", "1", "\u{1B}["])
    func ofAMegabyteLittleIsShown(_ part: String) throws {
        let mistake = try #require(self.mistake(String(repeating: part, count: (1 << 20) / part.utf8.count)))
        #expect(mistake.excerpt.utf8.count < 2_000)
    }

    /// Every beginning of an expression, and every expression with a character too many, is right or shown.
    @Test func everyMistakeHasOne() {
        for text in damagedFilters {
            if let mistake = mistake(text, Self.empty) { #expect(!mistake.excerpt.isEmpty) }
        }
    }

    private static let empty = DissectorLibrary(archive: "", packets: "", tables: [])

    private func mistake(_ expression: String, _ library: DissectorLibrary = .shipped) -> FilterMistake? {
        do throws(FilterMistake) {
            _ = try Filter(expression, library: library)
            return nil
        } catch {
            return error
        }
    }
}

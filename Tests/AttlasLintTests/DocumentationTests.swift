import AttlasLint
import AttlasTestSupport
import Testing

/// Documentation/lint.md has the rules as the code describes them. Volumes without a name are of the Core Specification.
@Suite struct DocumentationTests {
    @Test func everyRuleHasItsRow() throws {
        let rows = try Repository.text("Documentation/lint.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let expected = LintRule.all.map {
            "| `\($0.id)` | \($0.severity.rawValue) | \($0.title) | \($0.needs) | \($0.section.replacing("Core Specification, ", with: "")) |"
        }
        expect(rows.map(String.init), equals: expected)
    }

    @Test func everyRuleSaysAllThereIsToSay() {
        for rule in LintRule.all {
            let pattern = #/(att|gatt|value|link|security|audio|practice)\/[a-z0-9]+(-[a-z0-9]+)*/#
            #expect(rule.id.wholeMatch(of: pattern) != nil)
            for text in [rule.explanation, rule.advice] { #expect(text.hasSuffix("."), "\(rule.id)") }
            for text in [rule.title, rule.needs, rule.section] { #expect(!text.isEmpty && !text.contains("|")) }
        }
        expect(Set(LintRule.all.map(\.id)).count, equals: LintRule.all.count)
    }
}

import AttlasLint
import AttlasTestSupport
import Foundation
import Testing

/// One conversation that has what a rule is about, and one that is as it should be. `✗` marks the record.
struct RuleStory: Sendable, CustomTestStringConvertible {
    let rule: String
    let bad: String
    let good: String
    /// What other rules say of both: `rule@frame`.
    var also: [String] = []

    init(_ rule: String, _ bad: String, _ good: String, also: [String] = []) {
        self.rule = rule
        self.bad = bad
        self.good = good
        self.also = also
    }

    var testDescription: String { rule }
}

@Suite struct RuleTests {
    static let stories =
        attStories + gattStories + subscriptionStories + valueStories + connectingStories + linkStories
        + securityStories + audioStories + practiceStories

    @Test(arguments: stories)
    func speaksOfTheBadOne(_ story: RuleStory) {
        let conversation = Conversation(story.bad)
        let expected = conversation.marked.map { "\(story.rule)@\($0)" }
        #expect(!expected.isEmpty)
        let model = conversation.lint()
        expect(Self.found(model), equals: (expected + story.also).sorted())
        #expect(!model.unchecked.contains { $0.rules.contains(story.rule) })
    }

    @Test(arguments: stories)
    func isSilentOnTheGoodOne(_ story: RuleStory) {
        let found = Self.found(Conversation(story.good).lint())
        expect(found.filter { !story.also.contains($0) }, equals: [])
    }

    /// Losing a record before each of the records in turn makes no rule speak that did not.
    @Test(arguments: stories)
    func lossesMakeNoFindings(_ story: RuleStory) {
        let lines = story.good.split(separator: "\n").map(String.init)
        guard lines.count < 60 else { return }
        for place in lines.indices.dropFirst() {
            let text = (lines[..<place] + ["lose"] + lines[(place + 1)...]).joined(separator: "\n")
            let rules = Set(Conversation(text).lint().findings.map(\.rule.id))
            let also = story.also.map { String($0.prefix { $0 != "@" }) }
            expect(rules.subtracting(also), equals: [], "without line \(place + 1)")
        }
    }

    /// The rules that a loss before the record of their finding silences are named after one. Answers to a read are not looked
    /// at: without their request they say nothing of an attribute to any rule.
    @Test(arguments: stories)
    func aRuleThatALossSilencesIsNamed(_ story: RuleStory) {
        let lines = story.bad.split(separator: "\n").map(String.init)
        let whole = Conversation(story.bad).lint()
        expect(whole.silent, equals: [])
        let answers = ["✗ < 0B", "✗ < 09"]
        for place in lines.indices.dropFirst()
        where lines[place].hasPrefix("✗") && !answers.contains(String(lines[place].prefix(6))) {
            let model = Conversation((lines[..<place] + ["lose"] + lines[place...]).joined(separator: "\n")).lint()
            guard Self.count(story, model) < Self.count(story, whole) else { continue }
            #expect(model.silent.contains(story.rule), "a loss before line \(place + 1)")
        }
    }

    private static func count(_ story: RuleStory, _ model: LintModel) -> Int {
        model.findings.count { $0.rule.id == story.rule }
    }

    /// Whatever the octets are, the rules come to an end.
    @Test(arguments: stories)
    func damagedConversationsAreRead(_ story: RuleStory) { Self.expectEnd(of: story, times: 5) }

    fileprivate static func expectEnd(of story: RuleStory, times: Int) {
        var generator = SplitMix64(seed: 7)
        let conversation = Conversation(story.bad)
        for _ in 0..<times {
            let findings = conversation.damaged(by: &generator).lint()
            #expect(findings.findings.count < 1_000)
        }
    }

    /// Who asked is not recorded: nothing that depends on it is said.
    @Test(arguments: attStories + gattStories)
    func isSilentWithoutDirections(_ story: RuleStory) {
        let found = Self.found(Conversation(story.good).lint(undirected: true))
        expect(found.filter { !story.also.contains($0) }, equals: [])
    }

    @Test func findingsOfARuleAreBounded() {
        // Reads of 300 attributes, each refused with a reserved error code.
        let reads = (1...300).map { handle in
            let octets = little(handle).map { String($0, radix: 16) }.map { $0.count == 1 ? "0\($0)" : $0 }.joined()
            return "> 0A \(octets)\n< 01 0A \(octets) 20"
        }
        let findings = Conversation("connect\n" + reads.joined(separator: "\n")).lint()
        expect(findings.findings.count, equals: 256)
        expect(findings.leftOut, equals: ["att/reserved-error-code": 44])
    }

    @Test func everyRuleHasAStory() {
        expect(Set(Self.stories.map(\.rule)), equals: Set(LintRule.all.map(\.id)))
    }

    @Test func everyRuleIsInTheListOfItsGroup() throws {
        let folder = Repository.root.appending(path: "Sources/AttlasLint/Rules")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let rules = try files.map { try String(contentsOf: $0, encoding: .utf8).ranges(of: "= LintRule(").count }
        expect(rules.reduce(0, +), equals: LintRule.all.count)
    }

    @Test func everyRuleCanBeDisabled() {
        for story in Self.stories {
            let findings = Conversation(story.bad).lint(disabled: [story.rule])
            #expect(!findings.findings.contains { $0.rule.id == story.rule })
        }
    }

    static func found(_ findings: LintModel) -> [String] {
        findings.findings.map { "\($0.rule.id)@\($0.frame)" }.sorted()
    }
}

@Suite struct RuleLongTests {
    @Test(arguments: RuleTests.stories)
    func damagedConversationsAreRead(_ story: RuleStory) { RuleTests.expectEnd(of: story, times: 20) }
}

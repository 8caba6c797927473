import AttlasIncidents
import AttlasTestSupport
import Testing

@testable import AttlasLint

/// A capture that lacks what rules need does not look clean.
@Suite struct ConditionTests {
    private func reason(_ rule: String, _ conversation: String, disabled: Set<String> = []) -> String? {
        Conversation(conversation).lint(disabled: disabled).unchecked.first { $0.rules.contains(rule) }?.reason
    }

    @Test func aCaptureWithoutPDUsChecksNothingOfThem() {
        expect(reason("att/request-overlap", "connect\ndisconnect"), equals: "there is no ATT PDU")
        expect(reason("security/just-works", "connect\ndisconnect"), equals: "no pairing led to encryption")
    }

    @Test func aCaptureWithoutDiscoverySaysSo() {
        let text = "connect\n> 0A 0300\n< 0B 57\ndisconnect"
        #expect(reason("att/request-overlap", text) == nil)
        expect(
            reason("gatt/read-not-permitted", text),
            equals: "no attribute in use has its declaration in the capture (--gatt-db gives a table)")
        expect(reason("gatt/unassigned-uuid", text), equals: "nothing was discovered")
        #expect(reason("gatt/read-not-permitted", table + "> 0A 1500\n< 0B 01") == nil)
    }

    @Test func aConnectionFromBeforeTheCaptureSaysSo() {
        expect(reason("gatt/not-subscribed", "> 0A 0300\n< 0B 57"), equals: "no connection was captured from its start")
        expect(reason("att/pdu-above-mtu", "> 0A 0300\n< 0B 57"), equals: "the MTU is not known")
        #expect(reason("att/pdu-above-mtu", "> 0A 0300\n< 0B 57\n> 02 F700\n< 03 F700") == nil)
    }

    @Test func aLogOfOneDirectionSaysSo() {
        let text = "connect\n" + repeated("> 0A 0300", 10)
        expect(reason("att/request-overlap", text), equals: "the log holds one direction only")
    }

    /// A condition without a bit, or without a reason, would make its rules look checked in every capture.
    @Test func everyConditionHasItsBitAndItsReason() {
        let conditions = CaptureConditions.reasons.map(\.condition.rawValue)
        #expect(conditions.allSatisfy { $0.nonzeroBitCount == 1 })
        expect(Set(conditions).count, equals: conditions.count)
        let explained = conditions.reduce(0, |)
        for rule in LintRule.all { expect(rule.requires.rawValue & ~explained, equals: 0, "\(rule.id)") }
        for kind in Incident.Kind.allCases { expect(kind.requires.rawValue & ~explained, equals: 0, "\(kind)") }
    }

    @Test func everyRuleIsCheckedOrNot() {
        let model = Conversation("connect\ndisconnect").lint(disabled: ["att/request-overlap"])
        expect(model.rules.count, equals: LintRule.all.count - 1)
        let unchecked = model.unchecked.flatMap(\.rules)
        expect(Set(unchecked).count, equals: unchecked.count)
        expect(model.checkedCount, equals: model.rules.count - unchecked.count)
        #expect(!unchecked.contains("att/request-overlap"))
    }
}

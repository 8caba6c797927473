import AttlasDissection
import AttlasLint
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCheck

@Suite struct ExpectationTests {
    /// HRM-7 with Heart Rate Measurement (notify) at 0x0003 and Heart Rate Control Point (write) at 0x0006. Milliseconds before
    /// each line: the subscription is at 1000, four values follow every 500 from 1300 on; a read takes 90, a write fails.
    private static let packets: [Packet] = {
        let talk: [(Double, Packet)] = [
            (0, .advertisement([6, 0x09] + Array("HRM-7".utf8))), (10, .connected()),
            (20, .att(.tx, "10 0100 FFFF 0028")), (30, .att(.rx, "11 06 0100 0600 0D18")),
            (40, .att(.tx, "08 0100 0600 0328")), (50, .att(.rx, "09 07 0200 10 0300 372A 0500 08 0600 392A")),
            (60, .att(.tx, "04 0400 0400")), (70, .att(.rx, "05 01 0400 0229")),
            (990, .att(.tx, "12 0400 0100")), (1_000, .att(.rx, "13")),
            (1_300, .att(.rx, "1B 0300 00 48")), (1_800, .att(.rx, "1B 0300 00 FA")),
            (2_300, .att(.rx, "1B 0300 00 40")), (2_800, .att(.rx, "1B 0300 00 48")),
            (3_000, .att(.tx, "0A 0300")), (3_090, .att(.rx, "0B 00 48")),
            (3_100, .att(.tx, "12 0600 02")), (3_110, .att(.rx, "01 12 0600 80")),
            (4_000, .disconnected()), (10_000, .connected()), (11_000, .disconnected()),
        ]
        return talk.map { $1.at(milliseconds: $0) }
    }()

    private func model(_ yaml: String, _ packets: [Packet] = packets) throws -> LintModel {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let text = "expectations:\n  - \(yaml)\n"
            let expectations = try Expectation.file(folder.write(Array(text.utf8), to: "e.yaml"), .shipped)
            return document(of: packets) { CheckCollector(expectations, isStrict: true, values: $0) }
        }
    }

    private func failures(_ check: String, _ packets: [Packet] = packets) throws -> [String] {
        try model("{ id: x, \(check) }", packets).findings.map { "\($0.frame): \($0.sentence)" }
    }

    private func mistakes(_ yaml: String) throws -> [String] {
        do {
            _ = try model(yaml)
            return []
        } catch let error as ProjectMistakes {
            return error.mistakes.map { "\($0.line):\($0.column): \($0.message)" }
        }
    }

    @Test(arguments: [
        "service: Heart Rate, exists: true", "characteristic: 2A37, exists: true", "service: Glucose, exists: false",
        "peer: hrm, service: 180D, characteristic: heart rate measurement, properties: [notify]",
        "characteristic: 2A37, notifies-within: 300 ms", "characteristic: 2A37, rate-at-least: 2",
        "characteristic: 2A37, errors-at-most: 0", "errors-at-most: 1", "rtt: max < 91 ms",
        "method: Read, rtt: p50 < 0.2 s",
        "characteristic: 2A37, field: Heart Rate Measurement Value, range: 64..250",
        "characteristic: 2A37, field: Heart Rate Measurement Value, range: '..250'", "reconnects-within: 6 s",
        "lint: att/request-overlap", "peer: nobody, lint: '**'",
        "incidents: { request refused: 1 }", "characteristic: 2A37, incidents: none",
    ])
    func isMet(_ check: String) throws {
        #expect(try failures(check).isEmpty)
    }

    @Test func isNotMet() throws {
        try expect(failures("service: Heart Rate, exists: false"), equals: ["21: The peer has it."])
        try expect(failures("service: Glucose, exists: true"), equals: ["21: No peer has it."])
        try expect(
            failures("characteristic: 2A37, properties: [notify, read]"),
            equals: ["21: It declares notify; expected read, notify."])
        try expect(
            failures("characteristic: 2A37, notifies-within: 299 ms"),
            equals: ["11: The first value came 300 ms after the subscription of frame 10."])
        try expect(
            failures("characteristic: 2A37, rate-at-least: 2.5"),
            equals: [
                "11: 2 values a second; expected at least 2.5."
            ])
        try expect(
            failures("service: Heart Rate, errors-at-most: 0"), equals: ["18: 1 Error Response; expected at most 0."])
        try expect(
            failures("rtt: p99 < 90 ms"),
            equals: ["16: Read Request of Heart Rate Measurement: p99 of 1 took 90 ms; expected below 90 ms."])
        try expect(
            failures("characteristic: 2A37, field: heart rate measurement value, range: 65..249.5"),
            equals: ["12: Heart Rate Measurement Value was 250 bpm.", "13: Heart Rate Measurement Value was 64 bpm."])
        try expect(
            failures("reconnects-within: 5 s"),
            equals: ["20: Connected 6000 ms after the end of the connection before."])
        try expect(
            failures("peer: hrm, incidents: none"),
            equals: [
                "18: Write Request of Heart Rate Control Point by the host: refused with Control Point Not Supported (0x80)."
            ])
        let lint = try failures("characteristic: 2A37, lint: security/*")
        expect(lint.map { $0.prefix(13) }, equals: ["11: security/"])
    }

    @Test(arguments: [
        ("service: Heart Rate, exists: false", "the capture has no discovery of the peer"),
        ("characteristic: 2A37, properties: [notify]", "the capture has no discovery of the peer"),
        ("characteristic: 2A37, notifies-within: 1 s", "nobody subscribes to it for so long"),
        ("characteristic: 2A37, rate-at-least: 1", "it has no two values in one connection"),
        ("characteristic: 2A37, errors-at-most: 0", "no peer has it"), ("rtt: p99 < 1 s", "no request was answered"),
        ("characteristic: 2A37, field: Heart Rate Measurement Value, range: 0..1", "no value has the field"),
        ("reconnects-within: 1 s", "no peer connects again"),
        ("peer: nobody, incidents: none", "the capture has no connection with the peer"),
    ])
    func cannotBeChecked(_ check: String, _ reason: String) throws {
        try expect(failures(check, [.connected()]), equals: ["1: Could not be checked: \(reason)."])
    }

    @Test func anEmptyCaptureProvesNothing() throws {
        try expect(failures("incidents: none", []), equals: ["0: Could not be checked: the capture has no records."])
    }

    /// Supervision timeouts (Vol 1, Part F, 2.8), twice with one device and once with another.
    @Test func aNumberOfIncidentsIsOfTheCapture() throws {
        let lost: [Packet] = [.connected(), .disconnected(reason: 0x08), .connected(), .disconnected(reason: 0x08)]
        let packets = lost + [.connected(Address.probe), .disconnected(reason: 0x08)]
        #expect(try failures("incidents: { link lost: 3 }", packets).isEmpty)
        let failed = try model("{ id: x, incidents: { link lost: 2, pairing failed: 9 } }", packets).findings
        expect(failed.map(\.frame), equals: [2, 6])
        expect(failed.map(\.count), equals: [2, 1])
        expect(failed.map(\.lastFrame), equals: [4, 6])
        expect(failed.map(\.place.connection), equals: [1, 3])
        #expect(failed.allSatisfy { $0.sentence.hasSuffix(" Found link lost 3 times; expected at most 2.") })
        expect(failed.first?.rule.title, equals: "incidents link lost: 2, pairing failed: 9")
        // What has no limit is not allowed.
        #expect(try failures("incidents: { pairing failed: 9 }", packets).count == 2)
        try expect(failures("incidents: none", lost).count, equals: 1)
    }

    /// Pairing Request by a bonded device (Vol 3, Part H, 3.5.1) is noted: it counts only with a limit.
    @Test func whatIsNotedCountsWithALimit() throws {
        let pairing: [Packet] = [
            .frame(.tx, channel: 6, hex("01 04 00 05 10 07 07")), .frame(.rx, channel: 6, hex("02 00 00 05 10 07 07")),
            .event("08 04 00 4000 01"),
        ]
        let packets = [.connected()] + pairing + [.disconnected(), .connected()] + pairing + [.disconnected()]
        #expect(try failures("incidents: none", packets).isEmpty)
        #expect(try failures("incidents: { paired again: 0 }", packets).count == 1)
        #expect(try failures("incidents: { paired again: 1 }", packets).isEmpty)
    }

    /// Subscribed 1 s before the end of the capture: half a second was long enough, two are not known.
    @Test func aValueThatNeverComes() throws {
        let packets = Self.packets.prefix(10) + [.disconnected().at(milliseconds: 2_000)]
        try expect(
            failures("characteristic: 2A37, notifies-within: 500 ms", Array(packets)),
            equals: ["10: No value within 1000 ms after the subscription of frame 10."])
        try expect(
            failures("characteristic: 2A37, notifies-within: 2 s", Array(packets)),
            equals: ["11: Could not be checked: nobody subscribes to it for so long."])
    }

    @Test func theRuleOfAnExpectation() throws {
        let model = try model(
            "{ id: soon-there, severity: warning, reason: the app waits, service: Glucose, exists: true }")
        let rule = try #require(model.findings.first).rule
        expect(model.rules.map(\.id), equals: ["expect/soon-there"])
        expect(rule.severity, equals: .warning)
        expect(rule.title, equals: "Glucose › exists true")
        expect(rule.explanation, equals: "the app waits")
        #expect(rule.section.hasSuffix("e.yaml:2"))
        expect(model.findings[0].fingerprint.count, equals: 32)
    }

    /// A limit that a capture says nothing about is no finding; one that is broken has its severity.
    @Test func limitsOfAConfiguration() throws {
        let yaml = """
            severities: { expect/slow: info }
            limits:
              - { id: slow, rtt: p99 < 1 ms }
              - { id: far, characteristic: Battery Level, rate-at-least: 1 }
            """
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let configuration = try LintConfiguration(
                path: try folder.write(Array(yaml.utf8), to: "attlas.yaml"), .shipped)
            var model = document(of: Self.packets) { CheckCollector(configuration.limits, isStrict: false, values: $0) }
            configuration.apply(to: &model, of: "a")
            expect(model.rules.suffix(2).map(\.id), equals: ["expect/slow", "expect/far"])
            expect(model.rules.count, equals: LintRule.all.count + 2)
            let found = model.findings.filter { $0.rule.id.hasPrefix("expect/") }
            expect(Set(found.map(\.rule.id)), equals: ["expect/slow"])
            #expect(found.allSatisfy { $0.rule.severity == .info })
            #expect(Set(model.findings.map(\.rule.id)).count > 1)
        }
    }

    @Test(arguments: [
        ("{ id: x, exists: true }", "2:5: \"exists\" needs a \"service\" or a \"characteristic\""),
        (
            "{ id: x, service: Hart Rate, exists: true }",
            "2:23: no service is called \"Hart Rate\"; did you mean \"Heart Rate\"?"
        ),
        (
            "{ id: x, characteristic: Batery Level, errors-at-most: 0 }",
            "2:30: no characteristic is called \"Batery Level\"; did you mean \"Battery Level\"?"
        ),
        ("{ id: x, method: Reed, rtt: p99 < 1 s }", "2:22: no ATT PDU is called \"Reed\"; did you mean \"Read\"?"),
        ("{ id: X, errors-at-most: 0 }", "2:11: expected small letters, digits and hyphens, found \"X\""),
        ("{ errors-at-most: 0 }", "2:5: an expectation needs a \"id\""),
        ("{ id: x, errors-at-most: few }", "2:30: expected a number of errors, found \"few\""),
        (
            "{ id: x, rtt: p95 < 1 s }",
            "2:19: expected p50, p90, p99 or max, and a limit such as p99 < 100 ms; found \"p95 < 1 s\""
        ),
        ("{ id: x, rtt: p99 < 100 }", "2:19: expected a duration such as 200 ms or 1.5 s, found \"100\""),
        ("{ id: x, reconnects-within: soon }", "2:33: expected a duration such as 200 ms or 1.5 s, found \"soon\""),
        ("{ id: x, service: Battery, reconnects-within: 1 s }", "2:23: \"reconnects-within\" is about peers"),
        (
            "{ id: x, characteristic: 2A37, rate-at-least: 0 }",
            "2:51: expected a number of values in a second, found \"0\""
        ),
        ("{ id: x, rate-at-least: 1 }", "2:5: \"rate-at-least\" needs a \"characteristic\""),
        (
            "{ id: x, characteristic: 2A19, field: Battery Level, range: 9..1 }",
            "2:65: expected a range such as 30..220, ..220 or 30.., found \"9..1\""
        ),
        ("{ id: x, characteristic: 2A19, range: 1..2 }", "2:5: \"range\" needs a \"field\""),
        ("{ id: x, characteristic: 2A19, field: a, errors-at-most: 0 }", "2:43: \"field\" is for \"range\""),
        (
            "{ id: x, lint: att/requst-overlap }",
            "2:20: there is no rule \"att/requst-overlap\"; did you mean \"att/request-overlap\"?"
        ),
        (
            "{ id: x, lint: att/*, errors-at-most: 0 }",
            "2:5: expected exactly one of exists, properties, notifies-within, rate-at-least, errors-at-most, rtt, range, reconnects-within, lint, incidents"
        ),
        (
            "{ id: x, characteristic: 2A19, properties: [notfy] }",
            "2:49: expected broadcast, read, write without response, write, notify, indicate, authenticated signed writes, extended properties, found \"notfy\"; did you mean \"notify\"?"
        ),
        ("{ id: x, incidents: few }", "2:25: expected none, or a mapping such as { link lost: 2 }, found \"few\""),
        (
            "{ id: x, incidents: { lnk lost: 2 } }",
            "2:27: no incident is called \"lnk lost\"; did you mean \"link lost\"?"
        ),
        (
            "{ id: x, incidents: { link lost: -1 } }", "2:38: expected a number of incidents, found -1"
        ),
        ("{ id: x, lint: att/* }\n  - { id: x, lint: att/* }", "3:5: two expectations have the id of expect/x"),
    ])
    func mistakesHaveTheirPlace(_ yaml: String, _ mistake: String) throws {
        try expect(mistakes(yaml), equals: [mistake])
    }

    /// The page's own file, against the capture that the README shows.
    @Test func theExampleOfTheDocumentation() throws {
        let page = try Repository.text("Documentation/expectations.md")
        let yaml = try #require(page.firstMatch(of: /```yaml title="expectations.yaml"\n([\s\S]*?)```/)).1
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let expectations = try Expectation.file(folder.write(Array(yaml.utf8), to: "e.yaml"), .shipped)
            let model = try document(ofCapture: "heart-rate.btsnoop") {
                CheckCollector(expectations, isStrict: true, values: $0)
            }
            expect(model.rules.count, equals: 9)
            expect(model.findings.map(\.rule.id), equals: ["expect/control-point-never-fails", "expect/plausible"])
        }
    }
}

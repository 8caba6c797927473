import AttlasLint
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasCheck

/// attlas.yaml: what it does to findings, and its mistakes.
@Suite struct ConfigurationTests {
    /// Two errors with a reserved code (a warning), of HRM-7 and of another device, and overlapping requests (an error).
    private static let packets: [Packet] = {
        func talk(_ address: String, _ handle: Int) -> [Packet] {
            [.connected(address, handle: handle)]
                + [
                    (Direction.tx, "0A 0300"), (.rx, "01 0A 0300 20"), (.tx, "0A 0300"), (.tx, "0A 0300"),
                    (.rx, "0B 00"),
                    (.rx, "0B 00"),
                ].map { Packet.frame($0, channel: 4, hex($1), handle: handle) }
        }
        return [.advertisement([6, 0x09] + Array("HRM-7".utf8))] + talk(Address.strap, 0x40)
            + talk("0102030405C6", 0x41)
    }()

    private func model() -> LintModel { document(of: Self.packets) { LintCollector(values: $0) } }

    private func judged(_ yaml: String, capture: String = "a.btsnoop") throws -> LintModel {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            var model = model()
            let configuration = try LintConfiguration(
                path: try folder.write(Array(yaml.utf8), to: "attlas.yaml"), .shipped)
            configuration.apply(to: &model, of: "\(folder.url.path)/\(capture)")
            return model
        }
    }

    private func mistakes(_ yaml: String) throws -> [String] {
        do {
            _ = try judged(yaml)
            return []
        } catch let error as ProjectMistakes {
            return error.mistakes.map { "\($0.line):\($0.column): \($0.message)" }
        }
    }

    private func ids(_ model: LintModel) -> [String] { model.findings.map(\.rule.id) }

    @Test func withoutOne() {
        expect(model().count(of: .error), equals: 2)
        expect(model().count(of: .warning), equals: 2)
    }

    @Test func severities() throws {
        let model = try judged("severities: { att/*: info, att/request-overlap: warning }")
        expect(model.count(of: .error), equals: 0)
        expect(model.findings.map(\.rule.severity), equals: [.info, .warning, .info, .warning])
        expect(model.rules.first { $0.id == "att/request-overlap" }?.severity, equals: .warning)
        expect(model.rules.first { $0.id == "gatt/not-subscribed" }?.severity, equals: .error)
    }

    @Test func exceptions() throws {
        let all = try judged("exceptions: [{ rule: att/reserved-*, reason: vendor codes }]")
        expect(ids(all), equals: ["att/request-overlap", "att/request-overlap"])
        expect(
            all.suppressed.map { "\($0.count) \($0.rule), \($0.reason)" },
            equals: ["2 att/reserved-error-code, vendor codes"])
        for peer in ["hrm", "f2:f2"] {
            let one = try judged("exceptions: [{ rule: '**', peer: '\(peer)', reason: old }]")
            expect(ids(one), equals: ["att/reserved-error-code", "att/request-overlap"])
            expect(one.suppressed.map(\.count), equals: [1, 1])
        }
        let lab = "exceptions: [{ rule: '**', file: 'lab/*.btsnoop', reason: old }]"
        #expect(try judged(lab, capture: "lab/a.btsnoop").findings.isEmpty)
        try expect(judged(lab, capture: "lab/b/a.btsnoop").findings.count, equals: 4)
        try expect(judged(lab).findings.count, equals: 4)
    }

    @Test func mistakesHaveTheirPlace() throws {
        try expect(
            mistakes("severities:\n  att/request-overlap: eror\n  att/reqest-overlap: error\n"),
            equals: [
                "2:24: expected info, warning, error, found \"eror\"; did you mean \"error\"?",
                "3:3: there is no rule \"att/reqest-overlap\"; did you mean \"att/request-overlap\"?",
            ])
        #expect(
            try mistakes("exceptions:\n  - { rule: att/*, reasn: x }\n  - rule: att/*\n")
                == [
                    "2:20: an exception has no key \"reasn\"; did you mean \"reason\"?",
                    "3:5: an exception needs a \"reason\"",
                ])
        #expect(
            try mistakes("severites: {}")
                == ["1:1: a configuration has no key \"severites\"; did you mean \"severities\"?"])
        try expect(mistakes(""), equals: ["1:1: the file is empty"])
        #expect(try mistakes("severities: [").first?.contains("did not find expected node content") == true)
    }

    @Test func theNearestFileCounts() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let root = folder.url.path
            #expect(LintConfiguration.path(above: "\(root)/a/b/c.btsnoop") == nil)
            let outer = try folder.write([], to: "attlas.yaml")
            try FileManager.default.createDirectory(atPath: "\(root)/a/b", withIntermediateDirectories: true)
            expect(LintConfiguration.path(above: "\(root)/a/b/c.btsnoop"), equals: outer)
            let inner = try folder.write([], to: "a/attlas.yaml")
            expect(LintConfiguration.path(above: "\(root)/a/b/c.btsnoop"), equals: inner)
            // Of a capture in an archive.
            expect(LintConfiguration.path(above: "\(root)/a/c.zip/log/c.btsnoop"), equals: inner)
            expect(LintConfiguration.path(above: "\(root)/c.btsnoop"), equals: outer)
        }
    }

    @Test func aBaselineLeavesOutWhatItHas() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            var model = model()
            let known = model.findings[0].fingerprint
            let text = "{\"findings\":[{\"fingerprint\":\"\(known)\",\"rule\":\"x\"}]}\n{\"findings\":[]}\n"
            let path = try folder.write(Array(text.utf8), to: "known.json")
            try LintBaseline(path: path).apply(to: &model)
            expect(model.findings.count, equals: 3)
            expect(model.suppressed.map(\.reason), equals: ["known from \(path)"])
            let wrong = try folder.write(Array("{\"findings\":[]}\n{}\n".utf8), to: "wrong.json")
            #expect { try LintBaseline(path: wrong) } throws: {
                "\($0)" == "\(wrong):2:1: expected a document of attlas lint --json"
            }
            #expect { try LintBaseline(path: "/nonexistent") } throws: { "\($0)" == "/nonexistent: cannot be read" }
        }
    }
}

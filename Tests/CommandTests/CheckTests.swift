import AttlasTestSupport
import Foundation
import Testing

/// `attlas check`: a capture, a file of expectations, and the status.
@Suite struct CheckTests {
    private let capture = Repository.capture("heart-rate.btsnoop")

    private func check(_ yaml: String, _ options: String...) throws -> Command.Result {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let path = try folder.write(Array("expectations:\n  - \(yaml)\n".utf8), to: "e.yaml")
            return try Command.attlas(["check", capture, path] + options)
        }
    }

    @Test func whatIsMet() throws {
        let result = try check("{ id: a, service: Battery, exists: true }")
        expect(result.status, equals: 0)
        expect(result.output, equals: "Expectations met: 1 of 1.\n")
    }

    @Test func whatIsNotMet() throws {
        let result = try check("{ id: a, service: Battery, exists: false, severity: info }")
        expect(result.status, equals: 2)
        #expect(result.output.hasPrefix("· info    expect/a · Battery › exists false\n"))
        #expect(result.output.hasSuffix("\n\nExpectations not met: 1 of 1.\n"))
    }

    @Test(.enabled(if: Command.hasSchemaValidator)) func formats() throws {
        let yaml = "{ id: a, service: Battery, exists: false }\n  - { id: b, service: Battery, exists: true }"
        let json = try check(yaml, "--json")
        expect(json.status, equals: 2)
        #expect(try Command.judge(json.output, bySchema: "lint", ["--document"]).isEmpty)
        let junit = try check(yaml, "--format", "junit")
        #expect(junit.output.contains(#"<testsuites name="attlas" tests="2" failures="1" errors="0" skipped="0">"#))
    }

    @Test func mistakes() throws {
        let result = try check("{ id: a, service: Batery, exists: true }")
        expect(result.status, equals: 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("e.yaml:2:23: no service is called \"Batery\"; did you mean \"Battery\"?"))
        try expect(Command.attlas(["check", capture, "/nonexistent"]).status, equals: 1)
        try expect(Command.attlas(["check", capture]).status, equals: 64)
        try expect(
            Command.attlas(["check", "/nonexistent", Repository.path("Documentation/lint.md")]).status, equals: 1)
    }
}

import AttlasTestSupport
import Foundation
import Testing

@Suite struct LintTests {
    private static let capture = Repository.capture("many-sensors.btsnoop")

    @Test(arguments: [
        (["lint", capture], 0), (["lint", "--fail-on", "error", capture], 2),
        (["lint", "--fail-on", "info", capture], 2),
        (["lint", "--fail-on", "error", "--disable", "value/wrong-crc", capture], 0),
        (["lint", "--fail-on", "warning", "--disable", "value/wrong-crc", capture], 2),
        (["lint", "--fail-on", "info", Repository.capture("after-discovery.btsnoop")], 0),
        (["lint", "--fail-on", "info", "nothing.btsnoop"], 1),
        // A capture that cannot be read precedes what was found in another.
        (["lint", "--fail-on", "info", "nothing.btsnoop", capture], 1),
        (["lint"], 64), (["lint", "--disable", "att/no-such-rule", capture], 64),
        (["lint", "--fail-on", "never", capture], 64), (["lint", "--list"], 0),
        (["lint", "--format", "junit", "--fail-on", "error", capture], 2), (["lint", "--format", "sarif", capture], 0),
        (["lint", "--format", "sarif", "nothing.btsnoop"], 1), (["lint", "--format", "html", capture], 64),
        (["lint", "--explain", "att/request-overlap"], 0), (["lint", "--explain", "att/request"], 64),
        (["lint", "--config", "nothing.yaml", capture], 1), (["lint", "--baseline", "nothing.json", capture], 1),
        (["lint", "--format", "sarif", "--json", capture], 64), (["lint", "--list", "--format", "sarif"], 64),
    ])
    func status(_ arguments: [String], _ status: Int) throws {
        try expect(Command.attlas(arguments).status, equals: Int32(status))
    }

    @Test func aMisspelledRuleIsNamed() throws {
        let result = try Command.attlas(["lint", "--disable", "value/wrong-crk", Self.capture])
        #expect(result.errors.contains("value/wrong-crc"))
        #expect(result.errors.contains("Usage: attlas lint"))
    }

    /// Prepared writes that are never executed are a finding and an incident.
    @Test func aFindingNamesItsIncident() throws {
        let capture = Repository.capture("hasty-app.btsnoop")
        let text = try Command.attlas(["lint", capture]).output
        expect(text.split(separator: "what broke: long write of ").count, equals: 2)
        let json = try Command.attlas(["lint", "--json", capture]).output
        #expect(json.split(separator: #""incident":{"kind":"long write not executed","frame":147}"#).count == 2)
    }

    @Test func aDisabledRuleIsSilent() throws {
        let output = try Command.attlas(["lint", "--json", "--disable", "value/wrong-crc", Self.capture]).output
        #expect(!output.contains("value/wrong-crc"))
        #expect(output.contains("security/personal-unencrypted"))
    }

    @Test func aRuleIsExplained() throws {
        let text = try Command.attlas(["lint", "--explain", "att/mtu-too-small"]).output
        #expect(text.hasPrefix("att/mtu-too-small · error · an MTU below the minimum\n    why   "))
        for label in ["    needs ", "    spec  ", "    do    "] { #expect(text.contains(label)) }
    }

    /// A file of the folder above, the same with --config, and what it does not know.
    @Test func aConfigurationChangesSeverities() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            try FileManager.default.createDirectory(
                atPath: "\(folder.url.path)/logs", withIntermediateDirectories: true)
            let capture = try folder.write(
                Array(Data(contentsOf: URL(fileURLWithPath: Self.capture))), to: "logs/a.btsnoop")
            try expect(Command.attlas(["lint", "--fail-on", "error", capture]).status, equals: 2)
            let yaml = """
                severities: { value/wrong-crc: warning }
                exceptions:
                  - { rule: security/*, file: 'logs/*', reason: an open sensor }
                """
            let config = try folder.write(Array(yaml.utf8), to: "attlas.yaml")
            let found = try Command.attlas(["lint", "--fail-on", "error", capture])
            expect(found.status, equals: 0)
            #expect(found.output.contains("of security/sensitive-unencrypted (an open sensor).\n"))
            let other = try Command.attlas(["lint", "--fail-on", "error", "--config", config, Self.capture])
            expect(other.status, equals: 0)
            #expect(!other.output.contains("an open sensor"))
            let wrong = try folder.write(Array("severity: {}".utf8), to: "wrong.yaml")
            let refused = try Command.attlas(["lint", "--config", wrong, capture])
            expect(refused.status, equals: 1)
            #expect(refused.output.isEmpty)
            #expect(refused.errors.hasPrefix("attlas: \(wrong):1:1: a configuration has no key"))
        }
    }

    @Test func onlyWhatABaselineDoesNotHaveFails() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let known = try Command.attlas(["lint", "--json", Self.capture]).output
            let baseline = try folder.write(Array(known.utf8), to: "known.json")
            let result = try Command.attlas(["lint", "--baseline", baseline, "--fail-on", "info", Self.capture])
            expect(result.status, equals: 0)
            #expect(result.output.contains("(known from \(baseline))"))
            let other = Repository.capture("careless-scale.btsnoop")
            try expect(Command.attlas(["lint", "--baseline", baseline, "--fail-on", "info", other]).status, equals: 2)
        }
    }

    @Test func jsonIsAFormat() throws {
        try expect(
            Command.attlas(["lint", "--format", "json", Self.capture]).output,
            equals: Command.attlas(["lint", "--json", Self.capture]).output)
    }

    /// Two captures are one document, also when another cannot be read, and the places of records are those of the file.
    @Test func sarifOfSeveralCaptures() throws {
        let paths = ["careless-scale.btsnoop", "hasty-app.btsnoop"].map { Repository.capture($0) }
        let result = try Command.attlas(["lint", "--format", "sarif", paths[0], "nothing.btsnoop", paths[1]])
        expect(result.status, equals: 1)
        let log = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let results = try #require((log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
        let places = try results.map { result in
            let location = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
            return try #require(location)
        }
        let uris = places.compactMap { ($0["artifactLocation"] as? [String: String])?["uri"] }
        expect(Set(uris).count, equals: 2)
        let octets = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        for (place, uri) in zip(places, uris) {
            let region = try #require(place["region"] as? [String: Int])
            let (frame, offset) = try (#require(region["startLine"]), #require(region["byteOffset"]))
            let data = octets[uri.hasSuffix("careless-scale.btsnoop") ? 0 : 1]
            // From record to record: 24 octets of header, of which the second number is the length of the data.
            var start = 16
            for _ in 1..<frame { start += 24 + Int(data[start + 4..<start + 8].reduce(0) { $0 << 8 | UInt32($1) }) }
            expect(offset, equals: start)
        }
    }

    @Test func aFileInTheCurrentFolderIsNamedFromThere() throws {
        let folder = Repository.captures.path
        let script = "cd '\(folder)' && '\(Command.binary)' lint --format github '\(folder)/hasty-app.btsnoop'"
        #expect(try Command.run("/bin/sh", ["-c", script]).output.contains(" file=hasty-app.btsnoop,line="))
    }

    @Test func joinedFilesAreOneCapture() throws {
        let output = try Command.attlas(["lint", "--json", "--join", Self.capture, Self.capture]).output
        expect(output.split(separator: "\n").count, equals: 1)
    }
}

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
    ])
    func status(_ arguments: [String], _ status: Int) throws {
        #expect(try Command.attlas(arguments).status == Int32(status))
    }

    @Test func aMisspelledRuleIsNamed() throws {
        let result = try Command.attlas(["lint", "--disable", "value/wrong-crk", Self.capture])
        #expect(result.errors.contains("value/wrong-crc"))
        #expect(result.errors.contains("Usage: attlas lint"))
    }

    @Test func aDisabledRuleIsSilent() throws {
        let output = try Command.attlas(["lint", "--json", "--disable", "value/wrong-crc", Self.capture]).output
        #expect(!output.contains("value/wrong-crc"))
        #expect(output.contains("security/personal-unencrypted"))
    }

    @Test func joinedFilesAreOneCapture() throws {
        let output = try Command.attlas(["lint", "--json", "--join", Self.capture, Self.capture]).output
        #expect(output.split(separator: "\n").count == 1)
    }
}

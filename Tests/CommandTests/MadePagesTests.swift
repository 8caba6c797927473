import AttlasTestSupport
import Foundation
import Testing

/// The pages that Documentation/pages.py makes are what it makes.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test --filter MadePagesTests` writes them anew.
@Suite struct MadePagesTests {
    @Test func conformance() throws { try compare("conformance") }

    /// With the versions that the page is about; others say other things.
    @Test(.enabled(if: Tool("tshark") != nil && Tool("btmon") != nil))
    func comparison() throws {
        let page = try Repository.text("Documentation/comparison.md")
        let versions = try #require(page.firstMatch(of: #/with tshark (\S+) and btmon (\S+),/#))
        let tshark = try Command.run("/usr/bin/tshark", ["--version"]).output
        let btmon = try Command.run("/usr/bin/btmon", ["--version"]).output
        guard tshark.contains(" \(versions.1).") || tshark.contains(" \(versions.1) "), btmon == "\(versions.2)\n"
        else {
            print("skipped: tshark and btmon have other versions here")
            return
        }
        try compare("comparison")
    }

    private func compare(_ name: String) throws {
        let url = Repository.root.appending(path: "Documentation/\(name).md")
        let result = try Command.run(
            "/usr/bin/python3", [Repository.path("Documentation/pages.py"), Command.binary, name])
        #expect(result.status == 0, "\(result.errors)")
        if result.status == 0, ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil {
            try result.output.write(to: url, atomically: true, encoding: .utf8)
        }
        let isCurrent = try String(contentsOf: url, encoding: .utf8) == result.output
        #expect(isCurrent, "Documentation/\(name).md is not what the command makes")
    }
}

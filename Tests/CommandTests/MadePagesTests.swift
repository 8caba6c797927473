import AttlasTestSupport
import Foundation
import Testing

/// The pages that Documentation/pages.py makes are what it makes.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test --filter MadePages` writes them again.
@Suite struct MadePagesTests {
    /// Its figures are those of one day and machine; its rows are what `make measured` measures today.
    @Test func measured() throws {
        let page = try Repository.text("Documentation/measured.md")
        let targets = try Repository.text("Sources/AttlasFuzz/FuzzTarget.swift").matches(of: #/\n    case (\w+)\n/#)
        #expect(targets.count >= 9)
        for target in targets {
            #expect(page.contains("\n| \(target.1) | "), "\(target.1) is not there, or was not fuzzed: make measured")
        }
        for command in ["devices", "tree", "stats", "lint", "show", "show --json"] {
            // For 66 000 records, and for 1 000 000.
            let rows = page.matches(of: try Regex("\n\\| attlas \(command), to /dev/null \\| "))
            expect(rows.count, equals: 2, "\(command)")
        }
        // What broke has a separate test before the page is written.
        expect(page.matches(of: #/\| none \|/#).count, equals: targets.count)
    }
}

/// Each starts attlas, and one also other programs, for every capture and definition file.
@Suite struct MadePagesLongTests {
    @Test func conformance() throws { try MadePage.compare("conformance") }

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
        try MadePage.compare("comparison")
    }
}

private enum MadePage {
    static func compare(_ name: String) throws {
        let url = Repository.root.appending(path: "Documentation/\(name).md")
        let result = try Command.run(
            "/usr/bin/python3", [Repository.path("Documentation/pages.py"), Command.binary, name])
        expect(result.status, equals: 0, "\(result.errors)")
        if result.status == 0, ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil {
            try result.output.write(to: url, atomically: true, encoding: .utf8)
        }
        let isCurrent = try String(contentsOf: url, encoding: .utf8) == result.output
        #expect(isCurrent, "Documentation/\(name).md is not what the command makes")
    }
}

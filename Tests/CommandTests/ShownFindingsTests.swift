import AttlasTestSupport
import Foundation
import Testing

/// `show --findings`: what lint finds stands below the line of its record.
@Suite struct ShownFindingsTests {
    private let capture = Repository.capture("hasty-app.btsnoop")

    private func lines(_ options: String...) throws -> [Substring] {
        try Command.attlas(["show", "--findings", capture] + options).output.split(separator: "\n")
    }

    @Test func standsBelowItsLine() throws {
        let lines = try lines()
        let line = try #require(lines.firstIndex { $0.hasPrefix("    115 ") })
        #expect(
            lines[line + 1].drop { $0 == " " }
                == "error att/request-overlap: Read Request before the Read Request of frame 114 was answered.")
        let found = lines.count { $0.contains("error att/") || $0.contains("warning ") || $0.contains(" info ") }
        let lint = try Command.attlas(["lint", "--json", capture]).output
        #expect(found == lint.components(separatedBy: "\"rule\":").count - 1)
    }

    /// Those of lines that are not shown are not shown either.
    @Test func aSelectionHasItsOwn() throws {
        let lines = try lines("--frames", "115")
        #expect(lines.contains { $0.contains("att/request-overlap") })
        #expect(!lines.contains { $0.contains("att/mtu-exchanged-twice") })
    }

    @Test func whatCannotBeReadTwice() throws {
        let result = try Command.attlas(
            ["show", "--findings", "-"], input: try Data(contentsOf: URL(filePath: capture)))
        #expect(result.status == 0)
        #expect(result.errors.contains("its findings are not shown, because it cannot be read twice"))
        #expect(try Command.attlas(["show", "--findings", "--json", capture]).status == 64)
    }
}

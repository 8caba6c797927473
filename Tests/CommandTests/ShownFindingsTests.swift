import AttlasTestSupport
import Foundation
import Testing

/// `show --findings`: what lint finds is below the line of its record.
@Suite struct ShownFindingsTests {
    private let capture = Repository.capture("hasty-app.btsnoop")

    private func lines(_ options: String...) throws -> [Substring] {
        try Command.attlas(["show", "--findings", capture] + options).output.split(separator: "\n")
    }

    @Test func standsBelowItsLine() throws {
        let lines = try lines()
        let line = try #require(lines.firstIndex { $0.hasPrefix("    115 ") })
        expect(
            lines[line + 1].drop { $0 == " " },
            equals: "error att/request-overlap: Read Request before the Read Request of frame 114 was answered.")
        let found = lines.count { $0.contains(#/^ +(error|warning|info) [a-z]+\//#) }
        let lint = try Command.attlas(["lint", "--json", capture]).output
        expect(found, equals: lint.components(separatedBy: "\"rule\":").count - 1)
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
        expect(result.status, equals: 0)
        #expect(result.errors.contains("its findings are not shown, because it cannot be read twice"))
        try expect(Command.attlas(["show", "--findings", "--csv", capture]).status, equals: 64)
    }

    /// Their objects are those of lint, with the type of the line.
    private func objects(_ text: String) throws -> [NSDictionary] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary)
        }
    }

    /// But for `incident`: the lines have the incidents at the end.
    @Test func linesOfJSONHaveTheSame() throws {
        let shown = try objects(try Command.attlas(["show", "--findings", "--json", capture]).output)
        let lint =
            try objects(try Command.attlas(["lint", "--json", capture]).output)[0]["findings"] as? [NSDictionary]
        let found = shown.filter { $0["type"] as? String == "finding" }.map {
            let members = $0.mutableCopy() as! NSMutableDictionary
            members["type"] = nil
            return members as NSDictionary
        }
        let bare = lint?.map {
            let members = $0.mutableCopy() as! NSMutableDictionary
            members["incident"] = nil
            return members as NSDictionary
        }
        expect(found, equals: bare)
        let place = try #require(shown.firstIndex { $0["rule"] as? String == "att/request-overlap" })
        #expect(shown[place - 1]["frame"] as? Int == 115)
    }

    /// The incidents of `why`, each as an object before the last line.
    @Test func linesOfJSONHaveTheIncidents() throws {
        let shown = try objects(try Command.attlas(["show", "--findings", "--json", capture]).output)
        let incidents = try #require(
            try objects(try Command.attlas(["why", "--json", capture]).output)[0]["incidents"] as? [NSDictionary])
        #expect(!incidents.isEmpty)
        let lines = shown.dropLast().suffix(incidents.count).map {
            let members = $0.mutableCopy() as! NSMutableDictionary
            #expect(members["type"] as? String == "incident")
            members["type"] = nil
            return members as NSDictionary
        }
        expect(lines, equals: incidents)
        #expect(try !Command.attlas(["show", "--json", capture]).output.contains("\"type\":\"incident\""))
    }

    /// A pipe is read once: each is shown when it is found.
    @Test func liveFindsTheSame() throws {
        let octets = try Data(contentsOf: URL(filePath: capture))
        let live = try Command.attlas(["live", "-", "--json", "--findings"], input: octets).output
        let lines = live.split(separator: "\n").filter { $0.contains("\"type\":\"finding\"") }
        let lint = try Command.attlas(["lint", "--json", capture]).output
        func rules(_ text: String) -> [String] {
            text.matches(of: #/"rule":"([^"]+)"/#).map { String($0.1) }.sorted()
        }
        expect(rules(lines.joined()), equals: rules(lint))
        // The Prepare Write Request of frame 140 is settled by the end of the connection, in frame 147.
        let text = try Command.attlas(["live", "-", "--plain", "--findings"], input: octets).output.split(
            separator: "\n")
        let line = try #require(text.firstIndex { $0.contains("warning att/prepared-write-left") })
        #expect(text[..<line].last { !$0.contains(" info ") && !$0.contains(" warning ") }?.contains("ended") == true)
    }

    /// Also without --findings, each once, when it is found, in the form of `show`.
    @Test func liveHasTheSameIncidents() throws {
        let octets = try Data(contentsOf: URL(filePath: capture))
        let live = try Command.attlas(["live", "-", "--json"], input: octets).output
        func incidents(_ text: String) throws -> [NSDictionary] {
            try objects(text).filter { $0["type"] as? String == "incident" }
        }
        func frames(_ incidents: [NSDictionary]) -> [String] {
            incidents.map { "\($0["kind"] ?? "") \($0["frame"] ?? "")" }.sorted()
        }
        let (found, shown) = (
            try incidents(live), try incidents(Command.attlas(["show", "--findings", "--json", capture]).output)
        )
        #expect(frames(found) == frames(shown) && !found.isEmpty)
        expect(Set(found.flatMap(\.allKeys).map { "\($0)" }), equals: Set(shown.flatMap(\.allKeys).map { "\($0)" }))
        let lines = live.split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.contains("\"type\":\"incident\"") })
        #expect(first < lines.count - found.count - 1)
        let text = try Command.attlas(["live", "-", "--plain"], input: octets).output
        expect(text.components(separatedBy: " incident · ").count, equals: found.count + 1)
    }

    @Test func nobodyAsked() throws {
        let octets = try Data(contentsOf: URL(filePath: capture))
        #expect(try !Command.attlas(["live", "-", "--json"], input: octets).output.contains("finding"))
        #expect(try !Command.attlas(["show", "--json", capture]).output.contains("finding"))
    }
}

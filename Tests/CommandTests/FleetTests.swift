import AttlasTestSupport
import Foundation
import Testing

/// `attlas fleet`: groups of captures compared.
@Suite struct FleetTests {
    private let folder: TemporaryFolder

    /// Eight captures of an hour in each folder: `old` with one lost connection each, `new` with six. Connection Timeout: Vol 1, Part F, 2.8.
    init() throws {
        folder = try TemporaryFolder()
        for (name, losses) in [("old", 1), ("new", 6)] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
            for capture in 0..<8 { try write("\(name)/\(capture).log", losses: losses) }
        }
    }

    private func write(_ name: String, losses: Int) throws {
        let length = 3_600_000 / (losses + 1)
        var packets: [Packet] = []
        for connection in 0...losses {
            let start = connection * length
            packets.append(Packet.connected().at(milliseconds: Double(start)))
            packets.append(Packet.att(.rx, "1B 0300 0048").at(milliseconds: Double(start + 100)))
            packets.append(
                Packet.disconnected(reason: connection < losses ? 0x08 : 0x13).at(
                    milliseconds: Double(start + length - 1_000)))
        }
        _ = try folder.write(packets.btsnoop, to: name)
    }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    @Test func moreLossesAreWorse() throws {
        let result = try Command.attlas(["fleet", path("new"), "--against", path("old"), "--fail-on", "worse"])
        expect(result.status, equals: 2)
        #expect(result.output.hasPrefix("B is worse in 1 of "))
        #expect(result.output.contains("\(path("old")) · 8 captures"))
        #expect(result.output.contains("connections lost: 6."))
        #expect(result.output.contains("48 in"))
        let other = try Command.attlas(["fleet", path("old"), "--against", path("new"), "--fail-on", "worse"])
        #expect(other.status == 0 && other.output.hasPrefix("B is better in 1 of "))
        try expect(
            Command.attlas(["fleet", path("new"), "--against", path("new/"), "--fail-on", "worse"]).status, equals: 64)
    }

    @Test(.enabled(if: Command.hasSchemaValidator, "python3-jsonschema is not installed"))
    func theDocumentFitsItsSchema() throws {
        let json = try Command.attlas(["fleet", "--json", path("old"), path("new")]).output
        #expect(try Command.judge(json, bySchema: "fleet", ["--document"]).isEmpty)
        let document = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let comparison = try #require((document["comparisons"] as? [[String: Any]])?.first)
        let losses = try #require((comparison["differences"] as? [[String: Any]])?.first)
        #expect(losses["measure"] as? String == "connections lost" && losses["verdict"] as? String == "worse")
        #expect((losses["a"] as? [String: Any])?["count"] as? Int == 8)
        #expect((losses["b"] as? [String: Any])?["count"] as? Int == 48)
    }

    @Test func aTicketHasATable() throws {
        let text = try Command.attlas(["fleet", "--format", "markdown", path("new"), "--against", path("old")]).output
        #expect(text.hasPrefix("## B is worse in 1 of "))
        #expect(text.contains("| worse | connections lost | "))
        #expect(!text.contains("\\"))
    }

    /// In the style of the report, and as closed: it loads nothing.
    @Test func aPageHasATable() throws {
        let text = try Command.attlas(["fleet", "--format", "html", path("new"), "--against", path("old")]).output
        #expect(text.contains("<p class=\"headline\">B is worse in 1 of "))
        #expect(
            text.contains(
                "<th scope=\"row\">connections lost</th><td><span class=\"bad\">worse</span></td><td class=\"n\">1"))
        #expect(text.contains("<dt>A: \(path("old"))</dt><dd>8 captures · "))
        #expect(text.contains("default-src 'none'") && text.hasSuffix("</html>\n"))
    }

    /// The name of an Android bug report has the product.
    @Test func phonesAreGroups() throws {
        for (name, losses) in [
            ("bugreport-oriole-AP1A.1-2026-11-01-10-00-00", 1), ("bugreport-panther-AP1A.1-2026-11-01-10-00-00", 2),
        ] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
            try write("\(name)/btsnoop_hci.log", losses: losses)
        }
        let files = ["old/0.log"] + ["oriole", "panther"].map { "bugreport-\($0)-AP1A.1-2026-11-01-10-00-00" }
        let result = try Command.attlas(["fleet", "--by", "phone"] + files.map(path))
        #expect(result.output.contains("A  oriole · 1 capture") && result.output.contains("B  panther · 1 capture"))
        #expect(result.output.contains("Too few"))
        expect(result.errors, equals: "attlas: captures left out, because no phone is known: 1\n")
        // … and a sysdiagnose that of the phone.
        let name = "sysdiagnose_2026.11.01_10-00-00-0700_iPhone-OS_iPhone_22A1"
        try FileManager.default.createDirectory(at: folder.url.appending(path: name), withIntermediateDirectories: true)
        try write("\(name)/bluetoothd.btsnoop", losses: 1)
        let both = try Command.attlas(["fleet", "--by", "phone"] + [name, files[1]].map(path))
        #expect(both.output.contains("A  iPhone · 1 capture") && both.output.contains("B  oriole · 1 capture"))
    }

    @Test func nothingToCompareIsAnError() throws {
        try expect(Command.attlas(["fleet", path("old")]).status, equals: 64)
        try expect(Command.attlas(["fleet", path("old"), "--by", "name", "--against", path("new")]).status, equals: 64)
        let result = try Command.attlas(["fleet", "--by", "firmware", path("old"), path("new")])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("there is nothing to compare"))
    }
}

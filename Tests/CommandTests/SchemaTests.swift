import AttlasTestSupport
import Foundation
import Testing

/// Every line and document of JSON, from every capture of the project, fits its published schema.
///
/// The judge is python's jsonschema (Debian: python3-jsonschema), which `make test` installs.
@Suite(.enabled(if: Command.hasSchemaValidator, "python3-jsonschema is not installed"))
struct SchemaTests {
    static let captures: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Repository.captures.path)) ?? []
        return names.filter { $0.hasSuffix(".btsnoop") || $0.hasSuffix(".pcap") || $0.hasSuffix(".pcapng") }.sorted()
    }()

    static let malformed: [String] = {
        let folder = Repository.captures.appendingPathComponent("malformed")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".py") }.sorted().map { "malformed/\($0)" }
    }()

    @Test(arguments: captures)
    func showLines(_ capture: String) throws {
        try check("show", "--hci", capture: capture, schema: "show")
    }

    @Test(arguments: malformed)
    func linesOfMalformedCaptures(_ capture: String) throws {
        let output = try Command.attlas(["show", "--json", "--hci", Repository.capture(capture)]).output
        // A capture that is refused at once has no lines.
        if output.isEmpty { return }
        try hold(output, against: "show")
    }

    @Test(arguments: captures)
    func treeDocument(_ capture: String) throws {
        try check("tree", capture: capture, schema: "tree", "--document")
    }

    @Test(arguments: captures)
    func devicesDocument(_ capture: String) throws {
        try check("devices", capture: capture, schema: "devices", "--document")
    }

    @Test(arguments: captures)
    func lintDocument(_ capture: String) throws {
        try check("lint", capture: capture, schema: "lint", "--document")
    }

    @Test(arguments: malformed)
    func lintOfMalformedCaptures(_ capture: String) throws {
        let output = try Command.attlas(["lint", "--json", Repository.capture(capture)]).output
        if output.isEmpty { return }
        try hold(output, against: "lint", ["--document"])
    }

    @Test func lintRules() throws {
        try hold(try Command.attlas(["lint", "--list", "--json"]).output, against: "lint-list", ["--document"])
    }

    @Test func benchDocument() throws {
        try check("bench", capture: "heart-rate.btsnoop", schema: "bench", "--document")
        try check(
            "bench", more: [Repository.capture("long-read.btsnoop")], capture: "pairing.btsnoop", schema: "bench",
            "--document")
    }

    @Test(arguments: captures)
    func statisticsDocument(_ capture: String) throws {
        try check("stats", capture: capture, schema: "stats", "--document")
    }

    @Test(arguments: ["peer", "characteristic", "method"])
    func groupedStatistics(by grouping: String) throws {
        try check("stats", "--by", grouping, capture: "two-peripherals.btsnoop", schema: "stats", "--document")
    }

    @Test(arguments: malformed)
    func statisticsOfMalformedCaptures(_ capture: String) throws {
        let output = try Command.attlas(["stats", "--json", Repository.capture(capture)]).output
        if output.isEmpty { return }
        try hold(output, against: "stats", ["--document"])
    }

    @Test(arguments: captures)
    func differenceDocument(_ capture: String) throws {
        try check("diff", Repository.capture("heart-rate.btsnoop"), capture: capture, schema: "diff", "--document")
    }

    @Test func importedTables() throws {
        let table = ["--gatt-db", Repository.capture("heart-rate.btsnoop")]
        try check("show", more: table, capture: "after-discovery.btsnoop", schema: "show")
        try check("tree", more: table, capture: "after-discovery.btsnoop", schema: "tree", "--document")
    }

    private func check(
        _ arguments: String..., more: [String] = [], capture: String, schema: String, _ options: String...
    ) throws {
        let output = try Command.attlas(arguments + more + ["--json", Repository.capture(capture)]).output
        try hold(output, against: schema, options)
    }

    private func hold(_ output: String, against schema: String, _ options: [String] = []) throws {
        let verdict = try Command.judge(output, bySchema: schema, options)
        #expect(verdict.isEmpty, "\(verdict)")
    }
}

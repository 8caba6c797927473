import AttlasTestSupport
import Foundation
import Testing

/// Every block of code of README.md, SECURITY.md and Documentation/ does what it says.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test --filter DocumentationTests` writes again what a command prints, where no line is left out.
@Suite struct DocumentationTests {
    /// Blocks that cannot be run here: they need a device, a network, another system or a person.
    static let notRun = [
        "Documentation/air.md": 1, "Documentation/code-from-definitions.md": 1, "Documentation/commands.md": 5,
        "Documentation/getting-a-log.md": 13,
        "Documentation/fleet.md": 1, "Documentation/installing.md": 1,
        "Documentation/live.md": 3, "Documentation/open.md": 1, "Documentation/performance.md": 1,
        "Documentation/recipes.md": 2,
        "Documentation/twin.md": 5, "README.md": 3, "SECURITY.md": 1,
    ]

    /// Blocks of a language that have a separate test.
    static let others = [
        "Documentation/dissectors.md": "yaml",  // DocumentationTests of AttlasDissectionTests
        "Documentation/comparison.md": "text",  // MadePagesTests
        "Documentation/statistics.md": "text",  // StatisticsTests
        "Documentation/tables.md": "python",  // Python/tests/test_tables.py
        "Documentation/library.md": "swift",  // LibraryPageTests
    ]

    /// Programs of a recipe that not every machine has. `make test` installs them.
    static let programs = ["jq", "sqlite3", "tshark"].filter {
        !FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    @Test(arguments: DocumentationPage.all) func everyCommandPrintsWhatThePageShows(_ page: DocumentationPage) throws {
        let steps = page.blocks.filter(\.isRun).flatMap { block in
            block.info.first == "console" ? page.steps(block).map { (block, $0) } : [(block, nil)]
        }
        guard steps.contains(where: { $0.1 != nil }) else { return }
        if let missing = Self.programs.first(where: { name in steps.contains { $0.1?.command.contains(name) == true } })
        {
            print("skipped: there is no \(missing) here for \(page.path)")
            return
        }
        let folder = try TemporaryFolder()
        let outputs = try page.run(steps, in: folder.url)
        let ran = steps.compactMap { $0.1 }
        expect(outputs.count, equals: ran.count, "\(page.path): a command ended the shell")
        var lines = page.lines
        for (step, output) in zip(ran, outputs).reversed() {
            let wanted = page.lines[step.output]
            if ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil, !wanted.contains("…") {
                lines.replaceSubrange(step.output, with: output.isEmpty ? [] : output.components(separatedBy: "\n"))
            } else {
                let isShown = DocumentationPage.shows(wanted, output)
                #expect(isShown, "\(page.path): $ \(step.command)\n\(output)")
            }
        }
        if lines != page.lines {
            try lines.joined(separator: "\n").write(
                to: Repository.root.appending(path: page.path), atomically: true, encoding: .utf8)
        }
    }

    /// A row of a table whose last cell is a command: it prints what is bold in the row.
    @Test(arguments: DocumentationPage.all) func everyRowShowsWhatItSays(_ page: DocumentationPage) throws {
        let rows = page.lines.compactMap { line in
            line.wholeMatch(of: #/\|(.*)\| `(attlas [^`]* Captures/[^`]*)` \|/#).map {
                (says: $0.1.matches(of: #/\*\*([^*]+)\*\*/#).map { String($0.1) }, command: String($0.2))
            }
        }
        let folder = try TemporaryFolder()
        let block = DocumentationPage.Block(info: ["console"], lines: 0..<0)
        let steps = rows.map { (block, DocumentationPage.Step(command: $0.command, output: 0..<0)) }
        for (row, output) in zip(rows, try page.run(steps, in: folder.url)) {
            #expect(!row.says.isEmpty, "\(row.command)")
            for words in row.says { #expect(output.contains(words), "\(words): \(row.command)\n\(output)") }
        }
        if page.path == "Documentation/iphone.md" { #expect(rows.count > 30) }
    }

    /// The first page is read in narrow windows.
    @Test func theCodeOfTheReadmeIsNarrow() throws {
        let page = try DocumentationPage("README.md")
        for line in page.blocks.flatMap({ page.lines[$0.lines] }) { #expect(line.count <= 90, "\(line)") }
    }

    /// The figures with which README.md compares attlas are those of the pages that prove them.
    @Test func theReadmeComparesWithMeasuredFigures() throws {
        let rows = try Repository.text("README.md").components(separatedBy: "\n").filter { $0.hasPrefix("| [") }
        func cells(_ link: String) throws -> [Substring] {
            let row = try #require(rows.first { $0.contains("(Documentation/\(link))") })
            return row.split(separator: " | ").dropFirst().map { $0.replacing(" |", with: "") }
        }
        let kinds = try Repository.text("Documentation/what-broke.md").matches(
            of: #/\n\| [a-z ]+ \| (broke|hindered|noted)/#)
        try expect(cells("what-broke.md#kinds").first, equals: "\(kinds.count)")
        let found = try cells("comparison.md#att-pdus-that-each-finds").joined(separator: " | ")
        #expect(try Repository.text("Documentation/comparison.md").contains("| eatt.btsnoop | \(found) |"))
        let measured = try #require(
            Repository.text("Documentation/measured.md").split(separator: "| 1000000 records").last)
        for (name, cell) in zip(["attlas show", "tshark"], try cells("measured.md#speed")) {
            let row = try #require(measured.firstMatch(of: try Regex("\n\\| \(name) \\|(.+)\n"))).0
            let columns = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            expect(cell, equals: "\(columns[2]) s, \(columns[5]) MB")
        }
    }

    @Test func whatIsNotRunIsKnown() {
        var notRun: [String: Int] = [:]
        var run = 0
        for page in DocumentationPage.all {
            expect(page.indented, equals: [], "\(page.path): code without a fence")
            for block in page.blocks {
                let kind = block.info.first.map(String.init)
                if !block.isRun {
                    notRun[page.path, default: 0] += 1
                } else if kind == "console" {
                    #expect(!page.steps(block).isEmpty, "\(page.path):\(block.lines.lowerBound): no command")
                    run += 1
                } else {
                    #expect(
                        block.title != nil || kind != nil && kind == Self.others[page.path],
                        "\(page.path):\(block.lines.lowerBound): nothing runs this block, and it does not say no-run")
                }
            }
        }
        print("Blocks of the documentation that run: \(run). That do not: \(notRun.values.reduce(0, +)).")
        expect(notRun, equals: Self.notRun)
    }
}

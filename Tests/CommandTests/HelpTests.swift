import AttlasTestSupport
import Foundation
import Testing

/// `attlas help`: of commands, and pages of the documentation.
@Suite struct HelpTests {
    /// Every page is inside, and its heading is the first line.
    @Test func everyPageIsATopic() throws {
        let topics = try Command.attlas(["help", "topics"]).output
        let pages = DocumentationPage.all.filter { $0.path.hasPrefix("Documentation/") }
        expect(topics.split(separator: "\n").count, equals: pages.count + 1)
        for page in pages {
            let file = URL(filePath: page.path).lastPathComponent
            let result = try Command.attlas(["help", file])
            let heading = page.lines[0].dropFirst(2)
            #expect(result.status == 0 && result.output.hasPrefix(heading + "\n"), "\(file)")
            #expect(topics.contains("  \(file.dropLast(3))"), "\(file)")
        }
        // In the order of the site.
        let order = try Repository.text("Documentation/site/mkdocs.yml").matches(of: #/Documentation/([a-z-]+)\.md/#)
        expect(topics.matches(of: #/\n  ([a-z-]+)/#).map(\.1), equals: order.map(\.1))
    }

    /// What the help of a command points to, can be shown; nothing points to files that are not installed.
    @Test func theHelpOfCommandsNamesPagesThatThereAre() throws {
        let root = try Command.attlas(["--help"]).output
        let commands = root.matches(of: #/\n  ([a-z]+) {2,}/#).map { String($0.1) }
        #expect(commands.count >= 15)
        var pages: Set<String> = []
        for command in commands {
            let help = try Command.attlas(["help", command]).output
            #expect(help.hasPrefix("OVERVIEW: "), "\(command)")
            #expect(!help.contains("Documentation/"), "\(command)")
            let words = help.split { $0.isWhitespace }.joined(separator: " ")
            for match in words.matches(of: #/attlas help ([a-z.-]+)(?! <)\b/#) { pages.insert(String(match.1)) }
        }
        #expect(pages.count >= 8)
        for page in pages {
            let result = try Command.attlas(["help", page])
            #expect(result.status == 0 && !result.output.hasPrefix("OVERVIEW"), "\(page)")
        }
    }

    /// Documentation/commands.md has a section for each command, README.md a row.
    @Test func everyCommandIsInTheDocuments() throws {
        let (page, readme) = try (Repository.text("Documentation/commands.md"), Repository.text("README.md"))
        for match in try Command.attlas(["--help"]).output.matches(of: #/\n  ([a-z]+) {2,}/#) {
            #expect(page.contains("\n## \(match.1)\n"), "\(match.1)")
            #expect(["`", " "].contains { readme.contains("\n| `attlas \(match.1)\($0)") }, "\(match.1)")
        }
    }

    @Test func theVersionHasTheUsualLetters() throws {
        let version = try Command.attlas(["--version"])
        for letter in ["-v", "-V"] {
            let result = try Command.attlas([letter])
            #expect(result.status == 0 && result.output == version.output)
        }
    }

    /// -C is an option of the commands that print a conversation.
    @Test func theHelpHasNoOptionThatIsRefused() throws {
        for command in ["show", "live"] {
            #expect(try Command.attlas([command, "--help"]).output.contains("-C, --context"))
        }
        for command in ["stats", "report", "convert", "diff"] {
            #expect(try !Command.attlas([command, "--help-all"]).output.contains("--context <"), "\(command)")
        }
        let refusal = try Command.attlas(["stats", "-C", "3", Repository.capture("heart-rate.btsnoop")])
        #expect(
            refusal.status == 64 && refusal.errors.contains("Unknown option '-C'. These commands have it: show, live."))
    }

    /// A short help fits a terminal of 24 rows with the prompt below it, and its last line leads to what it leaves out.
    @Test func theShortHelpLeavesOutTheOptionsOfMostCommands() throws {
        let short = try Command.attlas(["why", "--help"]).output
        #expect(short.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
        #expect(short.hasSuffix(" more options (keys, definitions, limits): attlas why --help-all\n"))
        #expect(short.contains("\n  --json ") && !short.contains("--irk"))
        try expect(Command.attlas(["help", "why"]).output, equals: short)
        let long = try Command.attlas(["why", "--help-all"]).output
        for option in ["--irk", "--gatt-db", "--dissectors", "--limit", "--color", "--json"] {
            #expect(long.contains("\n  \(option) "), "\(option)")
        }
        // What has no such options has no such line.
        #expect(!(try Command.attlas(["bench", "--help"]).output).contains("--help-all"))
        // Man pages and completions have all.
        #expect(try Command.attlas(["--experimental-dump-help"]).output.contains("netkey"))
        #expect(try Command.attlas(["--generate-completion-script", "bash"]).output.contains("--netkey"))
    }

    /// What `live` has next to the options of `show`: sources and recordings.
    @Test func theOptionsOfLiveAreOnItsPage() throws {
        func options(_ command: String) throws -> Set<Substring> {
            Set(try Command.attlas(["help", command]).output.matches(of: #/\n  (--[a-z-]+)/#).map { $0.1 })
        }
        let page = try Repository.text("Documentation/live.md")
        let own = try options("live").subtracting(options("show"))
        #expect(own.count >= 13)
        for option in own { #expect(page.contains(option), "\(option)") }
    }

    @Test func aWrongNameHasASuggestion() throws {
        let result = try Command.attlas(["help", "fliter"])
        expect(result.status, equals: 64)
        #expect(result.errors.contains("no command and no page \"fliter\"; did you mean \"filter\"?"))
    }
}

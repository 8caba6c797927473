import ArgumentParser
import AttlasCheck
import AttlasDissection
import AttlasReport
import AttlasValues

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Hold a capture against the expectations of a firmware.",
        discussion: """
            attlas help expectations describes the file. The exit status is 2 when an expectation fails or cannot be checked.
            """)

    @Argument(help: CaptureOptions.filesHelp, completion: .file())
    var capture: String

    @Argument(help: "The expectations, a YAML file.", completion: .file(extensions: ["yaml", "yml"]))
    var expectations: String

    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var findings: FindingsOptions

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let expected: [Expectation]
        do {
            expected = try Expectation.file(expectations, library)
        } catch let error as ProjectMistakes {
            for mistake in error.mistakes { printError(mistake.description) }
            throw ExitCode(1)
        }
        try findings.print(CaptureOptions.parse(["--", capture]), gattDatabase.load(identity), failOn: .info) { _ in
            Interpreted(library: library) { CheckCollector(expected, isStrict: true, values: $0) }
        } _: { model, _ in
            model
        }
    }
}

import ArgumentParser
import AttlasCheck
import AttlasDissection
import AttlasRecords
import AttlasValues

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Test captures against expectations.",
        discussion: """
            attlas help expectations describes the file. The exit status is 2 if an expectation fails or cannot be checked.
            """)

    @Argument(
        help: ArgumentHelp(
            "Captures or folders with captures, then the expectations (a YAML file); - is standard input.",
            valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var files: [String]

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions
    @OptionGroup var findings: FindingsOptions

    func validate() throws {
        guard files.count > 1 else { throw ValidationError("Give captures, and after them the expectations.") }
        _ = try captures()
    }

    private func captures() throws -> CaptureOptions { try CaptureOptions.parse(["--"] + files.dropLast()) }

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let expected: [Expectation]
        do {
            expected = try Expectation.file(files[files.count - 1], library)
        } catch let error as ProjectMistakes {
            for mistake in error.mistakes { printError(mistake.description) }
            throw ExitCode(1)
        }
        try findings.print(captures(), decoding.loadDatabases(), failOn: .info) { _ in
            Interpreted(library: library) { CheckCollector(expected, isStrict: true, values: $0) }
        } _: { model, _ in
            model
        }
    }
}

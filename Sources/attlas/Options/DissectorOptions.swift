import ArgumentParser
import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasRecords

/// `--dissectors PATH …`: a user's own definitions, before the shipped ones.
struct DissectorOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read definitions from this file or folder. They take precedence over the shipped ones. May be repeated.",
            valueName: "path"), completion: .file(), transform: FilesRead.note)
    var dissectors: [String] = []

    @Flag(help: "Show keys, passkeys and codes. They are withheld by default.")
    var showKeys = false

    /// The shipped definitions, for this output.
    private var shipped: DissectorLibrary { showKeys ? .shipped.showingKeys() : .shipped }

    /// Runs `body` with the definitions. Files with mistakes are skipped and reported on standard error, and make the status 1
    /// when `body` is done.
    func withLibrary(_ body: (DissectorLibrary) throws -> Void) throws {
        guard !dissectors.isEmpty else { return try body(shipped) }
        let sources: [DefinitionSource]
        do {
            sources = try dissectors.flatMap(DefinitionSource.files)
        } catch let mistake as DefinitionMistake {
            printError(mistake.description)
            throw ExitCode(1)
        }
        for source in sources { FilesRead.note(source.path) }
        let loader = DefinitionLoader(sources, above: .shipped)
        for mistake in loader.mistakes { printError("skipped: \(mistake)") }
        let library = shipped.adding(loader.files)
        if loader.mistakes.isEmpty { return try body(library) }
        // Findings do not hide the mistakes.
        do { try body(library) } catch let status as ExitCode where status == ExitCode(2) {}
        throw ExitCode(1)
    }
}

import ArgumentParser
import AttlasDefinitions
import AttlasDissection

/// `--dissectors PATH …`: a user's own definitions, before the shipped ones.
struct DissectorOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A definition file or a folder of them, before those that come with attlas. May be repeated.",
            valueName: "path"))
    var dissectors: [String] = []

    /// Files with mistakes are left out, and said on standard error.
    func library() throws -> DissectorLibrary {
        guard !dissectors.isEmpty else { return .shipped }
        var sources: [DefinitionSource] = []
        for path in dissectors {
            do {
                sources += try DefinitionSource.files(at: path)
            } catch let mistake as DefinitionMistake {
                printError(mistake.description)
                throw ExitCode.failure
            }
        }
        let loader = DefinitionLoader(sources, above: .shipped)
        for mistake in loader.mistakes { printError("left out: \(mistake)") }
        return DissectorLibrary.shipped.adding(loader.files)
    }
}

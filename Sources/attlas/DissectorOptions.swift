import ArgumentParser
import AttlasDefinitions
import AttlasDissection

/// Definitions besides those that come with attlas.
struct DissectorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file or a folder of definitions of your own; may be given several times.", valueName: "path"))
    var dissectors: [String] = []

    func library() throws -> DissectorLibrary {
        .shipped
    }
}

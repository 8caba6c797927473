import ArgumentParser
import AttlasDissection
import AttlasLint
import AttlasLocks
import AttlasReport
import AttlasValues

struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tell what became of a characteristic or a peer: discovered, subscribed to, sent, silent, ended.",
        discussion: """
            Each sentence names the frame that shows it. What lint found about it follows, then what to try, and what the capture \
            cannot tell.
            """)

    @Argument(help: CaptureOptions.filesHelp, completion: .file())
    var capture: String

    @Argument(
        help: "The name or the UUID of a characteristic, or the name or the address of a peer. Without it: every peer.",
        completion: .subjects)
    var subject: String?

    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup var color: ColorOptions

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let (subject, json, isColoured) = (subject, json, color.isColoured)
        let hasAnswer = Locked(false)
        try CaptureOptions.parse(["--", capture]).forEachDocument(gattDatabase.load(identity)) { _ in
            Interpreted(library: library) { WhyCollector(subject, values: $0) }
        } print: { model, info, file, _, output in
            if !model.answers.isEmpty { hasAnswer.withLock { $0 = true } }
            if json {
                var document = WhyJSON(model)
                document.write(file: info.file, into: &output)
            } else {
                var text = WhyText(model, width: Output.terminalWidth, isColoured: isColoured)
                text.write(file: file, into: &output)
            }
        }
        if subject != nil, !hasAnswer.withLock({ $0 }) { throw ExitCode(1) }
    }
}

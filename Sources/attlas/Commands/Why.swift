import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasLint
import AttlasLocks
import AttlasReport
import AttlasValues

struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "List what broke and why, or explain one characteristic or device.",
        discussion: "attlas help what-broke describes the kinds of incidents.")

    @Argument(
        help: ArgumentHelp("A capture, or a folder with captures; - is standard input.", valueName: "file"),
        completion: .file())
    var capture: String

    @Argument(
        help: """
            A characteristic or a device: a name, a UUID or an address, or a part of one. (default: all incidents)
            """,
        completion: .subjects)
    var subject: String?

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func validate() throws {
        if let subject, SystemCalls.status(of: subject) != nil {
            throw ValidationError(
                "“\(subject)” is a file, not a characteristic or a device: attlas why reads one capture or one folder.")
        }
    }

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let (subject, json, isColoured) = (subject, json, color.isColoured)
        let hasAnswer = Locked(false)
        try CaptureOptions.parse(["--", capture]).forEachDocument(decoding.loadDatabases()) { _ in
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

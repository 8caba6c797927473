import ArgumentParser
import AttlasDissection
import AttlasInference
import AttlasLocks
import AttlasReport
import AttlasValues

struct Infer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Propose the definition of a characteristic from its values.",
        discussion: """
            attlas infer capture.btsnoop FFE1 > device.yaml
            Each claim is a comment with its support. attlas help your-own-device shows the whole way.
            """)

    @Argument(
        help: ArgumentHelp("A capture, or a folder with captures; - is standard input.", valueName: "file"),
        completion: .file())
    var capture: String

    @Argument(
        help: """
            A UUID, its first digits, a handle (0x0010), or text in the name. (default: list the characteristics of vendors)
            """,
        completion: .characteristics)
    var characteristic: String?

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let (characteristic, json, isColoured) = (characteristic, json, color.isColoured)
        let hasAnswer = Locked(characteristic == nil)
        try CaptureOptions.parse(["--", capture]).forEachDocument(decoding.loadDatabases()) { _ in
            Interpreted(library: library) { InferenceCollector(characteristic, values: $0) }
        } print: { model, info, file, _, output in
            if model.characteristics.isEmpty {
                if let reason = model.whyNothing { printError("\(info.file): \(reason)") }
            } else {
                hasAnswer.withLock { $0 = true }
            }
            if json {
                var document = InferenceJSON(model)
                document.write(file: info.file, into: &output)
            } else {
                var text = InferenceText(model, width: Output.terminalWidth, isColoured: isColoured)
                text.write(file: file, into: &output)
            }
        }
        if !hasAnswer.withLock({ $0 }) { throw ExitCode(1) }
    }
}

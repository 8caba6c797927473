import ArgumentParser
import AttlasInference
import AttlasReport

struct Infer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Propose the definition of a characteristic from its values.",
        discussion: """
            attlas infer capture.btsnoop FFE1 > device.yaml
            Each claim is a comment with its support. attlas help your-own-device shows the whole way.
            """)

    @Argument(help: AnswerOptions.captureHelp, completion: .file())
    var capture: String

    @Argument(
        help: """
            A UUID, its first digits, a handle (0x0010), or text in the name. (default: list the characteristics of vendors)
            """,
        completion: .characteristics)
    var characteristic: String?

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let characteristic = characteristic
        let hasAnswer = try options.print(capture) {
            InferenceCollector(characteristic, values: $0)
        } hasAnswer: { model, info in
            if model.characteristics.isEmpty, let reason = model.whyNothing { printError("\(info.file): \(reason)") }
            return !model.characteristics.isEmpty
        } json: { model, file, output in
            var document = InferenceJSON(model)
            document.write(file: file, into: &output)
        } text: { model, file, isColoured, output in
            var text = InferenceText(model, width: Output.terminalWidth, isColoured: isColoured)
            text.write(file: file, into: &output)
        }
        if characteristic != nil, !hasAnswer { throw ExitCode(1) }
    }
}

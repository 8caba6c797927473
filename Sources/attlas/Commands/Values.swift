import ArgumentParser
import AttlasInference
import AttlasReport

struct Values: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "values",
        abstract: "List the distinct values of a characteristic, and the range of each octet.")

    @Argument(help: AnswerOptions.captureHelp, completion: .file())
    var capture: String

    @Argument(
        help: "A UUID, its first digits, a handle (0x0010), or text in the name.", completion: .characteristics)
    var characteristic: String

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let characteristic = characteristic
        let hasAnswer = try options.print(capture) {
            ValuesCollector(characteristic, values: $0)
        } hasAnswer: { model, info in
            if model.characteristics.isEmpty, let reason = model.whyNothing { printError("\(info.file): \(reason)") }
            return !model.characteristics.isEmpty
        } json: { model, file, output in
            var document = ValuesJSON(model)
            document.write(file: file, into: &output)
        } text: { model, file, isColoured, output in
            var text = ValuesText(model, width: Output.terminalWidth, isColoured: isColoured)
            text.write(file: file, into: &output)
        }
        if !hasAnswer { throw ExitCode(1) }
    }
}

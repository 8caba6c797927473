import ArgumentParser
import AttlasCapture
import AttlasDocuments
import AttlasLint
import AttlasRecords
import AttlasText

struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "List what broke and why, or explain one characteristic or device.",
        discussion: "attlas help what-broke describes the kinds of incidents.")

    @Argument(help: AnswerOptions.captureHelp, completion: .file(), transform: FilesRead.note)
    var capture: String

    @Argument(
        help: """
            A characteristic or a device: a name, a UUID or an address, or a part of one. (default: all incidents)
            """,
        completion: .subjects)
    var subject: String?

    @OptionGroup var options: AnswerOptions

    func validate() throws {
        if let subject, SystemCalls.status(of: subject) != nil {
            throw ValidationError(
                "“\(subject)” is a file, not a characteristic or a device: attlas why reads one capture or one folder.")
        }
    }

    func run() throws {
        let subject = subject
        let hasAnswer = try options.print(capture) {
            WhyCollector(subject, values: $0)
        } hasAnswer: { model, _ in
            !model.answers.isEmpty
        } json: { model, file, output in
            var document = WhyJSON(model)
            document.write(file: file, into: &output)
        } text: { model, file, isColoured, output in
            var text = WhyText(model, width: Output.terminalWidth, isColoured: isColoured)
            text.write(file: file, into: &output)
        }
        if subject != nil, !hasAnswer { throw ExitCode(1) }
    }
}

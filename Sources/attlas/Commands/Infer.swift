import ArgumentParser
import AttlasCapture
import AttlasDocuments
import AttlasInference
import AttlasInput
import AttlasRecords
import AttlasScreen
import AttlasText

struct Infer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Propose the definition of a characteristic from its values.",
        discussion: """
            attlas infer capture.btsnoop FFE1 > device.yaml
            Each claim is a comment with its support. attlas help your-own-device shows the whole way.
            """)

    @Argument(help: AnswerOptions.captureHelp, completion: .file(), transform: FilesRead.note)
    var capture: String

    @Argument(
        help: """
            A UUID, its first digits, a handle (0x0010), or text in the name; manufacturer-data:0x0499, service-data:FCD2 or ad-structure:0xEE for advertised data; rfcomm:5 or psm:0x1001 for a channel. (default: list the characteristics of vendors, and advertised data without a definition)
            """,
        completion: .characteristics)
    var characteristic: String?

    @Option(
        help: ArgumentHelp(
            "What you did, after a time or a frame: '12:03:05 lights on', '37.5 lights on'. Repeat it for each action.",
            valueName: "text"))
    var mark: [String] = []

    @Option(
        help: ArgumentHelp("A file with such lines, as attlas open and live write them.", valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var marks: String?

    @OptionGroup var options: AnswerOptions

    func run() throws {
        let (characteristic, marks) = (characteristic, try readMarks())
        let hasAnswer = try options.print(capture) {
            InferenceCollector(characteristic, marks: marks, values: $0)
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

    private func readMarks() throws -> [UserMark] {
        var all = try mark.map { text in
            guard let mark = UserMark(text[...]) else {
                throw ValidationError(
                    "--mark takes a time or a frame, and what you did: '12:03:05 lights on', not '\(text)'.")
            }
            return mark
        }
        guard let marks else { return all }
        let octets = try orExit { () throws(CaptureError) in
            try [UInt8](contentsOf: marks, limit: RecordingMarks.fileLimit)
        }
        var mistakes: [Int] = []
        for (index, line) in RecordingMarks.lines(octets).enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            if let mark = UserMark(line), all.count < RecordingMarks.limit {
                all.append(mark)
            } else {
                mistakes.append(index + 1)
            }
        }
        if let first = mistakes.first {
            let others = mistakes.count - 1
            let more = others == 0 ? "" : ", and \(others) more line\(others == 1 ? "" : "s")"
            printError(
                "\(marks):\(first)\(more): no mark, or more than \(RecordingMarks.limit). Write a time or a frame, and what you did: '12:03:05 lights on'"
            )
        }
        if all.isEmpty {
            printError("\(marks): it has no marks")
            throw ExitCode(1)
        }
        return all
    }
}

import ArgumentParser
import AttlasDocuments
import AttlasInference
import AttlasLocks
import AttlasRecords
import AttlasText

struct Values: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "values",
        abstract: "List the distinct values of a characteristic, and the range of each octet.")

    @Argument(help: AnswerOptions.captureHelp, completion: .file(), transform: FilesRead.note)
    var capture: String

    @Argument(
        help:
            "A UUID, its first digits, a handle (0x0010), or text in the name; manufacturer-data:0x0499, service-data:FCD2 or ad-structure:0xEE for advertised data; rfcomm:5 or psm:0x1001 for a channel.",
        completion: .characteristics)
    var characteristic: String

    @Flag(help: "List the values in their order, with ·· for octets that are as in the value before.")
    var changes = false

    @Option(
        help: ArgumentHelp("List them with ·· for octets that are as in the value of this frame.", valueName: "frame"))
    var against: Int?

    @Option(
        help: ArgumentHelp("Say what differs from the values in another capture.", valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var compare: String?

    @OptionGroup var options: AnswerOptions

    func validate() throws {
        if [compare != nil, changes, against != nil].count(where: \.self) > 1 {
            throw ValidationError("Of --changes, --against and --compare, one can be given.")
        }
        if options.json, changes || against != nil {
            throw ValidationError("--json has all values; --changes and --against are for the text.")
        }
        if let against, against < 1 { throw ValidationError("--against takes a frame: the first one is 1.") }
    }

    func run() throws {
        guard let compare else { return try print(capture) }
        if options.json {
            try print(capture)
            return try print(compare)
        }
        let models = Locked<[ValuesModel]>([])
        var status: ExitCode?
        for (index, path) in [capture, compare].enumerated() {
            do {
                try print(path) { model, _, _, _ in models.withLock { $0.append(model) } }
            } catch let code as ExitCode {
                // Values that could be read are compared.
                status = code
            }
            let count = models.withLock { $0.count }
            guard count == index + 1 else {
                if count > index + 1 { printError("\(path): it has several captures, and --compare takes one") }
                throw ExitCode(1)
            }
        }
        let all = models.withLock { $0 }
        var text = ValuesDifferenceText(
            ValuesDifference(all[0], all[1]), width: Output.terminalWidth, isColoured: options.color.isColoured)
        try printing { text.write(into: &$0) }
        if let status { throw status }
    }

    /// - Parameter printText: as `AnswerOptions.print` has it; nil for the list of values.
    private func print(
        _ capture: String, text printText: (@Sendable (ValuesModel, String?, Bool, inout Output) -> Void)? = nil
    ) throws {
        let (characteristic, against) = (characteristic, against)
        let listing: ValuesText.Listing = against.map { .against(frame: $0) } ?? (changes ? .changes : .distinct)
        let hasAnswer = try options.print(capture) {
            ValuesCollector(characteristic, values: $0)
        } hasAnswer: { model, info in
            if model.characteristics.isEmpty, let reason = model.whyNothing { printError("\(info.file): \(reason)") }
            if let against, !model.characteristics.isEmpty, !model.hasValue(inFrame: against) {
                printError(
                    "\(info.file): frame \(against) has no whole value of \"\(characteristic)\" that may be shown")
                return false
            }
            return !model.characteristics.isEmpty
        } json: { model, file, output in
            var document = ValuesJSON(model)
            document.write(file: file, into: &output)
        } text: { model, file, isColoured, output in
            if let printText { return printText(model, file, isColoured, &output) }
            if let against, !model.hasValue(inFrame: against) { return }
            var text = ValuesText(model, width: Output.terminalWidth, isColoured: isColoured)
            text.listing = listing
            text.write(file: file, into: &output)
        }
        if !hasAnswer { throw ExitCode(1) }
    }
}

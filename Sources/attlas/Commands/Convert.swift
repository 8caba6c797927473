import ArgumentParser
import AttlasCapture
import AttlasInput
import AttlasLive
import AttlasWire

struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert captures or a pasted log to another format.",
        discussion: """
            Several inputs are merged by time. OUT appears when it is complete, and what its format cannot hold is reported before. In \
            pcapng, packets rebuilt from a text have a comment.
            """)

    @Argument(
        help: ArgumentHelp(
            "Captures, or a text with a log; - is standard input. The last is the file to write.",
            valueName: "in> … <out"),
        completion: .file())
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "The format to write. (default: by the suffix of OUT: .btsnoop, .pcap, .pcapng or .pklg)",
            valueName: "format"))
    var to: RecordFormat?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What the lines of a hex dump are, if they do not show it.", valueName: "kind"))
    var kind: TextKind?

    @Flag(help: "Replace OUT if it exists.")
    var force = false

    private var inputs: [String] { Array(paths.dropLast()) }
    private var output: String { paths.last ?? "" }
    /// The only one in which this command writes.
    var folder: String? { Privileges.folder(of: output) }

    func validate() throws {
        guard paths.count > 1 else {
            throw ValidationError(
                paths.isEmpty ? "Missing expected argument '<in>'" : "Missing expected argument '<out>'")
        }
        guard to != nil || RecordFormat(path: output) != nil else {
            throw ValidationError(
                "The name of the file to write ends in .btsnoop, .pcap, .pcapng or .pklg; otherwise --to names its format."
            )
        }
        if inputs.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
        if kind != nil, inputs.count > 1 { throw ValidationError("--as is for one text.") }
    }

    func run() throws {
        Interruption.install()
        let isWhole = try orExit(write)
        if !isWhole || Interruption.isRequested { throw ExitCode(1) }
    }

    /// - Returns: whether the inputs could be read to their ends.
    private func write() throws(CaptureError) -> Bool {
        guard let format = to ?? RecordFormat(path: output) else { return false }
        // In an archive and in a text, the name of a capture follows that of the file.
        let sources = inputs.map { $0.split(separator: "!/", maxSplits: 1).first.map(String.init) ?? $0 }
        try RecordWriter.check(path: output, rotation: .init(), replaces: force, sources: sources)
        var input = try ConvertedCaptures(inputs, as: kind)
        let writer = try RecordWriter(
            whole: output, format, about: input.about, replaces: force, sources: sources)
        var losses = ConversionLosses(format)
        let interfaces = input.merge.interfaces
        while writer.failure == nil, !Interruption.isRequested, let record = input.merge.next() {
            let isWritten = writer.write(record, of: interfaces.list)
            losses.note(record, of: interfaces.list, isWritten: isWritten)
        }
        return try complete(writer, losses, &input)
    }

    private func complete(
        _ writer: RecordWriter, _ losses: ConversionLosses, _ input: inout ConvertedCaptures
    ) throws(CaptureError) -> Bool {
        let failures = input.failures
        for failure in failures { printError(failure.detailedDescription) }
        for notice in writer.takeNotices() { printError(notice.detailedDescription) }
        if Interruption.isRequested {
            printError("\(output): interrupted; nothing was written")
        } else if writer.failure == nil {
            for sentence in losses.sentences(input.infos, hasRoundedTime: writer.hasRoundedTime) {
                printError("\(output): \(sentence)")
            }
        }
        let isKept = losses.packets > 0 && !Interruption.isRequested
        try writer.complete(isKept: isKept)
        if !isKept, !Interruption.isRequested {
            throw CaptureError(
                .empty, file: inputs.joined(separator: ", "), "it has no packets: nothing was written")
        }
        input.reportOthers()
        return failures.isEmpty
    }
}

extension TextKind: ExpressibleByArgument {}
extension RecordFormat: ExpressibleByArgument {}

import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasRecords
import AttlasScreen
import AttlasTrace
import AttlasWire

struct Convert: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert captures or a pasted log to another format, whole or in part.",
        discussion: """
            Several inputs are merged by time. OUT appears only when it is complete. Data that its format cannot hold is left out and reported. \
            In pcapng, packets rebuilt from a text have a comment.
            """)

    @Argument(
        help: ArgumentHelp(
            "Captures, or a text with a log; - is standard input. The last is the file to write.",
            valueName: "in> … <out"),
        completion: .file())
    var paths: [String]

    @Option(help: RecordFormat.help)
    var format: RecordFormat?

    @Flag(help: "Replace OUT if it exists.")
    var force = false

    @Flag(help: "Align all clocks to the first input's, by ATT PDUs that both captures contain.")
    var align = false

    @Flag(help: "Add attlas's line for each packet as a comment, with incidents and findings. pcapng only.")
    var annotate = false

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp("Write only the records of this incident, as attlas why numbers it.", valueName: "number"))
    var incident: Int?

    @Flag(help: "Also write the records that decode the selection: connections, discovery, MTU and security.")
    var withContext = false

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    private var kind: TextKind? { decoding.logs.kind }
    private var inputs: [String] { Array(paths.dropLast()) }
    private var output: String { paths.last ?? "" }
    private var target: OutputPath { OutputPath(output, replaces: force) }
    var outputs: [OutputPath] {
        // Before they are checked.
        for input in inputs { FilesRead.note(input) }
        return [target]
    }

    func validate() throws {
        guard paths.count > 1 else {
            throw ValidationError(
                paths.isEmpty ? "Missing expected argument '<in>'" : "Missing expected argument '<out>'")
        }
        guard format != nil || RecordFormat(path: output) != nil else {
            throw ValidationError(RecordFormat.mistake)
        }
        if inputs.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
        if kind != nil, inputs.count > 1 { throw ValidationError("--as is for one text.") }
        if annotate, (format ?? RecordFormat(path: output)) != .pcapng {
            throw ValidationError("--annotate writes pcapng: other formats have no comments.")
        }
        if align, inputs.count < 2 { throw ValidationError("--align needs several inputs.") }
        if incident != nil, selection.isSet { throw ValidationError("--incident is a selection by itself.") }
        if withContext, incident == nil, !selection.isSet {
            throw ValidationError("--with-context needs a selection, such as --filter or --incident.")
        }
    }

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let databases = decoding.loadDatabases()
        let selection = try selection.selection(library)
        let isWhole = try orExit { () throws(CaptureError) in
            try write(selection, CaptureDecoding(paths: inputs, kind: kind, library: library, databases: databases))
        }
        if !isWhole || databases.hasFailed { throw ExitCode(1) }
    }

    /// - Returns: whether the inputs could be read to their ends.
    private func write(_ selection: Selection, _ decoding: CaptureDecoding) throws(CaptureError) -> Bool {
        guard let format = format ?? RecordFormat(path: output) else { return false }
        var decoding = decoding
        if align { try decoding.align() }
        var wanted = RecordSelection(selection, incident: incident, keepsContext: withContext, decoding)
        try wanted.settle()
        let notes = annotate ? try decoding.notes() : nil
        var trace = decoding.databases.makeTrace()
        var input = try ConvertedCaptures(inputs, as: kind, clocks: decoding.clocks, settling: &trace)
        let writer = try RecordWriter(whole: target, format, about: input.about)
        var losses = ConversionLosses(format)
        let interfaces = input.merge.interfaces
        let start = trace.start
        var first: Timestamp?
        var annotator: RecordAnnotator?
        if let notes { annotator = RecordAnnotator(trace, notes, library: decoding.library) }
        var comments: [UInt8] = []
        while writer.failure == nil, let record = input.merge.next() {
            if first == nil { first = start ?? record.time }
            comments.removeAll(keepingCapacity: true)
            annotator?.annotate(record, &comments)
            if wanted.holds(record, start: first ?? record.time) {
                let isWritten = writer.write(record, of: interfaces.list, comments: comments)
                losses.note(record, of: interfaces.list, isWritten: isWritten)
            }
            if record.frame >= wanted.recordLimit { break }
        }
        return try complete(writer, losses, &input, isSelection: !wanted.isEverything)
    }

    private func complete(
        _ writer: RecordWriter, _ losses: ConversionLosses, _ input: inout ConvertedCaptures, isSelection: Bool
    ) throws(CaptureError) -> Bool {
        let failures = input.failures
        for failure in failures { printError(failure.detailedDescription) }
        for notice in writer.takeNotices() { printError(notice.detailedDescription) }
        if writer.failure == nil {
            for sentence in losses.sentences(input.infos, hasRoundedTime: writer.hasRoundedTime) {
                printError("\(output): \(sentence)")
            }
        }
        try writer.complete(isKept: losses.packets > 0)
        if losses.packets == 0 {
            throw CaptureError(
                .empty, file: inputs.joined(separator: ", "),
                isSelection
                    ? "no packets are selected: nothing was written" : "it has no packets: nothing was written")
        }
        input.reportOthers()
        return failures.isEmpty
    }
}

extension RecordFormat: ExpressibleByArgument {
    private static let suffixes = ".btsnoop, .pcap, .pcapng, .pklg or .txt"
    static let help = ArgumentHelp(
        "The format to write. (default: by the suffix of OUT: \(suffixes))", valueName: "format")
    static let mistake = "The file to write needs the suffix \(suffixes), or --format."
}

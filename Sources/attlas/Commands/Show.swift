import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasFilter
import AttlasImport
import AttlasIncidents
import AttlasInput
import AttlasLint
import AttlasMetrics
import AttlasReport
import AttlasTrace
import AttlasValues

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the conversation: a line for each GATT operation, decoded, and a summary at the end.",
        discussion: """
            FILE is a path, or - for standard input. The format is detected from the first octets. Several files are \
            independent captures.
            """)

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    @Flag(help: "Print one JSON object per line (NDJSON) instead of text.")
    var json = false

    @Flag(help: "Print a table (CSV) instead of text, with a row for each ATT operation.")
    var csv = false

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            "With --csv: print a row for each value with this field instead. May be repeated.", valueName: "name"))
    var fields: [String] = []

    @Flag(help: "Also show HCI commands and events, packets from the air, L2CAP frames and advertising.")
    var hci = false

    @Flag(help: "Show the octets of every packet below its line. Keys are withheld without --show-keys.")
    var hex = false

    @Flag(
        inversion: .prefixedNo,
        help: "Begin each line of text with the number of its frame. (default: where a line has 128 columns)")
    var frameNumbers: Bool?

    @Option(
        help: """
            The format of times: absolute (UTC), local (the time zone of this machine), clock (its time of day), relative \
            to the first record, delta to the line before. JSON and CSV use UTC.
            """)
    var time = ConversationText.Options.Time.relative

    @Flag(
        help: """
            Also show what lint finds, each below the line of its record, and with --json what broke, at the end. The file is \
            read twice.
            """)
    var findings = false

    @OptionGroup var color: ColorOptions

    func validate() throws {
        if findings && (csv || input.join) {
            throw ValidationError("--findings works with text and --json, not with --csv or --join.")
        }
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if hex && (json || csv) {
            throw ValidationError("--hex works with text only; --json and --csv have every value in hexadecimal.")
        }
        if hci && csv {
            throw ValidationError("--hci works with text and --json; a table contains ATT operations only.")
        }
        if csv && selection.context != nil { throw ValidationError("-C works with text and --json, not with --csv.") }
        if !fields.isEmpty && !csv { throw ValidationError("--field needs --csv.") }
    }

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let selection = try selection.selection(library)
        let fields = try knownFields(library)
        let databases = gattDatabase.load(identity)
        let (json, csv, hci, isJoined, showsFindings, options) = (json, csv, hci, input.join, self.findings, options)
        let threads = input.threads
        try input.forEachCapture(hasFailed: databases.hasFailed) { reader, file, turn throws(CaptureError) in
            let selection = selection.knowingPeers(of: reader.info, databases.makeTrace)
            let found = showsFindings ? lintFindings(in: reader.info.file, library, databases.makeTrace) : []
            let makeIncidents: @Sendable () -> IncidentCollector = {
                IncidentCollector(values: ValueInterpreter(library: library))
            }
            try turn.write { output, isFirst throws(CaptureError) in
                func show<Sink: LineSink>(
                    isOneThread: Bool = false, hasIncidents: Bool = false,
                    _ makeSink: @escaping @Sendable (ValueInterpreter) -> Sink,
                    begin:
                        @escaping @Sendable (
                            inout Sink, CaptureInfo, CaptureExtent, borrowing Trace
                        ) -> Void = { _, _, _, _ in },
                    end:
                        @escaping @Sendable (
                            inout Sink, ShownTotals, CaptureIntegrity, CaptureInfo, borrowing Trace
                        ) -> Void = { _, _, _, _, _ in }
                ) throws(CaptureError) {
                    let showing = Showing(
                        makeSink: {
                            Interpreted(library: library) { values in
                                Selected(
                                    sink: makeSink(values), selection: selection, values: values,
                                    findings: FindingLines(found))
                            }
                        },
                        incidents: hasIncidents ? makeIncidents : nil,
                        makeTrace: databases.makeTrace, recordLimit: selection.recordLimit,
                        isOneThread: isOneThread || isJoined || showsFindings || selection.context != nil,
                        threads: threads, begin: begin, end: end)
                    try showing.show(&reader, &output) { trace, info, integrity, foundNothing in
                        turn.note(integrity)
                        databases.report(trace, info)
                        if csv { for (what, _) in integrity.sentences { printError("\(info.file): \(what)") } }
                        if foundNothing {
                            let reason = selection.whyNothing(in: trace, integrity.extent, library)
                            printError("\(info.file): \(reason)")
                        }
                    }
                }
                if json {
                    try show(hasIncidents: showsFindings) {
                        ConversationJSON(values: $0, showsHCI: hci, file: file)
                    } begin: { sink, info, _, trace in
                        sink.begin(info, onlySide: trace.onlySide)
                    } end: { sink, totals, integrity, info, _ in
                        sink.begin(info, onlySide: integrity.onlySide)
                        sink.end(integrity, info, totals.incidents)
                    }
                } else if csv, fields.isEmpty {
                    try show(isOneThread: true) { ConversationCSV(values: $0, file: file, hasHeader: isFirst) }
                } else if csv {
                    try show(isOneThread: true) {
                        FieldSeries(names: fields, values: $0, file: file, hasHeader: isFirst)
                    } end: { sink, _, _, info, _ in
                        guard sink.rows == 0 else { return }
                        let names = fields.map { "\"\($0)\"" }.joined(separator: " or ")
                        printError("\(info.file): no value that is shown has a field \(names)")
                    }
                } else {
                    try show(isOneThread: options.time == .delta, hasIncidents: true) { values in
                        var text = ConversationText(values: values, options: options)
                        if !isFirst { text.separate() }
                        return text
                    } begin: { sink, info, extent, trace in
                        sink.begin(info, extent, onlySide: trace.onlySide, origin: trace.origin)
                    } end: { sink, totals, integrity, info, trace in
                        sink.end(totals, integrity, info, in: trace)
                    }
                }
            }
        }
    }

    /// The fields as their definitions spell them.
    private func knownFields(_ library: DissectorLibrary) throws -> [String] {
        guard !fields.isEmpty else { return [] }
        let known = library.fieldNames
        return try fields.map { field in
            if let name = known.first(where: { $0.lowercased() == field.lowercased() }) { return name }
            if ValueShape.mayName(field, in: library.assignedNumbers) { return field }
            throw ValidationError(
                "There is no definition with a field \"\(field)\"\(NearestWord.suggestion(for: field, among: known))")
        }
    }

    private var options: ConversationText.Options {
        var options = ConversationText.Options()
        options.time = time
        options.showsHCI = hci
        options.showsHex = hex
        options.width = Output.terminalWidth
        options.showsFrames = frameNumbers ?? ConversationText.Options.hasRoomForFrames(width: options.width)
        options.isColoured = color.isColoured
        return options
    }
}

extension ConversationText.Options.Time: ExpressibleByArgument {}

/// What lint finds in a file.
private func lintFindings(
    in path: String, _ library: DissectorLibrary, _ makeTrace: () -> Trace
) -> [LintFinding] {
    guard SystemCalls.regularFileSize(path) != nil, var reader = try? CaptureReader(path: path) else {
        printError("\(path): its findings are not shown, because it cannot be read twice")
        return []
    }
    var found: [LintFinding] = []
    // An error is reported by the reading that shows what was decoded before it.
    try? gather(&reader, Interpreted(library: library) { LintCollector(values: $0) }, makeTrace()) { model, _, _ in
        found = model.findings
    }
    return found
}

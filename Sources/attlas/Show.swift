import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasMetrics
import AttlasReport
import AttlasTrace

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the conversation: a line for each GATT operation, decoded, and a summary at the end.",
        discussion: """
            FILE is a path, or - for standard input; its format is told from its first octets. Several files are \
            independent captures.
            """)

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    @Flag(help: "One JSON object a line (NDJSON) instead of text.")
    var json = false

    @Flag(help: "A table (CSV) instead of text: a row for each ATT operation.")
    var csv = false

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            "With --csv: a row for each value that has this field, instead. May be repeated.", valueName: "name"))
    var fields: [String] = []

    @Flag(help: "HCI commands and events, packets of the air, L2CAP frames and advertising, too.")
    var hci = false

    @Flag(help: "The octets of every ATT PDU below its line.")
    var hex = false

    @Option(
        help: """
            How times are shown: absolute (UTC), local (the time zone of this machine), relative to the first line, delta \
            to the line before. JSON and CSV have UTC.
            """)
    var time = ConversationText.Options.Time.relative

    @OptionGroup var color: ColorOptions

    func validate() throws {
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if hex && (json || csv) {
            throw ValidationError("--hex goes with text; --json and --csv have every value in hexadecimal.")
        }
        if hci && csv { throw ValidationError("--hci goes with text and --json; a table has ATT operations only.") }
        if csv && selection.context != nil { throw ValidationError("-C goes with text and --json, not with a table.") }
        if !fields.isEmpty && !csv { throw ValidationError("--field goes with --csv.") }
    }

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let selection = try selection.selection(library)
        let fields = try knownFields(library)
        let databases = gattDatabase.load(identity)
        var isFirst = true
        try input.forEachCapture { reader, file, output throws(CaptureError) in
            defer { isFirst = false }
            let values = ValueReader(library: library)
            func selected<Sink: LineSink>(_ sink: Sink) -> Selected<Sink> {
                Selected(sink: sink, selection: selection, values: values)
            }
            if json {
                let sink = ConversationJSON(values: values, showsHCI: hci, file: file)
                try show(&reader, selected(sink), selection, databases, &output) {
                    $0.begin($1)
                } end: {
                    $0.end($1)
                }
            } else if csv, fields.isEmpty {
                let sink = ConversationCSV(values: values, file: file, hasHeader: isFirst)
                try show(&reader, selected(sink), selection, databases, &output)
            } else if csv {
                let sink = FieldSeries(
                    names: fields, values: values, file: file, hasHeader: isFirst)
                try show(&reader, selected(sink), selection, databases, &output)
            } else {
                let sink = ConversationText(values: values, options: options)
                try showText(&reader, selected(sink), selection, databases, isFirst: isFirst, &output)
            }
        }
        if databases.hasFailed { throw ExitCode(1) }
    }

    /// The fields as their definitions spell them.
    private func knownFields(_ library: DissectorLibrary) throws -> [String] {
        guard !fields.isEmpty else { return [] }
        let known = library.fieldNames
        return try fields.map { field in
            if let name = known.first(where: { $0.lowercased() == field.lowercased() }) { return name }
            throw ValidationError(
                "No definition has a field \"\(field)\"\(NearestWord.suggestion(for: field, among: known))")
        }
    }

    private var options: ConversationText.Options {
        var options = ConversationText.Options()
        options.time = time
        options.showsHCI = hci
        options.showsHex = hex
        options.width = Output.terminalWidth
        options.isColoured = color.isColoured
        return options
    }

    /// - Parameters:
    ///   - begin: called behind the first record, before which a capture may not tell what it is.
    ///   - end: called behind the last.
    private func show<Sink: LineSink>(
        _ reader: inout CaptureReader, _ sink: Selected<Sink>, _ selection: Selection,
        _ databases: ImportedDatabases, _ output: inout Output,
        begin: (inout Sink, CaptureInfo) -> Void = { _, _ in }, end: (inout Sink, CaptureInfo) -> Void = { _, _ in }
    ) throws(CaptureError) {
        var sink = sink
        var trace = databases.makeTrace()
        var extent = CaptureExtent()
        defer {
            trace.finish(into: &sink)
            begin(&sink.sink, reader.info)
            end(&sink.sink, reader.info)
            sink.sink.drain(into: &output, isForced: true)
            databases.report(trace, reader.info.file)
        }
        while try decode(&reader, &trace, &extent, &sink, note: { $0.sink.note($1, of: $2) }) {
            if extent.records == 1 { begin(&sink.sink, reader.info) }
            sink.sink.drain(into: &output, isForced: reader.isDrained)
            if output.isClosed || selection.isPast(extent.records) { break }
        }
    }

    private func showText(
        _ reader: inout CaptureReader, _ sink: Selected<ConversationText>, _ selection: Selection,
        _ databases: ImportedDatabases, isFirst: Bool, _ output: inout Output
    ) throws(CaptureError) {
        var sink = Both(first: sink, second: ConversationTotals())
        var trace = databases.makeTrace()
        var extent = CaptureExtent()
        if !isFirst { sink.first.sink.separate() }
        defer {
            trace.finish(into: &sink)
            sink.first.sink.end(sink.second, extent, reader.info, in: trace)
            sink.first.sink.drain(into: &output, isForced: true)
            databases.report(trace, reader.info.file)
        }
        while try decode(&reader, &trace, &extent, &sink, note: { $0.first.sink.note($1, of: $2) }) {
            if extent.records == 1 { sink.first.sink.begin(reader.info, extent) }
            sink.first.sink.drain(into: &output, isForced: reader.isDrained)
            if output.isClosed || selection.isPast(extent.records) { break }
        }
    }

    /// Decodes one record; false at the end.
    /// - Parameter note: called before that, when somebody wrote comments beside the record.
    private func decode<Sink: EventSink>(
        _ reader: inout CaptureReader, _ trace: inout Trace, _ extent: inout CaptureExtent, _ sink: inout Sink,
        note: (inout Sink, [String], _ frame: Int) -> Void
    ) throws(CaptureError) -> Bool {
        guard let record = try reader.next() else { return false }
        extent.note(record)
        if !record.comments.isEmpty { note(&sink, record.comments, record.frame) }
        trace.decode(record, into: &sink)
        return true
    }
}

extension ConversationText.Options.Time: ExpressibleByArgument {}

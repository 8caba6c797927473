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

    @Flag(help: "One JSON object a line (NDJSON) instead of text.")
    var json = false

    @Flag(help: "HCI commands and events, L2CAP frames and advertising, too.")
    var hci = false

    @Flag(help: "The octets of every ATT PDU below its line.")
    var hex = false

    @Option(help: "How times are shown: absolute (UTC), relative to the first line, delta to the line before.")
    var time = ConversationText.Options.Time.relative

    @OptionGroup var color: ColorOptions

    func validate() throws {
        if json && hex {
            throw ValidationError("--hex does nothing with --json, where every value is given in hexadecimal.")
        }
    }

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let values = ValueReader(library: library)
        let selection = selection.selection
        var isFirst = true
        try input.forEachCapture { reader, file, output throws(CaptureError) in
            if json {
                let sink = ConversationJSON(values: values, showsHCI: hci, file: file)
                let selected = Selected(sink: sink, selection: selection, library: library)
                try showJSON(&reader, selected, &output)
            } else {
                let sink = ConversationText(values: values, options: options)
                let selected = Selected(sink: sink, selection: selection, library: library)
                try showText(&reader, selected, isFirst: isFirst, &output)
            }
            isFirst = false
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

    private func showJSON(
        _ reader: inout CaptureReader, _ sink: Selected<ConversationJSON>, _ output: inout Output
    ) throws(CaptureError) {
        var sink = sink
        var trace = Trace()
        var extent = CaptureExtent()
        defer {
            trace.finish(into: &sink)
            sink.sink.begin(reader.info)
            sink.sink.end(reader.info)
            sink.sink.drain(into: &output)
        }
        while try decode(&reader, &trace, &extent, &sink) {
            if extent.records == 1 { sink.sink.begin(reader.info) }
            if sink.sink.pendingCount >= Output.chunk || reader.isDrained { sink.sink.drain(into: &output) }
            if output.isClosed || selection.selection.isPast(extent.records) { break }
        }
    }

    private func showText(
        _ reader: inout CaptureReader, _ sink: Selected<ConversationText>, isFirst: Bool, _ output: inout Output
    ) throws(CaptureError) {
        var sink = Both(first: sink, second: ConversationTotals())
        var trace = Trace()
        var extent = CaptureExtent()
        if !isFirst { sink.first.sink.separate() }
        defer {
            trace.finish(into: &sink)
            sink.first.sink.end(sink.second, extent, reader.info, in: trace)
            sink.first.sink.drain(into: &output)
        }
        while try decode(&reader, &trace, &extent, &sink) {
            if extent.records == 1 { sink.first.sink.begin(reader.info, extent) }
            if sink.first.sink.pendingCount >= Output.chunk || reader.isDrained {
                sink.first.sink.drain(into: &output)
            }
            if output.isClosed || selection.selection.isPast(extent.records) { break }
        }
    }

    /// Decodes one record; false at the end.
    private func decode(
        _ reader: inout CaptureReader, _ trace: inout Trace, _ extent: inout CaptureExtent, _ sink: inout some EventSink
    ) throws(CaptureError) -> Bool {
        guard let record = try reader.next() else { return false }
        extent.note(record)
        trace.decode(record, into: &sink)
        return true
    }
}

extension ConversationText.Options.Time: ExpressibleByArgument {}

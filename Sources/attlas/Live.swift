import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasMetrics
import AttlasReport
import AttlasTrace

struct Live: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the conversation while it happens.",
        discussion: """
            Without a source it listens to the Linux HCI monitor, which hears every controller and needs the capability \
            CAP_NET_RAW. From another machine: ssh pi sudo btmon -w /dev/stdout | attlas live -
            Control-C ends it with a summary.
            """)

    @OptionGroup var source: LiveOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions

    @Flag(help: "One JSON object a line (NDJSON) instead of text.")
    var json = false

    @Flag(help: "HCI commands and events, L2CAP frames and advertising, too.")
    var hci = false

    @Flag(help: "The octets of every ATT PDU below its line.")
    var hex = false

    @Option(help: "How times are shown: local (the time zone of this machine), absolute (UTC), relative, delta.")
    var time = ConversationText.Options.Time.local

    @OptionGroup var color: ColorOptions

    func validate() throws {
        if hex && json { throw ValidationError("--hex goes with text; --json has every value in hexadecimal.") }
    }

    func run() throws {
        if source.listDevices { return try listDevices() }
        try dissectors.withLibrary(run)
    }

    private func listDevices() throws {
        do {
            for device in try LiveSource.devices() {
                print(device.name + (device.description.map { "  (\($0))" } ?? ""))
            }
        } catch {
            printError(error.detailedDescription)
            throw ExitCode(1)
        }
    }

    private func run(_ library: DissectorLibrary) throws {
        Interruption.install()
        let values = ValueReader(library: library)
        let selection = try selection.selection(library)
        let databases = gattDatabase.load(identity)
        var isRecorded = true
        do throws(CaptureError) {
            if json {
                let sink = ConversationJSON(values: values, showsHCI: hci, file: nil)
                isRecorded = try listen(Selected(sink: sink, selection: selection, values: values), databases) {
                    $0.begin($1)
                } note: {
                    $0.note($1, of: $2)
                } end: { sink, _, _, info, _ in
                    sink.end(info)
                }
            } else {
                let sink = ConversationText(values: values, options: options)
                isRecorded = try listen(Selected(sink: sink, selection: selection, values: values), databases) { _, _ in
                } note: {
                    $0.note($1, of: $2)
                } end: { sink, totals, extent, info, trace in
                    var info = info
                    info.file = source.write ?? info.file
                    sink.end(totals, extent, info, in: trace)
                }
            }
        } catch {
            printError(error.detailedDescription)
            throw ExitCode(1)
        }
        if databases.hasFailed || !isRecorded { throw ExitCode(1) }
    }

    private var options: ConversationText.Options {
        var options = ConversationText.Options()
        options.time = time
        options.showsHCI = hci
        options.showsHex = hex
        options.width = Output.terminalWidth
        options.isColoured = color.isColoured
        // What was live is gone unless it was recorded.
        options.suggestsTree = source.write != nil
        return options
    }

    /// Decodes what comes until the user or the source ends it; a file that was replaced is opened again.
    /// - Returns: whether all of it was recorded.
    private func listen<Sink: LineSink>(
        _ sink: Selected<Sink>, _ databases: ImportedDatabases, begin: (inout Sink, CaptureInfo) -> Void,
        note: (inout Sink, [String], _ frame: Int) -> Void,
        end: (inout Sink, ConversationTotals, CaptureExtent, CaptureInfo, borrowing Trace) -> Void
    ) throws(CaptureError) -> Bool {
        var recording = Recording(nil)
        var output = Output()
        var sink = Both(first: sink, second: ConversationTotals())
        var trace = databases.makeTrace()
        var extent = CaptureExtent()
        var reader = try CaptureReader(live: source.source) { () throws(CaptureError) in
            recording = Recording(try source.writer())
        }
        begin(&sink.first.sink, reader.info)
        // What was decoded before an error is summed up all the same.
        defer {
            recording.flush()
            trace.finish(into: &sink)
            end(&sink.first.sink, sink.second, extent, reader.info, trace)
            sink.first.sink.drain(into: &output, isForced: true)
            databases.report(trace, reader.info)
        }
        var framesBefore = 0
        func takeNext() throws(CaptureError) -> Bool {
            guard let next = try reader.next() else { return false }
            let record = next.moved(by: framesBefore)
            recording.write(record)
            extent.note(record)
            if !record.comments.isEmpty { note(&sink.first.sink, record.comments, record.frame) }
            trace.decode(record, into: &sink)
            return true
        }
        while true {
            do throws(CaptureError) {
                while try takeNext() {
                    let isDrained = reader.isDrained
                    if isDrained { recording.flush() }
                    sink.first.sink.drain(into: &output, isForced: isDrained)
                    if output.isClosed { return !recording.hasFailed }
                }
            } catch {
                // An end within a record is no news to who asked for it, and usual where a file is cut or replaced.
                guard case .cutShort = error.kind, source.follow != nil || Interruption.isRequested else { throw error }
                if !Interruption.isRequested { printError(error.detailedDescription) }
            }
            guard source.follow != nil, !Interruption.isRequested else { return !recording.hasFailed }
            framesBefore = extent.records
            reader = try CaptureReader(live: source.source)
        }
    }
}

/// What `--write` does, and the one message when it can do it no longer.
private struct Recording {
    private let writer: RecordWriter?
    private(set) var hasFailed = false

    init(_ writer: RecordWriter?) {
        self.writer = writer
    }

    func write(_ record: borrowing Record) {
        writer?.write(record)
    }

    /// The decoding goes on when the disk is full.
    mutating func flush() {
        guard let writer, !hasFailed else { return }
        writer.flush()
        guard let failure = writer.failure else { return }
        hasFailed = true
        printError(failure.detailedDescription)
    }
}

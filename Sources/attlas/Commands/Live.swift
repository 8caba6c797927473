import ArgumentParser
import AttlasConversation
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasMetrics
import AttlasRecords
import AttlasScreen
import AttlasSources
import AttlasText
import AttlasTrace
import AttlasValues

struct Live: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Show a running connection.",
        discussion: """
            Without a source it reads the Linux HCI monitor, which covers all controllers and needs the capability \
            CAP_NET_RAW. From another machine: ssh pi sudo btmon -w /dev/stdout | attlas live -

            On a terminal it uses the full screen: peers, the GATT tree with its values, the log, meters. ? shows the keys, q \
            quits. In a pipe, and with --plain, --json or -C, it prints lines. Control-C ends it with a summary.
            """)

    @OptionGroup var source: LiveOptions
    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var around: ContextOptions

    @Flag(help: "Print one JSON object per line (NDJSON) instead of text.")
    var json = false

    @Flag(help: "Also show HCI commands and events, packets from the air, L2CAP frames and advertising.")
    var hci = false

    @Flag(help: "Show the octets of every packet below its line. Keys are withheld without --show-keys.")
    var hex = false

    @Flag(help: "Also show all lint findings, selected or not.")
    var findings = false

    @Flag(help: "Print lines even on a terminal.")
    var plain = false

    @Option(
        help: """
            Time format: clock (the time of day), local (the time zone of this machine), absolute (UTC), relative, delta.
            """)
    var time = ConversationText.Options.Time.clock

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    /// Context lines are for a log, not for a screen.
    private var isFullScreen: Bool {
        Output.isTerminal && !plain && !json && around.context == nil && Terminal.isPossible
    }

    func validate() throws {
        if hex && json { throw ValidationError("--hex works with text only; --json has every value in hexadecimal.") }
    }

    var outputs: [OutputPath] { source.outputs }

    func run() throws {
        if source.listDevices { return try listDevices() }
        let opened = try orExit(source.open)
        try decoding.withLibrary { try run(opened, $0) }
    }

    private func listDevices() throws {
        let devices = try orExit(LiveSource.devices)
        try print(lines: devices.map { $0.name + ($0.description.map { "  (\($0))" } ?? "") })
    }

    private func run(_ opened: OpenSource, _ library: DissectorLibrary) throws {
        EndingSignals.installForLiveSource()
        var selection = try selection.selection(library)
        selection.context = around.context
        let databases = decoding.loadDatabases()
        let isRecorded = try orExit { () throws(CaptureError) in
            isFullScreen
                ? try watch(opened, library, selection, databases)
                : try printLines(opened, library, selection, databases)
        }
        if databases.hasFailed || !isRecorded { throw ExitCode(1) }
    }

    // MARK: The full screen

    /// - Returns: whether all of it was recorded.
    private func watch(
        _ opened: OpenSource, _ library: DissectorLibrary, _ selection: Selection, _ databases: ImportedDatabases
    ) throws(CaptureError) -> Bool {
        guard let terminal = Terminal(isColoured: color.isColoured) else {
            return try printLines(opened, library, selection, databases)
        }
        let messages = ScreenMessages()
        let report: @Sendable (CaptureError) -> Void = { messages.say($0.detailedDescription) }
        let reports: LiveReports
        do throws(CaptureError) {
            reports = try LiveReports(source, report: report)
        } catch {
            terminal.close()
            throw error
        }
        let model = Interpreted(library: library) {
            ScreenModel(
                values: $0, selection: selection, options: options(selection), showsFindings: findings,
                onIncident: reports.receive)
        }
        let session = LiveSession(source, opened, model, databases.makeTrace(), reports, report: report)
        let screen = LiveScreen(
            session, terminal, messages, library: library, dissectors: decoding.dissectors.dissectors, selection,
            filter: self.selection.filter ?? "", lineOptions: options(selection))
        screen.run()
        screen.end()
        let isReported = session.finishReports()
        terminal.close()
        for message in messages.take() { printError(message) }
        let isPrinted = try summarize(screen, library, selection, databases)
        let hasLost = session.reception.hasLost
        TerminalRescue.dieIfAsked()
        return isPrinted && !hasLost && isReported
    }

    /// Prints a summary, on the shell's own screen.
    /// - Returns: whether it could be printed.
    private func summarize(
        _ screen: LiveScreen, _ library: DissectorLibrary, _ selection: Selection, _ databases: ImportedDatabases
    ) throws(CaptureError) -> Bool {
        let session = screen.session
        var isPrinted = true
        if let info = session.info {
            var output = LiveOutput(isRecorded: false)
            var text = ConversationText(values: ValueInterpreter(library: library), options: options(selection))
            let found = session.sink.sink.finishFindings(in: session.trace)
            for finding in found.suffix(Self.findingLimit) { text.write(finding, after: .max, in: session.trace) }
            let integrity = session.integrity(info)
            let incidents = session.sink.sink.finishIncidents(integrity, in: session.trace)
            text.end(
                ShownTotals(all: session.sink.sink.totals, selected: nil, incidents: incidents), integrity,
                named(info, session), in: session.trace)
            output.drain(&text, isForced: true)
            databases.report(session.trace, info)
            isPrinted = !output.hasFailed
        }
        if let failure = screen.failure { throw failure }
        return isPrinted
    }

    /// Findings that are repeated on the shell's own screen: the last ones.
    private static let findingLimit = 20

    // MARK: Lines

    /// - Returns: whether all of it was recorded.
    private func printLines(
        _ opened: OpenSource, _ library: DissectorLibrary, _ selection: Selection, _ databases: ImportedDatabases
    ) throws(CaptureError) -> Bool {
        let reports = try LiveReports(source, report: Self.report)
        func selected<Sink: LineSink>(_ makeSink: (ValueInterpreter) -> Sink) -> Interpreted<Selected<Sink>> {
            Interpreted(library: library) {
                Selected(
                    sink: makeSink($0), selection: selection, values: $0,
                    findings: findings ? FindingLines(following: $0) : FindingLines(), writesIncidents: true,
                    onIncident: reports.receive)
            }
        }
        if json {
            let sink = selected { ConversationJSON(values: $0, showsHCI: hci || selection.findsPackets, file: nil) }
            return try listen(opened, sink, reports, databases) {
                $0.begin($1)
            } end: { sink, _, integrity, info, _ in
                sink.end(integrity, info)
            }
        }
        let sink = selected { ConversationText(values: $0, options: options(selection)) }
        return try listen(opened, sink, reports, databases) { _, _ in
        } end: { sink, totals, integrity, info, trace in
            sink.end(totals, integrity, info, in: trace)
        }
    }

    @Sendable private static func report(_ error: CaptureError) { printError(error.detailedDescription) }

    /// The recording is the file for further commands.
    private func named<Sink>(_ info: CaptureInfo, _ session: LiveSession<Sink>) -> CaptureInfo {
        var info = info
        info.file = session.reception.recordingName ?? info.file
        return info
    }

    private func options(_ selection: Selection) -> ConversationText.Options {
        var options = ConversationText.Options()
        options.time = time
        options.showsHCI = hci || selection.findsPackets
        options.showsHex = hex
        options.width = Output.terminalWidth
        options.isColoured = color.isColoured
        // Live data is lost unless it was recorded.
        options.suggestsTree = source.write != nil && source.flight.window == nil
        return options
    }

    /// - Returns: whether all of it was recorded, and printed as far as requested.
    private func listen<Sink: LineSink>(
        _ opened: OpenSource, _ sink: Interpreted<Selected<Sink>>, _ reports: LiveReports,
        _ databases: ImportedDatabases, begin: (inout Sink, CaptureInfo) -> Void,
        end: (inout Sink, ShownTotals, CaptureIntegrity, CaptureInfo, borrowing Trace) -> Void
    ) throws(CaptureError) -> Bool {
        let session = LiveSession(
            source, opened, SinkPair(first: sink, second: ConversationTotals()), databases.makeTrace(), reports,
            report: Self.report)
        // Data decoded before an error is summed up.
        var failure: CaptureError?
        let supervision = LiveEnd.supervise(session.reception)
        var output = LiveOutput(isRecorded: source.write != nil, note: supervision.note)
        do throws(CaptureError) {
            // Printed lines do not wait for the next record.
            let wait = LiveSource.Wait {
                output.drain(&session.sink.first.sink.sink, isForced: true)
            } end: {
            }
            try session.decode(wait: wait) { session, info in
                begin(&session.sink.first.sink.sink, info)
            } note: { session, record in
                if !record.comments.isEmpty { session.sink.first.sink.sink.note(record.comments, of: record.frame) }
            } step: { session in
                output.drain(&session.sink.first.sink.sink, isForced: false)
                return output.isWanted
            }
        } catch {
            failure = error
        }
        session.reception.endTriggers()
        session.reception.finishRecording { Interruption.isRequested }
        supervision.note()
        if let info = session.info {
            session.finish()
            session.sink.first.sink.finishFindings(in: session.trace)
            let integrity = session.integrity(info)
            let incidents = session.sink.first.sink.finishIncidents(integrity, in: session.trace)
            let totals = ShownTotals(
                all: session.sink.second, selected: session.sink.first.sink.totals, incidents: incidents)
            end(&session.sink.first.sink.sink, totals, integrity, named(info, session), session.trace)
            output.drain(&session.sink.first.sink.sink, isForced: true)
            databases.report(session.trace, info)
        }
        let hasLost = session.reception.hasLost
        let isReported = session.finishReports()
        if let failure { throw failure }
        return !hasLost && !output.hasFailed && isReported
    }
}

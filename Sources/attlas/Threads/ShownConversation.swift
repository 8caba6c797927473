import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasFilter
import AttlasImport
import AttlasIncidents
import AttlasInput
import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues

/// The output of `attlas show` for a capture.
struct ShownConversation: Sendable {
    enum Format: Sendable {
        case text(ConversationText.Options)
        case json(showsHCI: Bool)
        /// A row for each ATT operation, or for each value with one of the fields.
        case table
        case fields([String])
    }

    let format: Format
    let library: DissectorLibrary
    let selection: Selection
    let databases: ImportedDatabases
    let showsFindings: Bool
    let isJoined: Bool
    let threads: Int?

    func show(_ reader: inout CaptureReader, _ file: String?, _ turn: OutputTurn) throws(CaptureError) {
        let found = showsFindings ? lintFindings(in: reader.info.file) : []
        try turn.write { output, isFirst throws(CaptureError) in
            switch format {
            case .text(let options):
                try show(&reader, &output, turn, found) { values in
                    var text = ConversationText(values: values, options: options)
                    if !isFirst { text.separate() }
                    return text
                }
            case .json(let showsHCI):
                try show(&reader, &output, turn, found) {
                    ConversationJSON(values: $0, showsHCI: showsHCI, file: file)
                }
            case .table:
                try show(&reader, &output, turn, found) { ConversationCSV(values: $0, file: file, hasHeader: isFirst) }
            case .fields(let names):
                try show(&reader, &output, turn, found) {
                    FieldSeries(names: names, values: $0, file: file, hasHeader: isFirst)
                }
            }
        }
    }

    private func show<Sink: ShownLines>(
        _ reader: inout CaptureReader, _ output: inout Output, _ turn: OutputTurn, _ found: [LintFinding],
        _ makeSink: @escaping @Sendable (ValueInterpreter) -> Sink
    ) throws(CaptureError) {
        let selection = selection.knowingPeers(of: reader.info, databases.makeTrace)
        let library = library
        let run = ShowRun(
            makeSink: { hasIncidents in
                Interpreted(library: library) { values in
                    SinkPair(
                        first: Selected(
                            sink: makeSink(values), selection: selection, values: values, findings: FindingLines(found)),
                        second: OptionalSink(hasIncidents ? IncidentCollector(values: values) : nil))
                }
            },
            hasIncidents: hasIncidents, makeTrace: databases.makeTrace, recordLimit: selection.recordLimit,
            isOneThread: dependsOnOtherLines || isJoined || !reader.info.joined.isEmpty || showsFindings
                || selection.context != nil,
            threads: threads)
        try run.show(&reader, &output) { trace, info, integrity, operations in
            turn.note(integrity)
            databases.report(trace, info)
            if isTable { for (what, _) in integrity.sentences { printError("\(info.file): \(what)") } }
            guard let operations else { return }
            let reason = selection.whyNothing(in: trace, integrity.extent, library, operations: operations)
            printError("\(info.file): \(reason)")
        }
    }

    private var isTable: Bool {
        switch format {
        case .table, .fields: true
        case .text, .json: false
        }
    }

    private var hasIncidents: Bool {
        switch format {
        case .text: true
        case .json: showsFindings
        case .table, .fields: false
        }
    }

    private var dependsOnOtherLines: Bool {
        if case .text(let options) = format { options.time == .delta } else { isTable }
    }

    private func lintFindings(in path: String) -> [LintFinding] {
        guard SystemCalls.regularFileSize(path) != nil, var reader = try? CaptureReader(path: path) else {
            printError("\(path): its findings are not shown, because it cannot be read twice")
            return []
        }
        var found: [LintFinding] = []
        // The reading that shows the decoded part reports an error.
        try? gather(&reader, Interpreted(library: library) { LintCollector(values: $0) }, databases.makeTrace()) {
            model, _, _ in found = model.findings
        }
        return found
    }
}

/// Lines with something before the first and after the last.
protocol ShownLines: LineSink {
    /// Called before the first lines are written, and after the first record, before which the format of a capture may be unknown. Lines
    /// written already come after its output.
    mutating func begin(_ info: CaptureInfo, _ extent: CaptureExtent, in trace: borrowing Trace)
    mutating func end(
        _ totals: ShownTotals, _ integrity: CaptureIntegrity, _ info: CaptureInfo, in trace: borrowing Trace)
}

extension ShownLines {
    mutating func begin(_ info: CaptureInfo, _ extent: CaptureExtent, in trace: borrowing Trace) {}
    mutating func end(
        _ totals: ShownTotals, _ integrity: CaptureIntegrity, _ info: CaptureInfo, in trace: borrowing Trace
    ) {}
}

extension ConversationText: ShownLines {
    mutating func begin(_ info: CaptureInfo, _ extent: CaptureExtent, in trace: borrowing Trace) {
        begin(info, extent, onlySide: trace.onlySide, origin: trace.origin)
    }
}

extension ConversationJSON: ShownLines {
    mutating func begin(_ info: CaptureInfo, _ extent: CaptureExtent, in trace: borrowing Trace) {
        begin(info, onlySide: trace.onlySide)
    }

    mutating func end(
        _ totals: ShownTotals, _ integrity: CaptureIntegrity, _ info: CaptureInfo, in trace: borrowing Trace
    ) {
        begin(info, onlySide: integrity.onlySide)
        end(integrity, info, totals.incidents)
    }
}

extension ConversationCSV: ShownLines {}

extension FieldSeries: ShownLines {
    mutating func end(
        _ totals: ShownTotals, _ integrity: CaptureIntegrity, _ info: CaptureInfo, in trace: borrowing Trace
    ) {
        guard rows == 0 else { return }
        let names = names.map { "\"\($0)\"" }.joined(separator: " or ")
        printError("\(info.file): no value that is shown has a field \(names)")
    }
}

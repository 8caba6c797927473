import AttlasCapture
import AttlasColumns
import AttlasFilter
import AttlasInput
import AttlasTables
import AttlasValues

/// Reads tables of a capture in one pass, a batch of rows at a time. No more than a batch of each table is held.
final class TableReader {
    /// In the order of the request.
    let tables: [Table]
    private var pass: CapturePass<Interpreted<TableWriter<ArrowSink>>>
    private let ready: ReadyBatches
    private let mayMatchNothing: Bool
    /// A signal of Python ended it: the rest is never read.
    private(set) var isInterrupted = false

    /// Decodes the first rows of a selection: one that matches nothing is a mistake.
    init(_ request: CaptureRequest, tables: [Table]) throws {
        self.tables = tables
        mayMatchNothing = request.mayMatchNothing || !tables.contains(where: \.isSelected)
        let ready = ReadyBatches()
        self.ready = ready
        let reader = try CaptureReader(path: request.path)
        // Finding the peers of a selection may take a separate reading.
        let selection = tables.contains(where: \.isSelected) ? request.makeSelection() : Selection()
        pass = CapturePass(
            reader, request.makeTrace(),
            Interpreted(library: request.library) {
                TableWriter(
                    ArrowSink(tables) { ready.batches.append($0) }, capture: 1, selection: selection,
                    digest: { request.sha256 ?? $0.sha256 }, values: $0)
            })
        guard !mayMatchNothing, !request.selection.isEverything else { return }
        read()
        if let mistake { throw mistake }
    }

    /// Until rows are ready.
    private func read() {
        while ready.batches.isEmpty, pass.document == nil, !isInterrupted {
            pass.readRecords()
            isInterrupted = PythonSignals.haveInterrupted
        }
    }

    /// A selection that matches nothing, or a file that lost its end while it was read; nil before the end.
    var mistake: RequestMistake? {
        if isInterrupted { return .interruption }
        if let failure = pass.failure, failure.kind == .changed { return RequestMistake(message(failure)) }
        return mayMatchNothing ? nil : pass.document?.whyNothing.map { RequestMistake(nothing: $0) }
    }

    /// The next rows, and the index of their table; nil when there are no more, or none that can be relied on.
    func next() -> (table: Int, batch: ArrowBatch)? {
        read()
        guard !isInterrupted, pass.failure?.kind != .changed, !ready.batches.isEmpty else { return nil }
        let batch = ready.batches.removeFirst()
        return tables.firstIndex(of: batch.table).map { ($0, batch) }
    }
}

/// Batches that were handed on and not yet given to callers: few, for the records that are read together fill one or two of each table.
final class ReadyBatches {
    var batches: [ArrowBatch] = []
}

extension Table {
    init(named name: String) throws(RequestMistake) {
        guard let table = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw RequestMistake("there is no table \(name): the tables are \(names)")
        }
        self = table
    }

    /// Each once.
    static func named(_ names: [String]) throws(RequestMistake) -> [Table] {
        guard !names.isEmpty else { throw RequestMistake("no table is named") }
        var tables: [Table] = []
        for name in names {
            let table = try Table(named: name)
            guard !tables.contains(table) else { throw RequestMistake("the table \(name) is named twice") }
            tables.append(table)
        }
        return tables
    }
}

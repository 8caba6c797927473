import AttlasCapture
import AttlasFilter
import AttlasInput
import AttlasReport
import AttlasValues

/// Reads tables of a capture in one pass, a batch of rows at a time. No more than a batch of each table is held.
final class TableReader {
    /// One for each table, in the order in which they were asked for.
    private let batches: [ArrowBatch]
    private var pass: CapturePass<Interpreted<TableWriter<ArrowSink>>>

    var tables: [Table] { batches.map(\.table) }

    init(_ request: CaptureRequest, tables: [Table]) throws(CaptureError) {
        let batches = tables.map { ArrowBatch($0) }
        self.batches = batches
        pass = try CapturePass(request) {
            // To know the peers of a selection may take a reading of its own.
            let selection = tables.contains(where: \.isSelected) ? request.makeSelection() : Selection()
            return Interpreted(library: request.library) {
                TableWriter(
                    ArrowSink(batches), capture: 1, selection: selection, digest: { request.sha256 ?? $0.sha256 },
                    values: $0)
            }
        }
    }

    /// The next rows of one of the tables, in columns; nil when there are no more.
    func next() -> (table: Int, rows: Int, columns: [ArrowColumn])? {
        while pass.document == nil {
            if let full = batches.firstIndex(where: \.isFull) { return take(full) }
            pass.readRecord()
        }
        return batches.firstIndex { $0.rows > 0 }.map(take)
    }

    private func take(_ index: Int) -> (table: Int, rows: Int, columns: [ArrowColumn]) {
        let rows = batches[index].rows
        return (index, rows, batches[index].take())
    }
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

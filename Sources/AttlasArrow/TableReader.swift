import AttlasCapture
import AttlasFilter
import AttlasInput
import AttlasReport
import AttlasValues

/// Reads one table of a capture, a batch of rows at a time. Only the batch is held.
final class TableReader {
    /// Rows, and octets of texts and values, after which a batch is handed on: offsets in it have 32 bits.
    private static let rowLimit = 65_536
    private static let octetLimit = 16 << 20

    private let batch: ArrowBatch
    private var pass: CapturePass<Interpreted<TableWriter<ArrowSink>>>

    var table: Table { batch.table }

    init(_ request: CaptureRequest, table: Table) throws(CaptureError) {
        let batch = ArrowBatch(table)
        self.batch = batch
        pass = try CapturePass(request) {
            // To know the peers of a selection may take a reading of its own.
            let selection = table.isSelected ? request.makeSelection() : Selection()
            return Interpreted(library: request.library) {
                TableWriter(ArrowSink(batch), capture: 1, selection: selection, digest: \.sha256, values: $0)
            }
        }
    }

    /// The next rows, in columns; nil when there are no more.
    func next() -> (rows: Int, columns: [ArrowColumn])? {
        while pass.document == nil, batch.rows < Self.rowLimit, batch.octets < Self.octetLimit { pass.readRecord() }
        guard batch.rows > 0 else { return nil }
        let rows = batch.rows
        return (rows, batch.take())
    }
}

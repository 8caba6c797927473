import AttlasCapture
import AttlasDefinitions
import AttlasDissection
import AttlasInput
import AttlasReport
import AttlasTrace
import AttlasValues

/// Reads one table of a capture, a batch of rows at a time. Only the batch is held.
final class TableReader {
    /// Rows, and octets of texts and values, after which a batch is handed on: offsets in it have 32 bits.
    private static let rowLimit = 65_536
    private static let octetLimit = 16 << 20

    private let batch: ArrowBatch
    private var pass: Pass

    var table: Table { batch.table }

    init(path: String, table: Table) throws(CaptureError) {
        batch = ArrowBatch(table)
        pass = try Pass(path, batch)
    }

    /// The next rows, in columns; nil when there are no more.
    func next() -> (rows: Int, columns: [ArrowColumn])? {
        while !pass.hasEnded, batch.rows < Self.rowLimit, batch.octets < Self.octetLimit { pass.readRecord() }
        guard batch.rows > 0 else { return nil }
        let rows = batch.rows
        return (rows, batch.take())
    }

    /// The decoding of the capture, as far as it is.
    private struct Pass: ~Copyable {
        private var reader: CaptureReader
        private var trace = Trace()
        private var collector: Interpreted<TableWriter<ArrowSink>>
        private var extent = CaptureExtent()
        private(set) var hasEnded = false

        init(_ path: String, _ batch: ArrowBatch) throws(CaptureError) {
            reader = try CaptureReader(path: path)
            collector = Interpreted(library: .shipped) { TableWriter(ArrowSink(batch), capture: 1, values: $0) }
        }

        mutating func readRecord() {
            var damage: CaptureError?
            do throws(CaptureError) {
                if let record = try reader.next() {
                    extent.note(record)
                    collector.note(record)
                    return trace.decode(record, into: &collector)
                }
            } catch {
                damage = error
            }
            hasEnded = true
            trace.finish(into: &collector)
            let integrity = CaptureIntegrity(extent, reader.info, in: trace, endedBy: damage)
            _ = collector.finish(in: trace, integrity)
        }
    }
}

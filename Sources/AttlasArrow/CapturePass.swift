import AttlasCapture
import AttlasInput
import AttlasTrace
import AttlasValues

/// The decoding of a capture, as far as it is.
struct CapturePass<Collector: DocumentCollector>: ~Copyable {
    private var reader: CaptureReader
    private var trace: Trace
    private var collector: Collector
    private var extent = CaptureExtent()
    /// At the end of the capture. What was decoded before an error is in it, and the error as well.
    private(set) var document: Collector.Document?

    var info: CaptureInfo { reader.info }

    init(_ request: CaptureRequest, _ makeCollector: () -> Collector) throws(CaptureError) {
        reader = try CaptureReader(path: request.path)
        trace = request.makeTrace()
        collector = makeCollector()
    }

    /// Reads records that come together: 64 at most, and fills few batches with them.
    mutating func readRecords() {
        var damage: CaptureError?
        do throws(CaptureError) {
            if let row = try reader.nextRow() {
                extent.note(row)
                collector.note(row)
                return trace.decode(row, into: &collector)
            }
        } catch {
            damage = error
        }
        trace.finish(into: &collector)
        document = collector.finish(in: trace, CaptureIntegrity(extent, reader.info, in: trace, endedBy: damage))
    }
}

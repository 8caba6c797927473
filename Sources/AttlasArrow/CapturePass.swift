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
        trace.finish(into: &collector)
        document = collector.finish(in: trace, CaptureIntegrity(extent, reader.info, in: trace, endedBy: damage))
    }
}

import AttlasCapture
import AttlasTrace

/// The decoding of a capture, as far as it is.
public struct CapturePass<Collector: DocumentCollector>: ~Copyable {
    private var reader: CaptureReader
    private var trace: Trace
    /// Receives the events.
    public var collector: Collector
    private var extent = CaptureExtent()
    /// The document at the end of the capture. It includes the data decoded before an error, and the error.
    public private(set) var document: Collector.Document?
    /// The error that ended reading before the end of the capture.
    public private(set) var failure: CaptureError?

    /// The capture's metadata, as far as it was read.
    public var info: CaptureInfo { reader.info }

    /// Begins with the next record of the reader.
    public init(_ reader: consuming CaptureReader, _ trace: consuming Trace, _ collector: consuming Collector) {
        self.reader = reader
        self.trace = trace
        self.collector = collector
    }

    /// Reads records that come together: 64 at most, and fills few batches with them.
    public mutating func readRecords() {
        do throws(CaptureError) {
            if let row = try reader.nextRow() {
                extent.note(row)
                collector.note(row)
                return trace.decode(row, into: &collector)
            }
        } catch {
            failure = error
        }
        trace.finish(into: &collector)
        document = collector.finish(in: trace, CaptureIntegrity(extent, reader.info, in: trace, endedBy: failure))
    }
}

import AttlasCapture
import AttlasTrace
import AttlasValues

/// Decodes a whole recording once more for a sink of its own, a piece at a time.
final class FurtherPass<Sink: EventSink> {
    private var reader: CaptureReader
    private var trace: Trace
    private var interpreted: Interpreted<Sink>
    private var extent = CaptureExtent()
    /// Why it ended before the end.
    private(set) var failure: CaptureError?
    private(set) var isComplete = false

    /// - Parameter start: before the first record.
    init(
        _ start: Checkpoint, _ capture: SeekableCapture, _ makeSink: (ValueInterpreter) -> Sink
    ) throws(CaptureError) {
        reader = try capture.reader(at: start.position)
        trace = start.trace.copy()
        interpreted = Interpreted(library: start.sink.sink.model.values.library, makeSink)
    }

    var sink: Sink {
        _read { yield interpreted.sink }
        _modify { yield &interpreted.sink }
    }

    var offset: UInt64 { reader.position.offset }

    /// To be called again as long as it is not complete.
    func advance(records: Int) {
        for _ in 0..<records {
            do throws(CaptureError) {
                if let record = try reader.next() {
                    extent.note(record)
                    trace.decodeUnspecialized(record, into: &interpreted)
                    continue
                }
            } catch {
                failure = error
            }
            trace.finish(into: &interpreted)
            isComplete = true
            return
        }
    }
}

extension FurtherPass where Sink: DocumentCollector {
    /// At the end.
    func document() -> Sink.Document {
        interpreted.sink.finish(
            in: trace, CaptureIntegrity(extent, reader.info, in: trace, endedBy: failure))
    }
}

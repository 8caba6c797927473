import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// Decodes a whole recording once more for a separate sink, a piece at a time.
final class RecordingReplay<Sink: EventSink> {
    private var reader: CaptureReader
    private var trace: Trace
    private var interpreted: Interpreted<Sink>
    private(set) var extent = CaptureExtent()
    /// Why it ended before the end.
    private(set) var failure: CaptureError?
    private(set) var isComplete = false
    private let isOver: Bool

    /// - Parameter start: before the first record.
    init(
        _ start: Checkpoint, _ capture: SeekableCapture, _ makeSink: (ValueInterpreter) -> Sink
    ) throws(CaptureError) {
        reader = try capture.reader(at: start.position)
        isOver = capture.isOver
        trace = start.trace.copy()
        interpreted = start.sink.copy { makeSink($1) }
    }

    var sink: Sink {
        @inline(__always) _read { yield interpreted.sink }
        @inline(__always) _modify { yield &interpreted.sink }
    }

    var offset: UInt64 { reader.position.offset }
    var info: CaptureInfo { reader.info }
    var onlySide: Direction? { trace.onlySide }

    /// To be called again as long as it is not complete.
    /// - Parameter note: called with each record before it is decoded.
    func advance(records: Int, note: (inout Sink, borrowing Record) -> Void = { _, _ in }) {
        for _ in 0..<records {
            do throws(CaptureError) {
                if let record = try reader.next() {
                    extent.note(record)
                    note(&interpreted.sink, record)
                    trace.decodeUnspecialized(record, into: &interpreted)
                    continue
                }
            } catch {
                failure = error
            }
            end()
            return
        }
    }

    private func end() {
        isComplete = true
        if isOver { trace.finish(into: &interpreted) }
    }

    /// Passes the final state to `body`, wherever the replay ended.
    func finish<Result>(
        _ body: (inout Sink, CaptureIntegrity, CaptureInfo, borrowing Trace) -> Result
    ) -> Result {
        if !isComplete { end() }
        let integrity = CaptureIntegrity(extent, reader.info, in: trace, endedBy: failure)
        return body(&interpreted.sink, integrity, reader.info, trace)
    }
}

import AttlasCapture
import AttlasColumns
import AttlasInput
import AttlasTables
import AttlasTrace
import AttlasValues
import Glibc

/// Tables of a live source: rows are handed on when a batch is full, and otherwise when some time has passed.
struct LiveTables {
    let tables: [Table]
    let request: CaptureRequest
    /// In nanoseconds, between two times when rows are handed on.
    let pace: Int64
    /// Gets the index of a table and rows of it; called without rows to ask whether to continue. False ends it.
    let take: (Int, ArrowBatch?) -> Bool

    /// Reads to the end, or until the caller stops.
    func follow(_ octets: LiveOctets) throws(CaptureError) {
        let ready = ReadyBatches()
        var collector = Interpreted(library: request.library) {
            TableWriter(
                ArrowSink(tables) { ready.batches.append($0) }, capture: 1, selection: request.selection, values: $0)
        }
        var isOver = false
        var due = SystemCalls.nanoseconds(CLOCK_MONOTONIC) + pace
        func handOn() -> Bool {
            while !isOver, !ready.batches.isEmpty { isOver = !give(ready.batches.removeFirst()) }
            return !isOver
        }
        // Between two records, when no other code has the collector.
        octets.goesOn = {
            if SystemCalls.nanoseconds(CLOCK_MONOTONIC) >= due {
                collector.sink.sink.handOnAll()
                due = SystemCalls.nanoseconds(CLOCK_MONOTONIC) + pace
            }
            return handOn() && take(-1, nil)
        }
        var set = CaptureSet(InputBuffer(ByteSource(name: request.path, read: octets.read)))
        var reader = try set.first()
        var trace = request.makeTrace()
        var extent = CaptureExtent()
        var damage: CaptureError?
        do throws(CaptureError) {
            while !isOver, let record = try reader.next() {
                extent.note(record)
                collector.note(record)
                trace.decode(record, into: &collector)
                _ = handOn()
            }
        } catch {
            damage = error
        }
        guard !isOver else { return }
        trace.finish(into: &collector)
        _ = collector.finish(in: trace, CaptureIntegrity(extent, reader.info, in: trace, endedBy: damage))
        _ = handOn()
    }

    private func give(_ batch: ArrowBatch) -> Bool {
        tables.firstIndex(of: batch.table).map { take($0, batch) } ?? true
    }
}

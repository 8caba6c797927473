import AttlasCapture
import AttlasLocks
import Dispatch
import Glibc

/// Records between the thread that receives them and one that shows or records them. It is bounded: records without room are lost, counted,
/// and reported with the next record (`Record.lost`).
package final class RecordQueue: Sendable {
    private struct State {
        var batches: [RecordBatch] = []
        /// Index of the next batch.
        var head = 0
        /// Octets of memory.
        var size = 0
        /// Nothing waits for room any more, and nothing is lost.
        var isStopped = false
        var isEnded = false
        /// Since the last record that found room.
        var untold = 0
        var lost = 0
        /// Frames of the last record that was taken, and of the last one before the reader came back for more.
        var takenFrame = 0
        var finishedFrame = 0
        /// When the reader last took something, or something came that it may take.
        var lastMove = RecordQueue.now
    }

    private let limit: Int
    private let state = Locked(State())
    private let filled = DispatchSemaphore(value: 0)

    fileprivate static var now: Int64 { SystemCalls.nanoseconds(CLOCK_MONOTONIC) }

    /// - Parameter limit: octets of memory.
    init(limit: Int) {
        self.limit = limit
    }

    /// Records that found no room.
    package var lost: Int { state.withLock { $0.lost } }

    /// The last record that the reader has done with.
    var finishedFrame: Int { state.withLock { $0.finishedFrame } }

    /// For how many nanoseconds the reader has taken nothing.
    var stillness: Int64 { state.withLock { Self.now - $0.lastMove } }

    /// - Parameter patience: how many nanoseconds to wait for a reader that takes nothing.
    /// - Returns: whether these are the first records that are lost.
    func put(_ batch: RecordBatch, patience: Int64) -> Bool {
        while true {
            let isFirstLoss: Bool? = state.withLock { state in
                if state.isEnded { return false }
                let isEmpty = state.head == state.batches.count
                if isEmpty { state.lastMove = Self.now }
                if isEmpty || state.isStopped || state.size + batch.size <= limit {
                    var batch = batch
                    batch.addLost(state.untold)
                    if batch.count > 0 { state.untold = 0 }
                    state.size += batch.size
                    state.batches.append(batch)
                    filled.signal()
                    return false
                }
                guard Self.now - state.lastMove >= patience else { return nil }
                state.untold += batch.count
                state.lost += batch.count
                return state.lost == batch.count && batch.count > 0
            }
            if let isFirstLoss { return isFirstLoss }
            usleep(2_000)
        }
    }

    /// The next records, which are waited for; nil after the last.
    package func next() -> RecordBatch? {
        state.withLock { $0.finishedFrame = $0.takenFrame }
        filled.wait()
        return state.withLock { state in
            state.lastMove = Self.now
            guard state.head < state.batches.count else {
                // For later callers.
                filled.signal()
                return nil
            }
            let batch = state.batches[state.head]
            state.batches[state.head] = RecordBatch()
            state.head += 1
            state.size -= batch.size
            state.takenFrame = batch.lastFrame ?? state.takenFrame
            if state.head == state.batches.count || state.head == 4_096 {
                state.batches.removeFirst(state.head)
                state.head = 0
            }
            return batch
        }
    }

    /// Makes room for all later records.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Nothing more is taken.
    func end() {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.isEnded = true
            filled.signal()
        }
    }
}

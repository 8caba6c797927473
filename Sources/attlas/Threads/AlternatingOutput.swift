import AttlasLocks
import AttlasText
import Dispatch

/// Several threads write the lines of one capture in turn.
///
/// Each decodes all of it, since a line depends on all earlier records, and formats every n-th stretch of records, which takes four times
/// as long as decoding them. None is ever more than a stretch ahead, so memory stays flat, and the output is the one that a single thread
/// would write.
final class AlternatingOutput: Sendable {
    /// Records.
    static let stretch = 1_024

    private struct State {
        var output: Output
        /// The stretch that is written next.
        var next = 0
        /// Number of records that each finished thread read.
        var ends: [Int?]
    }

    private let state: Locked<State>
    /// Signals a thread its turn; before that, all except the first that they can begin.
    private let gates: [DispatchSemaphore]
    private let threads = Locked(0)

    /// - Parameter limit: Threads, at most.
    init(_ output: Output, limit: Int) {
        state = Locked(State(output: output, ends: Array(repeating: nil, count: limit)))
        gates = (0..<limit).map { _ in DispatchSemaphore(value: 0) }
    }

    var output: Output { state.withLock { $0.output } }

    /// All threads have arrived. Called once, by the first.
    func begin(threads count: Int) -> Turn {
        threads.withLock { $0 = count }
        for gate in gates[..<count] { gate.signal() }
        return Turn(output: self, thread: 0, threads: count)
    }

    /// Waits until all threads have arrived.
    func join(as thread: Int) -> Turn {
        gates[thread].wait()
        return Turn(output: self, thread: thread, threads: threads.withLock { $0 })
    }

    /// Whether all threads, which are done, read the same.
    var agree: Bool {
        let count = threads.withLock { $0 }
        return state.withLock { state in state.ends[..<count].allSatisfy { $0 == state.ends[0] } }
    }

    /// One thread's turn.
    struct Turn: Sendable {
        let output: AlternatingOutput
        let thread: Int
        let threads: Int

        /// Whether the record after this number of others is formatted by this thread.
        func isOwn(after records: Int) -> Bool { records / stretch % threads == thread }

        /// Records that are left of a stretch.
        func left(after records: Int) -> Int { stretch - records % stretch }

        /// Writes the lines of the stretch that ends after these records, when all before it are written.
        func write(_ lines: inout TextBuffer, after records: Int) {
            output.gates[thread].wait()
            output.state.withLock { state in
                let number = (records - 1) / stretch
                // Output after a part that another thread could not read is not shown as complete.
                if state.ends.contains(where: { $0.map { $0 < number * stretch } ?? false }) { lines.removeAll() }
                state.output.write(&lines)
                state.next = number + 1
                passOn(&state)
            }
        }

        /// This thread read this number of records and has written its last line.
        func finish(after records: Int) {
            output.state.withLock { state in
                state.ends[thread] = records
                // It was its turn, and it will not take it.
                if state.next % threads == thread { passOn(&state) }
            }
        }

        /// To the next thread that still writes.
        private func passOn(_ state: inout State) {
            for _ in 0..<threads where state.ends[state.next % threads] != nil { state.next += 1 }
            let next = state.next % threads
            if state.ends[next] == nil { output.gates[next].signal() }
        }
    }
}

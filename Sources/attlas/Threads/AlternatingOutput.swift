import AttlasLocks
import AttlasReport
import Dispatch

/// Two threads write the lines of one capture in turn.
///
/// Both decode all of it, since what a line says hangs on all that came before; each formats every other stretch of records,
/// which takes four times as long as decoding them. Neither is ever more than a stretch ahead, so memory stays flat, and the
/// output is the one that a single thread would write.
public final class AlternatingOutput: Sendable {
    /// Records.
    static let stretch = 1_024

    private struct State {
        var output: Output
        /// Of a thread that is done: how many records it read.
        var ends: [Int?] = [nil, nil]
    }

    private let state: Locked<State>
    private let gates = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]

    public init(_ output: Output) {
        state = Locked(State(output: output))
        gates[0].signal()
    }

    public var output: Output { state.withLock { $0.output } }

    /// Whether the record after so many others is formatted by this thread.
    public func isTurn(of thread: Int, behind records: Int) -> Bool {
        records / Self.stretch % 2 == thread
    }

    /// How many records are left of a stretch after so many.
    public func left(behind records: Int) -> Int { Self.stretch - records % Self.stretch }

    /// Writes the lines of the stretch that ends after so many records, when it is its turn.
    public func write(_ lines: inout TextBuffer, of thread: Int, behind records: Int) {
        let other = 1 - thread
        gates[thread].wait()
        state.withLock { state in
            // Output after a part that the other thread could not read is not shown as complete.
            if let end = state.ends[other], end < (records - 1) / Self.stretch * Self.stretch { lines.removeAll() }
            state.output.write(&lines)
            // Nobody is there to pass on to.
            if state.ends[other] != nil { gates[thread].signal() }
        }
        gates[other].signal()
    }

    /// This thread read so many records and has written its last line.
    public func finish(_ thread: Int, behind records: Int) {
        state.withLock { $0.ends[thread] = records }
        gates[1 - thread].signal()
    }

    /// Whether both threads, which are done, read the same.
    public var agree: Bool { state.withLock { $0.ends[0] == $0.ends[1] } }
}

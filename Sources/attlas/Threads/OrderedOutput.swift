import AttlasInput
import AttlasLocks
import AttlasText
import AttlasTrace
import Dispatch

/// Files are read at once and shown in the order in which they were named.
final class OrderedOutput: Sendable {
    private struct State {
        var output = Output()
        var hasFailed = false
        var isIncomplete = false
        var isEmpty = true
    }

    private let state = Locked(State())
    private let gates: [DispatchSemaphore]

    init(of count: Int) {
        gates = (0...count).map { _ in DispatchSemaphore(value: 0) }
        gates[0].signal()
    }

    var output: Output { state.withLock { $0.output } }
    /// Whether a capture could not be read.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Whether something is missing from a capture.
    var isIncomplete: Bool { state.withLock { $0.isIncomplete } }

    /// Waits until all before this one have ended.
    fileprivate func take<Failure: Error>(
        _ index: Int, _ body: (inout Output, _ isFirst: Bool) throws(Failure) -> Void
    ) throws(Failure) {
        gates[index].wait()
        // Only the owner of the turn changes the output; the lock is not held while it writes.
        var (output, isFirst) = state.withLock { ($0.output, $0.isEmpty) }
        defer {
            state.withLock {
                $0.output = output
                $0.isEmpty = false
            }
            gates[index].signal()
        }
        try body(&output, isFirst)
    }

    fileprivate func fail() {
        state.withLock { $0.hasFailed = true }
    }

    fileprivate func note(_ integrity: CaptureIntegrity) {
        guard !integrity.isComplete else { return }
        state.withLock { $0.isIncomplete = true }
    }

    fileprivate func end(_ index: Int) {
        gates[index].wait()
        gates[index + 1].signal()
    }
}

/// When a file's output may be written.
struct OutputTurn: Sendable {
    private let order: OrderedOutput
    private let index: Int

    init(_ order: OrderedOutput, _ index: Int) {
        self.order = order
        self.index = index
    }

    /// The reader of the output is gone.
    var isOver: Bool { order.output.isClosed }

    /// Calls `body` when all files before this one have ended. `isFirst`: nothing was shown before.
    func write<Failure: Error>(
        _ body: (inout Output, _ isFirst: Bool) throws(Failure) -> Void
    ) throws(Failure) {
        try order.take(index, body)
    }

    /// A capture was read.
    func note(_ integrity: CaptureIntegrity) {
        order.note(integrity)
    }

    /// Calls `body` and reports, in its turn, why a capture could not be read.
    func report(_ body: () throws(CaptureError) -> Void) {
        do throws(CaptureError) {
            try body()
        } catch {
            order.fail()
            let text = error.detailedDescription
            order.take(index) { _, _ in printError(text) }
        }
    }

    /// The next file's turn begins.
    func end() {
        order.end(index)
    }
}

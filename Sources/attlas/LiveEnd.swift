import AttlasInput
import AttlasSources
import AttlasThreads
import Glibc
import Synchronization

/// Ends the lines of `live` when the user stops it, even when standard output blocks the thread that prints.
final class LiveEnd: Sendable {
    /// When something was printed, or the wish to end was seen.
    private let lastMove = Atomic<Int64>(0)

    /// To be called by the printing thread, whenever it continues.
    func note() {
        lastMove.store(SystemCalls.nanoseconds(CLOCK_MONOTONIC), ordering: .relaxed)
    }

    static func supervise(_ reception: Reception) -> LiveEnd {
        let end = LiveEnd()
        // Without a thread, a second signal ends the process.
        Worker { end.run(reception) }?.detach()
        return end
    }

    private func run(_ reception: Reception) {
        while !Interruption.isRequested { usleep(20_000) }
        reception.stop()
        reception.finishRecording { true }
        note()
        while SystemCalls.nanoseconds(CLOCK_MONOTONIC) - lastMove.load(ordering: .relaxed) < Reception.patience {
            usleep(20_000)
        }
        printError("standard output takes nothing: the last lines were not printed")
        _ = reception.hasLost
        // Without waiting for locks of other threads.
        _exit(1)
    }
}

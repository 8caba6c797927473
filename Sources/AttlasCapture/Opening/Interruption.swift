import AttlasLocks
import Synchronization

/// Ends reading at the user's wish: a capture ends as if its file did, and what was decoded can be summed up. The command asks for it at
/// SIGINT, SIGTERM and SIGHUP; a library handles no signals.
public enum Interruption {
    private static let flag = Atomic<Bool>(false)

    /// Whether the end was asked for. Loops over records ask for it.
    public static var isRequested: Bool { flag.load(ordering: .relaxed) }

    /// Of the program that this library is a part of. Asked before each read of a file, by the thread that reads.
    private static let host = Locked<@Sendable () -> Bool>({ false })

    /// Whether the thread's program wants no more of the file.
    static var isHostInterrupted: Bool { host.withLock { $0 }() }

    package static func setHost(_ isInterrupted: @escaping @Sendable () -> Bool) {
        host.withLock { $0 = isInterrupted }
    }

    /// May be called by a signal handler.
    package static func request() { flag.store(true, ordering: .relaxed) }
}

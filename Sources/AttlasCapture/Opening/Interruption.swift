import AttlasLocks
import Synchronization

/// Ends reading at the user's wish: a capture ends as if its file did, and the decoded part can be summed up. The command does so at
/// SIGINT, SIGTERM and SIGHUP; a library handles no signals.
public enum Interruption {
    private static let flag = Atomic<Bool>(false)

    /// Whether the end was requested. Loops over records check it.
    public static var isRequested: Bool { flag.load(ordering: .relaxed) }

    /// The host program's check for an interruption. Asked before each read of a file, by the thread that reads.
    private static let host = Locked<@Sendable () -> Bool>({ false })

    /// Whether the thread's program stops reading the file.
    static var isHostInterrupted: Bool { host.withLock { $0 }() }

    package static func setHost(_ isInterrupted: @escaping @Sendable () -> Bool) {
        host.withLock { $0 = isInterrupted }
    }

    /// May be called by a signal handler.
    package static func request() { flag.store(true, ordering: .relaxed) }
}

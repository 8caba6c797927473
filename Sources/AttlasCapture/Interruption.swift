import Glibc
import Synchronization

/// Ends reading at the user's wish: after SIGINT a capture ends as if its file did, and what was decoded can be summed up.
/// A second SIGINT ends the process.
public enum Interruption {
    private static let flag = Atomic<Bool>(false)

    public static var isRequested: Bool { flag.load(ordering: .relaxed) }

    public static func install() {
        var action = sigaction()
        // Without SA_RESTART, so that a read which waits for a pipe comes back.
        action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
        action.__sigaction_handler.sa_handler = { _ in Interruption.flag.store(true, ordering: .relaxed) }
        sigaction(SIGINT, &action, nil)
        // Whoever started the process may have blocked it.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}

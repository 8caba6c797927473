import Glibc
import Synchronization

/// Ends reading at the user's wish: after SIGINT, SIGTERM or SIGHUP a capture ends as if its file did, and what was decoded can
/// be summed up. The same signal once more ends the process.
public enum Interruption {
    private static let flag = Atomic<Bool>(false)

    /// Whether SIGINT, SIGTERM or SIGHUP has arrived. Loops over records ask for it.
    public static var isRequested: Bool { flag.load(ordering: .relaxed) }

    package static func install() {
        var action = sigaction()
        // Without SA_RESTART, so that a read which waits for a pipe comes back.
        action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
        unsafe action.__sigaction_handler.sa_handler = { _ in Interruption.flag.store(true, ordering: .relaxed) }
        let ends = [SIGINT, SIGTERM, SIGHUP]
        for signal in ends {
            // Who ignores one, as nohup does, means it.
            var before = sigaction()
            unsafe sigaction(signal, nil, &before)
            if before.isIgnoring, signal != SIGINT { continue }
            unsafe sigaction(signal, &action, nil)
        }
        // The parent process may have blocked it.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in ends { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}

extension sigaction {
    fileprivate var isIgnoring: Bool {
        // SIG_IGN is the number 1 where a function would be.
        unsafe unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

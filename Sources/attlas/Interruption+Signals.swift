import AttlasInput
import Glibc

extension Interruption {
    /// Asks for it when a signal comes. The same signal once more ends the process.
    static func install() {
        var action = sigaction()
        // Without SA_RESTART, so that a read which waits for a pipe comes back.
        action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
        unsafe action.__sigaction_handler.sa_handler = { _ in Interruption.request() }
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

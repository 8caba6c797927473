import AttlasInput
import AttlasRecords
import AttlasThreads
import Glibc

/// The effect of SIGINT, SIGTERM and SIGHUP. Most commands end at once, wherever they are: printed lines stay, an unfinished file is
/// removed, one line reports it, and the status is 128 plus the number of the signal. `live` and `extcap` end only that way, so it is their
/// success: they finish their recording and their summary.
enum EndingSignals {
    private static let ends: [(number: CInt, name: StaticString)] = [
        (SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP"),
    ]
    /// A handler writes the signal's number, and a thread takes the actions that handlers may not; -1 without that thread.
    nonisolated(unsafe) private static var notice: CInt = -1

    /// Ends the process when one comes. The first thing that a command does: until `installCleanup` there is nothing to remove.
    static func install() {
        // Swift initializes a variable when it is first used, which a handler may not do.
        unsafe notice = -1
        handle { signal in
            var number = UInt8(truncatingIfNeeded: signal)
            if unsafe write(EndingSignals.notice, &number, 1) == 1 { return }
            EndingSignals.sayAtOnce(signal)
            _exit(128 + signal)
        }
    }

    /// From now on, unfinished files are removed. The same signal once more does not wait for it.
    ///
    /// Called when the process is confined: threads that exist already are not.
    static func installCleanup() {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0, let worker = Worker({ [input = ends[0]] in end(input) }) else { return }
        worker.detach()
        unsafe notice = ends[1]
    }

    /// Asks for the end of a live source when one comes. The same signal once more ends the process.
    static func installForLiveSource() {
        handle { _ in Interruption.request() }
    }

    private static func end(_ input: CInt) {
        var number: UInt8 = 0
        while unsafe read(input, &number, 1) < 1 {
            if errno == EINTR { continue }
            // Then handlers end the process.
            unsafe notice = -1
            return
        }
        Cleanup.run()
        say(CInt(number))
        _exit(128 + CInt(number))
    }

    /// Says why the process ends.
    static func say(_ signal: CInt) {
        let name = ends.first { $0.number == signal }.map { "\($0.name)" } ?? "signal \(signal)"
        printError("interrupted by \(name): the output ends here")
    }

    /// The same; may be called by a signal handler.
    private static func sayAtOnce(_ signal: CInt) {
        let message: StaticString =
            switch signal {
            case SIGINT: "attlas: interrupted by SIGINT: the output ends here\n"
            case SIGTERM: "attlas: interrupted by SIGTERM: the output ends here\n"
            default: "attlas: interrupted by SIGHUP: the output ends here\n"
            }
        _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    }

    private static func handle(_ handler: @escaping @convention(c) (CInt) -> Void) {
        var action = sigaction()
        // Without SA_RESTART, so that a read which waits for a pipe comes back.
        action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
        unsafe action.__sigaction_handler.sa_handler = handler
        for (signal, _) in ends {
            // Who ignores one, as nohup does, means it.
            var before = sigaction()
            unsafe sigaction(signal, nil, &before)
            if before.isIgnoring, signal != SIGINT { continue }
            unsafe sigaction(signal, &action, nil)
        }
        unblock(ends.map(\.number))
    }

    /// The parent process may have blocked them.
    private static func unblock(_ numbers: [CInt]) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    // MARK: Crashes

    static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

    /// A mistake of attlas ends it with a line that reports it.
    static func sayCrashes() {
        var action = sigaction()
        action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
        unsafe action.__sigaction_handler.sa_handler = { signal in
            EndingSignals.sayCrash()
            // Delivered when the handler returns, with the system's default action.
            raise(signal)
        }
        for signal in crashes { unsafe sigaction(signal, &action, nil) }
        unblock(crashes)
    }

    /// May be called by a signal handler.
    static func sayCrash() {
        let message: StaticString =
            "attlas: an internal error ended this run: the output ends here. Please report it, with the file and attlas --version --verbose.\n"
        _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    }
}

extension sigaction {
    fileprivate var isIgnoring: Bool {
        // SIG_IGN is the number 1 where a function would be.
        unsafe unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

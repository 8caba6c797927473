import Glibc
import Synchronization

/// The effect of signals while the full screen has the terminal: the first request to end is handled in order, a second one and a crash
/// leave the terminal as it was.
enum TerminalRescue {
    /// The terminal is not as the shell left it.
    nonisolated(unsafe) static var isNeeded = false
    /// Signals that end a process by default. SIGPIPE and SIGXFSZ are ignored.
    private static let ends = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT,
        SIGXCPU,
    ]
    /// Seconds.
    private static let patience: UInt32 = 5
    private static let stop = Atomic<Bool>(false)
    /// The signal that requested the end; 0 for none.
    private static let ending = Atomic<CInt>(0)

    nonisolated(unsafe) private static var descriptor: CInt = -1
    /// In separate memory: a global variable of this type comes out without its padding, three octets shorter than the C library's struct
    /// (Swift 6.3).
    nonisolated(unsafe) private static var settings: UnsafeMutablePointer<termios>?
    /// Octets that restore the terminal, by terminfo.
    nonisolated(unsafe) private static var octets: UnsafeMutablePointer<UInt8>?
    nonisolated(unsafe) private static var count = 0

    /// Whether the process is to end.
    static var isEndAsked: Bool { ending.load(ordering: .relaxed) != 0 }

    /// Dies of the signal that requested the end, unless that was the user's control-C.
    static func dieIfAsked() {
        let number = ending.load(ordering: .relaxed)
        guard number != 0, number != SIGINT else { return }
        EndingSignals.say(number)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Whether the process is to stop. Asking takes the wish away.
    static func takeStop() -> Bool { stop.exchange(false, ordering: .relaxed) }

    /// Saves the state of the terminal. Call it before a change.
    static func prepare(descriptor: CInt) {
        unsafe self.descriptor = descriptor
        let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe settings.initialize(to: termios())
        unsafe tcgetattr(descriptor, settings)
        unsafe self.settings = settings
        var text: [UInt8] = []
        // No reports of the mouse.
        text += Array("\u{1B}[?1000l\u{1B}[?1006l".utf8)
        // No attributes, no keypad, a cursor, the screen from before.
        for name in ["sgr0", "rmkx", "cnorm", "rmcup"] { text += Terminal.capability(name) ?? [] }
        let octets = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, text.count))
        unsafe octets.initialize(from: text, count: text.count)
        unsafe self.octets = octets
        unsafe count = text.count
    }

    static func install() {
        unsafe isNeeded = true
        let ends = Self.ends + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
        for signal in ends {
            set(signal) { signal in
                let (isFirst, number) = TerminalRescue.ending.compareExchange(
                    expected: 0, desired: signal, ordering: .relaxed)
                guard isFirst else { return TerminalRescue.die(number) }
                // A terminal that takes nothing holds the thread that would end it: SIGALRM comes as another wish.
                alarm(TerminalRescue.patience)
            }
        }
        // The parent process may have blocked them.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in ends { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        set(SIGTSTP) { _ in TerminalRescue.stop.store(true, ordering: .relaxed) }
        for signal in EndingSignals.crashes {
            set(signal) { signal in
                TerminalRescue.restore()
                EndingSignals.sayCrash()
                TerminalRescue.die(signal)
            }
        }
    }

    /// For the start of a thread that gets no signals but those of its crashes.
    static func withSignalsBlocked<Value>(_ body: () -> Value) -> Value {
        var all = sigset_t()
        var former = sigset_t()
        unsafe sigfillset(&all)
        for signal in EndingSignals.crashes { unsafe sigdelset(&all, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &all, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        return body()
    }

    private static func set(_ signal: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = handler
        unsafe sigaction(signal, &action, nil)
    }

    private static func die(_ number: CInt) {
        restore()
        signal(number, SIG_DFL)
        // Delivered when the handler returns.
        raise(number)
    }

    /// Only calls that are safe in a signal handler.
    private static func restore() {
        if unsafe isNeeded, let octets = unsafe octets, let settings = unsafe settings {
            // A terminal that takes nothing must not block the end, either.
            let flags = fcntl(STDOUT_FILENO, F_GETFL)
            _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK)
            _ = unsafe write(STDOUT_FILENO, octets, count)
            _ = fcntl(STDOUT_FILENO, F_SETFL, flags)
            unsafe tcsetattr(descriptor, TCSANOW, settings)
            unsafe isNeeded = false
        }
    }
}

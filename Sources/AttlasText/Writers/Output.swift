import AttlasCapture

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where finished text goes: a file descriptor, written in large pieces.
///
/// A reader that goes away (`| head`) is not an error: `isClosed` turns true and the command ends.
public struct Output: Sendable {
    /// Octets worth a write.
    package static let chunk = 64 << 10

    package private(set) var isClosed = false
    /// The `errno` of a failed write, other than a closed pipe.
    package private(set) var failure: Int32?
    private let descriptor: Int32
    /// The octets written, if kept; nil for one that writes to a file descriptor.
    package private(set) var kept: [UInt8]?

    /// One that keeps its octets.
    package static func keeping() -> Output { Output() }

    private init() {
        descriptor = -1
        kept = []
    }

    package init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        kept = nil
        Self.ignoreSignals()
    }

    /// A closed pipe and a file of the greatest size allowed are to be errors of `write`, not the end of the process.
    private static func ignoreSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Call it before any file is opened: a missing standard stream is replaced by one that cannot be used, so that no file takes
    /// its place, and nothing that was meant for it ends in a recording.
    package static func guardStandardStreams() {
        ignoreSignals()
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            // The lowest number that is free: this one.
            _ = SystemCalls.open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal; nil if standard output is not a terminal.
    package static var terminalWidth: Int? { SystemCalls.terminalColumns(STDOUT_FILENO) }

    /// Writes `text` when it has become worth a write.
    package mutating func drain(_ text: inout TextBuffer) {
        if text.count >= Self.chunk { write(&text) }
    }

    /// Writes all of `text` and empties it.
    package mutating func write(_ text: inout TextBuffer) {
        defer { text.removeAll() }
        guard !isClosed else { return }
        if kept != nil {
            kept?.append(contentsOf: text.bytes)
            return
        }
        let octets = text.bytes
        var start = 0
        while start < octets.count {
            let written = SystemCalls.write(descriptor, octets.span.extracting(droppingFirst: start))
            if written >= 0 {
                start += written
            } else if errno == EAGAIN {
                // Another process made it non-blocking, and the reader is slower.
                SystemCalls.wait(for: POLLOUT, of: descriptor)
            } else if errno != EINTR {
                isClosed = true
                if errno != EPIPE { failure = errno }
                return
            }
        }
    }
}

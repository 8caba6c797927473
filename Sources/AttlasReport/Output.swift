import Glibc

/// Where finished text goes: a file descriptor, written in large pieces.
///
/// A reader that goes away (`| head`) is no error: `isClosed` turns true and the command ends.
public struct Output: Sendable {
    /// Octets worth a write.
    public static let chunk = 64 << 10

    public private(set) var isClosed = false
    /// What writing failed with, other than a closed pipe: `errno`.
    public private(set) var failure: Int32?
    private let descriptor: Int32

    public init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        // A closed pipe is to be an error of `write`, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
    }

    /// To be called before any file is opened: what has no standard stream gets one that cannot be used, so that no file takes
    /// its place, and nothing that was meant for it ends in a recording.
    public static func guardStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            // The lowest number that is free: this one.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    public static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal; nil when standard output is none.
    public static var terminalWidth: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes all of `text` and empties it.
    public mutating func write(_ text: inout TextBuffer) {
        defer { text.removeAll() }
        guard !isClosed else { return }
        var start = 0
        while start < text.count {
            let written = text.bytes.withUnsafeBytes { bytes -> Int in
                Glibc.write(descriptor, bytes.baseAddress! + start, bytes.count - start)
            }
            if written >= 0 {
                start += written
            } else if errno == EAGAIN {
                // Somebody made it non-blocking: whoever reads is slower than we are.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&writable, 1, -1)
            } else if errno != EINTR {
                isClosed = true
                if errno != EPIPE { failure = errno }
                return
            }
        }
    }
}

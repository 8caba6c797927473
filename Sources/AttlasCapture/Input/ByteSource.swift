import Glibc

/// Where the octets of a capture come from.
///
/// The one closure is the whole border to the system, so that a test can play the kernel.
struct ByteSource: ~Copyable {
    /// What a read gave.
    enum Outcome {
        /// What was appended to the buffer; nothing at the end.
        case octets
        /// The C `errno`.
        case failed(CInt)
        /// What the octets are decompressed from is broken, or ends early. A clause without a full stop.
        case damaged(String)
        /// More came out of what is compressed than is believed. A clause, too.
        case excessive(String)
    }

    /// As messages name it.
    let name: String
    private let descriptor: CInt?
    private(set) var read: (inout OutputSpan<UInt8>) -> Outcome

    init(name: String, read: @escaping (inout OutputSpan<UInt8>) -> Outcome) {
        self.name = name
        self.descriptor = nil
        self.read = read
    }

    /// Opens `path`, or takes standard input for `-`. The corresponding C function is `open`.
    init(path: String) throws(CaptureError) {
        guard path != "-" else {
            name = "standard input"
            descriptor = nil
            read = Self.reading(STDIN_FILENO)
            return
        }
        let descriptor = retryingOnInterrupt { SystemCalls.open(path, O_RDONLY) }
        guard descriptor >= 0 else { throw CaptureError(errno, opening: path) }
        name = path
        self.descriptor = descriptor
        read = Self.reading(descriptor)
    }

    /// From now on something is done around every read.
    mutating func surroundReads(with wait: LiveSource.Wait) {
        let read = read
        self.read = { buffer in
            wait.begin()
            defer { wait.end() }
            return read(&buffer)
        }
    }

    deinit {
        if let descriptor { _ = close(descriptor) }
    }

    /// The corresponding C function is `read`. A descriptor that somebody else made non-blocking is waited for.
    static func reading(_ descriptor: CInt) -> (inout OutputSpan<UInt8>) -> Outcome {
        { buffer in
            while true {
                let count = retryingOnInterrupt { SystemCalls.read(descriptor, into: &buffer) }
                if count >= 0 { return .octets }
                if errno == EINTR { return .octets }
                guard errno == EAGAIN else { return .failed(errno) }
                _ = retryingOnInterrupt { SystemCalls.wait(for: POLLIN, of: descriptor) }
            }
        }
    }
}

/// Makes the call again when a signal came between, unless the signal asks for an end.
private func retryingOnInterrupt<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value >= 0 || errno != EINTR || Interruption.isRequested { return value }
    }
}

extension CaptureError {
    /// The system did not open `path`.
    init(_ number: CInt, opening path: String) {
        let advice: String? =
            switch number {
            case ENOENT: "Check the path; a capture from standard input is named -."
            case EACCES, EPERM: "Check the permissions of the file and of the folders above it."
            default: nil
            }
        self.init(.system(number), file: path, "cannot be opened: \(SystemCalls.message(number))", advice: advice)
    }

    /// The system did not read on.
    init(_ number: CInt, reading name: String, at offset: UInt64) {
        let advice = number == EISDIR ? "Name the capture files inside it." : nil
        self.init(
            .system(number), file: name, offset: offset > 0 ? offset : nil,
            "cannot be read: \(SystemCalls.message(number))", advice: advice)
    }
}

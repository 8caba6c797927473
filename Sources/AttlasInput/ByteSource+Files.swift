import AttlasCapture
import Glibc

extension ByteSource {
    /// Opens `path`, or takes standard input for `-`. The corresponding C function is `open`.
    package init(path: String) throws(CaptureError) {
        guard path != "-" else {
            self.init(name: "standard input") { readWaiting(STDIN_FILENO, into: &$0) }
            return
        }
        let file = try OpenFile(path: path)
        self.init(name: path) { readWaiting(file.descriptor, into: &$0) }
    }
}

extension ByteSource {
    /// A file from an offset on.
    init(path: String, offset: UInt64) throws(CaptureError) {
        let file = try OpenFile(path: path)
        guard lseek(file.descriptor, off_t(offset), SEEK_SET) >= 0 else { throw CaptureError(errno, opening: path) }
        self.init(name: path) { readWaiting(file.descriptor, into: &$0) }
    }
}

/// Closed when it cannot be read any more.
private final class OpenFile {
    let descriptor: CInt

    init(path: String) throws(CaptureError) {
        let descriptor = retryingOnInterrupt { SystemCalls.open(path, O_RDONLY) }
        guard descriptor >= 0 else { throw CaptureError(errno, opening: path) }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}

/// The corresponding C function is `read`. It waits for a descriptor that another process made non-blocking.
private func readWaiting(_ descriptor: CInt, into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
    while true {
        let count = retryingOnInterrupt { SystemCalls.read(descriptor, into: &buffer) }
        if count >= 0 { return .octets }
        if errno == EINTR { return .octets }
        guard errno == EAGAIN else { return .failed(errno) }
        _ = retryingOnInterrupt { SystemCalls.wait(for: POLLIN, of: descriptor) }
    }
}

/// Makes the call again when a signal came between, unless the signal asks for an end.
private func retryingOnInterrupt<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
        let value = call()
        if value >= 0 || errno != EINTR || Interruption.isRequested { return value }
    }
}

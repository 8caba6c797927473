import AttlasCapture
import AttlasText
import Glibc

/// A file that appears when it is complete, in the place of the one before.
///
/// What is no regular file (a device, a pipe, a symbolic link) is not replaced, but written to.
struct WholeFile {
    let output: Output
    private let descriptor: CInt
    private let path: String
    /// The name until it is complete; nil for what is written to.
    private let next: String?

    /// nil: it cannot be written, and `errno` says why.
    init?(_ path: String, mode: mode_t = 0o600) {
        self.path = path
        if let status = SystemCalls.linkStatus(of: path), status.st_mode & S_IFMT != S_IFREG {
            next = nil
            descriptor = SystemCalls.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        } else {
            let next = SystemCalls.unusedName(for: path)
            descriptor = SystemCalls.open(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
            self.next = next
        }
        guard descriptor >= 0 else { return nil }
        output = Output(descriptor: descriptor)
    }

    /// - Parameter isKept: whether there is something to keep.
    /// - Returns: 0, or the number of the error.
    func finish(_ written: Output, isKept: Bool = true) -> CInt {
        close(descriptor)
        guard let next else { return written.failure ?? 0 }
        if written.failure == nil, isKept {
            if SystemCalls.rename(next, to: path) == 0 { return 0 }
        }
        let number = written.failure ?? (isKept ? errno : 0)
        SystemCalls.remove(next)
        return number
    }
}

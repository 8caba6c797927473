import AttlasCapture
import AttlasReport
import Glibc

/// Where a report goes: standard output, or a file that appears when it is complete.
struct ReportFile {
    let output: Output
    private let path: String?
    private let descriptor: CInt

    /// - Parameter path: nil for standard output. A file that is no capture is replaced.
    init(_ path: String?) throws(CaptureError) {
        self.path = path
        guard let path else {
            (output, descriptor) = (Output(), -1)
            return
        }
        if SystemCalls.regularFileSize(path) != nil, (try? CaptureReader(path: path)) != nil {
            throw CaptureError(.system(EEXIST), file: path, "is a capture, and no report replaces it")
        }
        let next = path + ".new"
        // Of a process that was killed.
        SystemCalls.remove(next)
        descriptor = SystemCalls.open(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        guard descriptor >= 0 else { throw Self.error(path, errno) }
        output = Output(descriptor: descriptor)
    }

    private static func error(_ path: String, _ number: CInt) -> CaptureError {
        CaptureError(.system(number), file: path, "cannot be written: \(SystemCalls.message(number))")
    }

    /// - Parameter isKept: whether there is something to keep.
    func finish(_ written: Output, isKept: Bool) throws(CaptureError) {
        guard let path else {
            if let number = written.failure { throw Self.error("standard output", number) }
            return
        }
        close(descriptor)
        if written.failure == nil, isKept, SystemCalls.rename(path + ".new", to: path) == 0 { return }
        let number = written.failure ?? errno
        SystemCalls.remove(path + ".new")
        if isKept { throw Self.error(path, number) }
    }
}

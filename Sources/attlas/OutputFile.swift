import AttlasCapture
import AttlasReport
import Glibc

/// What a command writes: standard output, or a file that is there when it is complete.
struct OutputFile {
    let output: Output
    private let file: WholeFile?
    private let path: String

    /// - Parameter path: nil for standard output. A file that is no capture is replaced.
    init(_ path: String?) throws(CaptureError) {
        self.path = path ?? "standard output"
        guard let path else {
            (output, file) = (Output(), nil)
            return
        }
        if SystemCalls.regularFileSize(path) != nil, (try? CaptureReader(path: path)) != nil {
            throw CaptureError(.system(EEXIST), file: path, "is a capture, and is not replaced")
        }
        guard let file = WholeFile(path) else { throw Self.error(path, errno) }
        (output, self.file) = (file.output, file)
    }

    private static func error(_ path: String, _ number: CInt) -> CaptureError {
        CaptureError(
            .system(number), file: path, "cannot be written: \(SystemCalls.message(number))",
            advice: CaptureError.advice(writing: number))
    }

    /// - Parameter isKept: whether there is something to keep.
    func finish(_ written: Output, isKept: Bool) throws(CaptureError) {
        let number = file?.finish(written, isKept: isKept) ?? written.failure ?? 0
        if number != 0 { throw Self.error(path, number) }
    }
}

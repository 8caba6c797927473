import ArgumentParser
import AttlasCapture
import AttlasText
import Glibc

/// What a command writes: standard output, or a file that appears when it is complete.
struct OutputFile {
    let output: Output
    private let file: (whole: WholeFile, path: String)?

    /// - Parameter path: nil for standard output. A file that is no capture is replaced.
    init(_ path: String?) throws(CaptureError) {
        guard let path else {
            (output, file) = (Output(), nil)
            return
        }
        try Self.check(path)
        guard let file = WholeFile(path) else { throw Self.error(path, errno) }
        (output, self.file) = (file.output, (file, path))
    }

    /// Whether the file may be replaced.
    static func check(_ path: String) throws(CaptureError) {
        if SystemCalls.regularFileSize(path) != nil, (try? CaptureReader(path: path)) != nil {
            throw CaptureError(.system(EEXIST), file: path, "is a capture, and is not replaced")
        }
    }

    static func error(_ path: String, _ number: CInt) -> CaptureError {
        CaptureError(
            .system(number), file: path, "cannot be written: \(SystemCalls.message(number))",
            advice: CaptureError.advice(writing: number))
    }

    /// Reports what could not be written, with status 1.
    ///
    /// - Parameter isKept: whether there is something to keep.
    func finish(_ written: Output, isKept: Bool) throws {
        guard let file else {
            if written.hasFailed { throw ExitCode(1) }
            return
        }
        let number = file.whole.finish(written, isKept: isKept)
        try orExit { () throws(CaptureError) in if number != 0 { throw Self.error(file.path, number) } }
    }
}

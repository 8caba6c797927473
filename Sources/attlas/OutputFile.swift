import ArgumentParser
import AttlasCapture
import AttlasRecords
import AttlasText
import Glibc

/// Where a command writes text: standard output, a pipe or a device, or a file that appears when it is complete.
struct OutputFile {
    let output: Output
    private let path: OutputPath?
    /// nil for outputs that are written in place.
    private let file: NewFile?
    private let stream: CInt?

    /// - Parameter path: nil for standard output.
    init(_ path: OutputPath?, mode: mode_t = 0o600) throws(CaptureError) {
        self.path = path
        guard let path, !path.isStandardOutput else {
            (output, file, stream) = (Output(), nil, nil)
            return
        }
        if let stream = try path.openStream() {
            (output, file, self.stream) = (Output(descriptor: stream), nil, stream)
            return
        }
        let file = try NewFile(path, mode: mode)
        (output, self.file, stream) = (Output(descriptor: file.descriptor), file, nil)
    }

    /// A descriptor that keeps the file locked after it is complete, so that no other command replaces it; -1 if there is no file.
    func lock() -> CInt { file.map { dup($0.descriptor) } ?? -1 }

    /// - Parameter isKept: Whether there is something to keep.
    func complete(_ written: Output, isKept: Bool = true) throws(CaptureError) {
        if let stream { close(stream) }
        if let path, let failure = written.failure { throw path.error(failure) }
        if isKept { try file?.complete() }
    }

    /// The same, with a message and status 1 for a failed write.
    func finish(_ written: Output, isKept: Bool = true) throws {
        if path?.isStandardOutput ?? true, written.hasFailed { throw ExitCode(1) }
        try orExit { () throws(CaptureError) in try complete(written, isKept: isKept) }
    }
}

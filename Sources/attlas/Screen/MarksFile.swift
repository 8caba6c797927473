import AttlasCapture
import AttlasInput
import AttlasReport
import Glibc

/// The file beside a capture that has the user's marks.
struct MarksFile {
    /// nil: the capture is no file.
    private let path: String?

    init(beside capture: String) {
        path = SystemCalls.regularFileSize(capture) == nil ? nil : capture + RecordingMarks.ending
    }

    /// Empty if there is no file that can be read.
    func read() -> RecordingMarks {
        guard let path, SystemCalls.regularFileSize(path) != nil,
            let octets = try? [UInt8](contentsOf: path, limit: RecordingMarks.fileLimit)
        else { return RecordingMarks() }
        return RecordingMarks(octets)
    }

    /// Replaces the file in one piece; without marks there is none.
    /// - Returns: what is wrong.
    func write(_ marks: RecordingMarks) -> String? {
        guard let path else { return "kept until you quit: this capture is no file" }
        if marks.isEmpty {
            let status = SystemCalls.remove(path)
            return status == 0 || errno == ENOENT ? nil : failure(path)
        }
        let next = path + ".new"
        // Of a process that was killed.
        SystemCalls.remove(next)
        let descriptor = SystemCalls.open(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        guard descriptor >= 0 else { return failure(path) }
        var output = Output(descriptor: descriptor)
        var text = marks.text
        output.write(&text)
        close(descriptor)
        if output.failure == nil, SystemCalls.rename(next, to: path) == 0 { return nil }
        let message = failure(path, output.failure ?? errno)
        SystemCalls.remove(next)
        return message
    }

    private func failure(_ path: String, _ number: CInt = errno) -> String {
        "kept until you quit: \(path) cannot be written: \(SystemCalls.message(number))"
    }
}

import AttlasCapture
import AttlasInput
import AttlasRecords
import AttlasScreen
import AttlasText
import Glibc

/// The file next to a capture that has the user's marks.
struct MarksFile {
    /// nil if the capture is not a file.
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
    /// - Returns: the error message.
    func write(_ marks: RecordingMarks) -> String? {
        guard let path else { return "kept until you quit: this capture is no file" }
        if marks.isEmpty {
            let status = SystemCalls.remove(path)
            return status == 0 || errno == ENOENT
                ? nil : "kept until you quit: \(path) cannot be removed: \(SystemCalls.message(errno))"
        }
        do throws(CaptureError) {
            let file = try OutputFile(OutputPath(path, replaces: true))
            var output = file.output
            var text = marks.text
            output.write(&text)
            try file.complete(output)
            return nil
        } catch {
            return "kept until you quit: \(path) \(error.reason)"
        }
    }
}

import AttlasCapture
import AttlasInput
import AttlasScreen
import AttlasText
import Glibc

/// The file next to a capture that has the user's marks.
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
        guard let file = WholeFile(path) else { return failure(path) }
        var output = file.output
        var text = marks.text
        output.write(&text)
        let number = file.finish(output)
        return number == 0 ? nil : failure(path, number)
    }

    private func failure(_ path: String, _ number: CInt = errno) -> String {
        "kept until you quit: \(path) cannot be written: \(SystemCalls.message(number))"
    }
}

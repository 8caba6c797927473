import AttlasCapture
import AttlasInput
import AttlasLive
import AttlasScreen
import AttlasText
import Glibc

/// Writes an export to a new file, a piece at a time.
final class ExportFile {
    let path: String
    private let export: RecordingExport
    private var output: Output?
    private let descriptor: CInt
    private var copy: RecordCopy?
    private(set) var isComplete = false
    /// Why the file is not there.
    private(set) var failure: CaptureError?

    init(
        _ path: String, _ export: RecordingExport, _ capture: SeekableCapture, ofRecords: Bool
    ) throws(CaptureError) {
        self.path = path
        self.export = export
        if ofRecords {
            copy = try RecordCopy(capture, RecordWriter(path: path))
            descriptor = -1
            return
        }
        descriptor = SystemCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        guard descriptor >= 0 else { throw Self.error(path, errno) }
        output = Output(descriptor: descriptor)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func error(_ path: String, _ number: CInt) -> CaptureError {
        number == EEXIST
            ? CaptureError(.system(number), file: path, "exists already")
            : CaptureError(.system(number), file: path, "cannot be written: \(SystemCalls.message(number))")
    }

    /// 0 to 1.
    var progress: Double { export.isComplete ? copy?.progress ?? 1 : export.progress }

    /// To be called again as long as it is not complete.
    func advance(records: Int) {
        if !export.isComplete {
            export.advance(records: records)
            output?.write(&export.lines)
            if let number = output?.failure { end(Self.error(path, number)) }
            if copy == nil, export.isComplete { isComplete = true }
        } else if let copy {
            isComplete = copy.advance(records: records, export)
            if let failure = copy.failure { end(failure) }
        }
    }

    /// Leaves no file.
    func end(_ failure: CaptureError? = nil) {
        self.failure = failure
        isComplete = true
        SystemCalls.remove(path)
    }
}

/// Copies records of a capture to another one.
private final class RecordCopy {
    private var reader: CaptureReader
    private let writer: RecordWriter
    private let size: UInt64

    init(_ capture: SeekableCapture, _ writer: RecordWriter) throws(CaptureError) {
        reader = try capture.reader(at: capture.start)
        self.writer = writer
        size = capture.size
    }

    var progress: Double { Double(reader.position.offset) / Double(max(1, size)) }
    var failure: CaptureError? { writer.failure }

    /// - Returns: whether there is no more.
    func advance(records: Int, _ export: RecordingExport) -> Bool {
        for _ in 0..<records {
            do throws(CaptureError) {
                if let record = try reader.next(), !export.isPast(record.frame - 1) {
                    if export.wants(record.frame) { writer.write(record) }
                    continue
                }
            } catch {
                // The octets before it were copied.
            }
            writer.flush()
            return true
        }
        return false
    }
}

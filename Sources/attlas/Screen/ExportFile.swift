import AttlasCapture
import AttlasInput
import AttlasRecords
import AttlasScreen
import AttlasText
import Glibc

/// Writes an export to a new file, a piece at a time.
final class ExportFile {
    let path: String
    private let export: RecordingExport
    private var output: Output?
    private var file: OutputFile?
    private var copy: RecordCopy?
    private(set) var isComplete = false
    /// Why the file is not there.
    private(set) var failure: CaptureError?

    init(
        _ path: String, _ export: RecordingExport, _ capture: SeekableCapture, ofRecords: Bool
    ) throws(CaptureError) {
        self.path = path
        self.export = export
        let target = OutputPath(path)
        if ofRecords {
            let format: RecordFormat = path.hasSuffix(".pcapng") ? .pcapng : .btsnoop
            copy = try RecordCopy(capture, RecordWriter(whole: target, format))
            return
        }
        file = try OutputFile(target)
        output = file?.output
    }

    /// 0 to 1.
    var progress: Double { export.isComplete ? copy?.progress ?? 1 : export.progress }

    /// To be called again as long as it is not complete.
    func advance(records: Int) {
        if !export.isComplete {
            export.advance(records: records)
            output?.write(&export.lines)
            if copy == nil, let output, let file, export.isComplete || output.failure != nil {
                end { () throws(CaptureError) in try file.complete(output) }
            }
        } else if let copy, copy.advance(records: records, export) {
            end(copy.complete)
        }
    }

    private func end(_ complete: () throws(CaptureError) -> Void) {
        do throws(CaptureError) { try complete() } catch { failure = error }
        isComplete = true
    }

    /// Leaves no file.
    func cancel() {
        (output, file, copy) = (nil, nil, nil)
        isComplete = true
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

    func complete() throws(CaptureError) { try writer.complete(isKept: true) }

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
        writer.flush()
        return writer.failure != nil
    }
}

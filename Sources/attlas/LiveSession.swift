import AttlasInput
import AttlasReport
import AttlasTrace

/// What is decoded from a live source, and the recording of it.
final class LiveSession<Sink: EventSink> {
    let options: LiveOptions
    private let source: OpenSource
    var sink: Sink
    var trace: Trace
    private(set) var extent = CaptureExtent()
    /// nil as long as nothing has come by which the source could be told.
    private(set) var info: CaptureInfo?
    private var writer: RecordWriter?
    /// The message about a failed recording.
    private(set) var hasRecordingFailed = false
    /// The file to look at afterwards.
    var recording: String? { writer?.firstName }
    /// Told what goes wrong and does not end the session.
    var report: (CaptureError) -> Void = { printError($0.detailedDescription) }

    init(_ options: LiveOptions, _ source: OpenSource, _ sink: Sink, _ trace: consuming Trace) {
        self.options = options
        self.source = source
        self.sink = sink
        self.trace = trace
    }

    /// Decodes what comes until the user or the source ends it; a file that was replaced is opened again.
    /// - Parameters:
    ///   - wait: surrounds the opening and every read of the source: what has come by then was decoded, and handed to the recording.
    ///   - begin: called when the source is known.
    ///   - note: called with each record before it is decoded.
    ///   - step: called after each record. False ends it.
    func decode(
        wait: LiveSource.Wait, begin: (LiveSession, CaptureInfo) -> Void,
        note: (LiveSession, borrowing Record) -> Void, step: (LiveSession) -> Bool
    ) throws(CaptureError) {
        let wait = LiveSource.Wait { [self] in
            flush()
            wait.begin()
        } end: {
            wait.end()
        }
        var captures = try CaptureSet(live: source, wait: wait) { [self] () throws(CaptureError) in
            writer = try options.writer()
        }
        var reader = try captures.first()
        info = reader.info
        begin(self, reader.info)
        // What was decoded before an error is summed up all the same.
        defer {
            flush()
            info = reader.info
        }
        func takeNext() throws(CaptureError) -> Bool {
            guard let record = try reader.next() else { return false }
            writer?.write(record)
            extent.note(record)
            note(self, record)
            trace.decodeUnspecialized(record, into: &sink)
            return true
        }
        while true {
            do throws(CaptureError) {
                while try takeNext() {
                    guard step(self) else { return }
                }
            } catch {
                // An end within a record is no news to who asked for it, and usual where a file is cut or replaced.
                guard case .cutShort = error.kind, options.follow != nil || Interruption.isRequested else {
                    throw error
                }
                if !Interruption.isRequested { report(error) }
            }
            if Interruption.isRequested { return }
            guard options.follow != nil else { return try captures.requireEnd() }
            captures = try CaptureSet(live: source, wait: wait)
            reader = try captures.first()
            reader.framesBefore = extent.records
        }
    }

    /// Hands the recording to the system. The decoding goes on when the disk is full.
    func flush() {
        guard let writer, !hasRecordingFailed else { return }
        writer.flush()
        for notice in writer.takeNotices() { report(notice) }
        guard let failure = writer.failure else { return }
        hasRecordingFailed = true
        report(failure)
    }
}

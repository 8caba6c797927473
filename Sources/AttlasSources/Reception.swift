import AttlasCapture
import AttlasInput
import AttlasLocks
import AttlasRecords
import Glibc
import Synchronization

/// The receiving of a live source and the recording of it, never blocked by a slow viewer.
///
/// Two threads: one reads the source, the other writes the recording. Each of the two that take its records, the view and the
/// recording, has a queue; when one of them takes nothing, it loses records, and the other does not.
package final class Reception: Sendable {
    private struct State {
        var info: CaptureInfo?
        var failure: CaptureError?
        var recording: String?
        var hasRecordingFailed = false
        var isRecorded = false
        /// Triggers that were not recorded yet.
        var triggers: [FlightRecorder.Trigger] = []
        var areTriggersOver = false
    }

    /// More wait only for a disk that takes nothing.
    private static let triggerLimit = 1_024

    private let source: OpenSource
    private let follows: Bool
    private let report: @Sendable (CaptureError) -> Void
    /// Records of the source for the view.
    package let view = RecordQueue(limit: 16 << 20)
    private let recording: RecordQueue?
    /// The window of a recording in pieces.
    private let window: FlightRecorder.Window?
    private let writer = Locked<RecordWriter?>(nil)
    private let state = Locked(State())
    private let batch = Locked(RecordBatch())
    /// Whether all that was read was handed on.
    private let isIdle = Atomic<Bool>(true)

    /// Nanoseconds that a blocked disk or output has to recover, while the end is awaited.
    package static let patience: Int64 = 3_000_000_000

    /// Nanoseconds after which a recording around incidents no longer waits for decoding.
    private static let decodingPatience: Int64 = 1_000_000_000

    /// - Parameters:
    ///   - follows: whether a file that was replaced is opened again.
    ///   - window: the amount to record around each trigger; nil for all.
    ///   - report: called by any thread with an error that does not end it.
    package init(
        _ source: OpenSource, follows: Bool, isRecorded: Bool, window: FlightRecorder.Window? = nil,
        report: @escaping @Sendable (CaptureError) -> Void
    ) {
        self.window = window
        self.source = source
        self.follows = follows
        self.report = report
        recording = isRecorded ? RecordQueue(limit: 64 << 20) : nil
    }

    /// The capture's metadata; nil until enough has come to detect the format.
    package var info: CaptureInfo? { state.withLock { $0.info } }
    /// The error that ended it, other than the end of the source.
    package var failure: CaptureError? { state.withLock { $0.failure } }
    /// The first file of the recording.
    package var recordingName: String? { state.withLock { $0.recording } }
    /// Whether something is not in the recording.
    package var hasRecordingFailed: Bool { state.withLock { $0.hasRecordingFailed } || recordsNotRecorded > 0 }
    package var recordsNotRecorded: Int { recording?.lost ?? 0 }

    // MARK: The thread that receives

    /// Reads the source to its end, or to that of the process.
    /// - Parameter makeWriter: called when the source is open.
    package func receive(_ makeWriter: @Sendable () throws(CaptureError) -> sending RecordWriter?) {
        do throws(CaptureError) {
            try read(makeWriter)
        } catch {
            // The user interrupted the opening, so no report is needed.
            if !(Interruption.isRequested && info == nil) { state.withLock { $0.failure = error } }
        }
        publish()
        isIdle.store(true, ordering: .releasing)
        view.end()
        recording?.end()
    }

    private func read(_ makeWriter: @Sendable () throws(CaptureError) -> sending RecordWriter?) throws(CaptureError) {
        let wait = LiveSource.Wait { [self] in
            publish()
            isIdle.store(true, ordering: .releasing)
        } end: { [self] in
            isIdle.store(false, ordering: .releasing)
        }
        var captures = try CaptureSet(live: source, wait: wait) { () throws(CaptureError) in
            try writer.withLock { writer throws(CaptureError) in writer = try makeWriter() }
            noteWriter()
        }
        var reader = try captures.first()
        defer { state.withLock { $0.info = reader.info } }
        state.withLock { $0.info = reader.info }
        // Reports to the view that something is known about the source.
        _ = view.put(RecordBatch(), patience: 0)
        var records = 0
        func takeNext() throws(CaptureError) -> Bool {
            guard let record = try reader.next() else { return false }
            records += 1
            let isWorthHandingOn = batch.withLock { batch in
                batch.append(record)
                return batch.size >= 1 << 16
            }
            if isWorthHandingOn { publish() }
            return true
        }
        while true {
            do throws(CaptureError) {
                while try takeNext() {}
            } catch {
                // An end within a record is expected after an interruption, and usual where a file is cut or replaced.
                guard case .cutShort = error.kind, follows || Interruption.isRequested else { throw error }
                if !Interruption.isRequested { report(error) }
            }
            if Interruption.isRequested { return }
            guard follows else { return try captures.requireEnd() }
            captures = try CaptureSet(live: source, wait: wait)
            reader = try captures.first()
            reader.framesBefore = records
        }
    }

    /// Hands on the records read.
    private func publish() {
        let batch = batch.withLock { batch in
            defer { batch = RecordBatch() }
            return batch
        }
        guard batch.count > 0 else { return }
        if let recording, recording.put(batch, patience: source.waits ? 10_000_000_000 : 0) {
            reportLoss("the recording", "the disk is too slow: records are missing from the recording")
        }
        // Without a recording there is nothing that would be lost by waiting.
        let patience: Int64 = source.waits ? recording == nil ? .max : 2_000_000_000 : 0
        if view.put(batch, patience: patience) {
            reportLoss(
                "the output",
                "it takes too little: records are left out of it" + (recording == nil ? "" : ", not of the recording"))
        }
    }

    private func reportLoss(_ name: String, _ reason: String) {
        report(CaptureError(.system(ENOBUFS), file: name, reason))
    }

    // MARK: The thread that records

    /// Writes the records received, to the end.
    package func record() {
        if let window {
            recordPieces(FlightRecorder(window))
        } else {
            while let batch = recording?.next() {
                writer.withLock { writer in
                    guard let writer else { return }
                    batch.visit {
                        writer.write($0)
                        return true
                    }
                    writer.flush()
                }
                noteWriter()
            }
        }
        // Also of a recording without a record.
        noteWriter()
        endRecording()
    }

    private func recordPieces(_ recorder: consuming FlightRecorder) {
        var recorder = recorder
        func withWriter(_ body: (inout FlightRecorder, RecordWriter) -> Void) {
            writer.withLock { writer in
                guard let writer else { return }
                body(&recorder, writer)
                writer.flush()
            }
            noteWriter()
        }
        while let batch = recording?.next() {
            let now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
            // Events in these records are known once they were decoded, unless an output blocks decoding.
            while view.finishedFrame < batch.lastFrame ?? 0, view.stillness < Self.decodingPatience { usleep(1_000) }
            withWriter { recorder, writer in recorder.add(batch, at: now, takeTriggers(), to: writer, report) }
        }
        // The last records may still be decoded.
        var left = Self.decodingPatience
        while !state.withLock({ $0.areTriggersOver }), left > 0 {
            usleep(2_000)
            if Interruption.isRequested { left -= 2_000_000 }
        }
        withWriter { recorder, writer in recorder.finish(takeTriggers(), writer, report) }
        if recorder.pieces == 0, !hasRecordingFailed {
            report(CaptureError(.empty, file: "the recording", "nothing happened that was to be recorded"))
        }
    }

    private func takeTriggers() -> [FlightRecorder.Trigger] {
        state.withLock { state in
            defer { state.triggers = [] }
            return state.triggers
        }
    }

    // MARK: Any thread

    /// Triggers recording: the kept records, and those after it.
    ///
    /// - Parameters:
    ///   - frame: Frame of the record that shows it.
    ///   - name: `link lost`
    package func trigger(frame: Int, _ name: String) {
        state.withLock { state in
            guard state.triggers.count < Self.triggerLimit else { return }
            state.triggers.append(FlightRecorder.Trigger(frame: frame, name: name))
        }
        // Also when no record comes.
        _ = recording?.put(RecordBatch(), patience: 0)
    }

    /// No trigger comes any more.
    package func endTriggers() {
        state.withLock { $0.areTriggersOver = true }
    }

    /// The recording has ended.
    package func endRecording() {
        state.withLock { $0.isRecorded = true }
    }

    /// Copies the writer's state, so that others need not wait for it.
    private func noteWriter() {
        let (name, failure, notices) = writer.withLock { ($0?.firstName, $0?.failure, $0?.takeNotices() ?? []) }
        let isNew = state.withLock { state in
            defer { state.hasRecordingFailed = failure != nil }
            state.recording = name
            return failure != nil && !state.hasRecordingFailed
        }
        for notice in notices { report(notice) }
        if isNew, let failure { report(failure) }
    }

    // MARK: The end

    /// Ends it with the records so far.
    package func stop() {
        view.stop()
        recording?.stop()
        // Records read before are delivered first: that takes no longer than decoding one read.
        for _ in 0..<1_000 where !isIdle.load(ordering: .acquiring) { usleep(1_000) }
        view.end()
        recording?.end()
    }

    /// Waits until all is recorded that was received.
    /// - Parameter isHurried: whether the user waits for the end: then for a disk that takes nothing only so long.
    package func finishRecording(isHurried: () -> Bool) {
        guard let recording else { return }
        var begun = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        while !state.withLock({ $0.isRecorded }) {
            let now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
            if !isHurried() { begun = now }
            if now - begun >= Self.patience, recording.stillness >= Self.patience {
                state.withLock { $0.hasRecordingFailed = true }
                return reportLoss(
                    "the recording", "the disk takes nothing: the last records are missing from the recording")
            }
            usleep(2_000)
        }
    }
}

extension OpenSource {
    /// Whether unread data stays in the source.
    fileprivate var waits: Bool {
        switch kind {
        case .monitor, .device: false
        case .growing, .pipe: true
        }
    }
}

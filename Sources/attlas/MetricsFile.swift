import AttlasCapture
import AttlasDocuments
import AttlasIncidents
import AttlasInput
import AttlasLocks
import AttlasMetrics
import AttlasRecords
import AttlasSources
import AttlasThreads
import AttlasTrace
import Glibc

/// Counts of a live session in a file, which a separate thread replaces every few seconds, also when no record comes.
final class MetricsFile: Sendable {
    private struct State {
        var counts = LiveCounts()
        /// Keeps the file locked as it was written the last time.
        var lock: CInt = -1
        /// Why it could not be written the last time.
        var failure: CaptureError?
        var isEnded = false
        /// The thread writes no more.
        var isDone = false
    }

    private static let interval: useconds_t = 5_000_000
    private static let pause: useconds_t = 50_000

    private let path: OutputPath
    private let report: @Sendable (CaptureError) -> Void
    private let state = Locked(State())

    /// - Throws: If the file cannot be written.
    init(_ path: OutputPath, report: @escaping @Sendable (CaptureError) -> Void) throws(CaptureError) {
        self.path = path
        self.report = report
        if let failure = write(LiveCounts()) { throw failure }
    }

    func start() throws(CaptureError) {
        guard let worker = Worker({ [self] in run() }) else { throw CaptureError(withoutThread: path.path) }
        worker.detach()
    }

    private func run() {
        var isLast = false
        while !isLast {
            for _ in 0..<Self.interval / Self.pause where !state.withLock({ $0.isEnded }) { usleep(Self.pause) }
            isLast = state.withLock { $0.isEnded }
            update()
        }
        state.withLock { $0.isDone = true }
    }

    /// To be called when all that has come is decoded.
    func publish(_ traffic: TrafficCounts, _ extent: CaptureExtent, _ reception: Reception) {
        state.withLock { state in
            state.counts.traffic = traffic
            state.counts.extent = extent
            state.counts.recordsNotShown = reception.view.lost
            state.counts.recordsNotRecorded = reception.recordsNotRecorded
            state.counts.isRecordingFailed = reception.hasRecordingFailed
        }
    }

    func note(_ incident: IncidentCollector.News) { state.withLock { $0.counts.note(incident) } }

    /// - Returns: whether the last counts are in the file.
    func end() -> Bool {
        state.withLock { $0.isEnded = true }
        let begun = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        while !state.withLock({ $0.isDone }) {
            guard SystemCalls.nanoseconds(CLOCK_MONOTONIC) - begun < Reception.patience else {
                report(
                    CaptureError(
                        .system(0), file: path.path, "the disk takes nothing: the last counts were not written"))
                return false
            }
            usleep(Self.pause / 10)
        }
        return state.withLock { $0.failure == nil }
    }

    private func update() {
        let failure = write(state.withLock { $0.counts })
        let isNew = state.withLock { state in
            defer { state.failure = failure }
            return state.failure == nil
        }
        if let failure, isNew { report(failure) }
    }

    /// The collector of node exporter runs as another user, and must read complete files.
    private func write(_ counts: LiveCounts) -> CaptureError? {
        do throws(CaptureError) {
            keep(lock: -1)
            let file = try OutputFile(path, mode: 0o644)
            var output = file.output
            var text = MetricsText(counts)
            text.write(into: &output)
            keep(lock: file.lock())
            try file.complete(output)
            return nil
        } catch {
            return error
        }
    }

    private func keep(lock: CInt) {
        state.withLock { state in
            if state.lock >= 0 { close(state.lock) }
            state.lock = lock
        }
    }
}

import AttlasInput
import AttlasMetrics
import AttlasSources
import AttlasThreads
import AttlasTrace

/// The decoding of a live source, and its recording.
final class LiveSession<Sink: EventSink> {
    let options: LiveOptions
    let reception: Reception
    private let reports: LiveReports
    private var pair: SinkPair<Sink, OptionalSink<TrafficCounts>>
    var trace: Trace
    private(set) var extent = CaptureExtent()
    /// nil until enough has come to detect the format.
    private(set) var info: CaptureInfo?

    /// - Parameters:
    ///   - reports: gets the incidents of `sink`.
    ///   - report: called by any thread with an error that does not end the session.
    init(
        _ options: LiveOptions, _ source: OpenSource, _ sink: Sink, _ trace: consuming Trace, _ reports: LiveReports,
        report: @escaping @Sendable (CaptureError) -> Void
    ) {
        self.options = options
        self.reports = reports
        pair = SinkPair(first: sink, second: OptionalSink(reports.metrics == nil ? nil : TrafficCounts()))
        self.trace = trace
        reception = Reception(
            source, follows: options.follow != nil, isRecorded: options.write != nil, window: options.flight.window,
            report: report)
        reports.reception = reception
    }

    var sink: Sink {
        @inline(__always) _read { yield pair.first }
        @inline(__always) _modify { yield &pair.first }
    }

    /// Decodes a live source until the user or the source ends it; a file that was replaced is opened again.
    /// - Parameters:
    ///   - wait: surrounds every wait for records: earlier records were decoded.
    ///   - begin: called when the source is known.
    ///   - take: called with records before they are decoded.
    ///   - note: called with each record before it is decoded.
    ///   - step: called after each record. False ends it.
    func decode(
        wait: LiveSource.Wait, begin: (LiveSession, CaptureInfo) -> Void,
        take: (LiveSession, RecordBatch) -> Void = { _, _ in },
        note: (LiveSession, borrowing Record) -> Void, step: (LiveSession) -> Bool
    ) throws(CaptureError) {
        try start()
        // Data decoded before an error is summed up.
        defer { info = reception.info }
        while true {
            publish()
            wait.begin()
            // There may be no more readers to wait for.
            guard step(self) else { return reception.stop() }
            let batch = reception.view.next()
            wait.end()
            guard let batch else { break }
            if info == nil, let first = reception.info {
                info = first
                begin(self, first)
            }
            take(self, batch)
            let isWanted = batch.visit { record in
                extent.note(record)
                note(self, record)
                trace.decodeUnspecialized(record, into: &pair)
                return step(self)
            }
            guard isWanted else { return reception.stop() }
        }
        if let failure = reception.failure { throw failure }
    }

    private func publish() {
        if let traffic = pair.second.sink { reports.metrics?.publish(traffic, extent, reception) }
    }

    /// To be called when all is decoded.
    func finish() { trace.finish(into: &pair) }

    /// To be called when all is recorded.
    /// - Returns: whether all that was to be reported is.
    func finishReports() -> Bool {
        publish()
        return reports.metrics?.end() ?? true
    }

    /// Its missing data so far.
    func integrity(_ info: CaptureInfo) -> CaptureIntegrity {
        CaptureIntegrity(extent, info, in: trace, endedBy: reception.failure)
    }

    private func start() throws(CaptureError) {
        let reception = reception
        let makeWriter = options.writerMaker
        // Nothing is received before the recorder is ready.
        guard let recorder = Worker({ reception.record() }), let receiver = Worker({ reception.receive(makeWriter) })
        else {
            reception.endRecording()
            throw CaptureError(withoutThread: options.source.name)
        }
        recorder.detach()
        receiver.detach()
    }
}

extension Reception {
    /// Whether something was received and not shown, or not recorded; reports how much. To be called at the end.
    var hasLost: Bool {
        if view.lost > 0 { printError("\(view.lost) records were not shown: the output took too little") }
        if recordsNotRecorded > 0 {
            printError("\(recordsNotRecorded) records are missing from the recording: the disk took too little")
        }
        return view.lost > 0 || hasRecordingFailed
    }
}

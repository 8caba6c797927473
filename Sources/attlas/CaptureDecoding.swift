import AttlasCapture
import AttlasCheck
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasMetrics
import AttlasScreen
import AttlasTrace
import AttlasValues

/// Captures that are decoded as one, as often as it takes.
struct CaptureDecoding {
    let paths: [String]
    let kind: TextKind?
    let library: DissectorLibrary
    let databases: ImportedDatabases
    /// Corrections for the times of each, if any.
    var clocks: [ClockCorrection] = []

    /// Decodes all of it. An input that cannot be read to its end is reported when it is written.
    ///
    /// - Parameters:
    ///   - frames: The records to decode; nil for all.
    ///   - note: Gets each record before its events.
    func decode<Sink: EventSink>(
        _ frames: FrameSet? = nil, _ makeSink: (ValueInterpreter) -> Sink,
        note: (inout Sink, borrowing Record) -> Void = { _, _ in },
        end: (inout Sink, borrowing Trace, CaptureIntegrity) -> Void
    ) throws(CaptureError) {
        try requireRereading()
        var trace = databases.makeTrace()
        var input = try ConvertedCaptures(paths, as: kind, clocks: clocks, settling: &trace)
        var sink = Interpreted(library: library, makeSink)
        var extent = CaptureExtent()
        while let record = input.merge.next() {
            if let frames, !frames.contains(record.frame) { continue }
            extent.note(record)
            note(&sink.sink, record)
            trace.decodeUnspecialized(record, into: &sink)
        }
        trace.finish(into: &sink)
        end(&sink.sink, trace, CaptureIntegrity(extent, input.about, in: trace))
    }

    /// Throws if an input cannot be read several times.
    func requireRereading() throws(CaptureError) {
        // Opening reports a path that is not a folder.
        for path in paths
        where path == "-"
            || SystemCalls.status(of: path) != nil && SystemCalls.regularFileSize(path) == nil
                && !SystemCalls.isFolder(path)
        {
            throw CaptureError(
                .unsupported, file: path, "it can be read only once, which is not enough here",
                advice: "Save it to a file first.")
        }
    }

    /// The document of it, or of some records.
    func document<Collector: DocumentCollector>(
        of frames: FrameSet? = nil, _ makeCollector: (ValueInterpreter) -> Collector
    ) throws(CaptureError) -> Collector.Document? {
        var document: Collector.Document?
        try decode(frames, makeCollector, note: { $0.note($1) }, end: { document = $0.finish(in: $1, $2) })
        return document
    }

    /// The incidents and the findings of lint.
    func notes() throws(CaptureError) -> RecordNotes {
        let found = try document { CheckCollector([], isStrict: false, values: $0) }
        return RecordNotes(found?.incidents, found?.findings ?? [])
    }

    /// Corrects the clocks by that of the first capture, and reports how.
    mutating func align() throws(CaptureError) {
        var first: HeardPDUs?
        var clocks: [ClockCorrection] = []
        for path in paths {
            var heard = HeardPDUs()
            let one = CaptureDecoding(paths: [path], kind: nil, library: library, databases: databases)
            try one.decode { _ in
                HeardPDUs()
            } end: { sink, _, _ in
                heard = sink
            }
            guard let reference = first else {
                first = heard
                clocks.append(ClockCorrection())
                continue
            }
            guard let alignment = ClockAlignment(reference, heard) else {
                throw CaptureError(
                    .unsupported, file: path, "too few ATT PDUs that \(paths[0]) has, too: its clock cannot be aligned",
                    advice: "Encrypted connections need their key: --ltk.")
            }
            clocks.append(alignment.correction)
            printError("\(path): \(alignment.sentence), compared with \(paths[0])")
        }
        self.clocks = clocks
    }
}

import AttlasCapture
import AttlasDissection
import AttlasFilter
import AttlasIncidents
import AttlasInput
import AttlasTrace
import AttlasValues

/// Which records of the merged captures are written.
struct RecordSelection {
    let selection: Selection
    /// The number of an incident in `attlas why`, whose records are wanted.
    let incident: Int?
    let keepsContext: Bool
    let library: DissectorLibrary
    let databases: ImportedDatabases
    /// Decided by decoding; nil if frames and times decide.
    private var frames: FrameSet?

    init(
        _ selection: Selection, incident: Int?, keepsContext: Bool, _ library: DissectorLibrary,
        _ databases: ImportedDatabases
    ) {
        self.selection = selection
        self.incident = incident
        self.keepsContext = keepsContext
        self.library = library
        self.databases = databases
    }

    var isEverything: Bool { selection.isEverything && incident == nil }
    private var needsDecoding: Bool { !selection.isOfRecords || incident != nil || keepsContext }

    /// Decodes the captures, as often as that takes. To be called before `holds`.
    ///
    /// - Parameter open: Opens them from the beginning.
    mutating func settle(_ open: (inout Trace) throws(CaptureError) -> ConvertedCaptures) throws(CaptureError) {
        guard needsDecoding, !isEverything else { return }
        var selected: SelectedFrames?
        var context: ContextFrames?
        var reason: String?
        if let incident {
            let frames = try frames(ofIncident: incident, open)
            guard keepsContext else {
                self.frames = frames
                return
            }
            try decode(open, SelectedFrames(frames)) { sink, trace, _ in
                selected = sink
                context = sink.context(in: trace)
            }
        } else {
            var selection = selection
            if let peer = selection.peer {
                try decode(open, PeerSearch()) { sink, trace, _ in
                    selection.peers = sink.peers(named: peer, in: trace)
                }
            }
            let values = selection
            try decode(open, make: { SelectedFrames(values, values: $0) }) { sink, trace, integrity in
                selected = sink
                context = sink.context(in: trace)
                if sink.frames.isEmpty { reason = values.whyNothing(in: trace, integrity.extent, library) }
            }
        }
        if let reason { throw CaptureError(.empty, file: "the selection", "\(reason): nothing was written") }
        frames = selected?.frames
        guard keepsContext, let context else { return }
        try decode(open, context) { sink, _, _ in frames = sink.frames }
    }

    /// - Parameter start: From which times are counted.
    func holds(_ record: borrowing Record, start: Timestamp) -> Bool {
        if let frames, frames.contains(record.frame) { return true }
        guard incident == nil, selection.isOfRecords else { return false }
        return selection.holds(record.frame, record.time, start: start)
    }

    private func frames(
        ofIncident number: Int, _ open: (inout Trace) throws(CaptureError) -> ConvertedCaptures
    ) throws(CaptureError) -> FrameSet {
        var frames = FrameSet()
        var count = 0
        try decode(open, make: { IncidentCollector(values: $0) }) { sink, trace, integrity in
            let incidents = sink.finish(in: trace, integrity).numbered
            count = incidents.count
            if incidents.indices.contains(number - 1) {
                for frame in incidents[number - 1].frames { frames.insert(frame) }
            }
        }
        guard !frames.isEmpty else {
            throw CaptureError(
                .empty, file: "the selection",
                "no incident \(number), attlas why numbers \(count): nothing was written")
        }
        return frames
    }

    // MARK: Decoding

    private func decode<Sink: EventSink>(
        _ open: (inout Trace) throws(CaptureError) -> ConvertedCaptures, _ sink: Sink,
        _ end: (inout Sink, borrowing Trace, CaptureIntegrity) -> Void
    ) throws(CaptureError) {
        try decode(open, make: { _ in sink }, end)
    }

    /// An input that cannot be read to its end is reported when it is written.
    private func decode<Sink: EventSink>(
        _ open: (inout Trace) throws(CaptureError) -> ConvertedCaptures, make: (ValueInterpreter) -> Sink,
        _ end: (inout Sink, borrowing Trace, CaptureIntegrity) -> Void
    ) throws(CaptureError) {
        var trace = databases.makeTrace()
        var input = try open(&trace)
        var sink = Interpreted(library: library, make)
        var extent = CaptureExtent()
        while !Interruption.isRequested, let record = input.merge.next() {
            extent.note(record)
            trace.decodeUnspecialized(record, into: &sink)
        }
        trace.finish(into: &sink)
        end(&sink.sink, trace, CaptureIntegrity(extent, input.about, in: trace))
    }
}

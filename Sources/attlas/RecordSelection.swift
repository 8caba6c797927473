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
    let decoding: CaptureDecoding
    /// Decided by decoding; nil if frames and times decide.
    private var frames: FrameSet?

    init(
        _ selection: Selection, incident: Int?, keepsContext: Bool, _ decoding: CaptureDecoding
    ) {
        self.selection = selection
        self.incident = incident
        self.keepsContext = keepsContext
        self.decoding = decoding
    }

    var isEverything: Bool { selection.isEverything && incident == nil }
    private var needsDecoding: Bool { !selection.isOfRecords || incident != nil || keepsContext }

    /// Decodes the captures, as often as that takes. To be called before `holds`.
    mutating func settle() throws(CaptureError) {
        guard needsDecoding, !isEverything else { return }
        var selected: SelectedFrames?
        var context: ContextFrames?
        var reason: String?
        if let incident {
            let frames = try frames(ofIncident: incident)
            guard keepsContext else {
                self.frames = frames
                return
            }
            try decoding.decode { _ in
                SelectedFrames(frames)
            } end: { sink, trace, _ in
                selected = sink
                context = sink.context(in: trace)
            }
        } else {
            var selection = selection
            if let peer = selection.peer {
                try decoding.decode { _ in
                    PeerSearch()
                } end: { sink, trace, _ in
                    selection.peers = sink.peers(named: peer, in: trace)
                }
            }
            let values = selection
            try decoding.decode {
                SelectedFrames(values, values: $0)
            } end: { sink, trace, integrity in
                selected = sink
                context = sink.context(in: trace)
                if sink.frames.isEmpty { reason = values.whyNothing(in: trace, integrity.extent, decoding.library) }
            }
        }
        if let reason { throw CaptureError(.empty, file: "the selection", "\(reason): nothing was written") }
        frames = selected?.frames
        guard keepsContext, let context else { return }
        try decoding.decode { _ in
            context
        } end: { sink, _, _ in
            frames = sink.frames
        }
    }

    /// No record after this number is written.
    var recordLimit: Int { frames == nil && incident == nil ? selection.recordLimit : .max }

    /// - Parameter start: From which times are counted.
    func holds(_ record: borrowing Record, start: Timestamp) -> Bool {
        if let frames, frames.contains(record.frame) { return true }
        guard incident == nil, selection.isOfRecords else { return false }
        return selection.holds(record.frame, record.time, start: start)
    }

    private func frames(
        ofIncident number: Int
    ) throws(CaptureError) -> FrameSet {
        var frames = FrameSet()
        let incidents = try decoding.document { IncidentCollector(values: $0) }?.numbered ?? []
        if incidents.indices.contains(number - 1) {
            for frame in incidents[number - 1].frames { frames.insert(frame) }
        }
        guard !frames.isEmpty else {
            throw CaptureError(
                .empty, file: "--incident \(number)",
                "there is no such incident, attlas why lists \(incidents.count): nothing was written")
        }
        return frames
    }
}

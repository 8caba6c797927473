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
    /// The number of an incident in `attlas why`, whose records are selected.
    private var incident: Int?
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
        if let incident { return try settle(incident: incident) }
        var selection = selection
        if let peer = selection.peer { selection.peers = try peers(named: peer) }
        var reason: String?
        frames = try frames(
            in: { SelectedFrames(selection, values: $0) },
            end: { sink, trace, integrity in
                if sink.frames.isEmpty { reason = selection.whyNothing(in: trace, integrity.extent, decoding.library) }
            })
        if let reason { throw CaptureError(.empty, file: "the selection", "\(reason): nothing was written") }
    }

    private func peers(named name: String) throws(CaptureError) -> PeerSet? {
        var peers: PeerSet?
        try decoding.decode { _ in
            PeerSearch()
        } end: { sink, trace, _ in
            peers = sink.peers(named: name, in: trace)
        }
        return peers
    }

    /// The frames that a sink selects, with their context if wanted.
    private func frames(
        in makeSink: (ValueInterpreter) -> SelectedFrames,
        end: (SelectedFrames, borrowing Trace, CaptureIntegrity) -> Void = { _, _, _ in }
    ) throws(CaptureError) -> FrameSet {
        var frames = FrameSet()
        var context: ContextFrames?
        try decoding.decode(nil, makeSink) { sink, trace, integrity in
            frames = sink.frames
            context = sink.context(in: trace)
            end(sink, trace, integrity)
        }
        guard keepsContext, let context else { return frames }
        try decoding.decode { _ in
            context
        } end: { sink, _, _ in
            frames = sink.frames
        }
        return frames
    }

    // MARK: Incidents

    /// With context, as few records as suffice for the same result of `attlas why`: those of the incident, or of its peer, or all.
    private mutating func settle(incident number: Int) throws(CaptureError) {
        var last = 0
        var found: [Incident] = []
        try decoding.decode {
            IncidentCollector(values: $0)
        } note: {
            $0.note($1)
            last = $1.frame
        } end: {
            found = $0.finish(in: $1, $2).numbered
        }
        guard found.indices.contains(number - 1) else {
            throw CaptureError(
                .empty, file: "--incident \(number)",
                "there is no such incident, attlas why lists \(found.count): nothing was written")
        }
        let wanted = found[number - 1]
        var few = FrameSet()
        for frame in wanted.frames { few.insert(frame) }
        frames = few
        guard keepsContext else { return }
        // How long something did not come.
        few.insert(last)
        let known = few
        frames = try frames(in: { _ in SelectedFrames(known) })
        if try isTold(wanted) { return }
        var selection = Selection()
        selection.peer = wanted.place.peer?.description
        if let peer = selection.peer {
            selection.peers = try peers(named: peer)
            var more = try frames(in: { SelectedFrames(selection, values: $0) })
            for frame in wanted.frames { more.insert(frame) }
            more.insert(last)
            frames = more
            if try isTold(wanted) { return }
        }
        (frames, incident) = (nil, nil)
    }

    /// Whether the chosen records have the incident, in the same words.
    private func isTold(_ wanted: Incident) throws(CaptureError) -> Bool {
        let told = try decoding.document(of: frames) { IncidentCollector(values: $0) }?.numbered ?? []
        return told.contains {
            $0.title == wanted.title && $0.count == wanted.count && $0.what == wanted.what
                && $0.before == wanted.before && $0.cause == wanted.cause && $0.next == wanted.next
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
}

import AttlasCapture
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The incidents of a recording, and their places in time.
struct RecordingOverview {
    /// A row along time: a connection, all connections of one device, or the rest of the capture.
    struct Lane {
        let label: String
        /// Times are nanoseconds since the first record; the end is nil for a connection that outlived the capture.
        var bars: [(begin: Int64, end: Int64?)] = []
        var marks: [(time: Int64, incident: Int)] = []

        /// With the marks of the most important incidents last.
        fileprivate var sorted: Lane {
            Lane(label: label, bars: bars, marks: marks.sorted { $0.incident > $1.incident })
        }
    }

    let incidents: IncidentsModel
    /// The findings of the rules.
    let lint: LintModel
    /// The most severe first.
    let findings: [LintFinding]
    /// Every frame at which one became true, in order; incidents are indices into `incidents`.
    let occurrences: [(frame: Int, incident: Int)]
    let totals: ConversationTotals
    let records: Int
    /// Nanoseconds; nil when the clock jumped.
    let duration: Int64?
    /// Nanoseconds from the first record to the last, by their times.
    let span: Int64
    let connectionLanes: [Lane]
    let deviceLanes: [Lane]

    fileprivate init(
        _ incidents: IncidentsModel, _ lint: LintModel, _ spans: FinishedSpans, _ totals: ConversationTotals,
        in trace: borrowing Trace
    ) {
        self.incidents = incidents
        var lint = lint
        lint.incidents = incidents
        self.lint = lint
        findings = lint.ranked
        self.totals = totals
        let extent = incidents.integrity.extent
        records = extent.records
        duration = incidents.integrity.duration
        span = extent.first.flatMap { extent.last?.nanoseconds(since: $0) } ?? 0
        let moments = incidents.incidents.enumerated().flatMap { index, incident in
            incident.moments.map { (moment: $0, incident: index) }
        }.sorted { ($0.moment.frame, $0.incident) < ($1.moment.frame, $1.incident) }
        occurrences = moments.map { (frame: $0.moment.frame, incident: $0.incident) }
        var maker = LaneMaker(start: extent.first, incidents: incidents, spans)
        for span in spans.spans { maker.add(span, name: span.peer.flatMap { trace.name(of: $0) }) }
        for (moment, incident) in moments { maker.add(moment, incident) }
        let capture = maker.capture.marks.isEmpty ? [] : [maker.capture]
        connectionLanes = (maker.connections + maker.strangers + capture).map(\.sorted)
        deviceLanes = (maker.devices + capture).map(\.sorted)
    }

    /// The first incident at a frame, the most important first.
    func incident(atFrame frame: Int) -> Int? {
        let place = firstOccurrence(from: frame)
        return place < occurrences.count && occurrences[place].frame == frame ? occurrences[place].incident : nil
    }

    /// The place of the first occurrence at or after a frame.
    func firstOccurrence(from frame: Int) -> Int {
        var (low, high) = (0, occurrences.count)
        while low < high {
            let middle = (low + high) / 2
            if occurrences[middle].frame < frame { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// `Connection lost: nothing heard for 5.0 s.`, `connection lost (3 of 6)`
    func sentence(_ index: Int, atFrame frame: Int) -> String {
        let incident = incidents.incidents[index]
        guard frame != incident.frame, let place = incident.occurrences.firstIndex(of: frame) else {
            return incident.what
        }
        return "\(incident.title) (\(place + 1) of \(incident.count))"
    }
}

/// Puts connections and incidents into lanes.
private struct LaneMaker {
    let start: Timestamp?
    let incidents: IncidentsModel
    var connections: [RecordingOverview.Lane] = []
    /// Lanes of devices without a connection.
    var strangers: [RecordingOverview.Lane] = []
    var devices: [RecordingOverview.Lane] = []
    /// The lane for events of no device.
    var capture = RecordingOverview.Lane(label: "Capture")
    private let spans: FinishedSpans
    /// The device of each span.
    private var spanDevices: [Int] = []
    private var deviceIndices: [BluetoothAddress: Int] = [:]
    private var strangerIndices: [BluetoothAddress: Int] = [:]

    init(start: Timestamp?, incidents: IncidentsModel, _ spans: FinishedSpans) {
        self.start = start
        self.incidents = incidents
        self.spans = spans
    }

    private func offset(_ time: Timestamp) -> Int64 { time.nanoseconds(since: start ?? time) }

    mutating func add(_ span: ConnectionSpans.Span, name: String?) {
        let peer = name ?? span.peer.map { "\($0)" } ?? unknownPeer
        let bar = (begin: offset(span.begun.time), end: span.end.map { offset($0.time) })
        let device = device(span.peer, peer)
        spanDevices.append(device)
        devices[device].bars.append(bar)
        connections.append(RecordingOverview.Lane(label: "\(span.number) · \(peer)", bars: [bar]))
    }

    mutating func add(_ moment: Moment, _ index: Int) {
        let incident = incidents.incidents[index]
        let mark = (time: offset(moment.time), incident: index)
        if let place = spans.place(of: incident, at: moment.frame) {
            connections[place].marks.append(mark)
            devices[spanDevices[place]].marks.append(mark)
        } else if let peer = incident.place.peer {
            let name = incidents.peerName(peer) ?? "\(peer)"
            let lane = strangerIndices[peer] ?? strangers.count
            if lane == strangers.count {
                strangerIndices[peer] = lane
                strangers.append(RecordingOverview.Lane(label: name))
            }
            strangers[lane].marks.append(mark)
            devices[device(peer, name)].marks.append(mark)
        } else {
            capture.marks.append(mark)
        }
    }

    /// Its lane; one without an address has its own each time.
    private mutating func device(_ address: BluetoothAddress?, _ name: String) -> Int {
        if let known = address.flatMap({ deviceIndices[$0] }) { return known }
        if let address { deviceIndices[address] = devices.count }
        devices.append(RecordingOverview.Lane(label: name))
        return devices.count - 1
    }

}

/// Collects an overview in one reading.
struct OverviewCollector: EventSink {
    private var incidents: IncidentCollector
    private var totals = ConversationTotals()
    private var spans = ConnectionSpans()

    init(_ incidents: IncidentCollector) { self.incidents = incidents }

    var wantsPackets: Bool { false }
    var wantsControl: Bool { true }
    var wantsCompletedPackets: Bool { false }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        incidents.receive(event, in: trace)
        totals.receive(event, in: trace)
        spans.receive(event, in: trace)
    }

    /// - Parameters:
    ///   - lint: the findings of the rules.
    ///   - isOver: whether nothing more comes.
    mutating func finish(
        _ lint: LintModel, _ integrity: CaptureIntegrity, isOver: Bool, in trace: borrowing Trace
    ) -> RecordingOverview {
        let model = isOver ? incidents.finish(in: trace, integrity) : incidents.model(in: trace, integrity)
        return RecordingOverview(model, lint, spans.finished(in: trace), totals, in: trace)
    }
}

import AttlasCapture
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// The incidents of a recording, and their places in time.
struct RecordingOverview {
    /// A row along time: a connection, all connections of one device, or the rest of the capture.
    struct Lane {
        let label: String
        /// Times are nanoseconds since the first record; the end is nil of a connection that outlived the capture.
        var bars: [(begin: Int64, end: Int64?)] = []
        var marks: [(time: Int64, incident: Int)] = []

        /// With the marks of the most important incidents last.
        fileprivate var sorted: Lane {
            Lane(label: label, bars: bars, marks: marks.sorted { $0.incident > $1.incident })
        }
    }

    let incidents: IncidentsModel
    /// What the rules found.
    let lint: LintModel
    /// The most severe first.
    let findings: [LintFinding]
    /// Every frame at which one became true, in order; incidents are indices into `incidents`.
    let occurrences: [(frame: Int, incident: Int)]
    let totals: ConversationTotals
    let records: Int
    /// Nanoseconds.
    let duration: Int64?
    let connectionLanes: [Lane]
    let deviceLanes: [Lane]

    fileprivate init(
        _ incidents: IncidentsModel, _ lint: LintModel, _ spans: ConnectionSpans, _ times: FrameTimes,
        _ totals: ConversationTotals, in trace: borrowing Trace
    ) {
        self.incidents = incidents
        var lint = lint
        lint.incidents = incidents
        self.lint = lint
        findings = lint.ranked
        self.totals = totals
        let extent = incidents.integrity.extent
        records = extent.records
        duration = extent.duration
        occurrences = incidents.incidents.enumerated().flatMap { index, incident in
            incident.occurrences.map { (frame: $0, incident: index) }
        }.sorted { ($0.frame, $0.incident) < ($1.frame, $1.incident) }
        var maker = LaneMaker(start: extent.first, incidents: incidents, times: times)
        for span in spans.spans { maker.add(span, name: span.peer.flatMap { trace.name(of: $0) }) }
        for (frame, incident) in occurrences { maker.add(frame, incident) }
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
    let times: FrameTimes
    var connections: [RecordingOverview.Lane] = []
    /// What belongs to a device and to no connection.
    var strangers: [RecordingOverview.Lane] = []
    var devices: [RecordingOverview.Lane] = []
    /// What belongs to no device.
    var capture = RecordingOverview.Lane(label: "Capture")
    private var spans: [(span: ConnectionSpans.Span, device: Int)] = []
    private var deviceIndices: [BluetoothAddress: Int] = [:]
    private var strangerIndices: [BluetoothAddress: Int] = [:]
    private var spanIndices: [BluetoothAddress: [Int]] = [:]
    private var numbers: [Int: Int] = [:]

    init(start: Timestamp?, incidents: IncidentsModel, times: FrameTimes) {
        self.start = start
        self.incidents = incidents
        self.times = times
    }

    private func offset(_ time: Timestamp) -> Int64 { time.nanoseconds(since: start ?? time) }

    mutating func add(_ span: ConnectionSpans.Span, name: String?) {
        let peer = name ?? span.peer.map { "\($0)" } ?? unknownPeer
        let bar = (begin: offset(span.begun.time), end: span.end.map { offset($0.time) })
        let device = device(span.peer, peer)
        numbers[span.number] = spans.count
        if let address = span.peer { spanIndices[address, default: []].append(spans.count) }
        spans.append((span, device))
        devices[device].bars.append(bar)
        connections.append(RecordingOverview.Lane(label: "\(span.number) · \(peer)", bars: [bar]))
    }

    mutating func add(_ frame: Int, _ index: Int) {
        let incident = incidents.incidents[index]
        let time = frame == incident.frame ? incident.time : times.time(of: frame) ?? incident.time
        let mark = (time: offset(time), incident: index)
        if let span = span(of: incident, at: frame) {
            connections[span].marks.append(mark)
            devices[spans[span].device].marks.append(mark)
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

    /// The connection that the incident names; of an equal one that came later, the device's last that had begun.
    private func span(of incident: Incident, at frame: Int) -> Int? {
        if frame == incident.frame || incident.place.peer == nil {
            return incident.place.connection.flatMap { numbers[$0] }
        }
        let candidates = incident.place.peer.flatMap { spanIndices[$0] } ?? []
        var (low, high) = (0, candidates.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[candidates[middle]].span.begun.frame <= frame { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? candidates[low - 1] : nil
    }
}

/// Collects an overview in one reading.
struct OverviewCollector: EventSink {
    private var incidents: IncidentCollector
    private var totals = ConversationTotals()
    private var spans = ConnectionSpans()
    private var times = FrameTimes()

    init(_ incidents: IncidentCollector) { self.incidents = incidents }

    var wantsPackets: Bool { false }
    var wantsControl: Bool { true }
    var wantsCompletedPackets: Bool { false }

    /// To be called with every record, before it is decoded.
    mutating func note(_ record: borrowing Record) { times.note(Moment(frame: record.frame, time: record.time)) }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        incidents.receive(event, in: trace)
        totals.receive(event, in: trace)
        spans.receive(event, in: trace)
    }

    /// - Parameters:
    ///   - lint: what the rules found.
    ///   - isOver: whether nothing more comes.
    mutating func finish(
        _ lint: LintModel, _ integrity: CaptureIntegrity, isOver: Bool, in trace: borrowing Trace
    ) -> RecordingOverview {
        let model = isOver ? incidents.finish(in: trace, integrity) : incidents.model(in: trace, integrity)
        return RecordingOverview(model, lint, spans.finished(in: trace), times, totals, in: trace)
    }
}

/// When connections began and ended: of at most `limit`, the first ones.
private struct ConnectionSpans {
    static let limit = 1_024

    struct Span {
        let number: Int
        let begun: Moment
        var end: Moment?
        var peer: BluetoothAddress?
    }

    private(set) var spans: [Span] = []
    /// By the trace's index of the connection: its number, and its place among `spans`.
    private var current: [(number: Int, place: Int?)] = []

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection else { return }
        while current.count <= slot { current.append((-1, nil)) }
        let number = trace.connections[slot].number
        if current[slot].number != number {
            let hasRoom = spans.count < Self.limit
            current[slot] = (number, hasRoom ? spans.count : nil)
            if hasRoom { spans.append(Span(number: number, begun: Moment(event))) }
        }
        guard case .connection(.ended) = event.detail, let place = current[slot].place else { return }
        spans[place].end = Moment(event)
        spans[place].peer = trace.peerAddress(trace.connections[slot].peer)
    }

    /// With the peers of those that live.
    func finished(in trace: borrowing Trace) -> ConnectionSpans {
        var finished = self
        for (slot, connection) in current.enumerated() {
            guard let place = connection.place, spans[place].end == nil else { continue }
            finished.spans[place].peer = trace.peerAddress(trace.connections[slot].peer)
        }
        return finished
    }
}

/// The times of frames; in a long capture, of some of them.
private struct FrameTimes {
    static let limit = 4_096

    private var samples: [Moment] = []
    private var stride = 1
    private var count = 0

    mutating func note(_ moment: Moment) {
        defer { count += 1 }
        guard count.isMultiple(of: stride) else { return }
        if samples.count == Self.limit {
            samples = samples.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            stride *= 2
        }
        if count.isMultiple(of: stride) { samples.append(moment) }
    }

    /// Of the frame, or the nearest one before it.
    func time(of frame: Int) -> Timestamp? {
        var (low, high) = (0, samples.count)
        while low < high {
            let middle = (low + high) / 2
            if samples[middle].frame <= frame { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? samples[low - 1].time : nil
    }
}

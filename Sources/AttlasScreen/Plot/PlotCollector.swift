import AttlasDissection
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// The subject of a plot: the numbers of an attribute's values, and the traffic with a peer.
struct PlotSubject: Equatable {
    /// nil: only the traffic.
    var place: AttributePlace?
    /// Index into `Trace.peers`.
    var peer: Int?
    /// The same, before the device was known to be this one.
    var formerPeers: Set<Int> = []
}

/// Gathers the numbers of a plot.
struct PlotCollector: EventSink {
    /// Fields of one attribute; more are left out.
    private static let fieldLimit = 8

    let subject: PlotSubject
    /// The same, as the device goes by now.
    private var current: PlotSubject
    private var fields: [TimeSeries] = []
    private var roundTrips = TimeSeries(name: "Round trip", unit: "ms")
    private var received = TimeSeries(name: "Value octets received", unit: "B/s", isRate: true)
    private var sent = TimeSeries(name: "Value octets sent", unit: "B/s", isRate: true)
    private var finder: FieldFinder

    init(_ subject: PlotSubject, values: ValueInterpreter) {
        self.subject = subject
        current = subject
        finder = FieldFinder(names: [], values: values)
    }

    /// The fields come first. Those without a number are not there.
    var series: [TimeSeries] { (fields + [roundTrips, received, sent]).filter { $0.total.count > 0 } }

    var wantsPackets: Bool { false }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        if case .identified(let identification) = event.detail { follow(identification) }
        guard let connection = event.connection else { return }
        let time = event.time.nanoseconds(since: trace.start ?? event.time)
        if case .att(let operation) = event.detail, isSubject(trace.connections[connection].peer) {
            if let roundTrip = operation.request?.roundTrip { roundTrips.note(Double(roundTrip) / 1e6, at: time) }
            if let octets = operation.valueOctets, octets > 0 {
                if event.direction == .tx {
                    sent.note(Double(octets), at: time)
                } else {
                    received.note(Double(octets), at: time)
                }
            }
        }
        guard let place = current.place, let server = event.server else { return }
        let owner = TableOwner(server, connection, in: trace)
        guard owner == place.owner || isFormer(owner, of: place) else { return }
        finder.beginEvent()
        event.forEachAttribute(in: trace) { value in
            if value.handle == place.handle { note(value, at: time, in: trace) }
            return true
        }
    }

    private mutating func note(_ value: borrowing AttributeValue, at time: Int64, in trace: borrowing Trace) {
        guard let dissector = finder.read(value, in: trace) else { return }
        fields.note(
            finder.dissection, of: dissector, at: time, limit: Self.fieldLimit, pieces: TimeSeries.pieceLimit)
    }

    private func isFormer(_ owner: TableOwner, of place: AttributePlace) -> Bool {
        guard case .peer = place.owner, case .peer(let peer) = owner else { return false }
        return current.formerPeers.contains(peer)
    }

    private func isSubject(_ peer: Int) -> Bool { peer == current.peer || current.formerPeers.contains(peer) }

    /// Data gathered under another address belongs to the device.
    private mutating func follow(_ identification: PeerIdentification) {
        // Its place may be another device's from here on.
        current.formerPeers.remove(identification.previous)
        if current.peer == identification.previous { current.peer = identification.peer }
        if let place = current.place, place.owner == .peer(identification.previous) {
            current.place = AttributePlace(owner: .peer(identification.peer), handle: place.handle)
        }
    }
}

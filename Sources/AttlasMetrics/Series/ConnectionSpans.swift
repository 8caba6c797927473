import AttlasIncidents
import AttlasTrace
import AttlasWire

/// When connections began and ended: of at most `limit`, the first ones.
package struct ConnectionSpans {
    private static let limit = 1_024

    package struct Span {
        package let number: Int
        package let begun: Moment
        package fileprivate(set) var end: Moment?
        package fileprivate(set) var peer: BluetoothAddress?
    }

    private(set) var spans: [Span] = []
    /// By the trace's index of the connection: its number, and its place among `spans`.
    private var current: [(number: Int, place: Int?)] = []

    package init() {}

    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
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
    package func finished(in trace: borrowing Trace) -> FinishedSpans {
        var spans = spans
        for (slot, connection) in current.enumerated() {
            guard let place = connection.place, spans[place].end == nil else { continue }
            spans[place].peer = trace.peerAddress(trace.connections[slot].peer)
        }
        return FinishedSpans(spans)
    }
}

/// The connections of a capture, to be found by their incidents.
package struct FinishedSpans {
    package let spans: [ConnectionSpans.Span]
    private var places: [Int: Int] = [:]
    private var placesOfPeers: [BluetoothAddress: [Int]] = [:]

    fileprivate init(_ spans: [ConnectionSpans.Span]) {
        self.spans = spans
        for (place, span) in spans.enumerated() {
            places[span.number] = place
            if let peer = span.peer { placesOfPeers[peer, default: []].append(place) }
        }
    }

    /// The place of the connection that the incident names; for a later occurrence, that of the device's last connection
    /// that had begun.
    package func place(of incident: Incident, at frame: Int) -> Int? {
        if frame == incident.frame || incident.place.peer == nil {
            return incident.place.connection.flatMap { places[$0] }
        }
        let candidates = incident.place.peer.flatMap { placesOfPeers[$0] } ?? []
        var (low, high) = (0, candidates.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[candidates[middle]].begun.frame <= frame { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? candidates[low - 1] : nil
    }
}

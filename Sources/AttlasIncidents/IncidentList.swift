import AttlasTrace
import AttlasWire

/// The incidents of one capture. Memory ends at `limit` different ones: those beyond are counted.
struct IncidentList: Sendable {
    static let limit = 1_024

    private(set) var incidents: [Incident] = []
    /// Incidents that were not kept.
    private(set) var leftOut = 0
    private var places: [Key: Int] = [:]

    /// Key of equal incidents: the connection counts only where the device is unknown.
    private struct Key: Hashable {
        let kind: Incident.Kind
        let weight: Incident.Weight
        let peer: BluetoothAddress?
        let connection: Int?
        let server: ServerSide?
        let handle: AttributeHandle?
        let detail: Int

        init(_ incident: Incident) {
            self.init(incident.kind, incident.weight, incident.place, detail: incident.detail)
        }

        init(_ kind: Incident.Kind, _ weight: Incident.Weight, _ place: Incident.Place, detail: Int) {
            self.kind = kind
            self.weight = weight
            peer = place.peer
            connection = peer == nil ? place.connection : nil
            server = place.server
            handle = place.handle
            self.detail = detail
        }
    }

    /// Whether it would be kept, because no equal one has an earlier frame.
    func isFirst(_ incident: Incident) -> Bool {
        places[Key(incident)].map { incident.frame < incidents[$0].frame } ?? (incidents.count < Self.limit)
    }

    /// Counts one without texts, if an equal one is earlier or no more are kept.
    ///
    /// - Returns: whether it was counted.
    mutating func count(
        _ kind: Incident.Kind, _ weight: Incident.Weight, _ moment: Moment, _ place: Incident.Place, detail: Int
    ) -> Bool {
        guard let index = places[Key(kind, weight, place, detail: detail)] else {
            guard incidents.count == Self.limit else { return false }
            leftOut += 1
            return true
        }
        guard incidents[index].frame <= moment.frame else { return false }
        incidents[index].happenAgain(moment)
        return true
    }

    /// The first by its frame stands for all equal ones.
    mutating func add(_ incident: Incident) {
        let key = Key(incident)
        if let place = places[key] {
            guard incident.frame < incidents[place].frame else { return incidents[place].merge(incident) }
            var first = incident
            first.merge(incidents[place])
            incidents[place] = first
            return
        }
        guard incidents.count < Self.limit else {
            leftOut += incident.count
            return
        }
        places[key] = incidents.count
        incidents.append(incident)
    }

    /// The device connected: the reason for the end of its earlier connections is over, if it happened once.
    mutating func recover(_ peer: BluetoothAddress) {
        for index in incidents.indices
        where incidents[index].place.peer == peer && incidents[index].kind.endsLink && incidents[index].count == 1 {
            incidents[index].isOver = true
            // The next attempt succeeded.
            if incidents[index].kind == .neverEstablished, incidents[index].weight == .broke {
                incidents[index].weight = .hindered
            }
        }
    }

    // MARK: Stories

    /// Lost links whose cause no packet shows, if all of them are among these frames.
    mutating func explain(losses frames: [Int], _ explain: (inout Incident) -> Void) {
        for index in incidents.indices
        where incidents[index].kind == .linkLost && incidents[index].cause.certainty == .unknown
            && incidents[index].occurrences.allSatisfy(frames.contains)
        {
            explain(&incidents[index])
        }
    }

    /// Devices that were lost one soon after the other, which share only this host.
    mutating func joinLosses(in trace: borrowing Trace) {
        let lost = incidents.indices.filter { incidents[$0].isLossOfAMoment }
            .sorted { incidents[$0].moments[0].frame < incidents[$1].moments[0].frame }
        var joined: [Incident] = []
        var gone: Set<Int> = []
        var first = 0
        while first < lost.count {
            var last = first
            while last + 1 < lost.count,
                (incidents[lost[last + 1]].time.duration(since: incidents[lost[last]].end) ?? .max) <= Incident.soon
            { last += 1 }
            let story = lost[first...last]
            if Set(story.map { incidents[$0].place.peer }).count >= Self.manyDevices {
                joined.append(Incident(joining: story.map { incidents[$0] }, in: trace))
                gone.formUnion(story)
            }
            first = last + 1
        }
        guard !gone.isEmpty else { return }
        incidents = incidents.indices.filter { !gone.contains($0) }.map { incidents[$0] } + joined
        places = [:]
        for (index, incident) in incidents.enumerated() { places[Key(incident)] = index }
    }

    private static let manyDevices = 3

    /// The most important first: by weight, lasting incidents before those that are over, then in the order of their frames.
    var ranked: [Incident] {
        func isBefore(_ first: (offset: Int, element: Incident), _ second: (offset: Int, element: Incident)) -> Bool {
            let (one, other) = (first.element, second.element)
            if one.weight != other.weight { return one.weight > other.weight }
            if one.isOver != other.isOver { return other.isOver }
            return (one.frame, first.offset) < (other.frame, second.offset)
        }
        return incidents.enumerated().sorted(by: isBefore).map { incident in
            var ordered = incident.element
            ordered.moments.sort { $0.frame < $1.frame }
            ordered.steps = ordered.steps.enumerated().sorted {
                ($0.element.frame ?? .max, $0.offset) < ($1.element.frame ?? .max, $1.offset)
            }.map(\.element)
            return ordered
        }
    }
}

import AttlasTrace
import AttlasWire

/// The incidents of one capture. Memory ends at `limit` different ones: those beyond are counted.
struct IncidentList: Sendable {
    static let limit = 1_024

    private(set) var incidents: [Incident] = []
    /// Incidents that were not kept.
    private(set) var leftOut = 0
    private var places: [Key: Int] = [:]

    /// What makes incidents equal: the connection only where the device is unknown.
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

    /// The most important first, then in the order of their frames.
    var ranked: [Incident] {
        incidents.enumerated().sorted {
            ($1.element.weight, $0.element.frame, $0.offset) < ($0.element.weight, $1.element.frame, $1.offset)
        }.map { incident in
            var ordered = incident.element
            ordered.moments.sort { $0.frame < $1.frame }
            ordered.steps = ordered.steps.enumerated().sorted {
                ($0.element.frame ?? .max, $0.offset) < ($1.element.frame ?? .max, $1.offset)
            }.map(\.element)
            return ordered
        }
    }
}

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
            kind = incident.kind
            weight = incident.weight
            peer = incident.place.peer
            connection = peer == nil ? incident.place.connection : nil
            server = incident.place.server
            handle = incident.place.handle
            detail = incident.detail
        }
    }

    /// Whether no equal one has an earlier frame.
    func isFirst(_ incident: Incident) -> Bool {
        places[Key(incident)].map { incident.frame < incidents[$0].frame } ?? true
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
            ordered.occurrences.sort()
            ordered.steps = ordered.steps.enumerated().sorted {
                ($0.element.frame ?? .max, $0.offset) < ($1.element.frame ?? .max, $1.offset)
            }.map(\.element)
            return ordered
        }
    }
}

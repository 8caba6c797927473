import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasWire

extension CaptureSnapshot {
    /// The incidents of one kind, device and attribute.
    package struct Incidents: Sendable {
        package let key: Key
        package let weight: Incident.Weight
        package let title: String
        /// The first record of the most important one.
        package let frame: Int
        package let time: Timestamp
        package let peer: BluetoothAddress?
        package let peerName: String?
        package private(set) var count: Int

        /// The same in two captures of the same device.
        package struct Key: Hashable, Sendable {
            package let kind: Incident.Kind
            /// A public or static address, else the name.
            var device: String?
            package let server: ServerSide?
            package let service: BluetoothUUID?
            package let characteristic: BluetoothUUID?
            package let descriptor: BluetoothUUID?
            /// Handle of an unknown attribute.
            package let handle: AttributeHandle?
        }

        static func all(of model: IncidentsModel, in trace: borrowing Trace) -> [Incidents] {
            var all: [Incidents] = []
            var places: [Key: Int] = [:]
            for incident in model.incidents where incident.weight > .noted {
                let (peer, attribute) = (incident.place.peer, incident.place.attribute)
                let key = Key(
                    kind: incident.kind, device: peer.map { trace.lastingName(of: $0) ?? "\($0)" },
                    server: incident.place.server, service: attribute?.service,
                    characteristic: attribute?.characteristic, descriptor: attribute?.descriptor,
                    handle: attribute == nil ? incident.place.handle : nil)
                if let place = places[key] {
                    all[place].count += incident.count
                    continue
                }
                places[key] = all.count
                all.append(
                    Incidents(
                        key: key, weight: incident.weight, title: incident.title, frame: incident.frame,
                        time: incident.time,
                        peer: peer, peerName: peer.flatMap(model.peerName), count: incident.count))
            }
            return all
        }
    }
}

extension CaptureDifference {
    /// The incidents of one kind, device and attribute in two captures.
    package struct IncidentDifference: Sendable {
        package let first: CaptureSnapshot.Incidents?
        package let second: CaptureSnapshot.Incidents?
        /// How often they happen in each capture.
        package fileprivate(set) var rates = (first: Rate(), second: Rate())
        /// Whether the rates differ by more than chance.
        fileprivate(set) var holds = false

        package enum Change: String, CaseIterable, Sendable {
            case new = "only in B"
            case more = "more often in B"
            case gone = "only in A"
            case fewer = "less often in B"
            case same = "in both"
        }

        package var change: Change {
            guard first != nil else { return .new }
            guard second != nil else { return .gone }
            guard holds, let before = rates.first.rate, let after = rates.second.rate else { return .same }
            return after > before ? .more : .fewer
        }

        /// Whether it is a reason for `--fail-on incidents`.
        var isWorse: Bool { change == .new || change == .more }
    }

    /// In the order of `Change`, each in the order of the captures.
    static func pairs(
        _ first: CaptureSnapshot, _ second: CaptureSnapshot, _ servers: [ServerDifference]
    ) -> [IncidentDifference] {
        let exchanged = exchangedDevices(servers)
        var others: [CaptureSnapshot.Incidents.Key: CaptureSnapshot.Incidents] = [:]
        var known: [CaptureSnapshot.Incidents.Key] = []
        for incidents in second.incidents {
            var key = incidents.key
            if let device = key.device { key.device = exchanged[device] ?? device }
            if others.updateValue(incidents, forKey: key) == nil { known.append(key) }
        }
        var pairs = first.incidents.map { IncidentDifference(first: $0, second: others.removeValue(forKey: $0.key)) }
        pairs += known.compactMap { key in others[key].map { IncidentDifference(first: nil, second: $0) } }
        for index in pairs.indices {
            pairs[index].rates.first.add(pairs[index].first?.count ?? 0, in: first.hours)
            pairs[index].rates.second.add(pairs[index].second?.count ?? 0, in: second.hours)
        }
        let tested = pairs.indices.compactMap { index in
            Significance.probability(pairs[index].rates.first, pairs[index].rates.second).map { (index, $0) }
        }
        for place in Significance.holding(tested.map(\.1)) { pairs[tested[place].0].holds = true }
        return IncidentDifference.Change.allCases.flatMap { change in pairs.filter { $0.change == change } }
    }

    /// The devices of A by the ones of B that are compared with them.
    private static func exchangedDevices(_ servers: [ServerDifference]) -> [String: String] {
        func device(_ server: CaptureSnapshot.Server?) -> String? {
            server?.address.map { $0.lasting(named: server?.name) ?? "\($0)" }
        }
        var devices: [String: String] = [:]
        for server in servers {
            if let first = device(server.first), let second = device(server.second) { devices[second] = first }
        }
        return devices
    }
}

extension IncidentsModel {
    /// Leaves out incidents outside a selection.
    ///
    /// - Parameter frames: of the selection.
    package mutating func select(_ frames: ClosedRange<Int>, _ statistics: StatisticsModel) {
        select(frames, connections: Set(statistics.connections.filter(\.isSelected).map(\.number)))
    }
}

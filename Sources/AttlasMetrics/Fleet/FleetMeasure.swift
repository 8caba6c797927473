import AttlasIncidents
import AttlasProcedures

/// Measures for comparing groups of captures.
package enum FleetMeasure: Hashable, Sendable {
    case losses, rssiBeforeLoss, reconnection, firstValue
    /// Duration of a kind's finished procedures.
    case duration(Procedure.Kind)
    /// Failures among all procedures of a kind.
    case failures(Procedure.Kind)
    case incidents(Incident.Kind)

    /// The unit of the figures.
    package enum Unit: String, Sendable {
        case seconds = "s"
        case dBm
        /// Events an hour of connection, or of the capture.
        case perHour = "per_hour"
        /// Share of all tries.
        case share
    }

    package var unit: Unit {
        switch self {
        case .reconnection, .firstValue, .duration: .seconds
        case .rssiBeforeLoss: .dBm
        case .losses, .incidents: .perHour
        case .failures: .share
        }
    }

    /// The name in text and JSON.
    package var name: String {
        switch self {
        case .losses: "connections lost"
        case .rssiBeforeLoss: "RSSI before the loss"
        case .reconnection: "reconnection after a loss"
        case .firstValue: "first value after connecting"
        case .duration(let kind): "\(kind.rawValue) duration"
        case .failures(let kind): "\(kind.rawValue) failures"
        case .incidents(let kind): "incident: \(kind.rawValue)"
        }
    }

    /// In the order of the page.
    static let samples: [FleetMeasure] =
        [.rssiBeforeLoss, .reconnection, .firstValue] + Procedure.Kind.allCases.map { .duration($0) }
    static let rates: [FleetMeasure] =
        [.losses] + Procedure.Kind.allCases.map { .failures($0) }
        + Incident.Kind.allCases.filter { $0 != .linkLost }.map { .incidents($0) }
}

/// The captures of one side of a comparison: their figures, and where incidents happened.
package struct FleetGroup: Sendable {
    package let name: String
    package var captures: Int { entries.count }
    package var hours: Double { entries.reduce(0) { $0 + $1.hours } }
    package var connectedHours: Double { entries.reduce(0) { $0 + $1.connectedHours } }
    package private(set) var connections = 0
    private var entries: [Entry] = []
    private var samples: [FleetMeasure: Sample] = [:]
    private var places: [Incident.Kind: [FleetIncidents.Place]] = [:]

    private struct Entry {
        let hours: Double
        var connectedHours = 0.0
        var counts: [FleetMeasure: Int] = [:]
        var tries: [Procedure.Kind: Int] = [:]
    }

    package init(name: String) { self.name = name }

    /// Adds devices of a capture. It is called once for each.
    package mutating func add(_ devices: [FleetCapture.Device], of file: String, hours: Double) {
        var entry = Entry(hours: hours)
        var frames: [Incident.Kind: Int] = [:]
        for device in devices {
            connections += device.connections
            entry.connectedHours += device.connectedHours
            entry.counts.merge(device.counts, uniquingKeysWith: +)
            entry.tries.merge(device.tries, uniquingKeysWith: +)
            frames.merge(device.firstFrames, uniquingKeysWith: min)
            for (measure, values) in device.samples {
                for value in values { samples[measure, default: Sample()].add(value, ofCapture: entries.count) }
            }
        }
        entries.append(entry)
        for (kind, frame) in frames { places[kind, default: []].append(FleetIncidents.Place(file: file, frame: frame)) }
    }

    func sample(_ measure: FleetMeasure) -> Sample { samples[measure] ?? Sample() }

    func rate(_ measure: FleetMeasure) -> Rate {
        var rate = Rate()
        for entry in entries {
            let exposure: Double =
                switch measure {
                case .losses: entry.connectedHours
                case .failures(let kind): Double(entry.tries[kind] ?? 0)
                default: entry.hours
                }
            if exposure > 0 { rate.add(entry.counts[measure] ?? 0, in: exposure) }
        }
        return rate
    }

    /// Where incidents of the kind happened, a place for each capture.
    func incidents(_ kind: Incident.Kind) -> FleetIncidents? {
        places[kind].map { places in
            FleetIncidents(
                kind: kind, count: entries.reduce(0) { $0 + ($1.counts[.incidents(kind)] ?? 0) }, places: places)
        }
    }
}

/// Incidents of one kind in a group.
package struct FleetIncidents: Sendable {
    package let kind: Incident.Kind
    package let count: Int
    /// The first incident of each capture.
    package let places: [Place]

    package struct Place: Sendable {
        package let file: String
        package let frame: Int
    }
}

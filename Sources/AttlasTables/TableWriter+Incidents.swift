import AttlasIncidents
import AttlasText
import AttlasTrace
import AttlasWire

/// Incidents, with their evidence.
extension TableWriter {
    mutating func write(_ model: IncidentsModel, in trace: borrowing Trace) {
        for (index, incident) in model.incidents.enumerated() {
            write(incident, index + 1, model, in: trace)
            writeFrames(of: incident, index + 1)
        }
    }

    private mutating func write(
        _ incident: Incident, _ number: Int, _ model: IncidentsModel, in trace: borrowing Trace
    ) {
        let place = incident.place
        rows.begin(.incidents)
        rows.add(number)
        rows.add(text: incident.kind.rawValue)
        rows.add(text: incident.weight.rawValue)
        rows.add(incident.frame)
        rows.add(incident.time)
        rows.add(incident.count)
        if let peer = place.peer { rows.addText { $0.append(peer) } } else { rows.addNulls(1) }
        rows.add(text: place.peer.flatMap(model.peerName))
        rows.add(place.connection)
        rows.add(text: place.server?.rawValue)
        rows.add(place.handle)
        let attribute = place.attribute
        add(attribute?.service.flatMap { trace.uuids.known($0) }, .service, in: trace)
        add(attribute?.characteristic.flatMap { trace.uuids.known($0) }, .characteristic, in: trace)
        add(attribute?.descriptor.flatMap { trace.uuids.known($0) }, .descriptor, in: trace)
        rows.add(text: incident.title)
        rows.add(text: incident.what)
        rows.add(text: incident.before)
        rows.add(text: incident.cause.certainty.rawValue)
        rows.add(text: incident.cause.text)
        rows.add(text: incident.next)
        rows.add(incident.follows)
        rows.end()
    }

    /// The steps in their order, then the other frames.
    private mutating func writeFrames(of incident: Incident, _ number: Int) {
        let occurrences = Set(incident.occurrences)
        func write(_ frame: Int?, _ text: String?) {
            rows.begin(.incidentFrames)
            rows.add(number)
            rows.add(frame)
            rows.sink.add(frame.map(occurrences.contains) ?? false)
            rows.add(text: text)
            rows.end()
        }
        for step in incident.steps { write(step.frame, step.text) }
        let told = Set(incident.steps.map(\.frame))
        for frame in incident.frames where !told.contains(frame) { write(frame, nil) }
    }
}

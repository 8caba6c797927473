import AttlasIncidents
import AttlasText
import AttlasValues
import AttlasWire

/// An incident as members of an object: in the documents that have them, and among the lines of a conversation.
extension JSONWriter {
    /// - Parameter peerName: the name that the peer reported.
    mutating func write(_ incident: Incident, peerName: String?, _ lookUp: NameLookup) {
        member("kind", incident.kind.rawValue)
        member("weight", incident.weight.rawValue)
        member("title", incident.title)
        member("frame", incident.frame)
        member("time", incident.time)
        array("frames", incident.frames) { $0.number($1) }
        member("count", incident.count)
        write(peer: incident.place.peer, name: peerName)
        member("connection", incident.place.connection)
        writeAttribute(incident.place, lookUp)
        member("what", incident.what)
        member("before", incident.before)
        object("cause") { json in
            json.member("certainty", incident.cause.certainty.rawValue)
            json.member("text", incident.cause.text)
        }
        member("next", incident.next)
        objects("steps", incident.steps) { json, step in
            json.member("frame", step.frame)
            json.member("text", step.text)
        }
        member("follows", incident.follows)
    }

    private mutating func writeAttribute(_ place: Incident.Place, _ lookUp: NameLookup) {
        guard let handle = place.handle else { return }
        object("attribute") { json in
            json.member("server", place.server?.rawValue)
            json.member("handle", handle)
            if let attribute = place.attribute { json.write(attribute, lookUp) }
        }
    }

    mutating func write(_ incident: Incident, _ model: IncidentsModel) {
        write(incident, peerName: incident.place.peer.flatMap(model.peerName), model.names.knownName)
    }

    /// The member `incidents` of a document.
    package mutating func write(_ model: IncidentsModel) {
        objects("incidents", model.incidents) { $0.write($1, model) }
        if model.leftOut > 0 { member("incidents_left_out", model.leftOut) }
    }
}

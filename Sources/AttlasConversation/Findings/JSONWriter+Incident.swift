import AttlasIncidents
import AttlasText
import AttlasValues
import AttlasWire

/// An incident as members of an object: in the documents that have them, and among the lines of a conversation.
extension JSONWriter {
    /// - Parameter peerName: what the peer called itself.
    mutating func write(_ incident: Incident, peerName: String?, _ lookUp: UUIDLookup) {
        member("kind", incident.kind.rawValue)
        member("weight", incident.weight.rawValue)
        member("title", incident.title)
        member("frame", incident.frame)
        key("time")
        value { text in
            text.append("\"")
            text.append(utc: incident.time)
            text.append("\"")
        }
        key("frames")
        beginArray()
        for frame in incident.frames { number(frame) }
        endArray()
        member("count", incident.count)
        if let peer = incident.place.peer {
            key("peer")
            beginObject()
            write(peer)
            member("name", peerName)
            endObject()
        }
        member("connection", incident.place.connection)
        writeAttribute(incident.place, lookUp)
        member("what", incident.what)
        member("before", incident.before)
        key("cause")
        beginObject()
        member("certainty", incident.cause.certainty.rawValue)
        member("text", incident.cause.text)
        endObject()
        member("next", incident.next)
        key("steps")
        beginArray()
        for step in incident.steps {
            beginObject()
            member("frame", step.frame)
            member("text", step.text)
            endObject()
        }
        endArray()
        member("follows", incident.follows)
    }

    private mutating func writeAttribute(_ place: Incident.Place, _ lookUp: UUIDLookup) {
        guard let handle = place.handle else { return }
        key("attribute")
        beginObject()
        member("server", place.server?.rawValue)
        member("handle", handle)
        if let attribute = place.attribute {
            if let service = attribute.service { write("service", service, .service, lookUp) }
            if let characteristic = attribute.characteristic {
                write("characteristic", characteristic, .characteristic, lookUp)
            }
            if let descriptor = attribute.descriptor { write("descriptor", descriptor, .descriptor, lookUp) }
        }
        endObject()
    }

    mutating func write(_ incident: Incident, _ model: IncidentsModel) {
        write(incident, peerName: incident.place.peer.flatMap(model.peerName)) {
            (model.names[$0], model.names.knownName($0, $1))
        }
    }

    /// The member `incidents` of a document.
    package mutating func write(_ model: IncidentsModel) {
        key("incidents")
        beginArray()
        for incident in model.incidents {
            beginObject()
            write(incident, model)
            endObject()
        }
        endArray()
        if model.leftOut > 0 { member("incidents_left_out", model.leftOut) }
    }
}

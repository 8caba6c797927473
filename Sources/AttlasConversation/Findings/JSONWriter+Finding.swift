import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// A finding as members of an object, in the document of `lint` and among the lines of a conversation.
extension JSONWriter {
    /// The UUID of a number, and its name.
    package typealias UUIDLookup = (UUIDIndex, NameKind) -> (uuid: BluetoothUUID, name: String?)

    /// - Parameter peerName: what the peer that it is about calls itself.
    package mutating func write(_ finding: LintFinding, peerName: String?, _ lookUp: UUIDLookup) {
        member("rule", finding.rule.id)
        member("severity", finding.rule.severity.rawValue)
        member("title", finding.rule.title)
        member("frame", finding.frame)
        if !finding.related.isEmpty {
            key("related_frames")
            beginArray()
            for frame in finding.related { number(frame) }
            endArray()
        }
        key("time")
        value { text in
            text.append("\"")
            text.append(utc: finding.time)
            text.append("\"")
        }
        member("count", finding.count)
        member("last_frame", finding.lastFrame)
        write(finding.place, peerName: peerName, lookUp)
        member("message", finding.sentence)
        if !finding.rule.explanation.isEmpty { member("explanation", finding.rule.explanation) }
        member("section", finding.rule.section)
        if !finding.rule.advice.isEmpty { member("advice", finding.rule.advice) }
        if !finding.fingerprint.isEmpty { member("fingerprint", finding.fingerprint) }
    }

    private mutating func write(_ place: LintFinding.Place, peerName: String?, _ lookUp: UUIDLookup) {
        member("by", place.party?.rawValue)
        member("connection", place.connection)
        if let peer = place.peer {
            key("peer")
            beginObject()
            write(peer)
            member("name", peerName)
            endObject()
        }
        member("server", place.server?.rawValue)
        member("handle", place.handle)
        guard let attribute = place.attribute else { return }
        if let service = attribute.service { write("service", service, .service, lookUp) }
        if let characteristic = attribute.characteristic {
            write("characteristic", characteristic, .characteristic, lookUp)
        }
        if let descriptor = attribute.descriptor { write("descriptor", descriptor, .descriptor, lookUp) }
    }

    mutating func write(_ key: StaticString, _ index: UUIDIndex, _ kind: NameKind, _ lookUp: UUIDLookup) {
        let (uuid, name) = lookUp(index, kind)
        write(key, uuid, name: name)
    }
}

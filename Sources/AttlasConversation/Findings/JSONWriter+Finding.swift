import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// A finding as members of an object, in the document of `lint` and among the lines of a conversation.
extension JSONWriter {
    /// The name of a UUID; nil if it has none.
    package typealias NameLookup = (BluetoothUUID, NameKind) -> String?

    /// - Parameter peerName: the name that the peer reports.
    package mutating func write(_ finding: LintFinding, peerName: String?, _ lookUp: NameLookup) {
        member("rule", finding.rule.id)
        member("severity", finding.rule.severity.rawValue)
        member("title", finding.rule.title)
        member("frame", finding.frame)
        if !finding.related.isEmpty { array("related_frames", finding.related) { $0.number($1) } }
        member("time", finding.time)
        member("count", finding.count)
        member("last_frame", finding.lastFrame)
        write(finding.place, peerName: peerName, lookUp)
        member("message", finding.sentence)
        if !finding.rule.explanation.isEmpty { member("explanation", finding.rule.explanation) }
        member("section", finding.rule.section)
        if !finding.rule.advice.isEmpty { member("advice", finding.rule.advice) }
        if !finding.fingerprint.isEmpty { member("fingerprint", finding.fingerprint) }
    }

    private mutating func write(_ place: LintFinding.Place, peerName: String?, _ lookUp: NameLookup) {
        member("by", place.party?.rawValue)
        member("connection", place.connection)
        write(peer: place.peer, name: peerName)
        member("server", place.server?.rawValue)
        member("handle", place.handle)
        if let attribute = place.attribute { write(attribute, lookUp) }
    }

    mutating func write(_ attribute: AttributeUUIDs, _ lookUp: NameLookup) {
        write("service", attribute.service, .service, lookUp)
        write("characteristic", attribute.characteristic, .characteristic, lookUp)
        write("descriptor", attribute.descriptor, .descriptor, lookUp)
    }

    private mutating func write(_ key: StaticString, _ uuid: BluetoothUUID?, _ kind: NameKind, _ lookUp: NameLookup) {
        if let uuid { write(key, uuid, name: lookUp(uuid, kind)) }
    }
}

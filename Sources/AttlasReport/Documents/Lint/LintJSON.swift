import AttlasCapture
import AttlasLint
import AttlasTrace
import AttlasValues
import AttlasWire

/// The findings of a capture as one JSON document, described by Documentation/schemas/lint.schema.json.
public struct LintJSON {
    private var json = JSONWriter()
    private let model: LintModel

    public init(_ model: LintModel) {
        self.model = model
    }

    public mutating func write(file: String, into output: inout Output) {
        json.beginObject()
        json.member("file", file)
        json.key("findings")
        json.beginArray()
        for finding in model.findings { write(finding) }
        json.endArray()
        json.key("count")
        json.beginObject()
        for severity in LintRule.Severity.allCases {
            json.value { text in
                text.append(jsonString: severity.rawValue)
                text.append(":")
                text.append(decimal: model.count(of: severity))
            }
        }
        json.endObject()
        json.write(onlySide: model.integrity.onlySide)
        json.member("left_out", model.leftOut.values.reduce(0, +))
        json.key("suppressed")
        json.beginArray()
        for known in model.suppressed {
            json.beginObject()
            json.member("rule", known.rule)
            json.member("reason", known.reason)
            json.member("count", known.count)
            json.endObject()
        }
        json.endArray()
        json.key("silent_rules")
        json.beginArray()
        for rule in model.silent { json.string(rule) }
        json.endArray()
        json.member("rules", model.rules.count)
        json.member("rules_checked", model.checkedCount)
        json.key("unchecked_rules")
        json.beginArray()
        for unchecked in model.unchecked {
            json.beginObject()
            json.member("reason", unchecked.reason)
            json.key("rules")
            json.beginArray()
            for rule in unchecked.rules { json.string(rule) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.write(model.integrity)
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ finding: LintFinding) {
        json.beginObject()
        json.write(finding, model.names, peerName: finding.place.peer.flatMap(model.peerName))
        json.endObject()
    }
}

extension JSONWriter {
    /// - Parameter peerName: what the peer that it is about calls itself.
    mutating func write(_ finding: LintFinding, _ names: UUIDNames, peerName: String?) {
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
        write(finding.place, names, peerName: peerName)
        member("message", finding.sentence)
        if !finding.rule.explanation.isEmpty { member("explanation", finding.rule.explanation) }
        member("section", finding.rule.section)
        if !finding.rule.advice.isEmpty { member("advice", finding.rule.advice) }
        if !finding.fingerprint.isEmpty { member("fingerprint", finding.fingerprint) }
    }

    private mutating func write(_ place: LintFinding.Place, _ names: UUIDNames, peerName: String?) {
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
        if let service = attribute.service { write("service", service, .service, names) }
        if let characteristic = attribute.characteristic {
            write("characteristic", characteristic, .characteristic, names)
        }
        if attribute.role != .value { write("descriptor", attribute.type, .descriptor, names) }
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex, _ kind: NameKind, _ names: UUIDNames) {
        write(key, names[index], name: names.knownName(index, kind))
    }
}

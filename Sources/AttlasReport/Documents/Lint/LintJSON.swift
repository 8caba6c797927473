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
        json.member("rule", finding.rule.id)
        json.member("severity", finding.rule.severity.rawValue)
        json.member("title", finding.rule.title)
        json.member("frame", finding.frame)
        if !finding.related.isEmpty {
            json.key("related_frames")
            json.beginArray()
            for frame in finding.related { json.number(frame) }
            json.endArray()
        }
        json.key("time")
        json.value { text in
            text.append("\"")
            text.append(utc: finding.time)
            text.append("\"")
        }
        json.member("count", finding.count)
        json.member("last_frame", finding.lastFrame)
        write(finding.place)
        json.member("message", finding.sentence)
        if !finding.rule.explanation.isEmpty { json.member("explanation", finding.rule.explanation) }
        json.member("section", finding.rule.section)
        if !finding.rule.advice.isEmpty { json.member("advice", finding.rule.advice) }
        json.member("fingerprint", finding.fingerprint)
        json.endObject()
    }

    private mutating func write(_ place: LintFinding.Place) {
        json.member("by", place.party?.rawValue)
        json.member("connection", place.connection)
        if let peer = place.peer {
            json.key("peer")
            json.beginObject()
            json.write(peer)
            json.member("name", model.peerName(peer))
            json.endObject()
        }
        json.member("server", place.server?.rawValue)
        json.member("handle", place.handle)
        guard let attribute = place.attribute else { return }
        if let service = attribute.service { write("service", service, .service) }
        if let characteristic = attribute.characteristic {
            write("characteristic", characteristic, .characteristic)
        }
        if attribute.role != .value { write("descriptor", attribute.type, .descriptor) }
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex, _ kind: NameKind) {
        json.write(key, model.names[index], name: model.names.knownName(index, kind))
    }
}

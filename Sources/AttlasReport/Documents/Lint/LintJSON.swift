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
        json.key("file")
        json.string(file)
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
        json.key("left_out")
        json.number(model.leftOut.values.reduce(0, +))
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ finding: LintFinding) {
        json.beginObject()
        json.key("rule")
        json.string(finding.rule.id)
        json.key("severity")
        json.string(finding.rule.severity.rawValue)
        json.key("title")
        json.string(finding.rule.title)
        json.key("frame")
        json.number(finding.frame)
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
        json.key("count")
        json.number(finding.count)
        json.key("last_frame")
        json.number(finding.lastFrame)
        write(finding.place)
        json.key("message")
        json.string(finding.sentence)
        json.key("explanation")
        json.string(finding.rule.explanation)
        json.key("section")
        json.string(finding.rule.section)
        json.key("advice")
        json.string(finding.rule.advice)
        json.endObject()
    }

    private mutating func write(_ place: LintFinding.Place) {
        if let party = place.party {
            json.key("by")
            json.string(party.rawValue)
        }
        if let connection = place.connection {
            json.key("connection")
            json.number(connection)
        }
        if let peer = place.peer {
            json.key("peer")
            json.beginObject()
            json.write(peer)
            if let name = model.peerName(peer) {
                json.key("name")
                json.string(name)
            }
            json.endObject()
        }
        if let server = place.server {
            json.key("server")
            json.string(server.rawValue)
        }
        if let handle = place.handle {
            json.key("handle")
            json.number(handle)
        }
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

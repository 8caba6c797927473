import AttlasCapture
import AttlasConversation
import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The findings of a capture as one JSON document, described by Documentation/schemas/lint.schema.json.
package struct LintJSON {
    private var json = JSONWriter()
    private let model: LintModel

    package init(_ model: LintModel) {
        self.model = model
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/lint/1")
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
                text.append(":\(model.count(of: severity))")
            }
        }
        json.endObject()
        json.write(onlySide: model.integrity.onlySide)
        json.member("left_out", model.leftOut.values.reduce(0, +))
        json.objects("suppressed", model.suppressed) { json, known in
            json.member("rule", known.rule)
            json.member("reason", known.reason)
            json.member("count", known.count)
        }
        json.array("silent_rules", model.silent) { $0.string($1) }
        json.member("rules", model.rules.count)
        json.member("rules_checked", model.checkedCount)
        json.objects("unchecked_rules", model.unchecked) { json, unchecked in
            json.member("reason", unchecked.reason)
            json.array("rules", unchecked.rules) { $0.string($1) }
        }
        json.write(model.integrity)
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ finding: LintFinding) {
        json.beginObject()
        let names = model.names
        json.write(finding, peerName: finding.place.peer.flatMap(model.peerName)) {
            (names[$0], names.knownName($0, $1))
        }
        if let incident = model.incident(of: finding) {
            json.key("incident")
            json.beginObject()
            json.member("kind", incident.kind.rawValue)
            json.member("frame", incident.frame)
            json.endObject()
        }
        json.endObject()
    }
}

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
        json.objects("findings", model.findings) { json, finding in
            json.write(finding, peerName: finding.place.peer.flatMap(model.peerName)) {
                model.names.knownName($0, $1)
            }
            guard let incident = model.incident(of: finding) else { return }
            json.object("incident") { json in
                json.member("kind", incident.kind.rawValue)
                json.member("frame", incident.frame)
            }
        }
        json.object("count") { json in
            for severity in LintRule.Severity.allCases {
                json.key(named: severity.rawValue)
                json.number(model.count(of: severity))
            }
        }
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
        json.endDocument(model.integrity, into: &output)
    }
}

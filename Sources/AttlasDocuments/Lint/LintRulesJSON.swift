import AttlasLint
import AttlasText

/// The rules as one JSON document, described by Documentation/schemas/lint-list.schema.json.
package struct LintRulesJSON {
    private var json = JSONWriter()

    package init() {}

    package mutating func write(_ rules: [LintRule], into output: inout Output) {
        json.beginDocument("attlas/lint-list/1")
        json.objects("rules", rules) { json, rule in
            json.member("rule", rule.id)
            json.member("severity", rule.severity.rawValue)
            json.member("title", rule.title)
            json.member("explanation", rule.explanation)
            json.member("section", rule.section)
            json.member("advice", rule.advice)
            json.member("needs", rule.needs)
        }
        json.endDocument(into: &output)
    }
}

import AttlasLint

/// The rules as one JSON document, described by Documentation/schemas/lint-list.schema.json.
public struct LintRulesJSON {
    private var json = JSONWriter()

    public init() {}

    public mutating func write(_ rules: [LintRule], into output: inout Output) {
        json.beginObject()
        json.key("rules")
        json.beginArray()
        for rule in rules {
            json.beginObject()
            json.key("rule")
            json.string(rule.id)
            json.key("severity")
            json.string(rule.severity.rawValue)
            json.key("title")
            json.string(rule.title)
            json.key("explanation")
            json.string(rule.explanation)
            json.key("section")
            json.string(rule.section)
            json.key("advice")
            json.string(rule.advice)
            json.key("needs")
            json.string(rule.needs)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }
}

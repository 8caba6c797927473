import AttlasMetrics
import AttlasText
import AttlasWire

/// The score of definitions for a capture as one JSON document, described by Documentation/schemas/dissectors-check.schema.json.
package struct DefinitionScoreJSON {
    private var json = JSONWriter()
    private let model: DefinitionScore

    package init(_ model: DefinitionScore) {
        self.model = model
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/dissectors-check/1")
        json.member("file", file)
        json.objects("definitions", model.definitions) { json, definition in
            json.write("attribute", definition.uuid, name: definition.name)
            json.member("values", definition.values)
            json.member("whole", definition.whole)
            json.member("octets", definition.octets)
            json.member("explained", definition.explained)
            json.member("partial", definition.partial)
            json.member("parts", definition.parts)
            json.objects("problems", definition.problems) { json, problem in
                json.member("kind", problem.kind.rawValue)
                json.member("text", problem.text)
                if let octets = problem.octets {
                    json.member("offset", octets.lowerBound)
                    json.member("length", octets.count)
                }
                json.member("values", problem.values)
                json.array("frames", problem.frames) { $0.number($1) }
            }
            json.member("more", definition.more)
        }
        json.endDocument(model.integrity, into: &output)
    }
}

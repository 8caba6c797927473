import AttlasConversation
import AttlasLint
import AttlasText
import AttlasValues
import AttlasWire

/// Answers as one JSON document, described by Documentation/schemas/why.schema.json.
package struct WhyJSON {
    private var json = JSONWriter()
    private let model: WhyModel

    package init(_ model: WhyModel) {
        self.model = model
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/why/2")
        json.member("file", file)
        json.member("subject", model.subject)
        json.write(model.incidents)
        json.key("answers")
        json.beginArray()
        for answer in model.answers { write(answer) }
        json.endArray()
        json.key("not_in_capture")
        write(model.integrity.sentences.map(\.what))
        json.key("known")
        write(model.known)
        json.write(model.integrity)
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ answer: WhyModel.Answer) {
        json.beginObject()
        if answer.address != nil || answer.name != nil {
            json.key("peer")
            json.beginObject()
            if let address = answer.address { json.write(address) }
            json.member("name", answer.name)
            json.endObject()
        }
        json.member("server", answer.server?.rawValue)
        if let service = answer.service {
            json.write("service", model.names[service], name: model.names.knownName(service, .service))
        }
        if let characteristic = answer.characteristic {
            json.write(
                "characteristic", model.names[characteristic],
                name: model.names.knownName(characteristic, .characteristic))
        }
        json.member("handle", answer.handle)
        json.key("sentences")
        json.beginArray()
        for sentence in answer.sentences {
            json.beginObject()
            json.member("text", sentence.text)
            json.member("frame", sentence.frame)
            json.member("incident", sentence.incident?.rawValue)
            json.endObject()
        }
        json.endArray()
        json.objects("findings", answer.findings) { json, finding in
            json.member("rule", finding.rule.id)
            json.member("severity", finding.rule.severity.rawValue)
            json.member("frame", finding.frame)
            json.member("message", finding.sentence)
        }
        json.key("advice")
        write(answer.advice)
        json.key("not_in_capture")
        write(answer.untold)
        json.endObject()
    }

    private mutating func write(_ texts: [String]) {
        json.beginArray()
        for text in texts { json.string(text) }
        json.endArray()
    }
}

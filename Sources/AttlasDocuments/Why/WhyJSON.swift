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
        let closings = model.incidents.closings
        if closings.count > 0 {
            json.object("closed_by_peer") {
                $0.member("count", closings.count)
                $0.array("frames", closings.frames) { $0.number($1) }
            }
        }
        json.objects("answers", model.answers) { $0.write($1, model.names) }
        json.array("not_in_capture", model.incidents.hidden + model.integrity.sentences.map(\.what)) { $0.string($1) }
        json.array("known", model.known) { $0.string($1) }
        json.endDocument(model.integrity, into: &output)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ answer: WhyModel.Answer, _ names: UUIDNames) {
        write(peer: answer.address, name: answer.name)
        member("server", answer.server?.rawValue)
        write("service", answer.service, .service, names)
        write("characteristic", answer.characteristic, .characteristic, names)
        member("handle", answer.handle)
        objects("sentences", answer.sentences) { json, sentence in
            json.member("text", sentence.text)
            json.member("frame", sentence.frame)
            json.member("incident", sentence.incident?.rawValue)
        }
        objects("findings", answer.findings) { json, finding in
            json.member("rule", finding.rule.id)
            json.member("severity", finding.rule.severity.rawValue)
            json.member("frame", finding.frame)
            json.member("message", finding.sentence)
        }
        array("advice", answer.advice) { $0.string($1) }
        array("not_in_capture", answer.untold) { $0.string($1) }
    }
}

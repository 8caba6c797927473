import AttlasInference
import AttlasText
import AttlasWire

/// Proposed layouts as one JSON document, described by Documentation/schemas/infer.schema.json.
package struct InferenceJSON {
    private var json = JSONWriter()
    private let model: InferenceModel

    package init(_ model: InferenceModel) {
        self.model = model
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/infer/1")
        json.member("file", file)
        json.member("subject", model.subject)
        for list in ValueSource.List.allCases {
            write(model.characteristics.filter { $0.values.source.list == list }, list)
        }
        if model.subject != nil, model.characteristics.contains(where: { $0.values.source.list != .channels }) {
            json.member("draft", DraftFile(model.characteristics).text)
        }
        json.member("too_few", model.tooFew)
        json.member("not_examined", model.notExamined)
        json.member("left_out", model.leftOut)
        json.endDocument(model.integrity, into: &output)
    }

    private mutating func write(_ all: [InferenceModel.Characteristic], _ list: ValueSource.List) {
        json.objects(list.key, all) { json, characteristic in
            json.write(characteristic.values)
            json.objects("directions", characteristic.layouts) { json, entry in
                json.member("direction", entry.direction.rawValue)
                json.member("values", entry.layout.count)
                json.member("distinct", entry.layout.distinct)
                if let messages = entry.layout.messages {
                    json.object("messages") { json in
                        json.member("count", messages.parts.count)
                        json.member("joined", messages.joined)
                        json.member("skipped", messages.framing.skipped)
                        json.member("text", messages.framing.sentence)
                        json.write(messages.framing.evidence)
                    }
                }
                if let dialect = entry.layout.dialect {
                    json.object("dialect") { json in
                        json.member("name", dialect.dialect.rawValue)
                        json.write(dialect.evidence)
                    }
                }
                json.objects("relations", entry.layout.relations) { json, relation in
                    json.member("kind", relation.word)
                    json.member("place", relation.place)
                    json.member("text", relation.sentence)
                    json.write(relation.evidence)
                }
                json.array("doubts", entry.layout.doubts) { $0.string($1) }
                json.objects("layouts", entry.layout.groups) { json, group in
                    json.write(group.selector)
                    json.member("values", group.count)
                    json.member("distinct", group.distinct)
                    json.member("min_octets", group.lengths.lowerBound)
                    json.member("max_octets", group.lengths.upperBound)
                    json.objects("claims", group.claims) { $0.write($1) }
                }
            }
        }
    }
}

extension JSONWriter {
    /// The members that name a characteristic, with the number of its values left out.
    mutating func write(_ values: CharacteristicValues) {
        switch values.source {
        case .characteristic(let uuid, let handle):
            write("characteristic", uuid, name: values.name)
            if let service = values.service { write("service", service, name: values.serviceName) }
            member("handle", handle)
        case .channel(let channel):
            write(channel)
            member("name", values.name)
        case .manufacturerData(let company):
            member("company", code: company, digits: 4)
            member("name", values.name)
            member("devices", values.devices)
        case .serviceData(let uuid):
            write("service_data", uuid, name: values.name)
            member("devices", values.devices)
        case .adStructure(let type):
            member("ad_type", code: type.rawValue, digits: 2)
            member("devices", values.devices)
        }
        member("withheld", values.withheld)
        member("partial", values.partial)
    }

    /// The members that identify the values of a layout.
    mutating func write(_ selector: GroupSelector) {
        switch selector {
        case .all: break
        case .opcode(let octet, let place):
            member("selector_place", place)
            member("selector", code: octet, digits: 2)
        case .length(let length): member("octets", length)
        }
    }

    fileprivate mutating func write(_ evidence: Evidence) {
        member("support", evidence.support)
        member("of", evidence.total)
        member("chance_exponent", evidence.exponent.map { -$0 })
    }

    fileprivate mutating func write(_ field: InferredField) {
        // Negative: from the end of the value.
        member("place", field.place)
        member("octets", field.width)
        member("kind", field.word)
        member("text", field.sentence)
        if field.width > 1, ![.text, .scrambled].contains(field.kind) {
            member("order", field.isBigEndian ? "big" : "little")
        }
        if field.kind == .number { member("signed", field.isSigned) }
        if let evidence = field.evidence { write(evidence) }
        array("doubts", field.doubts) { $0.string($1) }
    }
}

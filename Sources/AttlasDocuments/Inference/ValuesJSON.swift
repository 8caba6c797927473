import AttlasInference
import AttlasText
import AttlasWire

/// Distinct values as one JSON document, described by Documentation/schemas/values.schema.json.
package struct ValuesJSON {
    private var json = JSONWriter()
    private let model: ValuesModel

    package init(_ model: ValuesModel) {
        self.model = model
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/values/1")
        json.member("file", file)
        for list in ValueSource.List.allCases {
            write(model.characteristics.filter { $0.values.source.list == list }, list)
        }
        json.member("not_examined", model.notExamined)
        json.member("left_out", model.leftOut)
        json.endDocument(model.integrity, into: &output)
    }

    private mutating func write(_ all: [ValuesModel.Characteristic], _ list: ValueSource.List) {
        json.objects(list.key, all) { json, characteristic in
            json.write(characteristic.values)
            json.objects("directions", characteristic.directions) { json, direction in
                json.member("direction", direction.direction.rawValue)
                json.member("values", direction.count)
                json.member("min_octets", direction.lengths.lowerBound)
                json.member("max_octets", direction.lengths.upperBound)
                json.objects("distinct", direction.distinct) { json, value in
                    json.member("value", hex: Bytes(value.octets.span))
                    json.member("count", value.count)
                    json.member("first_frame", value.firstFrame)
                }
                json.objects("groups", direction.groups) { json, group in
                    json.write(group.selector)
                    json.member("values", group.count)
                    json.objects("columns", group.columns) { json, entry in
                        json.member("min", entry.column.values.first)
                        json.member("max", entry.column.values.last)
                        json.member("distinct", entry.column.distinct)
                        json.member("changes", entry.column.changes)
                        json.member("entropy_bits", entry.column.entropy)
                        json.member("claim", entry.field?.sentence)
                    }
                }
            }
        }
    }
}

import AttlasDissection
import AttlasValues
import AttlasWire

/// The reading of a value, as members of an object.
extension JSONWriter {
    /// The members `fields`, `unexplained` and `fault`, as far as a definition gives them; `message` and `derived`.
    package mutating func write(_ reading: borrowing ValueReading, _ dissection: borrowing Dissection) {
        if let message = reading.message {
            write(message, reading, dissection)
        } else {
            members { text in
                text.append(
                    jsonOf: dissection, of: reading.dissector, value: reading.octets, isPartial: reading.isPartial)
            }
        }
        if let mesh = reading.mesh { write(mesh) }
        guard !reading.rates.isEmpty else { return }
        objects("derived", reading.rates) { json, rate in
            json.member("name", rate.field.name)
            json.member("value", rate.value)
            json.member("unit", rate.field.unit)
            json.member("since_frame", rate.sinceFrame)
        }
    }

    /// The fields of a value that was kept.
    package mutating func write(fieldsOf value: KeptValue) {
        guard let (dissector, dissection) = value.fields else { return }
        members { $0.append(jsonOf: dissection, of: dissector, value: value.octets, isPartial: value.isPartial) }
    }

    package mutating func write(_ ending: AttributeValue.Ending) {
        if ending == .mayContinue { member("may_continue", true) }
    }

    private mutating func write(
        _ message: MessageState, _ reading: borrowing ValueReading, _ dissection: borrowing Dissection
    ) {
        key("message")
        beginObject()
        key("state")
        switch message {
        case .part(let number, let have, let need):
            string("part")
            member("part", number)
            member("octets", have)
            member("need", need)
        case .complete(_, let frames):
            string("complete")
            array("frames", frames) { $0.number($1) }
            write(reading.octets)
            members { $0.append(jsonOf: dissection, of: reading.dissector, value: reading.octets) }
        case .stray: string("stray")
        }
        member("lost", reading.loss?.rawValue)
        endObject()
    }
}

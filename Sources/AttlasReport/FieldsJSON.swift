import AttlasDissection
import AttlasWire

/// A dissected value as members of a JSON object. Documentation/schemas has their shapes.
extension TextBuffer {
    /// `"fields":[…]`, and `"unexplained":{…}` and `"fault":{…}` when there are any. No comma before or behind.
    public mutating func append(
        jsonOf dissection: Dissection, of dissector: Dissector, value: Bytes
    ) {
        append("\"fields\":")
        append(jsonFieldsIn: nil, dissection, dissector, value)
        if !dissection.unexplained.isEmpty {
            append(",")
            append(jsonUnexplained: dissection.unexplained)
        }
        if let fault = dissection.fault {
            append(",\"fault\":{\"layer\":\"att\",\"reason\":")
            append(jsonString: "\(dissector.fields[fault.field].name): \(fault.reason.text)")
            append(",\"need\":")
            append(decimal: fault.need)
            append(",\"have\":")
            append(decimal: fault.have)
            append(",\"limited_by\":\"value length\"}")
        }
    }

    private mutating func append(jsonUnexplained range: Range<Int>) {
        append("\"unexplained\":{\"offset\":")
        append(decimal: range.lowerBound)
        append(",\"length\":")
        append(decimal: range.count)
        append("}")
    }

    private mutating func append(
        jsonFieldsIn record: Int?, _ dissection: Dissection, _ dissector: Dissector, _ value: Bytes
    ) {
        append("[")
        var unexplained: Range<Int>?
        let start = count
        for group in dissection.groups(in: dissection.content(ofRecord: record), of: dissector) {
            if group.field == DissectedField.unexplainedOctets {
                unexplained = dissection[group.records[0]].range
                continue
            }
            if count > start { append(",") }
            append(jsonField: group, dissection, dissector, value)
        }
        append("]")
        if let unexplained {
            append(",")
            append(jsonUnexplained: unexplained)
        }
    }

    private mutating func append(
        jsonField group: Dissection.Group, _ dissection: Dissection, _ dissector: Dissector, _ value: Bytes
    ) {
        let definition = dissector.fields[Int(group.field)]
        let records = group.records.map { dissection[$0] }
        append("{\"name\":")
        append(jsonString: definition.name)
        if definition.type == .structure {
            append(jsonStructures: group, definition, dissection, dissector, value)
        } else {
            append(jsonValues: records, definition, dissector, value)
        }
        if let unit = definition.unit {
            append(",\"unit\":")
            append(jsonString: unit)
        }
        append(",\"offset\":")
        append(decimal: records[0].offset)
        append(",\"length\":")
        append(decimal: records.reduce(0) { $0 + $1.length })
        if definition.type.sharesOctets {
            append(",\"bit_offset\":")
            append(decimal: records[0].bitOffset)
        }
        append("}")
    }

    private mutating func append(
        jsonStructures group: Dissection.Group, _ definition: FieldDefinition, _ dissection: Dissection,
        _ dissector: Dissector, _ value: Bytes
    ) {
        guard definition.isRepeated else {
            append(",\"fields\":")
            return append(jsonFieldsIn: group.records[0], dissection, dissector, value)
        }
        append(",\"repeats\":[")
        for (index, record) in group.records.enumerated() {
            append(index == 0 ? "{\"fields\":" : ",{\"fields\":")
            append(jsonFieldsIn: record, dissection, dissector, value)
            append("}")
        }
        append("]")
    }

    // MARK: Values

    private mutating func append(
        jsonValues records: [DissectedField], _ definition: FieldDefinition, _ dissector: Dissector, _ value: Bytes
    ) {
        func labelOrName(_ field: DissectedField) -> String? {
            guard field.special == .none else { return nil }
            guard definition.type == .uuid else { return dissector.label(of: field) }
            return BluetoothUUID(value.slice(field.range)).flatMap(dissector.assignedNumbers.name)
        }
        append(",\"value\":")
        append(jsonList: records, definition) { $0.append(jsonValueOf: $1, definition, dissector, value) }
        if definition.hasRaw || records.contains(where: { $0.special != .none }) {
            append(",\"raw\":")
            append(jsonList: records, definition) { $0.append(jsonRawOf: $1, definition) }
        }
        if records.contains(where: { $0.special != .none }) {
            append(",\"special\":")
            append(jsonList: records, definition) {
                $0.append(jsonStringOrNull: dissector.label(of: $1.special, field: $1))
            }
        }
        if records.contains(where: { labelOrName($0) != nil }) {
            append(",\"label\":")
            append(jsonList: records, definition) { $0.append(jsonStringOrNull: labelOrName($1)) }
        }
        if !definition.bits.isEmpty { append(jsonBitsOf: records[0], definition) }
        if [.utf8, .utf8z].contains(definition.type),
            records.contains(where: { !UTF8Decoding.isValid(value.slice($0.range)) })
        {
            append(",\"valid_utf8\":false")
        }
    }

    /// One value, or an array of them for a repeated field.
    private mutating func append(
        jsonList records: [DissectedField], _ definition: FieldDefinition,
        _ body: (inout TextBuffer, DissectedField) -> Void
    ) {
        guard definition.isRepeated else { return body(&self, records[0]) }
        append("[")
        for (index, record) in records.enumerated() {
            if index > 0 { append(",") }
            body(&self, record)
        }
        append("]")
    }

    private mutating func append(
        jsonValueOf field: DissectedField, _ definition: FieldDefinition, _ dissector: Dissector, _ value: Bytes
    ) {
        guard field.special == .none else { return append("null") }
        let octets = value.slice(field.range)
        switch definition.type {
        case .utf8: append(jsonString: octets)
        case .utf8z: append(jsonString: octets.prefix(octets.count - 1))
        case .uuid, .uuid16:
            append(jsonString: BluetoothUUID(octets)?.description ?? "")
        case .address:
            append(jsonString: BluetoothAddress(UInt64(bitPattern: field.raw), isRandom: false).description)
        case .bytes:
            append("\"")
            append(hexOf: octets)
            append("\"")
        default:
            if let number = dissector.number(of: field) { append(number: number) } else { append("null") }
        }
    }

    private mutating func append(jsonRawOf field: DissectedField, _ definition: FieldDefinition) {
        if case .signed = definition.type {
            append(decimal: field.raw)
        } else {
            append(decimal: UInt64(bitPattern: field.raw))
        }
    }

    private mutating func append(jsonStringOrNull text: String?) {
        if let text { append(jsonString: text) } else { append("null") }
    }

    /// `set`: the names of the flags that are set; `fields`: the numbers of several bits; `reserved_bits`: set, without a
    /// name.
    private mutating func append(jsonBitsOf field: DissectedField, _ definition: FieldDefinition) {
        let flags = definition.bits.filter(\.isFlag)
        if !flags.isEmpty {
            append(",\"set\":[")
            let start = count
            for flag in flags where flag.value(in: field.raw) != 0 {
                if count > start { append(",") }
                append(jsonString: flag.name)
            }
            append("]")
        }
        let numbers = definition.bits.filter { !$0.isFlag }
        if !numbers.isEmpty {
            append(",\"fields\":[")
            for (index, bits) in numbers.enumerated() {
                append(index == 0 ? "{\"name\":" : ",{\"name\":")
                append(jsonString: bits.name)
                append(",\"value\":")
                let number = bits.value(in: field.raw)
                append(decimal: number)
                if let label = bits.labels.first(where: { $0.contains(number) })?.label {
                    append(",\"label\":")
                    append(jsonString: label)
                }
                append(",\"bit_offset\":")
                append(decimal: bits.first)
                append(",\"bit_length\":")
                append(decimal: bits.width)
                append("}")
            }
            append("]")
        }
        guard field.hasReservedBits else { return }
        append(",\"reserved_bits\":[")
        var rest = UInt64(bitPattern: field.raw) & definition.unnamedBits
        while rest != 0 {
            append(decimal: rest.trailingZeroBitCount)
            rest &= rest - 1
            if rest != 0 { append(",") }
        }
        append("]")
    }
}

extension FieldDefinition {
    /// The number shown is not the integer that was sent.
    fileprivate var hasRaw: Bool {
        switch type {
        case .unsigned, .signed: scale != nil
        case .medfloat16, .medfloat32: true
        default: false
        }
    }
}

extension FieldType {
    /// An integer that begins or ends within an octet.
    fileprivate var sharesOctets: Bool {
        switch self {
        case .unsigned(let bits), .signed(let bits): !bits.isMultiple(of: 8)
        default: false
        }
    }
}

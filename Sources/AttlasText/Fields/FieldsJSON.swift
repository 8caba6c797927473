import AttlasDissection
import AttlasValues
import AttlasWire

/// A dissected value as members of a JSON object. Documentation/schemas has their shapes.
extension TextBuffer {
    /// A partial value may end anywhere: that is not a fault.
    package mutating func append(
        jsonOf dissection: Dissection, of dissector: Dissector, value: ShownOctets, isPartial: Bool = false
    ) {
        append("\"fields\":")
        append(jsonFieldsIn: nil, dissection, dissector, value)
        if !dissection.unexplained.isEmpty {
            append(",")
            append(jsonUnexplained: dissection.unexplained)
        }
        if let fault = dissection.fault, !isPartial {
            append(",")
            append(jsonFault: fault, of: dissector)
        }
    }

    mutating func append(jsonFault fault: DissectionFault, of dissector: Dissector) {
        let (layer, limit): (StaticString, StaticString) =
            switch dissector.kind {
            case .l2capSDU: ("l2cap", "SDU length")
            case .linkLayerControl: ("link layer", "link layer length")
            case let kind: kind.space.isPacket ? ("hci", "HCI length") : ("att", "value length")
            }
        append("\"fault\":{\"layer\":\"")
        append(layer)
        append("\",\"reason\":")
        append(jsonString: "\(dissector.fields[fault.field].name): \(fault.reason.text)")
        append(",\"need\":")
        append(decimal: fault.need)
        append(",\"have\":")
        append(decimal: fault.have)
        append(",\"limited_by\":\"")
        append(limit)
        append("\"}")
    }

    mutating func append(jsonUnexplained range: Range<Int>) {
        append("\"unexplained\":{\"offset\":")
        append(decimal: range.lowerBound)
        append(",\"length\":")
        append(decimal: range.count)
        append("}")
    }

    private mutating func append(
        jsonFieldsIn record: Int?, _ dissection: Dissection, _ dissector: Dissector, _ value: ShownOctets
    ) {
        append("[")
        var unexplained: Range<Int>?
        let start = count
        dissection.forEachGroup(in: dissection.content(ofRecord: record), of: dissector) { group in
            if group.isUnexplained {
                unexplained = dissection[group.first].range
                return
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
        jsonField group: Dissection.Group, _ dissection: Dissection, _ dissector: Dissector, _ value: ShownOctets
    ) {
        let definition = dissector.fields[Int(group.field)]
        let first = dissection[group.first]
        append("{\"name\":")
        append(jsonString: definition.name)
        if definition.type == .structure {
            append(jsonStructures: group, definition, dissection, dissector, value)
        } else {
            append(jsonValues: group, definition, dissection, dissector, value)
        }
        if let unit = definition.unit {
            append(",\"unit\":")
            append(jsonString: unit)
        }
        append(",\"offset\":")
        append(decimal: first.offset)
        append(",\"length\":")
        var length: Int32 = 0
        dissection.forEachRecord(of: group) { length += dissection[$0].length }
        append(decimal: length)
        if definition.type.sharesOctets {
            append(",\"bit_offset\":")
            append(decimal: first.bitOffset)
        }
        append("}")
    }

    private mutating func append(
        jsonStructures group: Dissection.Group, _ definition: FieldDescription, _ dissection: Dissection,
        _ dissector: Dissector, _ value: ShownOctets
    ) {
        guard definition.isRepeated else {
            append(",\"fields\":")
            return append(jsonFieldsIn: group.first, dissection, dissector, value)
        }
        append(",\"repeats\":[")
        dissection.forEachRecord(of: group) { record in
            append(record == group.first ? "{\"fields\":" : ",{\"fields\":")
            append(jsonFieldsIn: record, dissection, dissector, value)
            append("}")
        }
        append("]")
    }

    // MARK: Values

    private mutating func append(
        jsonValues group: Dissection.Group, _ definition: FieldDescription, _ dissection: Dissection,
        _ dissector: Dissector, _ value: ShownOctets
    ) {
        var hasSpecial = false
        var hasLabel = false
        var isUndefined = false
        var isText = true
        dissection.forEachRecord(of: group) { index in
            let field = dissection[index]
            hasSpecial = hasSpecial || field.special != .none
            if Self.label(of: field, definition, dissector, value) != nil {
                hasLabel = true
            } else if dissector.isUndefined(field) {
                isUndefined = true
            }
            if [.utf8, .utf8z].contains(definition.type) {
                isText = isText && UTF8Decoding.isValid(definition.content(of: value.octets(of: field, by: dissector)))
            }
        }
        if definition.type == .secret { return append(",\"value\":null,\"withheld\":true") }
        append(",\"value\":")
        append(jsonList: group, definition, dissection) { $0.append(jsonValueOf: $1, definition, dissector, value) }
        if definition.hasRaw || hasSpecial {
            append(",\"raw\":")
            append(jsonList: group, definition, dissection) { $0.append(jsonRawOf: $1, definition) }
        }
        if hasSpecial {
            append(",\"special\":")
            append(jsonList: group, definition, dissection) {
                $0.append(jsonStringOrNull: dissector.label(of: $1.special, field: $1))
            }
        }
        if hasLabel {
            append(",\"label\":")
            append(jsonList: group, definition, dissection) {
                $0.append(jsonStringOrNull: Self.label(of: $1, definition, dissector, value))
            }
        }
        if definition.mayBeText {
            append(",\"text\":")
            append(jsonList: group, definition, dissection) {
                $0.append(jsonTextOf: definition.content(of: value.octets(of: $1, by: dissector)))
            }
        }
        if definition.epoch != nil {
            append(",\"date_time\":")
            append(jsonList: group, definition, dissection) { $0.append(jsonTimeOf: $1, dissector) }
        }
        if definition.isGiven {
            append(dissection[group.first].hasWrongCheck ? ",\"check\":\"wrong\"" : ",\"check\":\"right\"")
        }
        if isUndefined { append(",\"undefined\":true") }
        if dissection.hasOutOfRange {
            var isOutOfRange = false
            dissection.forEachRecord(of: group) { isOutOfRange = isOutOfRange || dissection[$0].isOutOfRange }
            if isOutOfRange { append(",\"out_of_range\":true") }
        }
        if !definition.bits.isEmpty { append(jsonBitsOf: dissection[group.first], definition, dissector) }
        if !isText { append(",\"valid_utf8\":false") }
    }

    /// The name of an enumerated value or of a UUID.
    private static func label(
        of field: DissectedField, _ definition: FieldDescription, _ dissector: Dissector, _ value: ShownOctets
    ) -> String? {
        guard field.special == .none else { return nil }
        guard definition.type == .uuid else { return dissector.label(of: field) }
        return BluetoothUUID(value.octets(of: field, by: dissector)).flatMap(dissector.assignedNumbers.name)
    }

    /// One value, or an array of them for a repeated field.
    private mutating func append(
        jsonList group: Dissection.Group, _ definition: FieldDescription, _ dissection: Dissection,
        _ body: (inout TextBuffer, DissectedField) -> Void
    ) {
        guard definition.isRepeated else { return body(&self, dissection[group.first]) }
        append("[")
        dissection.forEachRecord(of: group) { record in
            if record > group.first { append(",") }
            body(&self, dissection[record])
        }
        append("]")
    }

    mutating func append(
        jsonValueOf field: DissectedField, _ definition: FieldDescription, _ dissector: Dissector, _ value: ShownOctets
    ) {
        guard field.special == .none else { return append("null") }
        let octets = definition.content(of: value.octets(of: field, by: dissector))
        switch definition.type {
        case .utf8, .utf8z: append(jsonString: octets)
        case .uuid, .uuid16:
            append("\"")
            if let uuid = BluetoothUUID(octets) { append(uuid) }
            append("\"")
        case .address:
            append("\"")
            append(BluetoothAddress(UInt64(bitPattern: field.raw), isRandom: false))
            append("\"")
        case .bytes, .advertisingData:
            append("\"")
            append(hexOf: octets)
            append("\"")
        default:
            if let number = dissector.number(of: field) { append(number: number) } else { append("null") }
        }
    }

    private mutating func append(jsonRawOf field: DissectedField, _ definition: FieldDescription) {
        switch definition.type {
        case .signed, .powerOfTwo64, .coded: append(decimal: field.raw)
        default: append(decimal: UInt64(bitPattern: field.raw))
        }
    }

    /// null unless all of it is printable.
    private mutating func append(jsonTextOf octets: Bytes) {
        var text = TextBuffer()
        text.appendText(of: octets, limit: .max)
        if text.count > 0 { append(jsonString: octets) } else { append("null") }
    }

    private mutating func append(jsonTimeOf field: DissectedField, _ dissector: Dissector) {
        guard let time = dissector.pointInTime(of: field) else { return append("null") }
        append("\"")
        append(time, separator: UInt8(ascii: "T"))
        append("\"")
    }

    private mutating func append(jsonStringOrNull text: String?) {
        if let text { append(jsonString: text) } else { append("null") }
    }

    /// `set`: the names of the flags that are set; `fields`: the numbers of several bits; `reserved_bits`: set, without a
    /// name.
    private mutating func append(
        jsonBitsOf field: DissectedField, _ definition: FieldDescription, _ dissector: Dissector
    ) {
        if definition.bits.contains(where: \.isFlag) {
            append(",\"set\":[")
            let start = count
            for flag in definition.bits where flag.isFlag && flag.value(in: field.raw) != 0 {
                if count > start { append(",") }
                append(jsonString: flag.name)
            }
            append("]")
        }
        if definition.bits.contains(where: { !$0.isFlag }) {
            append(",\"fields\":[")
            let start = count
            for bits in definition.bits where !bits.isFlag {
                append(count == start ? "{\"name\":" : ",{\"name\":")
                append(jsonString: bits.name)
                append(",\"value\":")
                let number = bits.value(in: field.raw)
                append(decimal: number)
                if let label = bits.label(of: number) {
                    append(",\"label\":")
                    append(jsonString: label)
                } else if dissector.isUndefined(bits, number) {
                    append(",\"undefined\":true")
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

extension FieldDescription {
    /// The number shown is not the integer that was sent.
    fileprivate var hasRaw: Bool {
        switch type {
        case .unsigned, .signed, .varint, .coded: scale != nil
        case .medfloat16, .medfloat32, .timeExponential8, .powerOfTwo64: true
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

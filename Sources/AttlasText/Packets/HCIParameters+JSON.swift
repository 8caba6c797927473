import AttlasDissection
import AttlasValues
import AttlasWire

/// The parameters as members of the line: a key for each field, named as the field.
extension JSONWriter {
    /// The members of the fields, and `unexplained`, `fault`, `reserved_bits` and `out_of_range` when there are any.
    package mutating func write(_ parameters: borrowing HCIParameters, _ values: ValueInterpreter) {
        parameters.read { dissection, dissector, octets in
            write(fieldsIn: nil, dissection, dissector, octets)
            for index in 0..<dissection.count {
                guard let data = dissection.advertisedData(at: index, of: dissector, octets) else { continue }
                key(named: dissector.fields[Int(dissection[index].field)].key + "_decoded")
                beginObject()
                write(data, values)
                endObject()
            }
            if !dissection.unexplained.isEmpty {
                members { $0.append(jsonUnexplained: dissection.unexplained) }
            }
            if let fault = dissection.fault { members { $0.append(jsonFault: fault, of: dissector) } }
            if dissection.hasReservedBits { write("reserved_bits", dissection, dissector, where: \.hasReservedBits) }
            if dissection.hasOutOfRange { write("out_of_range", dissection, dissector, where: \.isOutOfRange) }
        }
    }

    private mutating func write(
        fieldsIn record: Int?, _ dissection: Dissection, _ dissector: Dissector, _ octets: ShownOctets
    ) {
        dissection.forEachGroup(in: dissection.content(ofRecord: record), of: dissector) { group in
            if group.isUnexplained {
                let range = dissection[group.first].range
                return members { $0.append(jsonUnexplained: range) }
            }
            let definition = dissector.fields[Int(group.field)]
            if definition.type == .secret { return }
            var key = definition.key
            if record == nil, Self.keysOfTheLine.contains(key) { key = "parameter_\(key)" }
            if definition.bits.isEmpty {
                self.key(named: key)
                write(group, dissection, dissector) { $0.write($1, dissection, dissector, octets) }
            } else {
                write(bits: group, key, dissection, dissector)
            }
        }
    }

    /// Members that every line has.
    private static let keysOfTheLine: Set<String> = [
        "type", "file", "frame", "frames", "comments", "time", "controller", "connection", "access_address",
        "direction",
        "peer", "packet", "opcode", "event_code", "subevent_code", "name", "length", "parameters", "unexplained",
        "fault",
        "reserved_bits", "out_of_range",
    ]

    /// One value, or an array of them for a repeated field.
    private mutating func write(
        _ group: Dissection.Group, _ dissection: Dissection, _ dissector: Dissector,
        _ body: (inout JSONWriter, _ record: Int) -> Void
    ) {
        guard dissector.fields[Int(group.field)].isRepeated else { return body(&self, group.first) }
        beginArray()
        dissection.forEachRecord(of: group) { body(&self, $0) }
        endArray()
    }

    /// The names of the flags that are set; a number of several bits is a separate member.
    private mutating func write(
        bits group: Dissection.Group, _ key: String, _ dissection: Dissection, _ dissector: Dissector
    ) {
        let definition = dissector.fields[Int(group.field)]
        if definition.bits.contains(where: \.isFlag) {
            self.key(named: key)
            write(group, dissection, dissector) { json, record in
                guard dissection[record].special == .none else { return json.null() }
                json.beginArray()
                for flag in definition.bits where flag.isFlag && flag.value(in: dissection[record].raw) != 0 {
                    json.string(flag.name)
                }
                json.endArray()
            }
        }
        for bits in definition.bits where !bits.isFlag {
            self.key(named: FieldDescription.key(bits.name))
            write(group, dissection, dissector) { json, record in
                guard dissection[record].special == .none else { return json.null() }
                let number = bits.value(in: dissection[record].raw)
                if let label = bits.label(of: number) {
                    json.string(label)
                } else {
                    json.number(number)
                }
            }
        }
    }

    private mutating func write(_ record: Int, _ dissection: Dissection, _ dissector: Dissector, _ octets: ShownOctets)
    {
        let field = dissection[record]
        let definition = dissector.fields[Int(field.field)]
        let label = dissector.label(of: field)
        if definition.type == .structure {
            beginObject()
            write(fieldsIn: record, dissection, dissector, octets)
            endObject()
        } else if field.special != .none {
            null()
        } else if case .assigned(let table) = definition.labels, let digits = table.digits {
            object(code: field.raw, digits: digits, name: label ?? "Unknown")
        } else if let label, definition.type != .uuid16 {
            string(label)
        } else if let scale = definition.microseconds, let number = dissector.number(of: field) {
            if let whole = Int64(exactly: (number.double * scale).rounded()) { self.number(whole) } else { null() }
        } else {
            value { $0.append(jsonValueOf: field, definition, dissector, octets) }
        }
    }

    /// The names of the fields that something holds for.
    private mutating func write(
        _ name: StaticString, _ dissection: Dissection, _ dissector: Dissector, where holds: (DissectedField) -> Bool
    ) {
        var keys: [String] = []
        for index in 0..<dissection.count where holds(dissection[index]) {
            let key = dissector.fields[Int(dissection[index].field)].key
            if !keys.contains(key) { keys.append(key) }
        }
        array(name, keys) { $0.string($1) }
    }
}

extension FieldDescription {
    /// `advertising_interval_min_us` of an "Advertising Interval Min" in milliseconds.
    fileprivate var key: String {
        let suffix =
            switch unit {
            case "dBm": "_dbm"
            case "dB": "_db"
            default: microseconds == nil ? "" : "_us"
            }
        return Self.key(name) + suffix
    }

    fileprivate static func key(_ name: String) -> String {
        var key: [UInt8] = []
        var isBetweenWords = false
        for octet in name.lowercased().utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                if isBetweenWords, !key.isEmpty { key.append(UInt8(ascii: "_")) }
                isBetweenWords = false
                key.append(octet)
            default: isBetweenWords = true
            }
        }
        return String(decoding: key, as: UTF8.self)
    }

    /// In one of its unit, which is of time.
    fileprivate var microseconds: Double? {
        switch unit {
        case "s": 1_000_000
        case "ms": 1_000
        case "µs": 1
        default: nil
        }
    }
}

import AttlasWire

/// One field as hcidump prints it: "status 0x00 handle 64 reason 0x13".
struct InlineField {
    enum Kind {
        /// A number of this many octets, after the name.
        case number(Int)
        /// The last number in parentheses of the line, decimal or not.
        case code
        /// All octets after the name: "0x16 0x50" or in one word of that length.
        case octets(Int?)
        case address
        /// "uuid-16" or "uuid-128" as 1 or 2.
        case uuidFormat
        /// Two octets, or 16: "0x2a37", "6e400003-b5a3-f393-e0a9-e50e24dcca9e".
        case uuid
        /// No name: an octet that the text implies.
        case constant(UInt8)
        /// The first of the words that follows: 0, 1, or older words for these.
        case word([StaticString])
        /// Milliseconds in units of this number of 10 µs: "48.75ms".
        case duration(Int)
        /// 4 and the length of the first value: hcidump leaves it out.
        case groupLength
    }

    let name: StaticString
    let kind: Kind

    static func number(_ name: StaticString, _ width: Int) -> InlineField {
        InlineField(name: name, kind: .number(width))
    }
    static func duration(_ name: StaticString, _ unit: Int) -> InlineField {
        InlineField(name: name, kind: .duration(unit))
    }
    static func uuid(_ name: StaticString) -> InlineField { InlineField(name: name, kind: .uuid) }
    static func code(_ name: StaticString) -> InlineField { InlineField(name: name, kind: .code) }
    static func octets(_ name: StaticString, _ count: Int? = nil) -> InlineField {
        InlineField(name: name, kind: .octets(count))
    }
    static func constant(_ octet: UInt8) -> InlineField { InlineField(name: "", kind: .constant(octet)) }
    static let handle = InlineField.number("handle", 2)
    static let status = InlineField.number("status", 1)
    static let value = InlineField.octets("value")
    static let range = [InlineField.number("start", 2), .number("end", 2)]
}

/// The fields of a packet in the order of its octets.
struct InlineLayout {
    let fields: [InlineField]
    let repeated: [InlineField]

    init(_ fields: [InlineField], repeated: [InlineField] = []) {
        self.fields = fields
        self.repeated = repeated
    }

    static func command(_ opcode: UInt16) -> InlineLayout? {
        switch opcode {
        case 0x0406: .init([.handle, .number("reason", 1)])
        default: nil
        }
    }

    /// An event that is known by its name.
    static func lowEnergyEvent(_ name: borrowing Bytes) -> InlineLayout? {
        if name.starts(with: "LE Connection Complete") {
            // The interval and the fields after it are left out: an interval of 0 means none.
            return .init(
                [
                    .constant(0x01), .status, .handle,
                    InlineField(name: "role", kind: .word(["central", "peripheral", "master", "slave"])),
                    InlineField(name: "bdaddr", kind: .word(["(Public)", "(Random)"])),
                    InlineField(name: "bdaddr", kind: .address),
                ] + [InlineField](repeating: .constant(0), count: 7))
        }
        guard name.starts(with: "LE Connection Update Complete") else { return nil }
        return .init([
            .constant(0x03), .status, .handle, .duration("interval", 125), .duration("latency", 125),
            .duration("timeout", 1000),
        ])
    }

    static func event(_ code: UInt8, length: Int) -> InlineLayout? {
        switch code {
        case 0x03:
            .init([
                .status, .handle, InlineField(name: "bdaddr", kind: .address),
                InlineField(name: "type", kind: .word([" SCO", " ACL"])), .number("encrypt", 1),
            ])
        case 0x05: .init([.status, .handle, .number("reason", 1)])
        case 0x08: .init([.status, .handle, .number("encrypt", 1)])
        case 0x13:
            .init([.constant(UInt8(truncatingIfNeeded: (length - 1) / 4))], repeated: [.handle, .number("packets", 2)])
        default: nil
        }
    }

    static func attribute(_ opcode: UInt8) -> InlineLayout? {
        switch opcode {
        case 0x01: .init([.code("on handle"), .number("on handle", 2), .code("Error:")])
        case 0x02, 0x03: .init([.number("rx mtu", 2)])
        case 0x04: .init(InlineField.range)
        case 0x05: .init([InlineField(name: "format:", kind: .uuidFormat)], repeated: [.handle, .uuid("uuid")])
        case 0x06: .init(InlineField.range + [.number("uuid", 2), .value])
        case 0x07: .init([], repeated: [.number("attr", 2), .number("handle", 2)])
        case 0x08, 0x10: .init(InlineField.range + [.uuid("type-uuid")])
        case 0x09: .init([.number("length:", 1)], repeated: [.handle, .value])
        case 0x0A: .init([.handle])
        case 0x0B, 0x0D: .init([.value])
        case 0x0C: .init([.handle, .number("offset", 2)])
        case 0x11:
            .init(
                [InlineField(name: "value", kind: .groupLength)],
                repeated: [.number("attr handle", 2), .number("end group handle", 2), .value])
        case 0x12, 0x1B, 0x52: .init([.handle, .value])
        case 0x16, 0x17: .init([.number("attr handle", 2), .number("value offset", 2), .octets("part attr value")])
        case 0x18: .init([.code("prepared")])
        default: nil
        }
    }

    static func security(_ code: UInt8) -> InlineLayout? {
        switch code {
        case 0x01, 0x02:
            .init([
                .number("capability", 1), .number("oob", 1), .number("auth req", 1), .number("max key size", 1),
                .number("init key dist", 1), .number("resp key dist", 1),
            ])
        case 0x03: .init([.octets("key", 16)])
        case 0x04: .init([.octets("random", 16)])
        case 0x05: .init([.number("reason", 1)])
        case 0x06: .init([.octets("LTK", 16)])
        case 0x07: .init([.number("EDIV", 2), .number("Rand", 8)])
        case 0x08: .init([.octets("IRK", 16)])
        case 0x0B: .init([.number("auth req", 1)])
        default: nil
        }
    }
}

extension TextFields {
    /// Appends the fields of a layout that the text has. Fields that are not repeated have different names.
    func fill(_ layout: InlineLayout?, into octets: inout [UInt8]) {
        guard let layout else { return }
        for field in layout.fields {
            var place = (line: 0, column: 0)
            guard append(field, &place, &octets) else { return }
        }
        var place = (line: 0, column: 0)
        while !layout.repeated.isEmpty {
            for field in layout.repeated where !append(field, &place, &octets) { return }
        }
    }

    /// Looks for the field from a place on, and moves past it.
    private func append(
        _ field: InlineField, _ place: inout (line: Int, column: Int), _ octets: inout [UInt8]
    ) -> Bool {
        if case .constant(let octet) = field.kind {
            octets.append(octet)
            return true
        }
        while place.line < count {
            let line = self.line(place.line)
            if let end = line.word(field.name, from: place.column) {
                place.column = end
                return append(field, line, end, &octets)
            }
            place = (place.line + 1, 0)
        }
        return false
    }

    private func append(
        _ field: InlineField, _ line: borrowing Bytes, _ end: Int, _ octets: inout [UInt8]
    ) -> Bool {
        switch field.kind {
        case .number(let width):
            guard let value = line.firstNumber(from: end) else { return false }
            for index in 0..<width { octets.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
        case .duration(let unit):
            let start = line.endOfBlanks(from: end)
            guard let whole = line.number(at: start, radix: 10), let point = line.dropFirst(start).offset(of: ".")
            else {
                return false
            }
            let hundredths = whole * 100 + Int(line.fraction(at: start + point).value / 10_000_000)
            guard hundredths.isMultiple(of: unit), let value = UInt16(exactly: hundredths / unit) else { return false }
            octets += value.littleEndianOctets
        case .code:
            guard let value = line.lastCode ?? line.lastDecimal, value <= 0xFF else { return false }
            octets.append(UInt8(value))
        case .octets(let wanted):
            let before = octets.count
            _ = line.readHexWords(from: end, into: &octets)
            guard wanted == nil || octets.count - before == wanted else {
                octets.removeSubrange(before...)
                return false
            }
        case .word(let words):
            let rest = line.dropFirst(end)
            guard let index = words.indices.first(where: { rest.offset(of: words[$0]) != nil }) else { return false }
            octets.append(UInt8(index & 1))
        case .address:
            guard let address = line.dropFirst(line.endOfBlanks(from: end)).octets(6) else { return false }
            octets += address.octets.reversed()
        case .uuidFormat:
            octets.append(line.dropFirst(end).offset(of: "uuid-128") == nil ? 1 : 2)
        case .uuid:
            let word = line.dropFirst(line.endOfBlanks(from: end)).prefix(36)
            if word.count == 36, word[8] == UInt8(ascii: "-") {
                var uuid: [UInt8] = []
                guard word.readHexWords(from: 0, into: &uuid) == word.count, uuid.count == 16 else { return false }
                octets += uuid.reversed()
            } else {
                guard let value = line.firstNumber(from: end), let uuid = UInt16(exactly: value) else { return false }
                octets += uuid.littleEndianOctets
            }
        case .groupLength:
            var value: [UInt8] = []
            _ = line.readHexWords(from: end, into: &value)
            octets.append(UInt8(truncatingIfNeeded: value.count + 4))
        case .constant: break
        }
        return true
    }
}

extension Bytes {
    /// Where `name` ends, which is one word or more.
    fileprivate func word(_ name: StaticString, from start: Int) -> Int? {
        var index = start
        while index + name.utf8CodeUnitCount <= count {
            if contains(name, at: index), index == 0 || self[index - 1] == 0x20 {
                return index + name.utf8CodeUnitCount
            }
            index += 1
        }
        return nil
    }

    /// "(10)" at the end.
    fileprivate var lastDecimal: UInt64? {
        var start = count
        while start > 0, self[start - 1] != UInt8(ascii: "(") { start -= 1 }
        return start > 0 ? number(at: start, radix: 10).map { UInt64($0) } : nil
    }
}

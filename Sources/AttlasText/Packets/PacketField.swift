import AttlasWire

/// A field of a packet that is shown by name: the contents of SMP and signalling PDUs, for text and JSON alike.
package struct PacketField {
    enum Value {
        case number(Int)
        /// A channel, a status: shown in hexadecimal.
        case code(UInt16)
        /// With the name of the protocol.
        case psm(UInt16, String?)
        case text(String)
        case flags([String])
        case microseconds(Int)
        /// A code with its name.
        case named(UInt16, digits: Int, String)
    }

    package let name: StaticString
    let value: Value

    init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension TextBuffer {
    /// `name value · name value`
    package mutating func append(_ fields: [PacketField]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { append(" · ") }
            append(string: field.name.spaced)
            append(" ")
            append(valueOf: field)
        }
    }

    package mutating func append(valueOf field: PacketField) {
        switch field.value {
        case .number(let number): append(decimal: number)
        case .code(let code), .psm(let code, nil): append(code: code, digits: 4)
        case .psm(let code, let name?):
            append(code: code, digits: 4)
            append(" ")
            append(display: name)
        case .text(let text): append(display: text)
        case .flags(let flags): append(string: flags.isEmpty ? "none" : flags.joined(separator: ", "))
        case .microseconds(let duration): append(exact: duration)
        case .named(let code, let digits, let name): append(display: name, code: code, digits: digits)
        }
    }
}

extension JSONWriter {
    package mutating func write(_ fields: [PacketField]) {
        for field in fields {
            switch field.value {
            case .number(let number), .microseconds(let number): member(field.name, number)
            case .code(let code): member(field.name, code: code, digits: 4)
            case .psm(let code, let name):
                member(field.name, code: code, digits: 4)
                member("psm_name", name)
            case .named(let code, let digits, let name): member(field.name, code: code, digits: digits, name: name)
            case .text(let text): member(field.name, text)
            case .flags(let flags): array(field.name, flags) { $0.string($1) }
            }
        }
    }
}

extension StaticString {
    /// A JSON key as words: `max_key_size` is `max key size`, and the unit after a duration is left out.
    package var spaced: String {
        var words = description.split(separator: "_")
        if words.last == "us" { words.removeLast() }
        return words.joined(separator: " ")
    }
}

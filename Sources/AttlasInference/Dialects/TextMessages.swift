/// Text that is read by lines.
enum TextMessages {
    private static func isPrintable(_ octet: UInt8) -> Bool { 0x20...0x7E ~= octet || octet == 0x09 }

    /// Printable characters, and a line feed or a carriage return at the end of each line.
    static func isLines(_ message: ArraySlice<UInt8>) -> Bool {
        guard let last = message.last, last == 0x0A || last == 0x0D, message.count >= 3,
            isPrintable(message[message.startIndex])
        else { return false }
        return message.allSatisfy { isPrintable($0) || $0 == 0x0A || $0 == 0x0D }
    }

    /// `AT`, or an answer to it, between carriage returns and line feeds.
    static func isCommand(_ message: ArraySlice<UInt8>) -> Bool {
        let text = message.drop { $0 == 0x0A || $0 == 0x0D }
        guard let last = message.last, last == 0x0A || last == 0x0D,
            text.allSatisfy({ isPrintable($0) || $0 == 0x0A || $0 == 0x0D })
        else { return false }
        return ["AT", "+", "OK", "ERROR"].contains { text.starts(with: $0.utf8) }
    }
}

/// JSON (RFC 8259), an object or an array.
struct JSONText {
    private var rest: ArraySlice<UInt8>
    private var depth = 0

    static func isDocument(_ message: ArraySlice<UInt8>) -> Bool {
        var text = JSONText(rest: message)
        text.skipSpace()
        guard text.rest.first == UInt8(ascii: "{") || text.rest.first == UInt8(ascii: "["), text.readValue() else {
            return false
        }
        text.skipSpace()
        return text.rest.allSatisfy { $0 == 0 }
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 } }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func readValue() -> Bool {
        skipSpace()
        guard let first = rest.first, depth < 16 else { return false }
        depth += 1
        defer { depth -= 1 }
        switch first {
        case UInt8(ascii: "{"): return readMembers(until: "}") { $0.readString() && $0.take(":") && $0.readValue() }
        case UInt8(ascii: "["): return readMembers(until: "]") { $0.readValue() }
        case UInt8(ascii: "\""): return readString()
        default:
            let word = rest.prefix { $0.isWordOfJSON }
            rest = rest.dropFirst(word.count)
            return ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
                || !word.isEmpty && Double(String(decoding: word, as: UTF8.self)) != nil
        }
    }

    private mutating func readMembers(until end: Unicode.Scalar, _ read: (inout JSONText) -> Bool) -> Bool {
        rest.removeFirst()
        if take(end) { return true }
        while read(&self) {
            if take(end) { return true }
            guard take(",") else { return false }
        }
        return false
    }

    private mutating func readString() -> Bool {
        guard take("\"") else { return false }
        var isEscaped = false
        while let octet = rest.popFirst() {
            if octet < 0x20 { return false }
            if isEscaped {
                isEscaped = false
            } else if octet == UInt8(ascii: "\\") {
                isEscaped = true
            } else if octet == UInt8(ascii: "\"") {
                return true
            }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isWordOfJSON: Bool {
        switch self {
        case 0x30...0x39, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x45: true
        default: false
        }
    }
}

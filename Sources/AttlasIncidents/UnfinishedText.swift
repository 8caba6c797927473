import AttlasWire

/// Whether a value is the beginning of a longer text.
extension Bytes {
    /// It ends within a character of UTF-8, or within a JSON text.
    package var isUnfinishedText: Bool {
        let octets = copy()
        return octets.endsWithinCharacter || octets.isUnclosedJSON
    }

    /// A whole JSON object or list.
    package var isClosedJSON: Bool { copy().json == .closed }
}

extension [UInt8] {
    /// Text whose last character is not whole.
    var endsWithinCharacter: Bool {
        // At most three octets of it.
        for length in 1...3 where count > length {
            guard case let lead = self[count - length], lead >= 0xC2, lead <= 0xF4 else { continue }
            let whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            let rest = self[(count - length + 1)...]
            let text = self[..<(count - length)]
            return length < whole && rest.allSatisfy { $0 & 0xC0 == 0x80 } && text.isText
        }
        return false
    }

    /// A text that begins as a JSON object or list and does not close it.
    var isUnclosedJSON: Bool { json == .open }

    /// Whether a JSON object or list that the text begins with is closed.
    fileprivate var json: JSONText {
        guard let first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["), count > 2,
            self[1] == UInt8(ascii: "\"") || self[1] == UInt8(ascii: "{"), self[...].isText
        else { return .none }
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for octet in self {
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if octet == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if octet == UInt8(ascii: "\"") {
                    isQuoted = false
                }
            } else if octet == UInt8(ascii: "\"") {
                isQuoted = true
            } else if octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") {
                depth += 1
            } else if octet == UInt8(ascii: "}") || octet == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 { return .closed }
            }
        }
        return .open
    }
}

private enum JSONText {
    case none, open, closed
}

extension ArraySlice<UInt8> {
    fileprivate var isText: Bool {
        guard let text = String(validating: self, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" || $0 == "\r" }
    }
}

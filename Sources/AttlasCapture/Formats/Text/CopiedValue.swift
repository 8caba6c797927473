/// The octets of a value as people copy it from a log, an app or a program.
///
/// "0048", "00 48", "16-4B-2B-03", "0x164b2b03", "\x16\x4b", "b'\x16K'", "[22, 75]", "{0x16, 0x4B}", "<164b2b03>", "base64:FksrAw==",
/// and after a label: "Data[4]: 164b2b03", "value: (0x) 16-4B", "{length = 4, bytes = 0x164b2b03}".
public enum CopiedValue {
    /// The accepted forms of a value: a clause.
    public static let expectation = "expected hexadecimal (0048, 00-48, 0x00 0x48, \\x00\\x48), [0, 72] or base64:AEg="

    /// Octets of a value as programs show it, in a form of `expectation`; nil for any other text.
    public static func octets(_ text: String) -> [UInt8]? {
        var rest = trimmed(Array(text.utf8)[...])
        if let start = rest.end(of: "base64:") { return base64(rest[start...]) }
        if let label = rest.end(ofLast: ": ") ?? rest.end(ofLast: "bytes = ") { rest = trimmed(rest[label...]) }
        if let start = rest.end(of: "(0x)") { rest = trimmed(rest[start...]) }
        // Python's names of a value in octets.
        if let start = rest.end(of: "bytearray(") ?? rest.end(of: "bytes("), rest.last == UInt8(ascii: ")") {
            rest = rest[start...].dropLast()
        }
        if let start = rest.end(of: "b'") ?? rest.end(of: "b\""), rest.count > start - rest.startIndex {
            return rest.last == rest[start - 1] ? escaped(rest[start...].dropLast(), takesText: true) : nil
        }
        if rest.count >= 2, rest.first == rest.last, rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'")
        {
            rest = rest.dropFirst().dropLast()
        }
        if rest.end(of: "\\x") != nil { return escaped(rest, takesText: false) }
        let isList =
            rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "(")
        let brackets: [UInt8] = Array("[]{}()<>".utf8)
        rest = trimmed(rest)
        if let first = rest.first, brackets.contains(first) { rest = rest.dropFirst() }
        if let last = rest.last, brackets.contains(last) { rest = rest.dropLast() }
        return numbers(rest, isDecimal: isList)
    }

    /// - Parameter isDecimal: Whether numbers are decimal unless marked otherwise: in a bracketed list.
    private static func numbers(_ text: ArraySlice<UInt8>, isDecimal: Bool) -> [UInt8]? {
        let commas = text.split { $0.isBlank || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
        let isDecimal =
            isDecimal && text.contains(UInt8(ascii: ",")) || isDecimal && commas.count == 1 && commas[0].count < 4
        if isDecimal, let octets = decimals(commas) { return octets }
        var octets: [UInt8] = []
        for word in commas.flatMap({
            $0.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "_") }
        }) {
            let hasPrefix = word.end(of: "0x") != nil || word.end(of: "0X") != nil
            let digits = hasPrefix ? word.dropFirst(2) : word
            if hasPrefix, digits.count == 1, let value = digits.first?.nibble {
                octets.append(value)
                continue
            }
            guard digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
            for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
                guard let high = digits[index].nibble, let low = digits[index + 1].nibble else { return nil }
                octets.append(high << 4 | low)
            }
        }
        return octets
    }

    /// 0 to 255, or as Java prints octets −128 to 127.
    private static func decimals(_ words: [ArraySlice<UInt8>]) -> [UInt8]? {
        var octets: [UInt8] = []
        for word in words {
            guard let number = Int(String(decoding: word, as: UTF8.self)), (-128...255).contains(number) else {
                return nil
            }
            octets.append(UInt8(truncatingIfNeeded: number))
        }
        return octets
    }

    /// - Parameters:
    ///   - takesText: Whether characters stand for themselves, as in Python.
    ///   - isOctal: Whether digits are an octet in octal, three of them, as Protocol Buffers print it.
    static func escaped(_ text: ArraySlice<UInt8>, takesText: Bool, isOctal: Bool = false) -> [UInt8]? {
        var rest = text
        var octets: [UInt8] = []
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "\\") else {
                if takesText { octets.append(octet) } else if !octet.isBlank { return nil }
                continue
            }
            guard let kind = rest.popFirst() else { return nil }
            switch kind {
            case UInt8(ascii: "x"):
                guard let high = rest.popFirst()?.nibble, let low = rest.popFirst()?.nibble else { return nil }
                octets.append(high << 4 | low)
            case UInt8(ascii: "0")...UInt8(ascii: "3") where isOctal:
                let digits = [kind] + rest.prefix(2)
                guard let octet = UInt8(String(decoding: digits, as: UTF8.self), radix: 8), digits.count == 3 else {
                    return nil
                }
                octets.append(octet)
                rest.removeFirst(2)
            case UInt8(ascii: "0"): octets.append(0)
            case UInt8(ascii: "n"): octets.append(0x0A)
            case UInt8(ascii: "r"): octets.append(0x0D)
            case UInt8(ascii: "t"): octets.append(0x09)
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): octets.append(kind)
            default: return nil
            }
        }
        return octets
    }

    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var decoder = Base64Decoder()
        for octet in text where !decoder.take(octet) { return nil }
        return decoder.octets
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text.drop { $0.isBlank }
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return rest
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var nibble: UInt8? { hexadecimalValue }
}

extension ArraySlice<UInt8> {
    /// The rest after `text`, with which it begins.
    fileprivate func end(of text: String) -> Int? {
        starts(with: text.utf8) ? startIndex + text.utf8.count : nil
    }

    fileprivate func end(ofLast text: String) -> Int? {
        indices.last { self[$0...].starts(with: text.utf8) }.map { $0 + text.utf8.count }
    }
}

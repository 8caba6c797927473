/// Scalars as the format means them: YAML's own ideas (`2E10` is a float, `Off` is false, `12:30` is 750) never apply.
package enum ScalarText {
    /// Decimal, or hexadecimal after `0x`; a `-` in front of either.
    package static func integer(_ text: String) -> Int64? {
        var digits = Substring(text)
        let isNegative = digits.first == "-"
        if isNegative { digits.removeFirst() }
        guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        let magnitude: UInt64?
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            let hexadecimal = digits.dropFirst(2)
            guard hexadecimal.allSatisfy(\.isHexDigit) else { return nil }
            magnitude = UInt64(hexadecimal, radix: 16)
        } else {
            magnitude = UInt64(digits)
        }
        guard let magnitude else { return nil }
        // Raw values of 64 bits without sign share the bit pattern.
        if !isNegative { return Int64(bitPattern: magnitude) }
        return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- Int128(magnitude)) : nil
    }

    /// Pairs of hexadecimal digits, spaces between them or not.
    package static func octets(_ text: String) -> [UInt8]? {
        var digits = text.filter { !$0.isWhitespace }[...]
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        var octets: [UInt8] = []
        while !digits.isEmpty {
            octets.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
            digits = digits.dropFirst(2)
        }
        return octets
    }
}

import AttlasWire

extension TextBuffer {
    /// `185 (values up to 182)`: a write or a notification has 3 octets besides its value, which has 512 at most. Core Specification,
    /// Vol 3, Part F, 3.2.9 and 3.4.7.
    public mutating func append(mtu: Int) {
        append(decimal: mtu)
        append(" (values up to ")
        append(decimal: max(0, min(mtu - 3, 512)))
        append(")")
    }

    /// `1e 48 78 … (40 octets)`.
    public mutating func append(octets bytes: borrowing Bytes, limit: Int) {
        if bytes.isEmpty { return append("(empty)") }
        append(hexOf: bytes.prefix(limit), uppercase: false, separator: UInt8(ascii: " "))
        if bytes.count > limit {
            append(" … (")
            append(decimal: bytes.count)
            append(" octets)")
        }
        appendText(of: bytes, limit: limit * 3)
    }

    /// ` "text"` after octets that are all text in UTF-8, and too many of them for that to be chance; without the end of its line.
    mutating func appendText(of octets: borrowing Bytes, limit: Int) {
        var length = octets.count
        while length > 0, octets[length - 1] == 0x0A || octets[length - 1] == 0x0D { length -= 1 }
        let bytes = octets.prefix(length)
        guard bytes.count >= 4 else { return }
        if bytes.isPrintableASCII {
            append(" \"")
            append(ascii: bytes.prefix(limit))
            return append(bytes.count > limit ? "…\"" : "\"")
        }
        var offset = 0
        // Whole characters only.
        var end = 0
        while offset < bytes.count {
            if bytes[offset] < 0x80 {
                guard 0x20...0x7E ~= bytes[offset] else { return }
                offset += 1
            } else {
                let (scalar, length) = UTF8Decoding.scalar(bytes, at: offset)
                guard let scalar, scalar.isText else { return }
                offset += length
            }
            if offset <= limit { end = offset }
        }
        append(" \"")
        append(display: bytes.prefix(end))
        append(bytes.count > end ? "…\"" : "\"")
    }

    /// `0x0001–0x0009`.
    public mutating func append(_ first: AttributeHandle, _ last: AttributeHandle) {
        append("0x")
        append(hex: first, digits: 4, uppercase: true)
        append("–0x")
        append(hex: last, digits: 4, uppercase: true)
    }

    /// The octets as the server sends them.
    public mutating func append(databaseHash: UInt128) {
        for shift in stride(from: 0, to: 128, by: 8) {
            append(hex: UInt8(truncatingIfNeeded: databaseHash >> UInt128(shift)), digits: 2)
        }
    }
}

extension Bytes {
    /// Whether all octets are from the space to the tilde: nearly all text.
    fileprivate var isPrintableASCII: Bool { (0..<count).allSatisfy { 0x20...0x7E ~= self[$0] } }
}

extension Unicode.Scalar {
    /// Whether it is a character that people write: no control, and none that Unicode has not assigned.
    fileprivate var isText: Bool {
        switch properties.generalCategory {
        case .control, .unassigned, .privateUse, .surrogate: return false
        default: return true
        }
    }
}

extension TextBuffer {
    /// `0x0E`
    package mutating func append(code: some FixedWidthInteger, digits: Int) {
        append("0x")
        append(hex: code, digits: digits, uppercase: true)
    }

    /// `Write Not Permitted (0x03)`
    package mutating func append(display name: String, code: some FixedWidthInteger, digits: Int) {
        append(display: name)
        append(" (")
        append(code: code, digits: digits)
        append(")")
    }
}

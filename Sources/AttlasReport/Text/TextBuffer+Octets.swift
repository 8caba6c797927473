import AttlasWire

extension TextBuffer {
    /// `1e 48 78 … (40 octets)`.
    mutating func append(octets bytes: borrowing Bytes, limit: Int) {
        if bytes.isEmpty { return append("(empty)") }
        append(hexOf: bytes.prefix(limit), uppercase: false, separator: UInt8(ascii: " "))
        if bytes.count > limit {
            append(" … (")
            append(decimal: bytes.count)
            append(" octets)")
        }
        appendText(of: bytes, limit: limit * 3)
    }

    /// ` "text"` after octets that are all printable ASCII, and too many of them for that to be chance.
    private mutating func appendText(of bytes: borrowing Bytes, limit: Int) {
        guard bytes.count >= 4 else { return }
        for offset in 0..<bytes.count where !(0x20...0x7E).contains(bytes[offset]) { return }
        append(" \"")
        append(display: bytes.prefix(limit))
        append(bytes.count > limit ? "…\"" : "\"")
    }

    /// `0x0001–0x0009`.
    mutating func append(_ first: AttributeHandle, _ last: AttributeHandle) {
        append("0x")
        append(hex: first, digits: 4, uppercase: true)
        append("–0x")
        append(hex: last, digits: 4, uppercase: true)
    }

    /// The octets as the server sends them.
    mutating func append(databaseHash: UInt128) {
        for shift in stride(from: 0, to: 128, by: 8) {
            append(hex: UInt8(truncatingIfNeeded: databaseHash >> UInt128(shift)), digits: 2)
        }
    }
}

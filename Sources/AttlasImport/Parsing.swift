extension UInt64 {
    /// Six octets as an address is written: `F2:F2:F2:F2:F2:F2`, with any of `separators` between them.
    init?(address text: some StringProtocol, separators: String) {
        let parts = text.split(omittingEmptySubsequences: false) { separators.contains($0) }
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        var value: UInt64 = 0
        for part in parts {
            // A sign is not a digit here.
            guard part.allSatisfy(\.isHexDigit), let octet = UInt8(part, radix: 16) else { return nil }
            value = value << 8 | UInt64(octet)
        }
        self = value
    }
}

extension UInt128 {
    /// A Database Hash as its octets are sent, the first one being the least significant.
    init?(databaseHash text: String) {
        guard text.utf8.count == 32, text.allSatisfy(\.isHexDigit), let value = UInt128(text, radix: 16) else {
            return nil
        }
        self = value.byteSwapped
    }
}

import AttlasWire

/// UTF-8 without a difference between capital and small letters, in a buffer that can be used again.
public struct FoldedText: Sendable, Equatable {
    private(set) var octets: [UInt8] = []

    /// An empty text.
    public init() {}

    /// Folds a text.
    public init(_ text: String) {
        append(text)
    }

    /// Empties the text and keeps its memory.
    public mutating func removeAll() {
        octets.removeAll(keepingCapacity: true)
    }

    /// Appends a text, folded.
    public mutating func append(_ text: String) {
        for scalar in text.unicodeScalars { append(scalar) }
    }

    /// Text from the air; octets that are not UTF-8 become U+FFFD.
    public mutating func append(utf8 bytes: Bytes) {
        var offset = 0
        while offset < bytes.count {
            let (scalar, length) = UTF8Decoding.scalar(bytes, at: offset)
            append(scalar ?? "\u{FFFD}")
            offset += length
        }
    }

    /// Appends octets as lower-case hexadecimal digits.
    public mutating func append(hexOf bytes: Bytes) {
        for offset in 0..<bytes.count {
            append(digit: bytes[offset] >> 4)
            append(digit: bytes[offset] & 0xF)
        }
    }

    /// `f2:f2:f2:f2:f2:f2`
    public mutating func append(_ address: BluetoothAddress) {
        for shift in stride(from: 44, through: 0, by: -4) {
            append(digit: UInt8(address.value >> UInt64(shift) & 0xF))
            if shift > 0, shift.isMultiple(of: 8) { octets.append(UInt8(ascii: ":")) }
        }
    }

    private mutating func append(digit: UInt8) {
        octets.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            let octet = UInt8(scalar.value)
            octets.append(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= octet ? octet | 0x20 : octet)
        } else {
            octets.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
        }
    }

    /// Whether the text starts with the other one.
    public func begins(with other: FoldedText) -> Bool { octets.starts(with: other.octets) }

    /// Whether the other text is a part of it.
    public func contains(_ other: FoldedText) -> Bool { octets.span.contains(other.octets.span) }
}

extension Span where Element == UInt8 {
    fileprivate func contains(_ other: Span<UInt8>) -> Bool {
        guard other.count <= count else { return false }
        for start in 0...(count - other.count) {
            var length = 0
            while length < other.count, self[start + length] == other[length] { length += 1 }
            if length == other.count { return true }
        }
        return false
    }
}

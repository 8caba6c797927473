extension [UInt8] {
    /// Appends all octets of `value`, the most significant one first.
    @inlinable
    package mutating func append(bigEndian value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends all octets of `value`, the least significant one first.
    @inlinable
    package mutating func append(littleEndian value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}

extension FixedWidthInteger {
    /// All octets, the least significant one first.
    package var littleEndianOctets: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}

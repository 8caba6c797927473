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

    /// Appends all octets of `words`, the most significant one of each first.
    @inlinable @inline(__always)
    package mutating func append<let count: Int>(bigEndian words: InlineArray<count, UInt32>) {
        append(addingCapacity: 4 * count) { room in
            for index in 0..<count {
                for shift in stride(from: 24, through: 0, by: -8) {
                    room.append(UInt8(truncatingIfNeeded: words[index] >> UInt32(shift)))
                }
            }
        }
    }

    /// Appends all octets of `words`, the least significant one of each first.
    @inlinable @inline(__always)
    package mutating func append<let count: Int>(littleEndian words: InlineArray<count, UInt32>) {
        append(addingCapacity: 4 * count) { room in
            for index in 0..<count {
                for shift in stride(from: 0, through: 24, by: 8) {
                    room.append(UInt8(truncatingIfNeeded: words[index] >> UInt32(shift)))
                }
            }
        }
    }

    /// Writes all octets of `value` over those from `place` on, the least significant one first.
    @inlinable
    package mutating func replace(at place: Int, littleEndian value: some FixedWidthInteger) {
        for index in 0..<value.bitWidth / 8 { self[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
}

extension FixedWidthInteger {
    /// All octets, the least significant one first.
    @inlinable
    package var littleEndianOctets: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}

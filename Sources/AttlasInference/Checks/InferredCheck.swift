import AttlasDissection
import AttlasWire

/// A checksum of a value: algorithm, place and range.
package struct InferredCheck: Sendable, Hashable {
    package enum Algorithm: Sendable, Hashable {
        /// One that definitions can name.
        case defined(Checksum.Algorithm)
        /// The sum with the opposite sign: the sum of all octets with it is 0.
        case negatedSum
        /// The inverted sum.
        case invertedSum
        /// The sum modulo 100.
        case sum100
    }

    package let algorithm: Algorithm
    /// Name in the catalogue; nil for a CRC that was calculated from the values.
    package let name: String?
    /// From the start of the value, or from its end if it is negative.
    package let place: Int
    package let width: Int
    package let isBigEndian: Bool
    /// Octets at the start that it does not cover.
    package let start: Int
    /// It covers only what is before it.
    package let endsBefore: Bool

    /// The part that a definition can say; nil if it cannot say it.
    package var definition: Checksum.Algorithm? {
        if case .defined(let algorithm) = algorithm { algorithm } else { nil }
    }

    /// Whether a value of this length has the check and at least two octets that it covers.
    func fits(length: Int) -> Bool {
        let first = place < 0 ? length + place : place
        guard first >= 0, first + width <= length else { return false }
        let end = endsBefore ? first : length
        let own = endsBefore || start > first ? 0 : width
        return end - start - own >= 2
    }

    /// The octets that it covers in a value of this length.
    func covered(length: Int) -> [Int] {
        let first = place < 0 ? length + place : place
        let end = endsBefore ? first : length
        return start < end ? (start..<end).filter { !(first..<first + width ~= $0) } : []
    }

    /// Whether a value has the right one.
    package func holds(for value: ArraySlice<UInt8>) -> Bool {
        guard fits(length: value.count) else { return false }
        let first = value.startIndex + (place < 0 ? value.count + place : place)
        var found: UInt64 = 0
        for index in 0..<width {
            found |= UInt64(value[first + index]) << UInt64(8 * (isBigEndian ? width - 1 - index : index))
        }
        return found == result(of: value)
    }

    func result(of value: ArraySlice<UInt8>) -> UInt64 {
        let first = place < 0 ? value.count + place : place
        var checksum: Checksum
        switch algorithm {
        case .defined(let algorithm): checksum = Checksum(algorithm)
        case .negatedSum, .invertedSum, .sum100: checksum = Checksum(.sum8)
        }
        checksum.start = start
        checksum.endsBefore = endsBefore
        if case .sum100 = algorithm {
            // Not the remainder of the remainder.
            var sum = 0
            for index in covered(length: value.count) { sum += Int(value[value.startIndex + index]) }
            return UInt64(sum % 100)
        }
        let result = checksum.of(
            Bytes(value.span), from: 0, to: value.count, without: first..<first + width)
        switch algorithm {
        case .defined, .sum100: return result
        case .negatedSum: return UInt64(0 &- UInt8(truncatingIfNeeded: result))
        case .invertedSum: return UInt64(~UInt8(truncatingIfNeeded: result))
        }
    }

    /// `CRC-16/MODBUS`, `sum modulo 256`
    package var title: String {
        if let name { return name }
        switch algorithm {
        case .negatedSum: return "negated sum modulo 256 (all octets with it add up to 0)"
        case .invertedSum: return "inverted sum modulo 256"
        case .sum100: return "sum modulo 100"
        case .defined(.sum): return "sum modulo 256"
        case .defined(.xor): return "exclusive or"
        case .defined(.crc(let width, let polynomial, let initial, let isReflected, let final)):
            func hex(_ number: UInt32) -> String {
                let digits = String(number, radix: 16, uppercase: true)
                return "0x" + String(repeating: "0", count: max(0, width / 4 - digits.count)) + digits
            }
            return "CRC-\(width), polynomial \(hex(polynomial)), initial value \(hex(initial)), "
                + "\(isReflected ? "reflected" : "not reflected"), final xor \(hex(final))"
        }
    }

    /// `of octets 0 to the one before it`
    package var coverage: String {
        let first = start == 0 ? "all octets" : "the octets from \(start) on"
        if endsBefore { return "\(first) before it" }
        return place == -width && start == 0 ? "\(first) before it" : "\(first) without it"
    }
}

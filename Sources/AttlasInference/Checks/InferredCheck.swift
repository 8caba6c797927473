import AttlasDissection
import AttlasWire

/// A checksum of a value: algorithm, place and range.
package struct InferredCheck: Sendable, Hashable {
    package let algorithm: Checksum.Algorithm
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
        var checksum = Checksum(algorithm)
        checksum.start = start
        checksum.endsBefore = endsBefore
        return checksum.of(Bytes(value.span), from: 0, to: value.count, without: first..<first + width)
    }

    /// `CRC-16/MODBUS`, `sum modulo 256`
    package var title: String {
        if let name { return name }
        switch algorithm {
        case .sum(let sum):
            let modulus = sum.modulus > 0 ? Int(sum.modulus) : 1 << sum.bits
            let together = sum.bits == 8 ? " (all octets with it add up to 0)" : ""
            if sum.isNegated { return "negated sum modulo \(modulus)\(together)" }
            return "\(sum.final == 0 ? "" : "inverted ")sum modulo \(modulus)"
        case .xor: return "exclusive or"
        case .crc(let width, let polynomial, let initial, let isReflected, let final):
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

import AttlasWire

/// A checksum over other octets.
public struct Checksum: Hashable, Sendable {
    package enum Algorithm: Hashable, Sendable {
        /// As the catalogues of CRCs name the parameters; both octets and result are reflected, or neither.
        case crc(width: Int, polynomial: UInt32, initial: UInt32, isReflected: Bool, final: UInt32)
        case sum(Sum)
        /// The exclusive or of the octets and `initial`.
        case xor(initial: UInt8)

        /// The sum of the octets, modulo 256.
        package static let sum8 = Algorithm.sum(Sum(bits: 8))
        /// The exclusive or of the octets.
        package static let xor8 = Algorithm.xor(initial: 0)
    }

    /// A sum of octets in 8 or 16 bits.
    package struct Sum: Hashable, Sendable {
        package var bits: Int
        package var initial: UInt16 = 0
        /// The remainder by this number, instead of the least significant bits; 0: no.
        package var modulus: UInt32 = 0
        /// With the opposite sign: the sum of all octets with it is 0.
        package var isNegated = false
        /// The bits that are inverted at the end.
        package var final: UInt16 = 0

        package init(
            bits: Int, initial: UInt16 = 0, modulus: UInt32 = 0, isNegated: Bool = false, final: UInt16 = 0
        ) {
            self.bits = bits
            self.initial = initial
            self.modulus = modulus
            self.isNegated = isNegated
            self.final = final
        }

        fileprivate func of(_ first: Bytes, _ last: Bytes) -> UInt64 {
            // A value has at most 65,536 octets.
            var sum = UInt32(initial)
            for index in 0..<first.count { sum &+= UInt32(first[index]) }
            for index in 0..<last.count { sum &+= UInt32(last[index]) }
            if modulus > 0 { sum %= modulus }
            if isNegated { sum = 0 &- sum }
            return UInt64((sum ^ UInt32(final)) & UInt32.max >> UInt32(32 - bits))
        }
    }

    package var algorithm: Algorithm
    /// Octets at the start that it does not cover.
    package var start = 0
    /// It covers only octets before it.
    package var endsBefore = false
    /// The fields that it covers, from the first to the last of these; nil for all.
    package var fields: Fields?

    package struct Fields: Hashable, Sendable {
        package var first: String
        package var last: String

        package init(first: String, last: String) {
            self.first = first
            self.last = last
        }
    }

    package init(_ algorithm: Algorithm) {
        self.algorithm = algorithm
    }

    /// CRC-16/MCRF4XX is the E2E-CRC of the health services.
    package static let named: KeyValuePairs<String, Algorithm> = [
        "e2e-crc": .crc(width: 16, polynomial: 0x1021, initial: 0xFFFF, isReflected: true, final: 0),
        "modbus": .crc(width: 16, polynomial: 0x8005, initial: 0xFFFF, isReflected: true, final: 0),
        "sum8": .sum8, "xor8": .xor8, "sum16": .sum(Sum(bits: 16)),
        "inverted-sum8": .sum(Sum(bits: 8, final: 0xFF)), "negated-sum8": .sum(Sum(bits: 8, isNegated: true)),
    ]

    package var bits: Int {
        switch algorithm {
        case .crc(let width, _, _, _, _): width
        case .sum(let sum): sum.bits
        case .xor: 8
        }
    }

    /// The checksum of the octets from `start` to `end` of `value`, without those in `gap`, which hold the result.
    package func of(_ value: Bytes, from start: Int, to end: Int, without gap: Range<Int>) -> UInt64 {
        let start = start + self.start
        let end = endsBefore ? gap.lowerBound : end
        var octets = start < end ? value.slice(start..<end) : value.prefix(0)
        var last = value.prefix(0)
        if gap.lowerBound >= start, gap.upperBound <= end {
            octets = value.slice(start..<gap.lowerBound)
            last = value.slice(gap.upperBound..<end)
        }
        switch algorithm {
        case .sum(let sum): return sum.of(octets, last)
        case .xor(let initial): return UInt64(initial ^ Self.exclusiveOr(octets) ^ Self.exclusiveOr(last))
        case .crc(let width, let polynomial, let initial, let isReflected, let final):
            let unused = UInt32(32 - width)
            // The register is at the end of 32 bits that is shifted out.
            var register = isReflected ? initial.bitReversed >> unused : initial << unused
            let polynomial = isReflected ? polynomial.bitReversed >> unused : polynomial << unused
            Self.shift(octets, into: &register, polynomial, isReflected)
            Self.shift(last, into: &register, polynomial, isReflected)
            return UInt64((isReflected ? register : register >> unused) ^ final)
        }
    }

    private static func shift(
        _ octets: Bytes, into register: inout UInt32, _ polynomial: UInt32, _ isReflected: Bool
    ) {
        for index in 0..<octets.count {
            if isReflected {
                register ^= UInt32(octets[index])
                for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ polynomial }
            } else {
                register ^= UInt32(octets[index]) << 24
                for _ in 0..<8 { register = register >> 31 == 0 ? register << 1 : register << 1 ^ polynomial }
            }
        }
    }

    private static func exclusiveOr(_ octets: Bytes) -> UInt8 {
        var result: UInt8 = 0
        for index in 0..<octets.count { result ^= octets[index] }
        return result
    }
}

extension Checksum {
    /// In a sentence: "CRC-CCITT (initial value 0xFFFF)", "8-bit sum".
    public var title: String {
        switch algorithm {
        case Self.named[0].value: return "CRC-CCITT (initial value 0xFFFF)"
        case Self.named[1].value: return "Modbus CRC-16"
        case .sum(let sum):
            let kind = sum.isNegated ? "negated " : sum.final == 0 ? "" : "inverted "
            let remainder = sum.modulus == 0 ? "" : " modulo \(sum.modulus)"
            return kind + (remainder.isEmpty ? "\(sum.bits)-bit sum" : "sum\(remainder)")
        case .xor: return "8-bit XOR"
        case .crc(let width, let polynomial, let initial, _, _):
            func hexadecimal(_ number: UInt32) -> String { "0x\(String(number, radix: 16, uppercase: true))" }
            return "CRC-\(width) (polynomial \(hexadecimal(polynomial)), initial value \(hexadecimal(initial)))"
        }
    }
}

extension Checksum: CustomStringConvertible {
    /// `e2e-crc`, or `crc16 of 0x1021`.
    public var description: String {
        if let name = Self.named.first(where: { $0.value == algorithm })?.key { return name }
        switch algorithm {
        case .crc(let width, let polynomial, _, _, _):
            return "crc\(width) of 0x\(String(polynomial, radix: 16, uppercase: true))"
        case .sum(let sum): return sum.modulus == 0 ? "sum\(sum.bits)" : "sum modulo \(sum.modulus)"
        case .xor: return "xor8"
        }
    }
}

extension UInt32 {
    fileprivate var bitReversed: UInt32 {
        var reversed: UInt32 = 0
        for bit in 0..<UInt32(32) where self >> bit & 1 != 0 { reversed |= 1 << (31 - bit) }
        return reversed
    }
}

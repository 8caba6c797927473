import AttlasDissection

/// What generated Swift files begin with: errors, reading and writing of octets.
enum SwiftRuntime {
    static func text(prefix: String) -> String {
        template.replacing("PREFIX", with: prefix)
    }

    private static let template = #"""
        /// Why octets cannot be read, or a value cannot be written; with the name of the field.
        public enum PREFIXError: Error, Equatable, Swift.Sendable {
            /// The octets end within the field.
            case truncated(String)
            /// A size is negative, or is not the number of octets or elements.
            case size(String)
            /// A UUID has 2, 4 or 16 octets.
            case uuidLength(String)
            /// A number has at most 10 octets.
            case varintLength(String)
            /// The checksum is wrong.
            case checksum(String)
            /// The other fields demand the field.
            case missing(String)
            /// The other fields exclude the field.
            case unexpected(String)
            /// The number does not fit the field.
            case range(String)
            /// The octets would mean another value.
            case inconsistent
        }

        fileprivate struct PREFIXInput {
            let octets: [UInt8]
            var offset = 0
            var end: Int

            init(_ bytes: some Collection<UInt8>) {
                octets = Array(bytes)
                end = octets.count
            }

            var left: Int64 { Int64(end - offset) }

            func next(_ distance: Int) -> Int64 { distance < end - offset ? Int64(octets[offset + distance]) : 0 }

            mutating func number(
                _ count: Int, isSigned: Bool = false, isBigEndian: Bool = false, _ field: String
            ) throws -> Int64 {
                guard count <= end - offset else { throw PREFIXError.truncated(field) }
                var number: UInt64 = 0
                for index in 0..<count {
                    number = number << 8 | UInt64(octets[offset + (isBigEndian ? index : count - 1 - index)])
                }
                offset += count
                return PREFIXNumber.piece(Int64(bitPattern: number), shift: 0, bits: count * 8, isSigned: isSigned)
            }

            mutating func varint(_ field: String) throws -> Int64 {
                var number: UInt64 = 0
                for index in 0..<10 {
                    guard offset < end else { throw PREFIXError.truncated(field) }
                    let octet = octets[offset]
                    offset += 1
                    number |= UInt64(octet & 0x7F) << UInt64(7 * index)
                    if octet < 0x80 { return Int64(bitPattern: number) }
                }
                throw PREFIXError.varintLength(field)
            }

            mutating func take(_ count: Int64, _ field: String) throws -> [UInt8] {
                guard count >= 0 else { throw PREFIXError.size(field) }
                guard count <= left else { throw PREFIXError.truncated(field) }
                defer { offset += Int(count) }
                return Array(octets[offset..<offset + Int(count)])
            }

            mutating func terminated(_ field: String) throws -> [UInt8] {
                guard let zero = octets[offset..<end].firstIndex(of: 0) else { throw PREFIXError.truncated(field) }
                defer { offset = zero + 1 }
                return Array(octets[offset..<zero])
            }

            /// Restricts what is read to a number of octets.
            mutating func enter(_ size: Int64, _ field: String) throws -> Int {
                guard size >= 0 else { throw PREFIXError.size(field) }
                guard size <= left else { throw PREFIXError.truncated(field) }
                defer { end = offset + Int(size) }
                return end
            }

            /// Of the octets up to the end, without those of the checksum, which were read last.
            func checksum(_ check: PREFIXChecksum, from start: Int64, octets count: Int) -> UInt64 {
                check.of(octets, from: Int(start), to: end, without: offset - count..<offset)
            }
        }

        fileprivate struct PREFIXOutput {
            var octets: [UInt8] = []

            private static func octets(_ number: Int64, _ count: Int, isBigEndian: Bool) -> [UInt8] {
                let octets = (0..<count).map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
                return isBigEndian ? octets.reversed() : octets
            }

            mutating func number(_ number: Int64, _ count: Int, isBigEndian: Bool = false) {
                octets += Self.octets(number, count, isBigEndian: isBigEndian)
            }

            mutating func varint(_ number: Int64) {
                var rest = UInt64(bitPattern: number)
                while rest >= 0x80 {
                    octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                    rest >>= 7
                }
                octets.append(UInt8(rest))
            }

            func require(_ number: Int64, bits: Int, isSigned: Bool, _ field: String) throws {
                guard PREFIXNumber.piece(number, shift: 0, bits: bits, isSigned: isSigned) == number else {
                    throw PREFIXError.range(field)
                }
            }

            mutating func patch(
                _ place: Int, _ number: Int64, _ count: Int, isBigEndian: Bool = false, _ field: String
            ) throws {
                guard number >= 0, count == 8 || number >> Int64(8 * count) == 0 else { throw PREFIXError.range(field) }
                octets.replaceSubrange(place..<place + count, with: Self.octets(number, count, isBigEndian: isBigEndian))
            }

            mutating func patchChecksum(
                _ place: Int, _ check: PREFIXChecksum, from start: Int64, _ count: Int, isBigEndian: Bool = false
            ) {
                guard place >= 0 else { return }
                let range = place..<place + count
                let sum = check.of(octets, from: Int(start), to: octets.count, without: range)
                octets.replaceSubrange(
                    range, with: Self.octets(Int64(bitPattern: sum), count, isBigEndian: isBigEndian))
            }
        }

        fileprivate enum PREFIXNumber {
            static func piece(_ number: Int64, shift: Int, bits: Int, isSigned: Bool) -> Int64 {
                let unused = Int64(64 - bits)
                let bits = (UInt64(bitPattern: number) >> UInt64(shift)) << UInt64(unused)
                return isSigned ? Int64(bitPattern: bits) >> unused : Int64(bitPattern: bits >> UInt64(unused))
            }

            static func scaled(_ raw: Double, factor: Double, addend: Double, divisor: Double) -> Double {
                (raw * factor + addend) / divisor
            }

            static func raw(
                _ number: Double, factor: Double, addend: Double, divisor: Double, from least: Int64,
                to greatest: Int64, _ field: String
            ) throws -> Int64 {
                guard let raw = nearest((number * divisor - addend) / factor), raw >= least, raw <= greatest else {
                    throw PREFIXError.range(field)
                }
                return raw
            }

            /// The nearest integer; nil if it does not fit 64 bits.
            static func nearest(_ number: Double) -> Int64? {
                guard number > -9.2e18, number < 9.2e18 else { return nil }
                let whole = Int64(number)
                let rest = number - Double(whole)
                return whole + (rest >= 0.5 ? 1 : rest <= -0.5 ? -1 : 0)
            }

            /// IEEE 11073-20601: a mantissa and an exponent of ten.
            static func medical(_ raw: UInt32, mantissaBits: Int) -> Double {
                let mantissa = piece(Int64(raw), shift: 0, bits: mantissaBits, isSigned: true)
                let exponent = piece(
                    Int64(raw), shift: mantissaBits, bits: mantissaBits == 12 ? 4 : 8, isSigned: true)
                let greatest: Int64 = (1 << Int64(mantissaBits - 1)) - 1
                if exponent == 0 {
                    if mantissa == greatest - 1 { return .infinity }
                    if mantissa == 1 - greatest { return -.infinity }
                    if mantissa == greatest || mantissa <= 0 - greatest { return .nan }
                }
                return Double("\(mantissa)e\(exponent)") ?? .nan
            }

            static func medical(_ number: Double, mantissaBits: Int, _ field: String) throws -> UInt32 {
                let greatest: Int64 = (1 << Int64(mantissaBits - 1)) - 1
                let mask: Int64 = (1 << Int64(mantissaBits)) - 1
                if number.isNaN { return UInt32(greatest) }
                if number.isInfinite { return UInt32((number > 0 ? greatest - 1 : 1 - greatest) & mask) }
                let exponents: ClosedRange<Int64> = mantissaBits == 12 ? -8...7 : -128...127
                var found: (mantissa: Int64, exponent: Int64)?
                var exponent: Int64 = 0
                // The exponent nearest to 0 with which the number is exact, or else the smallest possible one.
                while exponents.contains(exponent), abs(exponent) <= 20 {
                    let power = Double("1e\(abs(exponent))") ?? 1
                    let scaled = exponent > 0 ? number / power : number * power
                    if let nearest = Self.nearest(scaled), abs(nearest) <= greatest - 2 {
                        found = (nearest, exponent)
                        if Double("\(nearest)e\(exponent)") == number || exponent > 0 { break }
                        exponent -= 1
                    } else if let found, found.exponent <= 0 {
                        break
                    } else {
                        exponent += 1
                    }
                }
                guard let found else { throw PREFIXError.range(field) }
                let exponentMask: Int64 = mantissaBits == 12 ? 0xF : 0xFF
                return UInt32((found.exponent & exponentMask) << Int64(mantissaBits) | found.mantissa & mask)
            }
        }

        fileprivate enum PREFIXChecksum {
            case sum8(start: Int, endsBefore: Bool)
            case xor8(start: Int, endsBefore: Bool)
            case crc(
                width: Int, polynomial: UInt32, initial: UInt32, isReflected: Bool, final: UInt32, start: Int,
                endsBefore: Bool)

            func of(_ octets: [UInt8], from start: Int, to end: Int, without gap: Range<Int>) -> UInt64 {
                func covered(_ first: Int, _ endsBefore: Bool) -> [UInt8] {
                    let range = start + first..<max(start + first, endsBefore ? gap.lowerBound : end)
                    return range.filter { !gap.contains($0) }.map { octets[$0] }
                }
                switch self {
                case .sum8(let first, let endsBefore): return UInt64(covered(first, endsBefore).reduce(0, &+))
                case .xor8(let first, let endsBefore): return UInt64(covered(first, endsBefore).reduce(0, ^))
                case .crc(let width, let polynomial, let initial, let isReflected, let final, let first, let endsBefore):
                    let unused = UInt32(32 - width)
                    var register = isReflected ? Self.reversed(initial) >> unused : initial << unused
                    let polynomial = isReflected ? Self.reversed(polynomial) >> unused : polynomial << unused
                    for octet in covered(first, endsBefore) {
                        register ^= isReflected ? UInt32(octet) : UInt32(octet) << 24
                        for _ in 0..<8 {
                            if isReflected {
                                register = register & 1 == 0 ? register >> 1 : register >> 1 ^ polynomial
                            } else {
                                register = register >> 31 == 0 ? register << 1 : register << 1 ^ polynomial
                            }
                        }
                    }
                    return UInt64((isReflected ? register : register >> unused) ^ final)
                }
            }

            private static func reversed(_ number: UInt32) -> UInt32 {
                var result: UInt32 = 0
                for bit in 0..<UInt32(32) where number >> bit & 1 != 0 { result |= 1 << (31 - bit) }
                return result
            }
        }
        """#
}

extension Checksum {
    /// `.crc(width: 16, …)`
    var swiftArguments: String {
        let range = "start: \(start), endsBefore: \(endsBefore)"
        switch algorithm {
        case .sum: return ".sum8(\(range))"
        case .xor: return ".xor8(\(range))"
        case .crc(let width, let polynomial, let initial, let isReflected, let final):
            return ".crc(width: \(width), polynomial: \(polynomial), initial: \(initial), isReflected: \(isReflected), "
                + "final: \(final), \(range))"
        }
    }
}

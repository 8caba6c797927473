import AttlasDissection

/// What generated Swift files begin with: errors, reading and writing of octets.
enum SwiftRuntime {
    static func text(prefix: String) -> String {
        imports + template.replacing("PREFIX", with: prefix)
    }

    private static let imports =
        "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#elseif canImport(Foundation)\nimport Foundation\n#endif\n\n"

    /// What files with messages in parts have, too.
    static func joining(prefix: String) -> String {
        joiningTemplate.replacing("PREFIX", with: prefix)
    }

    private static let joiningTemplate = #"""

        /// The parts of a message so far.
        fileprivate struct PREFIXJoined: Swift.Sendable {
            struct Header: Swift.Sendable {
                var octets: Int
                var mask, complete, first, middle, last, sequence: UInt64
                var isKept: Bool

                func number(of part: [UInt8]) -> UInt64 {
                    part.prefix(octets).reversed().reduce(0) { $0 << 8 | UInt64($1) }
                }
            }

            enum Stuffing: Swift.Sendable { case slip, cobs }

            struct Format: Swift.Sendable {
                var start: [UInt8] = []
                var end: [UInt8] = []
                var stuffing: Stuffing?
                /// An octet, and what the next one is inverted with.
                var escape: (octet: UInt8, mask: UInt8)?
                var key: [UInt8] = []
                var keyStart = 0
                var header: Header?

                func cipher(_ message: inout [UInt8]) {
                    for index in message.indices.dropFirst(keyStart) where !key.isEmpty {
                        message[index] ^= key[(index - keyStart) % key.count]
                    }
                }
            }

            private var message: [UInt8] = []
            private var parts = 0
            private var isWhole = false
            private var number: UInt64?

            mutating func add(_ part: [UInt8], _ format: Format, need: ([UInt8]) -> Int64?) -> [UInt8]? {
                if isWhole { self = Self() }
                var body = part[...]
                if !format.start.isEmpty {
                    let isTooLong = need(message).map { $0 < Int64(message.count + part.count) } ?? false
                    // One octet may be anything.
                    if parts > 0, part.starts(with: format.start), format.start.count > 1 || format.escape != nil || isTooLong { self = Self() }
                    if parts == 0 {
                        while !body.isEmpty, !body.starts(with: format.start) { body.removeFirst() }
                        if body.isEmpty { return nil }
                    }
                }
                var isLast = false
                if let header = format.header {
                    guard part.count >= header.octets else { return nil }
                    let number = header.number(of: part)
                    let (state, sequence) = (number & header.mask, number & header.sequence)
                    let isFirst = header.first != header.middle && (state == header.first || state == header.complete)
                    isLast = state == header.last || state == header.complete
                    let step = header.sequence & (0 &- header.sequence)
                    let isNext = self.number.map { ($0 &+ step) & header.sequence == sequence } ?? true
                    if isFirst || !isNext { self = Self() }
                    if parts == 0, header.first != header.middle, !isFirst { return nil }
                    if !header.isKept || parts > 0 { body = part.dropFirst(header.octets) }
                    self.number = sequence
                }
                guard message.count + body.count <= 65_536, parts < 4_096 else {
                    self = Self()
                    return nil
                }
                message += body
                parts += 1
                let isEnded = !format.end.isEmpty && message.suffix(format.end.count) == format.end[...]
                let isEmpty = format.stuffing != nil && message.allSatisfy { $0 == format.end[0] }
                guard isLast || isEnded && !isEmpty || need(message).map({ $0 <= Int64(message.count) }) ?? false else {
                    return nil
                }
                isWhole = true
                if let stuffing = format.stuffing {
                    message = message.split(separator: format.end[0]).flatMap { Self.decode($0, stuffing) }
                }
                if let escape = format.escape { message = Self.unescaped(message, escape) }
                format.cipher(&message)
                return message
            }

            private static func unescaped(_ message: [UInt8], _ escape: (octet: UInt8, mask: UInt8)) -> [UInt8] {
                var (octets, isEscaped): ([UInt8], Bool) = ([], false)
                for octet in message {
                    if !isEscaped, octet == escape.octet {
                        isEscaped = true
                    } else {
                        octets.append(isEscaped ? octet ^ escape.mask : octet)
                        isEscaped = false
                    }
                }
                return octets
            }

            private static func escaped(_ message: [UInt8], _ format: Format) -> [UInt8] {
                guard let escape = format.escape else { return message }
                let marks = Set([escape.octet] + format.start + format.end)
                return message.indices.flatMap { index in
                    let isInside = index >= format.start.count && index < message.count - format.end.count
                    return isInside && marks.contains(message[index])
                        ? [escape.octet, message[index] ^ escape.mask] : [message[index]]
                }
            }

            private static func decode(_ frame: ArraySlice<UInt8>, _ stuffing: Stuffing) -> [UInt8] {
                var (octets, rest): ([UInt8], ArraySlice<UInt8>) = ([], frame)
                while let octet = rest.popFirst() {
                    switch stuffing {
                    case .slip where octet == 0xDB:
                        if let next = rest.popFirst() { octets.append(next == 0xDC ? 0xC0 : next == 0xDD ? 0xDB : next) }
                    case .slip: octets.append(octet)
                    case .cobs:
                        octets += rest.prefix(Int(octet) - 1)
                        rest = rest.dropFirst(Int(octet) - 1)
                        if octet < 0xFF, !rest.isEmpty { octets.append(0) }
                    }
                }
                return octets
            }

            private static func encode(_ message: [UInt8], _ stuffing: Stuffing) -> [UInt8] {
                if stuffing == .slip {
                    return message.flatMap { $0 == 0xC0 ? [0xDB, 0xDC] : $0 == 0xDB ? [0xDB, 0xDD] : [$0] } + [0xC0]
                }
                var (octets, place): ([UInt8], Int) = ([1], 0)
                for octet in message {
                    if octet != 0 {
                        octets.append(octet)
                        octets[place] += 1
                    }
                    if octet == 0 || octets[place] == 0xFF {
                        place = octets.count
                        octets.append(1)
                    }
                }
                return octets + [0]
            }

            static func split(_ message: [UInt8], _ format: Format, size: Int) -> [[UInt8]] {
                var octets = message
                format.cipher(&octets)
                octets = escaped(octets, format)
                if let stuffing = format.stuffing { octets = encode(octets, stuffing) }
                var parts: [[UInt8]] = []
                var rest = octets[...]
                repeat {
                    var header: [UInt8] = []
                    if let own = format.header, parts.isEmpty ? !own.isKept : true {
                        let isLast = rest.count <= max(1, size - own.octets)
                        let state =
                            parts.isEmpty ? (isLast ? own.complete : own.first) : (isLast ? own.last : own.middle)
                        let step = own.sequence & (0 &- own.sequence)
                        let number = state | (UInt64(parts.count) &* step & own.sequence)
                        header = (0..<own.octets).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
                    }
                    let count = max(1, size - header.count)
                    parts.append(header + rest.prefix(count))
                    rest = rest.dropFirst(count)
                } while !rest.isEmpty
                return parts
            }
        }
        """#

    private static let template = #"""
        /// Why octets cannot be read, or a value cannot be written; with the name of the field.
        public enum PREFIXError: Error, Equatable, CustomStringConvertible, Swift.Sendable {
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
            /// The octets are not those that the field always has.
            case constant(String)
            /// The octets or characters are not a number.
            case digits(String)
            /// The other fields demand the field.
            case missing(String)
            /// The other fields exclude the field.
            case unexpected(String)
            /// The number does not fit the field.
            case range(String)
            /// The octets would mean another value.
            case inconsistent

            public var description: String {
                switch self {
                case .truncated(let field): "\(field): the octets end within the field"
                case .size(let field): "\(field): the size is not the number of octets or elements"
                case .uuidLength(let field): "\(field): a UUID has 2, 4 or 16 octets"
                case .varintLength(let field): "\(field): the number has more than 10 octets"
                case .checksum(let field): "\(field): wrong checksum"
                case .constant(let field): "\(field): the octets differ from the constant"
                case .digits(let field): "\(field): not a number"
                case .missing(let field): "\(field): missing, but required by other fields"
                case .unexpected(let field): "\(field): excluded by other fields"
                case .range(let field): "\(field): the value does not fit"
                case .inconsistent: "the octets would be read as another value"
                }
            }
        }

        #if canImport(FoundationEssentials) || canImport(Foundation)
        extension PREFIXError: LocalizedError {
            /// As `description`.
            public var errorDescription: String? { description }
        }
        #endif

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

            func isAt(_ mark: [UInt8]) -> Bool { octets[offset..<end].starts(with: mark) }

            mutating func constant(_ constant: [UInt8], _ field: String) throws {
                guard try take(Int64(constant.count), field) == constant else { throw PREFIXError.constant(field) }
            }

            /// The octets before a mark, which is read, too.
            mutating func take(until mark: [UInt8], orEnd: Bool = false, _ field: String) throws -> [UInt8] {
                let start = offset
                defer { if offset < end { offset += mark.count } }
                while offset < end, !isAt(mark) { offset += 1 }
                if offset == end, !orEnd { throw PREFIXError.truncated(field) }
                return Array(octets[start..<offset])
            }

            /// Restricts what is read to a number of octets.
            mutating func enter(_ size: Int64, _ field: String) throws -> Int {
                guard size >= 0 else { throw PREFIXError.size(field) }
                guard size <= left else { throw PREFIXError.truncated(field) }
                defer { end = offset + Int(size) }
                return end
            }

            /// Without the octets of the checksum, which were read last.
            func checksum(
                _ check: PREFIXChecksum, from start: Int64, to last: Int64? = nil, octets count: Int
            ) -> UInt64 {
                check.of(octets, from: Int(start), to: last.map { Int($0) } ?? end, without: offset - count..<offset)
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
                _ place: Int, _ check: PREFIXChecksum, from start: Int64, to end: Int64? = nil, _ count: Int,
                isBigEndian: Bool = false, isText: Bool = false
            ) {
                guard place >= 0 else { return }
                let range = place..<place + count
                let sum = check.of(octets, from: Int(start), to: end.map { Int($0) } ?? octets.count, without: range)
                let digits = String(sum, radix: 16, uppercase: true)
                let text = Array((String(repeating: "0", count: max(0, count - digits.count)) + digits).utf8)
                octets.replaceSubrange(
                    range,
                    with: isText
                        ? text.suffix(count)[...]
                        : Self.octets(Int64(bitPattern: sum), count, isBigEndian: isBigEndian)[...])
            }

            /// Octets and the mark after them, which they must not have.
            mutating func put(_ content: [UInt8], until mark: [UInt8], _ field: String) throws {
                let whole = content + mark
                for index in content.indices where whole[index...].starts(with: mark) {
                    throw PREFIXError.range(field)
                }
                octets += whole
            }

            mutating func pad(_ octet: UInt8, _ count: Int64, _ field: String) throws {
                guard count >= 0 else { throw PREFIXError.size(field) }
                octets += Array(repeating: octet, count: Int(count))
            }
        }

        fileprivate enum PREFIXNumber {
            static func piece(_ number: Int64, shift: Int, bits: Int, isSigned: Bool) -> Int64 {
                let unused = Int64(64 - bits)
                let bits = (UInt64(bitPattern: number) >> UInt64(shift)) << UInt64(unused)
                return isSigned ? Int64(bitPattern: bits) >> unused : Int64(bitPattern: bits >> UInt64(unused))
            }

            /// A number with the sign in its lowest bit.
            static func fromZigzag(_ number: Int64) -> Int64 {
                Int64(bitPattern: UInt64(bitPattern: number) >> 1) ^ (0 - (number & 1))
            }

            static func zigzag(_ number: Int64) -> Int64 { number << 1 ^ number >> 63 }

            /// A number whose highest bit is its sign.
            static func fromMagnitude(_ number: Int64, bits: Int) -> Int64 {
                let magnitude = piece(number, shift: 0, bits: bits - 1, isSigned: false)
                return piece(number, shift: bits - 1, bits: 1, isSigned: false) == 0 ? magnitude : 0 - magnitude
            }

            static func magnitude(_ number: Int64, bits: Int, _ field: String) throws -> Int64 {
                guard number.magnitude < 1 << UInt64(bits - 1) else { throw PREFIXError.range(field) }
                return Int64(bitPattern: number.magnitude | (number < 0 ? 1 << UInt64(bits - 1) : 0))
            }

            /// A number with a decimal digit in four bits each.
            static func fromDecimal(_ number: Int64, _ field: String) throws -> Int64 {
                guard let decimal = Int64(String(UInt64(bitPattern: number), radix: 16)) else {
                    throw PREFIXError.digits(field)
                }
                return decimal
            }

            static func decimal(_ number: Int64, bits: Int, _ field: String) throws -> Int64 {
                guard number >= 0, let digits = UInt64(String(number), radix: 16),
                    bits == 64 || digits >> UInt64(bits) == 0
                else { throw PREFIXError.range(field) }
                return Int64(bitPattern: digits)
            }

            static func trimmed(_ octets: [UInt8], of padding: UInt8) -> [UInt8] {
                octets.lastIndex { $0 != padding }.map { Array(octets[...$0]) } ?? []
            }

            /// A number in characters, without spaces and zeros around it.
            static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
                guard let last = text.lastIndex(where: { $0 != 0x20 && $0 != 0 }) else { return [] }
                return text[...last].drop { $0 == 0x20 }
            }

            /// A number in characters, without its decimals; 0 if there are none.
            static func text(_ text: [UInt8], base: Int, _ field: String) throws -> Int64 {
                let trimmed = trimmed(text)
                if trimmed.isEmpty { return 0 }
                let sign = base == 10 && (trimmed.first == 0x2D || trimmed.first == 0x2B) ? trimmed.first : nil
                let parts = trimmed.dropFirst(sign == nil ? 0 : 1).split(
                    separator: 0x2E, maxSplits: base == 10 ? 1 : 0, omittingEmptySubsequences: false)
                let digits = parts.joined()
                let isNumber = digits.allSatisfy {
                    0x30...0x39 ~= $0 || base == 16 && (0x41...0x46 ~= $0 || 0x61...0x66 ~= $0)
                }
                guard isNumber, 1...(base == 10 ? 18 : 16) ~= digits.count else { throw PREFIXError.digits(field) }
                let whole = UInt64(String(decoding: parts[0], as: UTF8.self), radix: base) ?? 0
                return sign == 0x2D ? 0 - Int64(whole) : Int64(bitPattern: whole)
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
            case sum(
                bits: Int, initial: UInt32 = 0, modulus: UInt32 = 0, isNegated: Bool = false, final: UInt32 = 0,
                start: Int, endsBefore: Bool)
            case xor8(initial: UInt8 = 0, start: Int, endsBefore: Bool)
            case crc(
                width: Int, polynomial: UInt32, initial: UInt32, isReflected: Bool, final: UInt32, start: Int,
                endsBefore: Bool)

            func of(_ octets: [UInt8], from start: Int, to end: Int, without gap: Range<Int>) -> UInt64 {
                func covered(_ first: Int, _ endsBefore: Bool) -> [UInt8] {
                    let range = start + first..<max(start + first, endsBefore ? gap.lowerBound : end)
                    let hasGap = gap.lowerBound >= range.lowerBound && gap.upperBound <= range.upperBound
                    return range.filter { !hasGap || !gap.contains($0) }.map { octets[$0] }
                }
                switch self {
                case .sum(let bits, let initial, let modulus, let isNegated, let final, let first, let endsBefore):
                    var sum = covered(first, endsBefore).reduce(initial) { $0 &+ UInt32($1) }
                    if modulus > 0 { sum %= modulus }
                    if isNegated { sum = 0 &- sum }
                    return UInt64((sum ^ final) & UInt32.max >> UInt32(32 - bits))
                case .xor8(let initial, let first, let endsBefore):
                    return UInt64(covered(first, endsBefore).reduce(initial, ^))
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
        case .sum(let sum):
            let options = [
                sum.initial == 0 ? nil : "initial: \(sum.initial)", sum.modulus == 0 ? nil : "modulus: \(sum.modulus)",
                sum.isNegated ? "isNegated: true" : nil, sum.final == 0 ? nil : "final: \(sum.final)",
            ]
            return ".sum(bits: \(sum.bits), \(options.compactMap { $0 }.map { "\($0), " }.joined())\(range))"
        case .xor(let initial): return ".xor8(\(initial == 0 ? "" : "initial: \(initial), ")\(range))"
        case .crc(let width, let polynomial, let initial, let isReflected, let final):
            return ".crc(width: \(width), polynomial: \(polynomial), initial: \(initial), isReflected: \(isReflected), "
                + "final: \(final), \(range))"
        }
    }
}

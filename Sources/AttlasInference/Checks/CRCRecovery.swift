import AttlasDissection

/// Calculates the parameters of an unknown CRC.
///
/// Two values of one length differ by a multiple of the polynomial: initial value and final xor cancel out. So the polynomial is the
/// greatest common divisor of such differences.
struct CRCRecovery {
    private let series: ValueSeries
    private let distinct: [Int]
    private let searches: Int
    private static let mostDifferences = 48
    private static let longest = 64

    init(_ series: ValueSeries, _ distinct: [Int], searches: Int) {
        self.series = series
        self.distinct = distinct
        self.searches = searches
    }

    func result() -> InferredField? {
        var byLength: [Int: [Int]] = [:]
        for index in distinct { byLength[series.length(index), default: []].append(index) }
        let frequent = byLength.filter { 4...Self.longest ~= $0.key }.max {
            ($0.value.count, $1.key) < ($1.value.count, $0.key)
        }
        guard let (length, indexes) = frequent, indexes.count > CheckSearch.fewest else { return nil }
        let step = max(1, indexes.count / (Self.mostDifferences + 1))
        let frames = stride(from: 0, to: indexes.count, by: step).map { Array(series[indexes[$0]]) }
        for width in [2, 1] {
            for (place, start, endsBefore) in CheckSearch.places(width) {
                for isBigEndian in width == 1 ? [false] : [false, true] {
                    for isReflected in [true, false] {
                        let shape = InferredCheck(
                            algorithm: .sum8, name: nil, place: place, width: width,
                            isBigEndian: isBigEndian, start: start, endsBefore: endsBefore)
                        guard shape.fits(length: length),
                            let field = result(shape, isReflected, frames, byLength)
                        else { continue }
                        return field
                    }
                }
            }
        }
        return nil
    }

    private func result(
        _ shape: InferredCheck, _ isReflected: Bool, _ frames: [[UInt8]], _ byLength: [Int: [Int]]
    ) -> InferredField? {
        let words = frames.map { codeword(of: $0, shape, isReflected) }
        guard let first = words.first else { return nil }
        var divisor = BitPolynomial()
        for word in words.dropFirst() {
            divisor = divisor.commonDivisor(with: word.adding(first))
            if !divisor.isZero, divisor.degree < 8 * shape.width { return nil }
        }
        let width = 8 * shape.width
        // Two terms are the exclusive or of octets, or copies.
        guard divisor.degree == width, divisor.hasConstantTerm, divisor.terms >= 3 else { return nil }
        let rank = BitPolynomial.rank(words.dropFirst().map { $0.adding(first) })
        let hypotheses = 4 * CheckSearch.places(shape.width).count * searches
        let bits = Double(width * (rank - 3)) - Chance.cost(of: hypotheses)
        guard rank > 3, bits >= Chance.limit else { return nil }
        let polynomial = divisor.low(width)
        guard let (check, isAmbiguous) = parameters(shape, polynomial, isReflected, byLength),
            distinct.allSatisfy({ check.holds(for: series[$0]) })
        else { return nil }
        var field = InferredField(
            check.place, check.width, .check(check),
            Evidence(of: series.count, distinct: distinct.count, bits: bits), isBigEndian: check.isBigEndian)
        field.doubts.append("not in the catalogue: the polynomial was calculated from the values")
        if isAmbiguous {
            field.doubts.append(
                "values of one length do not tell initial value and final xor apart; 0 is assumed for the final xor")
        }
        return field
    }

    /// Covered octets and check in the order in which a CRC takes the bits.
    private func codeword(of value: [UInt8], _ shape: InferredCheck, _ isReflected: Bool) -> BitPolynomial {
        let first = shape.place < 0 ? value.count + shape.place : shape.place
        var octets = shape.covered(length: value.count).map { value[$0] }
        let check = value[first..<first + shape.width]
        octets += shape.isBigEndian == isReflected ? Array(check.reversed()) : Array(check)
        return BitPolynomial(octets, isReflected: isReflected)
    }

    /// Initial value and final xor for a polynomial.
    private func parameters(
        _ shape: InferredCheck, _ polynomial: UInt32, _ isReflected: Bool, _ byLength: [Int: [Int]]
    ) -> (InferredCheck, isAmbiguous: Bool)? {
        let width = 8 * shape.width
        func check(_ initial: UInt32, _ final: UInt32) -> InferredCheck {
            InferredCheck(
                algorithm: .crc(
                    width: width, polynomial: polynomial, initial: initial, isReflected: isReflected, final: final),
                name: nil, place: shape.place, width: shape.width, isBigEndian: shape.isBigEndian, start: shape.start,
                endsBefore: shape.endsBefore)
        }
        /// The initial value is a linear function of what the check of a value differs by from one with 0.
        func initial(_ difference: UInt32, _ covered: Int) -> UInt32 {
            var register = difference
            for _ in 0..<8 * covered {
                let carry = register & 1 != 0
                register = (carry ? register ^ polynomial : register) >> 1
                if carry { register |= 1 << UInt32(width - 1) }
            }
            return register
        }
        let zero = check(0, 0)
        let lengths = byLength.sorted { $0.value.count > $1.value.count }.prefix(4).compactMap {
            length, indexes -> (difference: UInt32, covered: Int)? in
            guard let index = indexes.first, zero.fits(length: length) else { return nil }
            let value = series[index]
            let first = value.startIndex + (shape.place < 0 ? length + shape.place : shape.place)
            var found: UInt64 = 0
            for index in 0..<shape.width {
                found |=
                    UInt64(value[first + index])
                    << UInt64(8 * (shape.isBigEndian ? shape.width - 1 - index : index))
            }
            var difference = UInt32(truncatingIfNeeded: found ^ zero.result(of: value))
            if isReflected { difference = difference.reversed(width) }
            return (difference, zero.covered(length: length).count)
        }
        guard let first = lengths.first else { return nil }
        for final: UInt32 in [0, (1 << UInt32(width)) - 1] {
            let value = initial(first.difference ^ final, first.covered)
            if lengths.allSatisfy({ initial($0.difference ^ final, $0.covered) == value }) {
                return (check(value, final), lengths.count == 1)
            }
        }
        guard lengths.count > 1 else { return nil }
        let images = lengths.map { length in (0..<width).map { initial(1 << UInt32($0), length.covered) } }
        func linear(_ difference: UInt32, _ image: [UInt32]) -> UInt32 {
            var sum: UInt32 = 0
            for bit in 0..<width where difference >> UInt32(bit) & 1 != 0 { sum ^= image[bit] }
            return sum
        }
        for final in 0..<UInt32(1) << UInt32(width) {
            let value = linear(first.difference ^ final, images[0])
            if zip(lengths, images).dropFirst().allSatisfy({ linear($0.difference ^ final, $1) == value }) {
                return (check(value, isReflected ? final.reversed(width) : final), false)
            }
        }
        return nil
    }
}

extension UInt32 {
    /// The lowest bits in the opposite order.
    fileprivate func reversed(_ width: Int) -> UInt32 {
        var reversed: UInt32 = 0
        for bit in 0..<UInt32(width) where self >> bit & 1 != 0 { reversed |= 1 << (UInt32(width) - 1 - bit) }
        return reversed
    }
}

/// A polynomial over two elements.
struct BitPolynomial {
    /// The lowest coefficients first.
    private var words: [UInt64] = []
    /// −1 of 0.
    private(set) var degree = -1

    init() {}

    /// The first bit is the highest coefficient.
    init(_ octets: [UInt8], isReflected: Bool) {
        words = [UInt64](repeating: 0, count: (octets.count + 7) / 8)
        for (index, octet) in octets.reversed().enumerated() {
            var ordered = octet
            if isReflected {
                ordered = 0
                for bit in 0..<8 where octet >> bit & 1 != 0 { ordered |= 0x80 >> UInt8(bit) }
            }
            words[index / 8] |= UInt64(ordered) << UInt64(8 * (index % 8))
        }
        settle()
    }

    private mutating func settle() {
        while words.last == 0 { words.removeLast() }
        degree = words.last.map { 64 * words.count - 1 - $0.leadingZeroBitCount } ?? -1
    }

    var isZero: Bool { degree < 0 }
    var hasConstantTerm: Bool { (words.first ?? 0) & 1 != 0 }
    var terms: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The coefficients below one.
    func low(_ width: Int) -> UInt32 { UInt32(truncatingIfNeeded: (words.first ?? 0) & ((1 << UInt64(width)) - 1)) }

    func adding(_ other: BitPolynomial) -> BitPolynomial {
        var sum = self
        sum.add(other, shift: 0)
        return sum
    }

    private mutating func add(_ other: BitPolynomial, shift: Int) {
        let (whole, part) = (shift / 64, UInt64(shift % 64))
        while words.count < other.words.count + whole + 1 { words.append(0) }
        for (index, word) in other.words.enumerated() {
            words[index + whole] ^= word << part
            if part > 0 { words[index + whole + 1] ^= word >> (64 - part) }
        }
        settle()
    }

    func commonDivisor(with other: BitPolynomial) -> BitPolynomial {
        var (left, right) = (self, other)
        while !right.isZero {
            while left.degree >= right.degree { left.add(right, shift: left.degree - right.degree) }
            swap(&left, &right)
        }
        return left
    }

    /// The number of linearly independent ones.
    static func rank(_ polynomials: [BitPolynomial]) -> Int {
        var byDegree: [Int: BitPolynomial] = [:]
        for var polynomial in polynomials {
            while !polynomial.isZero, let known = byDegree[polynomial.degree] { polynomial.add(known, shift: 0) }
            if !polynomial.isZero { byDegree[polynomial.degree] = polynomial }
        }
        return byDegree.count
    }
}

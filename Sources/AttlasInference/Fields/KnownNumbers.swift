import AttlasDissection
import AttlasWire

/// Addresses, IEEE 754 numbers, sums of other numbers, and what a number may measure.
enum KnownNumbers {
    // MARK: Addresses

    /// An address of a device of the capture in six constant octets: 48 bits that agree.
    static func address(
        at place: Int, _ columns: [Column], _ addresses: Set<UInt64>, _ isFree: (Int) -> Bool
    ) -> (isBigEndian: Bool, bits: Double)? {
        let range = place..<place + 6
        guard range.upperBound <= columns.count, !addresses.isEmpty,
            range.allSatisfy({ isFree($0) && columns[$0].isConstant })
        else { return nil }
        for isBigEndian in [false, true] {
            let number = number(0, columns, range, isBigEndian: isBigEndian)
            if addresses.contains(number) { return (isBigEndian, 48 - Chance.cost(of: addresses.count)) }
        }
        return nil
    }

    // MARK: IEEE 754

    private static let fewestFloats = 16

    /// Four octets that are, as a floating-point number, of a size that sensors have, and move in small steps.
    static func float(
        at place: Int, _ columns: [Column], _ isFree: (Int) -> Bool
    ) -> (isBigEndian: Bool, bits: Double)? {
        let range = place..<place + 4
        guard range.upperBound <= columns.count, range.allSatisfy(isFree), let count = columns.first?.octets.count,
            count >= fewestFloats
        else { return nil }
        for isBigEndian in [false, true] {
            // The low octets of a fraction are as good as random; those of another number are not. A clock only grows.
            let low = isBigEndian ? [place + 2, place + 3] : [place, place + 1]
            guard low.allSatisfy({ isWide(columns[$0], of: 256, count) }),
                !columns[isBigEndian ? place + 1 : place + 2].isConstant
            else { continue }
            let patterns = Times.numbers(columns, range, isBigEndian: isBigEndian).map {
                UInt32(truncatingIfNeeded: $0)
            }
            let ups = zip(patterns, patterns.dropFirst()).count { $0 < $1 }
            guard count / 20...count - count / 20 ~= ups else { continue }
            let numbers = patterns.map { Float(bitPattern: $0) }
            guard numbers.allSatisfy({ $0 == 0 || $0.isFinite && 1e-3...1e6 ~= abs($0) }) else { continue }
            let bits = smoothness(numbers.map(Double.init))
            // A random number has one of these sizes with a probability of 30 in 256.
            let sizes = Set(numbers.map { $0.bitPattern >> 23 })
            if bits > 0 { return (isBigEndian, bits + 3 * Double(sizes.count)) }
        }
        return nil
    }

    /// Whether an octet has at least half of the distinct values that `count` random ones of `values` have.
    private static func isWide(_ column: Column, of values: Double, _ count: Int) -> Bool {
        let expected = values * (1 - Chance.exp(Double(count) * Chance.ln(1 - 1 / values)))
        return Double(column.distinct) * 2 >= expected
    }

    /// The evidence that numbers move in smaller steps than between any two of them.
    private static func smoothness(_ numbers: [Double]) -> Double {
        let moves = zip(numbers, numbers.dropFirst()).map { abs($1 - $0) }.filter { $0 > 0 }
        guard moves.count >= 12 else { return 0 }
        // Steps between numbers that are far apart in time.
        let half = numbers.count / 2
        let apart = (0..<half).map { abs(numbers[$0 + half] - numbers[$0]) }
        let all = apart.reduce(0, +) / Double(apart.count)
        let mean = moves.reduce(0, +) / Double(moves.count)
        guard mean * 4 < all else { return 0 }
        return Double(moves.count) / 2
    }

    // MARK: IEEE 11073

    private static let fewestExponents = 4

    /// Two octets that move in small steps as an SFLOAT, also where the exponent changes: as another number they jump there.
    static func medicalFloat(
        at place: Int, _ columns: [Column], _ isFree: (Int) -> Bool
    ) -> (isBigEndian: Bool, bits: Double)? {
        let range = place..<place + 2
        guard range.upperBound <= columns.count, range.allSatisfy({ isFree($0) && !columns[$0].isConstant }) else {
            return nil
        }
        for isBigEndian in [false, true] {
            let floats = Times.numbers(columns, range, isBigEndian: isBigEndian).map {
                MedicalFloat(medfloat16: UInt16(truncatingIfNeeded: $0))
            }
            let exponents = floats.map(\.exponent)
            guard exponents.allSatisfy({ -4...2 ~= $0 }) else { continue }
            let numbers = floats.map { Double($0.mantissa) * tenTo($0.exponent) }
            let steps = numbers.indices.dropFirst()
            let jumps = steps.filter { exponents[$0] != exponents[$0 - 1] }
            let plain = steps.filter { exponents[$0] == exponents[$0 - 1] }.map { abs(numbers[$0] - numbers[$0 - 1]) }
            // The coarser exponent cannot show smaller steps.
            let most = 2 * ((plain.max() ?? 0) + tenTo(exponents.max() ?? 0))
            // Where an integer passes to another highest digit, the others are about 0.
            guard jumps.count >= fewestExponents,
                jumps.allSatisfy({ abs(numbers[$0] - numbers[$0 - 1]) <= most && abs(numbers[$0]) > 4 * most })
            else { continue }
            return (isBigEndian, smoothness(numbers) + 3 * Double(jumps.count))
        }
        return nil
    }

    private static func tenTo(_ exponent: Int8) -> Double { Chance.exp(Double(exponent) * Chance.ln(10)) }

    /// What 16 bits may be if their exponent is always the same, which is negative for the numbers of sensors.
    static func medicalFloatGuess(_ numbers: [Int64]) -> String? {
        guard let first = numbers.first, 0xC...0xF ~= first >> 12, numbers.allSatisfy({ $0 >> 12 == first >> 12 })
        else {
            return nil
        }
        return "may be an SFLOAT with the exponent \(first >> 12 - 16)"
    }

    // MARK: UUIDs

    /// 16 octets that end as the UUIDs of the Bluetooth SIG do, or have the version and the variant of random ones.
    static func uuid(
        at place: Int, _ columns: [Column], distinct: Int, _ isFree: (Int) -> Bool
    ) -> (isBigEndian: Bool, bits: Double)? {
        let range = place..<place + 16
        guard range.upperBound <= columns.count, range.allSatisfy(isFree) else { return nil }
        for isBigEndian in [false, true] {
            let octets = (isBigEndian ? Array(range) : range.reversed()).map { columns[$0] }
            let base = BluetoothUUID(UInt16(0)).value.littleEndianOctets.reversed()
            if zip(octets, base).dropFirst(4).allSatisfy({ $0.isConstant && $0.octets.first == $1 }) {
                return (isBigEndian, 96)
            }
            // RFC 9562: four bits of the version, two of the variant, and all others random.
            guard distinct >= 8, octets[6].values.allSatisfy({ $0 >> 4 == 4 }),
                octets[8].values.allSatisfy({ $0 >> 6 == 2 }),
                octets.enumerated().allSatisfy({ isWide($1, of: $0 == 6 ? 16 : $0 == 8 ? 64 : 256, distinct) })
            else { continue }
            return (isBigEndian, 6 * Double(distinct))
        }
        return nil
    }

    // MARK: Sums

    struct Sum {
        let range: Range<Int>
        let parts: Range<Int>
        let isBigEndian: Bool
        let bits: Double
    }

    private static let mostParts = 24
    /// Octets and values that are searched. What is found holds for all values.
    private static let reach = 96
    private static let sampleCount = 256

    /// A number of two octets that is the sum of those in a row elsewhere.
    static func sums(_ columns: [Column], distinct: Int) -> [Sum] {
        guard columns.count >= 6, distinct >= InferenceLimits.fewest else { return [] }
        let count = columns[0].octets.count
        let sample = Array(stride(from: 0, to: count, by: max(1, count / sampleCount)))
        var found: [Sum] = []
        for isBigEndian in [false, true] {
            let places = 0..<min(reach, columns.count - 1)
            let numbers = places.map { place in
                sample.map { Int(number($0, columns, place..<place + 2, isBigEndian: isBigEndian)) }
            }
            let isSaying = numbers.map { $0.contains { $0 != 0 } }
            for start in places where isSaying[start] {
                var sum = numbers[start]
                for parts in 2...mostParts {
                    let next = start + 2 * (parts - 1)
                    guard places.contains(next), isSaying[next] else { break }
                    for index in sum.indices { sum[index] += numbers[next][index] }
                    let range = start..<next + 2
                    for place in places where place + 2 <= start || place >= range.upperBound {
                        guard sum[0] == numbers[place][0], sum == numbers[place] else { continue }
                        let results = Set(sum).count
                        let candidate = Sum(
                            range: place..<place + 2, parts: range, isBigEndian: isBigEndian,
                            bits: 8 * Double(results) - Chance.cost(of: places.count * places.count * mostParts))
                        if results >= 4, (0..<count).allSatisfy({ holds(candidate, $0, columns) }) {
                            found.append(candidate)
                        }
                    }
                }
            }
        }
        return found
    }

    private static func holds(_ sum: Sum, _ index: Int, _ columns: [Column]) -> Bool {
        let all = stride(from: sum.parts.lowerBound, to: sum.parts.upperBound, by: 2).reduce(UInt64(0)) {
            $0 + number(index, columns, $1..<$1 + 2, isBigEndian: sum.isBigEndian)
        }
        return all == number(index, columns, sum.range, isBigEndian: sum.isBigEndian)
    }

    // MARK: Quantities

    /// What a number may be: only by its range, so this is no claim.
    static func guess(_ least: Int64, _ greatest: Int64) -> String? {
        func has(_ range: ClosedRange<Int64>) -> Bool { range.contains(least) && range.contains(greatest) }
        if has(2_500...4_400), greatest - least < 1_500 { return "may be the voltage of a cell in mV" }
        if has(9_300...10_700) { return "may be an atmospheric pressure in 0.1 hPa" }
        if has(93_000...107_000) { return "may be an atmospheric pressure in Pa" }
        if has(1_500...4_200), greatest - least < 1_000 { return "may be a temperature in 0.01 °C" }
        if has(150...420), greatest - least < 150 { return "may be a temperature in 0.1 °C" }
        if has(0...100), greatest - least >= 5 { return "may be a percentage" }
        return nil
    }

    private static func number(_ index: Int, _ columns: [Column], _ range: Range<Int>, isBigEndian: Bool) -> UInt64 {
        let places = isBigEndian ? Array(range) : range.reversed()
        return places.reduce(0) { $0 << 8 | UInt64(columns[$1].octets[index]) }
    }
}

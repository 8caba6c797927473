import AttlasDissection

/// Tries every known checksum at the first and the last octets of values.
struct CheckSearch {
    private let series: ValueSeries
    /// Distinct contents.
    private let distinct: [Int]
    /// Groups of values that are searched, which multiply the hypotheses.
    private let searches: Int

    /// Distinct contents that a claim needs.
    static let fewest = 8
    private static let reach = 4
    private static let headerReach = 12

    init(_ series: ValueSeries, searches: Int) {
        self.series = series
        self.searches = searches
        distinct = series.distinctIndexes()
    }

    /// The check of all values; nil if there is none.
    func result() -> InferredField? {
        guard distinct.count >= Self.fewest else { return nil }
        let lengths = series.lengths
        guard lengths.lowerBound >= 3, lengths.upperBound <= InferenceLimits.longestMessage else { return nil }
        let hypotheses = Self.hypotheses.filter { $0.fits(length: lengths.lowerBound) }
        // A few values, of different times, refute nearly all of them.
        let sample = stride(from: 0, to: distinct.count, by: max(1, distinct.count / 16)).map { distinct[$0] }
        var fitting: [(check: InferredCheck, bits: Double)] = []
        let cost = Chance.cost(of: Self.hypotheses.count * searches)
        for check in hypotheses {
            guard sample.allSatisfy({ check.holds(for: series[$0]) }),
                distinct.allSatisfy({ check.holds(for: series[$0]) })
            else { continue }
            let bits = evidence(for: check) - cost
            if bits >= Chance.limit { fitting.append((check, bits)) }
        }
        guard let best = fitting.first else { return CRCRecovery(series, distinct, searches: searches).result() }
        var field = InferredField(
            best.check.place, best.check.width, .check(best.check),
            Evidence(of: series.count, distinct: distinct.count, bits: best.bits),
            isBigEndian: best.check.isBigEndian)
        for other in fitting.dropFirst().prefix(3) {
            field.doubts.append("\(other.check.title) of \(other.check.coverage) also fits all values")
        }
        return field
    }

    /// Evidence against a coincidence. A CRC predicts numbers that nothing else has. A sum is a simple function, which an octet may have by
    /// its meaning: it counts only as far as no covered octet explains the result.
    private func evidence(for check: InferredCheck) -> Double {
        var results: [UInt64: Int] = [:]
        var contents: Set<[UInt8]> = []
        let examined = distinct.prefix(4_096)
        for index in examined {
            let value = series[index]
            contents.insert(check.covered(length: value.count).map { value[value.startIndex + $0] })
            results[check.result(of: value), default: 0] += 1
        }
        guard contents.count >= Self.fewest, results.count >= 4 else { return 0 }
        if case .crc(let width, _, _, _, _) = check.algorithm { return Double(width * contents.count) }
        // A constant octet next to a sum need not be a part of it.
        if check.width == 2, Set(results.keys.map { $0 >> 8 }).count == 1 { return 0 }
        return Double(contents.count) * unexplainedEntropy(of: check, examined)
    }

    /// The least entropy that is left of the result when one covered octet is added, subtracted or exclusive-ored.
    private func unexplainedEntropy(of check: InferredCheck, _ examined: ArraySlice<Int>) -> Double {
        let results = examined.map { UInt8(truncatingIfNeeded: check.result(of: series[$0])) }
        var least = 8.0
        for place in check.covered(length: series.lengths.lowerBound).prefix(64) {
            let octets = examined.map { series[$0, place] }
            for combine in [{ $0 &- $1 }, { $0 &+ $1 }, { $0 ^ $1 }] as [(UInt8, UInt8) -> UInt8] {
                var counts = [Int](repeating: 0, count: 256)
                for (result, octet) in zip(results, octets) { counts[Int(combine(result, octet))] += 1 }
                least = min(least, Chance.entropy(counts))
            }
        }
        return least
    }

    // MARK: Hypotheses

    private static let simple: [Checksum.Algorithm] = [
        .sum(.init(bits: 16)), .sum(.init(bits: 16, isNegated: true)), .sum(.init(bits: 16, final: 0xFFFF)), .sum8,
        .xor8, .sum(.init(bits: 8, isNegated: true)), .sum(.init(bits: 8, final: 0xFF)),
        .sum(.init(bits: 8, modulus: 100)),
    ]

    /// Those that cover most first.
    private static let hypotheses: [InferredCheck] = {
        var all: [InferredCheck] = []
        func add(_ algorithm: Checksum.Algorithm, _ name: String?, _ width: Int) {
            for isBigEndian in width == 1 ? [false] : [false, true] {
                for (place, start, endsBefore) in places(width) {
                    all.append(
                        InferredCheck(
                            algorithm: algorithm, name: name, place: place, width: width, isBigEndian: isBigEndian,
                            start: start, endsBefore: endsBefore))
                }
            }
        }
        for crc in CatalogueCRC.all {
            if case .crc(let width, _, _, _, _) = crc.algorithm { add(crc.algorithm, crc.name, width / 8) }
        }
        for algorithm in simple { add(algorithm, nil, Checksum(algorithm).bits / 8) }
        return all
    }()

    static func places(_ width: Int) -> [(place: Int, start: Int, endsBefore: Bool)] {
        var places: [(Int, Int, Bool)] = []
        for start in 0...reach {
            for fromEnd in width...max(reach, width + 2) {
                places.append((-fromEnd, start, true))
                if fromEnd > width { places.append((-fromEnd, start, false)) }
            }
        }
        for place in 0...max(0, reach - width) {
            // What starts at the check covers the same as what starts after it.
            for start in 0...place + width where start < place || start == place + width {
                places.append((place, start, false))
            }
        }
        // In a header, of what follows it.
        for place in max(0, reach - width) + 1...headerReach { places.append((place, place + width, false)) }
        return places
    }
}

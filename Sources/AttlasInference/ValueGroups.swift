/// Values with a common layout.
package enum GroupSelector: Sendable, Hashable {
    case all
    /// An octet at `place` has this value.
    case opcode(UInt8, at: Int)
    case length(Int)

    /// `values with octet 0 = 0x05`
    package var sentence: String {
        switch self {
        case .all: "all values"
        case .opcode(let octet, let place): "values with octet \(place) = 0x\(InferredField.hex([octet]))"
        case .length(let length): "values of \(length) octet\(length == 1 ? "" : "s")"
        }
    }
}

/// The partition of values by an octet that selects their layout, or by their lengths.
struct ValueGroups {
    /// Place of the octet and the evidence that it selects the layout.
    private(set) var opcode: (place: Int, bits: Double)?
    private(set) var groups: [(selector: GroupSelector, indexes: [Int])] = []
    /// The first index of each distinct value.
    let distinct: [Int]

    private static let mostOpcodes = 32
    private static let mostLengths = 8
    private static let reach = 4

    init(_ series: ValueSeries) {
        var byLength: [Int: [Int]] = [:]
        for index in 0..<series.count { byLength[series.length(index), default: []].append(index) }
        // A value that comes again is no further evidence.
        distinct = series.distinctIndexes()
        let once = series.selecting(distinct)
        for place in 0..<min(Self.reach, series.lengths.lowerBound) {
            let bits = Self.evidence(that: place, selectsLayoutOf: once)
            // The first, because the octets after it depend on it, and so on each other.
            if bits - Chance.cost(of: 2 * Self.reach) >= Chance.limit {
                opcode = (place, bits)
                break
            }
        }
        if let place = opcode?.place {
            var byOctet: [UInt8: [Int]] = [:]
            for index in 0..<series.count { byOctet[series[index, place], default: []].append(index) }
            groups = byOctet.sorted { $0.key < $1.key }.map { (.opcode($0.key, at: place), $0.value) }
        } else if byLength.count == 1 || byLength.count > Self.mostLengths {
            groups = [(.all, Array(0..<series.count))]
        } else {
            groups = byLength.sorted { $0.key < $1.key }.map { (.length($0.key), $0.value) }
        }
    }

    /// How improbable it is that lengths and other octets depend on this one by chance. Values in a row count once: an octet that changes
    /// rarely would otherwise explain everything that changes rarely.
    private static func evidence(that place: Int, selectsLayoutOf series: ValueSeries) -> Double {
        let column = series.column(place)
        guard 2...mostOpcodes ~= column.distinct, column.distinct * 4 <= series.count,
            !isPartOfNumber(place, column, series)
        else { return 0 }
        var runs = [Int](repeating: 0, count: 256)
        var lengthOf: [UInt8: Int] = [:]
        var lengths: [Int: Int] = [:]
        for index in 0..<series.count { lengths[series.length(index), default: 0] += 1 }
        var isFunction = lengths.count > 1
        for (index, octet) in column.octets.enumerated() {
            if index == 0 || column.octets[index - 1] != octet { runs[Int(octet)] += 1 }
            let length = series.length(index)
            if lengthOf.updateValue(length, forKey: octet) ?? length != length { isFunction = false }
        }
        if isFunction {
            // A length field selects nothing.
            if Set(lengthOf.map { Int($0.key) - $0.value }).count == 1 { return 0 }
            let entropy = Chance.entropy(lengths.values)
            return Double(runs.reduce(0) { $0 + max(0, $1 - 1) }) * entropy
        }
        var (bits, supporters, hasDistant) = (0.0, 0, false)
        for other in 0..<series.lengths.lowerBound where other != place {
            let octets = series.column(other)
            guard !octets.isConstant, octets.distinct > 2 else { continue }
            var valueOf = [Int](repeating: -1, count: 256)
            for (index, octet) in column.octets.enumerated() {
                let key = Int(octet)
                let value = Int(octets.octets[index])
                if valueOf[key] == -1 { valueOf[key] = value } else if valueOf[key] != value { valueOf[key] = -2 }
            }
            guard valueOf.contains(-2) else { continue }
            let frequent = Double(octets.counts.max() ?? 0) / Double(series.count)
            let found = column.values.reduce(0.0) { sum, key in
                valueOf[Int(key)] >= 0 ? sum - Double(max(0, runs[Int(key)] - 1)) * Chance.log2(frequent) : sum
            }
            guard found >= Chance.limit else { continue }
            bits += found
            supporters += 1
            if abs(other - place) > 1 { hasDistant = true }
        }
        // The octets of one number depend on each other.
        if hasDistant || supporters > 1 { return bits }
        return dependence(on: column, runs.reduce(0, +), series)
    }

    /// Whether it moves in small steps, or as the high or the low octet of a number with one of its neighbours: it then changes together
    /// with others, and selects nothing.
    private static func isPartOfNumber(_ place: Int, _ column: Column, _ series: ValueSeries) -> Bool {
        if Numbers.smoothness(column, asSigned: false) >= Chance.fieldLimit { return true }
        return [place - 1, place + 1].contains { next in
            guard next >= 0, next < series.lengths.lowerBound else { return false }
            let other = series.column(next)
            return [(column, other), (other, column)].contains { low, high in
                if Numbers.isCarry(low: low, high: high) { return true }
                let junction = Numbers.junction(low: low, high: high)
                return junction.hasUnitSteps && junction.bits >= Chance.fieldLimit
            }
        }
    }

    /// The evidence that the distribution of an octet depends on one that changes like a random one: two that change slowly always seem to
    /// depend on each other.
    private static func dependence(on column: Column, _ runs: Int, _ series: ValueSeries) -> Double {
        let total = Double(series.count)
        let repeats = column.counts.reduce(0.0) { $0 + Double($1 * $1) } / (total * total)
        guard Double(runs) >= 0.7 * total * (1 - repeats), column.counts.max() ?? 0 < series.count * 9 / 10 else {
            return 0
        }
        let keys = column.values
        var found: [Double] = []
        for other in 0..<series.lengths.lowerBound {
            let octets = series.column(other)
            guard octets.octets != column.octets, octets.distinct > 2 else { continue }
            // High nibbles: a table with few cells.
            var cells = [Int](repeating: 0, count: 256 * 16)
            for (key, octet) in zip(column.octets, octets.octets) { cells[Int(key) * 16 + Int(octet >> 4)] += 1 }
            var sums = [Int](repeating: 0, count: 16)
            for octet in 0..<256 { sums[octet >> 4] += octets.counts[octet] }
            let bins = sums.count { $0 > 0 }
            guard bins > 1 else { continue }
            let within = keys.reduce(0.0) { sum, key in
                let row = cells[Int(key) * 16..<Int(key) * 16 + 16]
                return sum + Double(column.counts[Int(key)]) * Chance.entropy(row)
            }
            let statistic = 2 * Chance.ln(2) * (total * Chance.entropy(sums) - within)
            let freedom = Double((bins - 1) * (keys.count - 1))
            let bits = Chance.bits(sigma: (2 * statistic).squareRoot() - (2 * freedom - 1).squareRoot())
            if bits >= Chance.limit + 10 { found.append(bits) }
        }
        return found.count > 1 ? found.reduce(0, +) : 0
    }
}

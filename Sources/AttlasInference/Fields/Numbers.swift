/// Numbers, recognised by their small steps.
enum Numbers {
    /// The evidence that two octets are the low and the high part of one number: whenever the high one changes, the low one passes from
    /// one end of its range to the other.
    struct Junction {
        let bits: Double
        let events: Int
        /// The largest steps of the joined number and of the high part in whole, where the high octet changes.
        let greatest: Int
        let isSmooth: Bool
        /// The high octet nearly always changes by one.
        var hasUnitSteps = false
    }

    static func junction(low: Column, high: Column) -> Junction {
        guard !low.isConstant, !high.isConstant, low.octets.count >= 9 else {
            return Junction(bits: 0, events: 0, greatest: 0, isSmooth: false)
        }
        var steps = [Int](repeating: 0, count: 511)
        var events: [(high: Int, low: Int)] = []
        for index in 1..<low.octets.count {
            let lowStep = Int(low.octets[index]) - Int(low.octets[index - 1])
            let highStep = Int(Int8(bitPattern: high.octets[index] &- high.octets[index - 1]))
            if lowStep != 0 { steps[lowStep + 255] += 1 }
            if highStep != 0 { events.append((highStep, lowStep)) }
        }
        var upTo = [0]
        for count in steps { upTo.append(upTo[upTo.count - 1] + count) }
        let total = upTo[511]
        guard total > 4, !events.isEmpty else { return Junction(bits: 0, events: 0, greatest: 0, isSmooth: false) }
        var (sum, joinedSum, highSum, greatest) = (0.0, 0, 0, 0)
        for event in events {
            let joined = abs(256 * event.high + event.low)
            greatest = max(greatest, joined)
            joinedSum += joined
            highSum += abs(event.high)
            // Steps of the low octet at any time that would make the joined step as small.
            let from = max(-255, -joined - 256 * event.high)
            let to = min(255, joined - 256 * event.high)
            let fitting = from <= to ? upTo[to + 256] - upTo[from + 255] : 0
            sum -= max(-8, Chance.ln(Double(fitting + 1) / Double(total + 1)))
        }
        var bits = Chance.bits(fisher: sum, of: events.count)
        if isCarry(low: low, high: high) {
            // The changes of the high octet are just where the low one passes its end, and in the same direction.
            let transitions = low.octets.count - 1
            let choices = (0..<events.count).reduce(0.0) {
                $0 + Chance.log2(Double(transitions - $1) / Double($1 + 1))
            }
            bits = max(bits, choices + Double(events.count) - 1)
        }
        return Junction(
            bits: bits, events: events.count, greatest: greatest, isSmooth: joinedSum < 200 * highSum,
            hasUnitSteps: events.count { abs($0.high) == 1 } * 10 >= events.count * 9)
    }

    /// Whether the high octet changes where the low one passes an end of its range, there by one in the right direction, and nowhere else.
    static func isCarry(low: Column, high: Column) -> Bool {
        var carries = 0
        for index in 1..<low.octets.count {
            let highStep = Int(Int8(bitPattern: high.octets[index] &- high.octets[index - 1]))
            let joined = 256 * highStep + Int(low.octets[index]) - Int(low.octets[index - 1])
            guard abs(joined) < 128 else { return false }
            if highStep != 0 { carries += 1 }
        }
        return carries > 0
    }

    struct Finding {
        let range: Range<Int>
        let isBigEndian: Bool
        let bits: Double
        let doubt: String?
    }

    /// The joined numbers of a layout, the most evident first.
    static func joined(_ columns: [Column], share: Double, cost: Double, _ isFree: (Int) -> Bool) -> [Finding] {
        var candidates: [Finding] = []
        for place in 0..<max(0, columns.count - 1) where isFree(place) && isFree(place + 1) {
            for isBigEndian in [false, true] {
                let (low, high) = isBigEndian ? (place + 1, place) : (place, place + 1)
                // Octets that always change together may be in either order.
                guard columns[low].changes > columns[high].changes else { continue }
                let junction = junction(low: columns[low], high: columns[high])
                guard junction.events >= 2, junction.isSmooth || junction.events > 48,
                    junction.bits * share - cost >= Chance.fieldLimit
                else { continue }
                candidates.append(
                    Finding(
                        range: place..<place + 2, isBigEndian: isBigEndian, bits: junction.bits * share - cost,
                        doubt: nil))
            }
        }
        candidates.sort { $0.bits > $1.bits }
        var taken: Set<Int> = []
        var findings: [Finding] = []
        for candidate in candidates where candidate.range.allSatisfy({ !taken.contains($0) }) {
            let whole = extended(candidate, columns) { isFree($0) && !taken.contains($0) }
            taken.formUnion(whole.range)
            findings.append(whole)
        }
        return findings
    }

    /// With further octets: less evidence suffices, because where they are is known.
    private static func extended(_ finding: Finding, _ columns: [Column], _ isFree: (Int) -> Bool) -> Finding {
        var range = finding.range
        let isBigEndian = finding.isBigEndian
        func join(_ low: Int, _ high: Int) -> Bool {
            let new = range.contains(low) ? high : low
            guard range.count < 8, columns.indices.contains(new), isFree(new) else { return false }
            if isCarry(low: columns[low], high: columns[high]) { return true }
            let junction = junction(low: columns[low], high: columns[high])
            return junction.bits >= 6 && (junction.isSmooth && junction.greatest <= 512 || junction.bits >= 30)
        }
        while true {
            let (lowest, highest) =
                isBigEndian ? (range.upperBound - 1, range.lowerBound) : (range.lowerBound, range.upperBound - 1)
            if join(highest, isBigEndian ? highest - 1 : highest + 1) {
                range = isBigEndian ? range.lowerBound - 1..<range.upperBound : range.lowerBound..<range.upperBound + 1
            } else if join(isBigEndian ? lowest + 1 : lowest - 1, lowest) {
                range = isBigEndian ? range.lowerBound..<range.upperBound + 1 : range.lowerBound - 1..<range.upperBound
            } else {
                break
            }
        }
        return Finding(range: range, isBigEndian: isBigEndian, bits: finding.bits, doubt: finding.doubt)
    }

    /// Whether the number passes between 0 and the greatest number, and does not only grow or only shrink: it then has a sign.
    static func isSigned(_ columns: [Column], _ range: Range<Int>, isBigEndian: Bool) -> Bool {
        // At the top of 64 bits, where steps of all widths overflow alike.
        let numbers = Times.numbers(columns, range, isBigEndian: isBigEndian).map { $0 << (64 - 8 * range.count) }
        var (up, down, passes) = (0, 0, false)
        for (before, after) in zip(numbers, numbers.dropFirst()) {
            let step = after &- before
            if step != 0 { if step > 0 { up += 1 } else { down += 1 } }
            guard (before < 0) != (after < 0) else { continue }
            // A sign changes through 0; what has none passes the middle, in a step that overflows.
            guard !after.subtractingReportingOverflow(before).overflow else { return false }
            passes = true
        }
        return passes && up > 0 && down > 0
    }

    /// The evidence that an octet moves in small steps: by how much they are smaller than between any two of its values.
    static func smoothness(_ column: Column, asSigned: Bool) -> Double {
        guard column.distinct >= 8, column.octets.count >= 16 else { return 0 }
        func number(_ octet: UInt8) -> Int { asSigned ? Int(Int8(bitPattern: octet)) : Int(octet) }
        let all = column.values.map(number)
        let range = (all.max() ?? 0) - (all.min() ?? 0)
        // A few numbers that are far apart are of several messages or states.
        guard column.distinct * 8 >= range else { return 0 }
        var (sum, moves, large) = (0, 0, 0)
        for index in 1..<column.octets.count {
            let step = abs(number(column.octets[index]) - number(column.octets[index - 1]))
            sum += step
            if step > 0 { moves += 1 }
            if step * 4 > range { large += 1 }
        }
        guard large * 10 <= moves else { return 0 }
        let values = column.values
        var (mean, square, weight) = (0.0, 0.0, 0.0)
        for first in values {
            for second in values where first != second {
                let pairs = Double(column.counts[Int(first)] * column.counts[Int(second)])
                let step = Double(abs(number(first) - number(second)))
                mean += pairs * step
                square += pairs * step * step
                weight += pairs
            }
        }
        guard weight > 0, moves >= 12 else { return 0 }
        mean /= weight
        let deviation = max(1e-9, square / weight - mean * mean).squareRoot()
        let found = Double(sum) / Double(moves)
        return Chance.bits(sigma: (mean - found) / deviation * Double(moves).squareRoot() / 1.3)
    }
}

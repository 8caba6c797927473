/// Flags, text, and octets without an order.
enum Contents {
    /// The bits of an octet that change alone, and the evidence that this is no coincidence; nil if they do not.
    static func flags(_ column: Column) -> (bits: UInt8, changes: Int, alone: Int, evidence: Double)? {
        guard column.distinct >= 3 else { return nil }
        var (changes, alone, moved) = (0, 0, UInt8(0))
        for index in 1..<column.octets.count {
            let change = column.octets[index] ^ column.octets[index - 1]
            guard change != 0 else { continue }
            changes += 1
            moved |= change
            if change.nonzeroBitCount == 1 { alone += 1 }
        }
        guard changes >= 6, alone * 10 >= changes * 9, moved.nonzeroBitCount >= 2 else { return nil }
        // Among the octets that occur, pairs that differ in one bit may be frequent.
        let values = column.values
        var near = 0
        for first in values { near += values.count { ($0 ^ first).nonzeroBitCount == 1 } }
        let share = Double(near) / Double(values.count * (values.count - 1))
        guard share < 1 else { return nil }
        return (moved, changes, alone, Chance.bits(hits: alone, of: changes, each: -Chance.log2(share)))
    }

    /// Runs of at least four octets that are printable characters, or zeros after these.
    static func texts(_ columns: [Column], _ isFree: (Int) -> Bool) -> [(range: Range<Int>, bits: Double)] {
        var texts: [(Range<Int>, Double)] = []
        var start: Int?
        for place in 0...columns.count {
            let isText = place < columns.count && isFree(place) && isPrintable(columns[place], isFirst: start == nil)
            if isText {
                start = start ?? place
            } else if let first = start {
                start = nil
                let range = first..<place
                let varied = range.filter { columns[$0].distinct >= 3 }
                let letters = varied.allSatisfy { mostlyLetters(columns[$0]) }
                let bits = varied.reduce(0.0) { $0 + Double(columns[$1].distinct) * 1.4 }
                if range.count >= 4, varied.count >= 3, letters { texts.append((range, bits)) }
            }
        }
        return texts
    }

    private static func isPrintable(_ column: Column, isFirst: Bool) -> Bool {
        column.values.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0 && !isFirst } && column.values != [0]
    }

    private static func mostlyLetters(_ column: Column) -> Bool {
        var (letters, all) = (0, 0)
        for octet in column.values where octet != 0 {
            all += column.counts[Int(octet)]
            switch octet {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x20, 0x2D, 0x2E: letters += column.counts[Int(octet)]
            default: break
            }
        }
        return letters * 10 >= all * 8
    }

    private static let fewestSamples = 320
    private static let fewestColumns = 4

    /// Runs of octets that are distributed as random ones, each and together.
    static func scrambled(_ columns: [Column], _ isFree: (Int) -> Bool) -> [(range: Range<Int>, entropy: Double)] {
        var runs: [(Range<Int>, Double)] = []
        var start: Int?
        for place in 0...columns.count {
            if place < columns.count, isFree(place), looksRandom(columns[place]) {
                start = start ?? place
                continue
            }
            guard let first = start else { continue }
            start = nil
            let range = first..<place
            guard range.count >= fewestColumns, range.count * columns[first].octets.count >= fewestSamples else {
                continue
            }
            var counts = [Int](repeating: 0, count: 256)
            for place in range { for octet in 0..<256 { counts[octet] += columns[place].counts[octet] } }
            if isUniform(counts) { runs.append((range, Chance.entropy(counts))) }
        }
        return runs
    }

    private static func looksRandom(_ column: Column) -> Bool {
        let count = Double(column.octets.count)
        guard count >= 32 else { return false }
        let expected = 256 * (1 - Chance.exp(count * Chance.ln(255.0 / 256)))
        guard abs(Double(column.distinct) - expected) <= 4 * expected.squareRoot() / 2 + 4 else { return false }
        for bit in 0..<8 {
            var ones = 0
            for octet in 0..<256 where octet >> bit & 1 != 0 { ones += column.counts[octet] }
            if abs(Double(ones) - count / 2) > 4.5 * count.squareRoot() / 2 { return false }
        }
        // Counters are distributed evenly, too.
        return Numbers.smoothness(column, asSigned: false) < 10 && isUniform(column.counts)
    }

    private static func isUniform(_ counts: [Int]) -> Bool {
        let total = Double(counts.reduce(0, +))
        let expected = total / 256
        let sum = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        // Chi-square with 255 degrees of freedom: 255 ± 22.6.
        return sum > 255 - 5 * 22.6 && sum < 255 + 5 * 22.6
    }
}

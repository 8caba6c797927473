/// Numbers that advance with the clock of the capture.
enum Times {
    struct Finding {
        let range: Range<Int>
        let isBigEndian: Bool
        let kind: InferredField.Kind
        let bits: Double
        let doubt: String?
    }

    /// The numbers in octets of the values; those of 8 octets may be negative.
    static func numbers(_ columns: [Column], _ range: Range<Int>, isBigEndian: Bool) -> [Int64] {
        let places = isBigEndian ? Array(range) : range.reversed()
        return (0..<(columns.first?.octets.count ?? 0)).map { index in
            var number: UInt64 = 0
            for place in places { number = number << 8 | UInt64(columns[place].octets[index]) }
            return Int64(truncatingIfNeeded: number)
        }
    }

    private static let day: Int64 = 86_400
    /// Of 2000. Texts without a date have times of 1970, when any small number would be one.
    private static let firstDated: Int64 = 946_684_800_000_000_000

    /// Seconds or milliseconds since 1970, of a clock that is at most two days off.
    static func epoch(at place: Int, _ columns: [Column], _ times: [Int64], _ isFree: (Int) -> Bool) -> Finding? {
        guard times.count >= 8, let first = times.first, let last = times.last, first > firstDated else { return nil }
        let shapes: [(width: Int, ticks: Int64)] = [(4, 1), (8, 1_000), (6, 1_000), (8, 1)]
        for (width, ticks) in shapes where place + width <= columns.count {
            let range = place..<place + width
            guard range.allSatisfy(isFree), range.contains(where: { !columns[$0].isConstant }) else { continue }
            for isBigEndian in [false, true] {
                // The clock's high octets are known, so that one look suffices nearly always.
                let highest = isBigEndian ? range.lowerBound : range.upperBound - 1
                let second = isBigEndian ? highest + 1 : highest - 1
                let expected = first / 1_000_000_000 * ticks
                let shift = Int64(8 * (width - 2))
                let high = Int64(columns[highest].octets[0]) << 8 | Int64(columns[second].octets[0])
                guard abs(high - expected >> shift) <= (2 * day * ticks) >> shift + 1 else { continue }
                let numbers = numbers(columns, range, isBigEndian: isBigEndian)
                // Only the first is known to be near: others may be any numbers.
                let offsets = zip(numbers, times).map { number, time in
                    number.subtractingReportingOverflow(time / (1_000_000_000 / ticks))
                }
                guard !offsets.contains(where: \.overflow), let least = offsets.map(\.partialValue).min(),
                    let greatest = offsets.map(\.partialValue).max(), least >= -2 * day * ticks,
                    greatest <= 2 * day * ticks
                else { continue }
                let span = (last - first) / (1_000_000_000 / ticks)
                let jitter = 3 * ticks + span / 50
                let distinct = Set(numbers).count
                guard greatest - least <= jitter, distinct >= 4, span >= 4 * ticks else { continue }
                let window = Double(jitter * 2)
                let bits =
                    Double(8 * width) - Chance.log2(Double(4 * day * ticks))
                    + Double(distinct - 1) * max(1, Chance.log2(Double(span + jitter) / window))
                let offset = least / ticks
                return Finding(
                    range: range, isBigEndian: isBigEndian, kind: .epoch(ticksPerSecond: Int(ticks)), bits: bits,
                    doubt: abs(offset) > 5
                        ? "the device's clock differs from the capture's by \(offset) s" : nil)
            }
        }
        return nil
    }

    /// Ticks since some start: of 1 s, 100 ms, 10 ms or 1 ms.
    static func uptime(at place: Int, _ columns: [Column], _ times: [Int64], _ isFree: (Int) -> Bool) -> Finding? {
        guard times.count >= 10, let first = times.first, let last = times.last, last > first else { return nil }
        for width in [4, 3, 2, 1] where place + width <= columns.count {
            let range = place..<place + width
            guard range.allSatisfy({ isFree($0) && !columns[$0].isConstant }) else { continue }
            for isBigEndian in width == 1 ? [false] : [false, true] {
                // Its high octet changes least.
                let (low, high) = isBigEndian ? (range.upperBound - 1, place) : (place, range.upperBound - 1)
                guard columns[high].changes <= columns[low].changes else { continue }
                let numbers = numbers(columns, range, isBigEndian: isBigEndian)
                for ticks in [1, 10, 100, 1_000] {
                    if let bits = evidence(numbers, width, times, ticks: ticks) {
                        let steps = Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 }.filter { $0 > 0 })
                        return Finding(
                            range: range, isBigEndian: isBigEndian, kind: .uptime(ticksPerSecond: ticks), bits: bits,
                            doubt: steps.count == 1
                                ? "each value adds \(steps.first ?? 0): it may count something else" : nil)
                    }
                }
            }
        }
        return nil
    }

    private static func evidence(_ numbers: [Int64], _ width: Int, _ times: [Int64], ticks: Int) -> Double? {
        let modulus = Int64(1) << Int64(8 * width)
        let perTick = 1_000_000_000 / Int64(ticks)
        var (bits, drift, moved, moves) = (0.0, Int64(0), Int64(0), 0)
        for index in 1..<numbers.count {
            let elapsed = (times[index] - times[0]) / perTick - (times[index - 1] - times[0]) / perTick
            // More than half a round cannot be followed.
            guard elapsed >= 0, elapsed < modulus / 2 else { return nil }
            let change = (numbers[index] - numbers[index - 1] + modulus) % modulus
            guard change < modulus / 2 else { return nil }
            let tolerance = Int64(ticks) * 3 / 10 + elapsed / 20 + 2
            guard abs(change - elapsed) <= tolerance else { return nil }
            drift += change - elapsed
            moved += change
            if change > 0 {
                moves += 1
                bits += max(0, Chance.log2(Double(modulus) / Double(2 * tolerance + 1)))
            }
        }
        guard moved >= 20, moves >= 8, abs(drift) <= moved / 25 + Int64(ticks) / 2 + 3 else { return nil }
        // What changes slowly by one is also smooth: only the agreement of the rate counts then.
        return min(bits, 3 * Double(moves) + 8)
    }
}

/// Octets that count the values.
enum Counters {
    /// A counter whose low octet is `columns[place]`, with as many octets as carries show.
    static func find(at place: Int, _ columns: [Column], _ isFree: (Int) -> Bool) -> (
        range: Range<Int>, isBigEndian: Bool, step: Int, support: Int, isExact: Bool, bits: Double
    )? {
        let octets = columns[place].octets
        guard octets.count >= 9, columns[place].distinct >= 5 else { return nil }
        var steps = [Int](repeating: 0, count: 256)
        for index in 1..<octets.count { steps[Int(octets[index] &- octets[index - 1])] += 1 }
        // Two decimal digits count differently.
        guard columns[place].distinct <= 16 || columns[place].values.contains(where: { $0 & 0x0F > 9 }) else {
            return nil
        }
        guard let step = (1..<256).max(by: { steps[$0] < steps[$1] }), steps[step] >= 8 else { return nil }
        let transitions = octets.count - 1
        // Lost values are gaps of a few steps; repeated ones are 0.
        var regular = steps[0]
        for multiple in 1...16 { regular += steps[step * multiple & 0xFF] }
        guard regular * 100 >= transitions * 95 else { return nil }
        let isSteady = steps[step] * 10 >= transitions * 7
        let moves = transitions - steps[0]
        // One that pauses is a number that only grows, unless it does so very often.
        guard isSteady || steps[step] == moves && moves >= 40 else { return nil }
        let bits = Chance.bits(hits: steps[step] - 1, of: isSteady ? transitions : moves, each: isSteady ? 8 : 1)
        let isExact = steps[step] == transitions
        for isBigEndian in [false, true] {
            var low = place
            var width = 1
            while width < 4 {
                let high = isBigEndian ? low - 1 : low + 1
                guard columns.indices.contains(high), isFree(high), !columns[high].isConstant,
                    isCarry(from: columns[low].octets, to: columns[high].octets)
                else { break }
                low = high
                width += 1
            }
            if width > 1 {
                let first = isBigEndian ? low : place
                return (
                    first..<first + width, isBigEndian, signed(step), octets.count - (transitions - regular), isExact,
                    bits
                )
            }
        }
        return (place..<place + 1, false, signed(step), octets.count - (transitions - regular), isExact, bits)
    }

    /// A counter may count down.
    private static func signed(_ step: Int) -> Int { step > 128 ? step - 256 : step }

    /// Whether an octet advances by one exactly where the one below begins again.
    private static func isCarry(from low: [UInt8], to high: [UInt8]) -> Bool {
        var carries = 0
        for index in 1..<low.count {
            let change = high[index] &- high[index - 1]
            let wraps = low[index] < low[index - 1]
            guard change == (wraps ? 1 : 0) else { return false }
            if wraps { carries += 1 }
        }
        return carries > 0
    }
}

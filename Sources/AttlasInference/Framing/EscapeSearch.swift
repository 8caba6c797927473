import AttlasDissection

/// Looks for an octet that precedes those which are like the marks of the message.
///
/// An octet that does so is followed by few others, and all of them are marks with the same bits changed.
struct EscapeSearch {
    /// What is found in messages that begin and end with marks, or only end with one.
    struct Finding {
        let start: [UInt8]
        let end: [UInt8]
        let escape: AssemblyDefinition.Escape
        let bits: Double
    }

    private static let fewest = 8
    /// Octets that an escape may stand for.
    private static let mostReserved = 8

    /// nil if no octet does that in all messages.
    static func result(_ messages: ValueSeries) -> Finding? {
        let all = 0..<messages.count
        guard messages.lengths.lowerBound >= 3, let first = messages[0].first, let end = messages[0].last,
            all.allSatisfy({ messages[$0].last == end }),
            case let distinct = messages.distinctIndexes(), distinct.count >= fewest
        else { return nil }
        let hasStart = all.allSatisfy { messages[$0].first == first }
        // How often an octet is followed by another, between the marks.
        var pairs = [Int](repeating: 0, count: 1 << 16)
        var (counts, lasts) = ([Int](repeating: 0, count: 256), [Int](repeating: 0, count: 256))
        for index in distinct {
            let inner = messages[index].dropFirst(hasStart ? 1 : 0).dropLast()
            for octet in inner { counts[Int(octet)] += 1 }
            for (octet, next) in zip(inner, inner.dropFirst()) { pairs[Int(octet) << 8 | Int(next)] += 1 }
            if let last = inner.last { lasts[Int(last)] += 1 }
        }
        guard counts[Int(end)] == 0, !hasStart || counts[Int(first)] == 0 else { return nil }
        let absent = (0...255).filter { counts[$0] == 0 }
        var best: Finding?
        for octet in 0...255 where counts[octet] >= fewest && lasts[octet] == 0 {
            let followers = pairs[octet << 8..<(octet + 1) << 8].indices.filter { pairs[$0] > 0 }.map { $0 & 0xFF }
            guard 2...mostReserved ~= followers.count else { continue }
            // Where two marks may be each other's, fewer bits change.
            let masks = Set(followers.map { $0 ^ Int(end) }).sorted {
                ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1)
            }
            for mask in masks {
                let reserved = followers.map { $0 ^ mask }
                guard reserved.allSatisfy({ $0 == octet || counts[$0] == 0 }) else { continue }
                // One of them determined the bits; each of the others might have been any octet.
                let most = followers.map { pairs[octet << 8 | $0] }.max() ?? 0
                let each = Chance.log2(256 / Double(absent.count + 1))
                let bits = Double(counts[octet] - most) * each - Chance.cost(of: 256 * 8)
                guard bits >= Chance.limit, bits > best?.bits ?? 0 else { continue }
                best = Finding(
                    start: hasStart ? [first] : [], end: [end],
                    escape: .init(octet: UInt8(octet), mask: UInt8(mask)), bits: bits)
            }
        }
        return best
    }
}

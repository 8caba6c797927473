/// Parts with their number in the first octet, which begins again with each message.
struct NumberedParts {
    private let series: ValueSeries

    /// Continued parts that a claim needs.
    private static let fewest = 8
    private static let mostParts = 64

    init(_ series: ValueSeries) {
        self.series = series
    }

    func result() -> InferredMessages? {
        guard series.count >= 2 * InferenceLimits.fewest, series.lengths.lowerBound >= 2 else { return nil }
        let (numbers, longest) = (series.column(0).octets, series.lengths.upperBound)
        guard let first = numbers.min(), first <= 1 else { return nil }
        var parts: [[Int]] = []
        var (skipped, continued) = (0, 0)
        for (index, number) in numbers.enumerated() {
            if number == first {
                parts.append([index])
            } else if parts.isEmpty {
                skipped += 1
            } else if number == numbers[index - 1] &+ 1, series.length(index - 1) == longest {
                parts[parts.count - 1].append(index)
                continued += 1
            } else {
                return nil
            }
        }
        // Opcodes in turn have one number each, and one length.
        let ends = Set(parts.compactMap { $0.last.map { series.length($0) } })
        guard continued >= Self.fewest, ends.count >= 3, Set(parts.map(\.count)).count >= 2, skipped <= Self.mostParts,
            parts.allSatisfy({ $0.count <= Self.mostParts })
        else { return nil }
        let messages = series.joining(parts, header: 1)
        return InferredMessages(
            framing: InferredFraming(
                assembly: nil, delimiter: .number(first: first),
                evidence: Evidence(
                    support: series.count - skipped, of: series.count, distinct: messages.distinctIndexes().count,
                    bits: 8 * Double(continued) - 1),
                skipped: skipped),
            series: messages, parts: parts)
    }
}

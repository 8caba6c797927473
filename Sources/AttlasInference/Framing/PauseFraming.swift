import AttlasDissection

/// Messages that nothing in their octets delimits: all values until the next request, or until a pause. They are messages if a check or a known
/// format holds for what is joined.
struct PauseFraming {
    private let series: ValueSeries
    private let requests: ValueSeries?

    init(_ series: ValueSeries, requests: ValueSeries?) {
        self.series = series
        self.requests = requests
    }

    func result() -> InferredMessages? {
        guard series.count >= 2 * InferenceLimits.fewest else { return nil }
        for (delimiter, parts) in [atRequests(), atPauses()].compactMap({ $0 }) {
            guard parts.count >= InferenceLimits.fewest, parts.count * 10 <= series.count * 9 else { continue }
            let messages = series.joining(parts)
            guard messages.lengths.upperBound <= InferenceLimits.longestMessage, let evidence = evidence(messages)
            else { continue }
            return InferredMessages(
                framing: InferredFraming(
                    assembly: Self.rule(messages).map { AssemblyDefinition($0) }, delimiter: delimiter,
                    evidence: evidence, skipped: 0),
                series: messages, parts: parts)
        }
        return nil
    }

    /// Of the format or the check of the joined messages. Parts alone do not have it, or nothing would need to be joined.
    private func evidence(_ messages: ValueSeries) -> Evidence? {
        if let dialect = DialectSearch(messages).result() { return dialect.evidence }
        return CheckSearch(messages, searches: 2).result()?.evidence
    }

    /// The first response to each request, and what follows it until the next.
    private func atRequests() -> (InferredFraming.Delimiter, [[Int]])? {
        guard let requests, requests.count >= InferenceLimits.fewest else { return nil }
        var (parts, next) = ([[Int]](), 0)
        for index in 0..<series.count {
            let before = next
            while next < requests.count, requests.frames[next] < series.frames[index] { next += 1 }
            if next > before || parts.isEmpty { parts.append([index]) } else { parts[parts.count - 1].append(index) }
        }
        return (.request, parts)
    }

    /// Pauses that are several times as long as the time between parts.
    private func atPauses() -> (InferredFraming.Delimiter, [[Int]])? {
        let gaps = (1..<series.count).map { series.times[$0] - series.times[$0 - 1] }
        let sorted = gaps.sorted()
        var (best, pause) = (4.0, Int64(0))
        for index in sorted.count / 10..<sorted.count * 39 / 40 {
            let ratio = Double(sorted[index + 1]) / Double(max(1_000_000, sorted[index]))
            if ratio > best { (best, pause) = (ratio, sorted[index + 1]) }
        }
        guard pause > 0 else { return nil }
        var parts = [[0]]
        for index in 1..<series.count {
            if gaps[index - 1] >= pause { parts.append([index]) } else { parts[parts.count - 1].append(index) }
        }
        return (.pause(milliseconds: Int(pause / 1_000_000)), parts)
    }

    /// The rule of definitions that joins these messages.
    private static func rule(_ messages: ValueSeries) -> AssemblyDefinition.Rule? {
        let lengths = (0..<messages.count).map { messages.length($0) }
        if let first = lengths.first, lengths.allSatisfy({ $0 == first }) { return .total(first) }
        for place in 0..<min(8, messages.lengths.lowerBound) {
            let octets = messages.column(place).octets
            let plus = lengths[0] - Int(octets[0])
            if -4...place + 9 ~= plus, zip(lengths, octets).allSatisfy({ $0 == Int($1) + plus }) {
                return .length(offset: place, octets: 1, isBigEndian: false, plus: plus)
            }
        }
        for place in 0..<min(4, messages.lengths.lowerBound) {
            var lengthOf: [UInt8: Int] = [:]
            let octets = messages.column(place).octets
            guard zip(octets, lengths).allSatisfy({ lengthOf.updateValue($1, forKey: $0) ?? $1 == $1 }),
                lengthOf.count <= 16
            else { continue }
            return .kind(
                offset: place,
                lengths: lengthOf.sorted { $0.key < $1.key }.map {
                    AssemblyDefinition.KindLength(kinds: Int($0.key)...Int($0.key), octets: $0.value)
                }, otherwise: nil)
        }
        return nil
    }
}

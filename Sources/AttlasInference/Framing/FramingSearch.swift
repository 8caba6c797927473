import AttlasDissection
import AttlasWire

/// Looks for the rule by which a device splits messages over values. A rule is proposed from a few values and tried on all by the assembler
/// that reads definitions.
struct FramingSearch {
    private let series: ValueSeries
    private let requests: ValueSeries?
    private let longest: Int

    /// Messages of several values that a claim needs.
    private static let fewestJoined = 3
    /// Values that are looked at before all are.
    private static let sampleCount = 400
    /// Values at the start that may belong to an earlier message.
    private static let mostSkipped = 16
    /// Octets at the start of a message that may have its length, and parts of a message in the values that are looked at first.
    private static let reach = 10
    private static let mostParts = 64

    /// - Parameter requests: what was written to characteristics of the service.
    init(_ series: ValueSeries, requests: ValueSeries?) {
        self.series = series
        self.requests = requests
        longest = series.lengths.upperBound
    }

    /// nil if each value seems to be a message.
    func result() -> InferredMessages? {
        guard series.count >= 2 * InferenceLimits.fewest, longest >= 4 else { return nil }
        let sample = series.selecting(Array(0..<min(series.count, Self.sampleCount)))
        var best: InferredMessages?
        for rule in headers(sample) + lengths(sample) + terminators(sample) {
            guard let start = start(rule, sample), let found = messages(rule, series, from: start) else { continue }
            if found.framing.evidence.bits ?? 0 > best?.framing.evidence.bits ?? 0 { best = found }
        }
        let marked = marked(sample)
        if let marked, marked.isChecked, best.map({ isBetter(marked.messages, than: $0) }) ?? true {
            best = marked.messages
        }
        if let found = best ?? marked?.messages ?? NumberedParts(series).result()
            ?? PauseFraming(series, requests: requests).result()
        {
            return unescaped(found.series, found.parts, skipped: found.framing.skipped) ?? found
        }
        if let found = unescaped(series, series.frames.indices.map { [$0] }, skipped: 0) { return found }
        // Records of type, length and value are a format with a name.
        return DialectSearch(series).result() == nil ? JoinedMessages(series).result() : nil
    }

    /// Messages without escapes.
    private func unescaped(_ messages: ValueSeries, _ parts: [[Int]], skipped: Int) -> InferredMessages? {
        guard let found = EscapeSearch.result(messages) else { return nil }
        return InferredMessages(
            framing: InferredFraming(
                assembly: AssemblyDefinition(.terminator(found.end), start: found.start, escape: found.escape),
                delimiter: nil,
                evidence: Evidence(
                    of: messages.count, distinct: messages.distinctIndexes().count, bits: found.bits),
                skipped: skipped),
            series: messages.mapping { found.escape.decode($0) }, parts: parts)
    }

    // MARK: Messages that begin with marks

    /// Those of a rule whose joined messages have a check, or whose parts but the last have the greatest length.
    private func marked(_ sample: ValueSeries) -> (messages: InferredMessages, isChecked: Bool)? {
        var best: (messages: InferredMessages, isChecked: Bool)?
        let rules = MarkedFraming(sample).rules()
        // Several rules join the same parts: the first of them has the longest mark.
        var seen: Set<[[Int]]> = []
        for assembly in rules {
            guard let tried = assemble(assembly, sample, from: 0), tried.parts.contains(where: { $0.count > 1 }),
                seen.insert(tried.parts).inserted,
                let (messages, parts) = assemble(assembly, series, from: 0),
                let (bits, isChecked) = evidence(
                    of: assembly, messages, parts, rules: rules.count, mayBeChecked: mayBeChecked(tried.messages)),
                best.map({ ($0.isChecked ? 1 : 0, $0.messages.framing.evidence.bits ?? 0) < (isChecked ? 1 : 0, bits) })
                    ?? true
            else { continue }
            let covered = parts.reduce(0) { $0 + $1.count }
            let framing = InferredFraming(
                assembly: assembly, delimiter: nil,
                evidence: Evidence(
                    support: covered, of: series.count, distinct: messages.distinctIndexes().count, bits: bits),
                skipped: series.count - covered)
            best = (InferredMessages(framing: framing, series: messages, parts: parts), isChecked)
        }
        return best
    }

    /// Whether messages with marks and a check are, rather than others. What comes between them may have the same end; a length that explains
    /// more values is right for those, too.
    private func isBetter(_ marked: InferredMessages, than other: InferredMessages) -> Bool {
        if case .terminator? = other.framing.rule {} else if marked.valueCount < other.valueCount { return false }
        return CheckSearch(other.series, searches: 1).result() == nil && DialectSearch(other.series).result() == nil
    }

    /// A check of all messages is one of the messages that are looked at first, if these are enough for it.
    private func mayBeChecked(_ messages: ValueSeries) -> Bool {
        messages.distinctIndexes().count < CheckSearch.fewest || CheckSearch(messages, searches: 1).result() != nil
    }

    private func evidence(
        of assembly: AssemblyDefinition, _ messages: ValueSeries, _ parts: [[Int]], rules: Int, mayBeChecked: Bool
    ) -> (bits: Double, isChecked: Bool)? {
        let covered = parts.reduce(0) { $0 + $1.count }
        guard covered * 10 >= series.count * 6, messages.count >= InferenceLimits.fewest,
            parts.count(where: { $0.count > 1 }) >= Self.fewestJoined,
            messages.lengths.upperBound <= InferenceLimits.longestMessage
        else { return nil }
        if mayBeChecked, let bits = CheckSearch(messages, searches: rules).result()?.evidence?.bits {
            return (bits, true)
        }
        // Messages that come in turn have one first octet each, and those of one kind have one length.
        let continued = parts.flatMap { $0.dropFirst() }
        guard isFull(parts), Set(continued.compactMap { series[$0].first }).count >= 2 * InferenceLimits.fewest
        else { return nil }
        let starts = (0..<series.count).count { series[$0].starts(with: assembly.start) }
        // With one length for all values, the lowest octet of a counter comes again after the same number of octets, and so do all others.
        if series.lengths.count == 1 {
            var counts: [UInt8: Int] = [:]
            for index in continued { if let first = series[index].first { counts[first, default: 0] += 1 } }
            guard counts.values.max().map({ $0 * 10 < starts * 9 }) ?? true else { return nil }
        }
        let bits =
            Double(messages.count) * Chance.log2(Double(series.count) / Double(starts)) - Chance.cost(of: rules)
        return bits >= Chance.limit ? (bits, false) : nil
    }

    /// What does not end a message has the greatest length.
    private func isFull(_ parts: [[Int]]) -> Bool {
        parts.allSatisfy { $0.dropLast().allSatisfy { series.length($0) == longest } }
    }

    // MARK: Trying a rule

    /// The first value of a sample with which a message may begin; nil if the rule is wrong. A few values are no evidence, but they refute it.
    private func start(_ rule: AssemblyDefinition.Rule, _ sample: ValueSeries) -> Int? {
        (0..<min(Self.mostSkipped, sample.count / 4)).first { start in
            guard let parts = assemble(AssemblyDefinition(rule), sample, from: start)?.parts else { return false }
            return parts.reduce(0) { $0 + $1.count } * 2 >= sample.count - start && parts.contains { $0.count > 1 }
        }
    }

    private func messages(
        _ rule: AssemblyDefinition.Rule, _ series: ValueSeries, from start: Int
    ) -> InferredMessages? {
        guard let (messages, parts) = assemble(AssemblyDefinition(rule), series, from: start) else { return nil }
        let covered = parts.reduce(0) { $0 + $1.count }
        // The last message may have no end.
        guard covered * 10 >= (series.count - start) * 9, parts.count(where: { $0.count > 1 }) >= Self.fewestJoined,
            let bits = evidence(for: rule, messages, parts, series), bits >= Chance.fieldLimit
        else { return nil }
        return InferredMessages(
            framing: InferredFraming(
                assembly: AssemblyDefinition(rule), delimiter: nil,
                evidence: Evidence(
                    support: covered, of: series.count, distinct: messages.distinctIndexes().count, bits: bits),
                skipped: start),
            series: messages, parts: parts)
    }

    /// nil if more values than a loss would explain belong to no message.
    private func assemble(
        _ assembly: AssemblyDefinition, _ series: ValueSeries, from start: Int
    ) -> (messages: ValueSeries, parts: [[Int]])? {
        var assembler = MessageAssembler(assembly)
        var (messages, parts, open) = (ValueSeries(), [[Int]](), [Int]())
        var wasted = 0
        for index in start..<series.count {
            let (outcome, loss) = assembler.add(
                Bytes(series[index].span), frame: index, at: series.times[index] / 1_000)
            if loss != nil {
                wasted += open.count
                open = []
            }
            switch outcome {
            // With marks, other values are no loss.
            case .stray: wasted += assembly.start.isEmpty ? 1 : 0
            case .waiting: open.append(index)
            case .complete where assembler.hasExcess:
                wasted += open.count + 1
                open = []
            case .complete:
                parts.append(open + [index])
                messages.append(assembler.message, time: series.times[index], frame: series.frames[index])
                open = []
            }
            // A wrong rule shows at once.
            if wasted > 8, wasted * 20 > index - start { return nil }
        }
        return (messages, parts)
    }

    private func evidence(
        for rule: AssemblyDefinition.Rule, _ messages: ValueSeries, _ parts: [[Int]], _ series: ValueSeries
    ) -> Double? {
        switch rule {
        case .length:
            // Another length than the one before is a prediction. A wrong one ends where a value does as often as values end.
            var (octets, values, changes) = (0, 0, 0)
            for index in parts.indices {
                octets += messages.length(index)
                values += parts[index].count
                // Where all values have one length, its multiples end with a value, whatever they count.
                if index > 0, messages.length(index) != messages.length(index - 1), endsShort(parts[index], series) {
                    changes += 1
                }
            }
            guard changes >= 2 else { return nil }
            let each = Chance.log2(Double(octets) / Double(max(1, values)))
            return Double(changes) * each + Self.commonStart(messages, series)
                - Chance.cost(of: 6 * Self.reach * Self.mostSkipped)
        case .terminator(let end):
            // It is nowhere else.
            var (octets, ends, isOnlyAtEnd) = (0, 0, true)
            for index in messages.distinctIndexes() {
                let message = messages[index]
                octets += message.count
                ends += 1
                if isOnlyAtEnd, Self.holds(message.dropLast(end.count), end) { isOnlyAtEnd = false }
            }
            guard isOnlyAtEnd, ends >= InferenceLimits.fewest,
                parts.count(where: { endsShort($0, series) }) * 2 >= parts.count
            else { return nil }
            // Unless the messages are known to end in this way.
            guard isFull(parts) || DialectSearch(messages).result() != nil else { return nil }
            return Double(ends) * Chance.log2(Double(octets) / Double(ends)) - Chance.cost(of: 256)
        case .header(let header):
            guard isFull(parts) else { return nil }
            var continued = 0
            for parts in parts { continued += parts.count - 1 }
            let sequence = Double(continued * header.sequence.nonzeroBitCount)
            let states = header.first == header.middle ? 0 : Double(parts.count)
            guard header.sequence.nonzeroBitCount >= 2 && continued >= 8 || states >= 8 else { return nil }
            return sequence + states - Chance.cost(of: 32)
        case .total, .kind, .value, .stuffed: return nil
        }
    }

    /// Whether the last part is shorter than those before it.
    private func endsShort(_ parts: [Int], _ series: ValueSeries) -> Bool {
        parts.last.map { series.length($0) < longest } ?? false
    }

    /// All messages begin with an octet that other values do not begin with.
    private static func commonStart(_ messages: ValueSeries, _ series: ValueSeries) -> Double {
        guard messages.count > 1, messages.lengths.lowerBound > 0, let first = messages[0].first,
            (1..<messages.count).allSatisfy({ messages[$0].first == first })
        else { return 0 }
        let count = (0..<series.count).count { series[$0].first == first }
        return Double(messages.count - 1) * Chance.log2(Double(series.count) / Double(count))
    }

    private static func holds(_ message: ArraySlice<UInt8>, _ end: [UInt8]) -> Bool {
        guard message.count >= end.count else { return false }
        return (message.startIndex...message.endIndex - end.count).contains {
            message[$0..<$0 + end.count].elementsEqual(end)
        }
    }

    // MARK: Rules to try

    /// Numbers that say after how many octets a value ends.
    private func lengths(_ sample: ValueSeries) -> [AssemblyDefinition.Rule] {
        var rules: [(AssemblyDefinition.Rule, Int)] = []
        for (offset, width, isBigEndian) in (0..<Self.reach).flatMap({
            [($0, 1, false), ($0, 2, false), ($0, 2, true)]
        }) {
            var votes: [Int: Int] = [:]
            for index in 0..<sample.count where sample.length(index) >= offset + width {
                let number = sample.number(index, at: offset, width: width, isBigEndian: isBigEndian)
                var total = 0
                for part in index..<min(index + Self.mostParts, sample.count) {
                    total += sample.length(part)
                    if part > index, -4...offset + width + 8 ~= total - number {
                        votes[total - number, default: 0] += 1
                    }
                }
            }
            for (plus, count) in votes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(4)
            where count >= 3 {
                rules.append((.length(offset: offset, octets: width, isBigEndian: isBigEndian, plus: plus), count))
            }
        }
        return rules.sorted { $0.1 > $1.1 }.prefix(48).map(\.0)
    }

    /// Marks of well-known formats, and what short values end with.
    private func terminators(_ sample: ValueSeries) -> [AssemblyDefinition.Rule] {
        var ends: [[UInt8]] = [[0x0A], [0x0D], [0xC0], [0x00]]
        let short = (0..<sample.count).filter { 2..<longest ~= sample.length($0) }
        for width in [1, 2] {
            var counts: [[UInt8]: Int] = [:]
            for index in short { counts[Array(sample[index].suffix(width)), default: 0] += 1 }
            guard let (end, count) = counts.max(by: { ($0.value, $1.key[0]) < ($1.value, $0.key[0]) }),
                count * 10 >= short.count * 9, !ends.contains(end)
            else { continue }
            ends.append(end)
        }
        return ends.filter { end in
            let count = (0..<sample.count).count { sample[$0].suffix(end.count).elementsEqual(end) }
            return count >= 3 && count < sample.count
        }.map { .terminator($0) }
    }

    /// An octet before each part, with a state that says which one is the last, and a number.
    private func headers(_ sample: ValueSeries) -> [AssemblyDefinition.Rule] {
        guard sample.lengths.lowerBound >= 2 else { return [] }
        let octets = sample.column(0).octets
        let isShort = (0..<sample.count).map { sample.length($0) < longest }
        func usual(_ mask: UInt8, _ isWanted: (Int) -> Bool) -> UInt8? {
            var counts = [Int](repeating: 0, count: 256)
            for index in octets.indices.dropFirst() where isWanted(index) { counts[Int(octets[index] & mask)] += 1 }
            guard let most = counts.max(), most > 0 else { return nil }
            return counts.firstIndex(of: most).map { UInt8($0) }
        }
        return (1...7).flatMap { bits in
            [UInt8(truncatingIfNeeded: 1 << bits - 1), ~UInt8(truncatingIfNeeded: 1 << bits - 1)]
        }
        .compactMap { sequence in
            let mask = ~sequence
            guard let last = usual(mask, { isShort[$0] && !isShort[$0 - 1] }),
                let first = usual(mask, { !isShort[$0] && isShort[$0 - 1] })
            else { return nil }
            let middle = usual(mask) { !isShort[$0] && !isShort[$0 - 1] } ?? first
            let complete = usual(mask) { isShort[$0] && isShort[$0 - 1] } ?? last
            guard last != middle, last != first else { return nil }
            return .header(
                AssemblyDefinition.PartHeader(
                    octets: 1, mask: UInt64(mask), complete: UInt64(complete), first: UInt64(first),
                    middle: UInt64(middle), last: UInt64(last), sequence: UInt64(sequence), isKept: false))
        }
    }
}

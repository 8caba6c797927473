import AttlasDissection

/// Proposes rules for messages that begin with certain octets: what is between two of them has a fixed number of octets, or its length, or an end.
/// Other values may come between messages.
struct MarkedFraming {
    private let series: ValueSeries

    private static let longestMark = 8
    private static let mostMarks = 6
    /// Values that begin with a mark, in those that are looked at.
    private static let fewestStarts = 4
    private static let reach = 12

    /// - Parameter series: the values that are looked at first.
    init(_ series: ValueSeries) {
        self.series = series
    }

    /// The longest marks first.
    func rules() -> [AssemblyDefinition] {
        marks().flatMap { mark in
            let segments = segments(mark)
            return (totals(segments) + lengths(segments, after: mark) + ends(segments)).map {
                AssemblyDefinition($0, start: mark)
            }
        }
    }

    /// What values of one first octet have in common, and its first two octets.
    private func marks() -> [[UInt8]] {
        var starts: [UInt8: [Int]] = [:]
        for index in 0..<series.count {
            if let first = series[index].first { starts[first, default: []].append(index) }
        }
        let frequent = starts.filter { Self.fewestStarts...series.count - 1 ~= $0.value.count }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(Self.mostMarks)
        var marks: [[UInt8]] = []
        for (first, indexes) in frequent {
            var mark = [first]
            while mark.count < Self.longestMark {
                let next = indexes.compactMap { index in
                    series.length(index) > mark.count && series[index].starts(with: mark)
                        ? series[index, mark.count] : nil
                }
                var counts = [Int](repeating: 0, count: 256)
                for octet in next { counts[Int(octet)] += 1 }
                // The rest of another message may begin with the first octet.
                guard let most = counts.max(), most * 10 >= indexes.count * 9, let octet = counts.firstIndex(of: most)
                else { break }
                mark.append(UInt8(octet))
            }
            for length in Set([mark.count, min(2, mark.count), 1]).sorted(by: >) {
                marks.append(Array(mark.prefix(length)))
            }
        }
        return marks
    }

    /// The values from one that begins with the mark to the next.
    private func segments(_ mark: [UInt8]) -> [Range<Int>] {
        let starts = (0..<series.count).filter { series[$0].starts(with: mark) }
        return zip(starts, starts.dropFirst()).map { $0..<$1 }
    }

    /// The octets up to the end of each value.
    private func sums(_ segment: Range<Int>) -> [Int] {
        var sum = 0
        return segment.prefix(256).map { index in
            sum += series.length(index)
            return sum
        }
    }

    /// Numbers of octets after which a value ends in nearly all segments.
    private func totals(_ segments: [Range<Int>]) -> [AssemblyDefinition.Rule] {
        var counts: [Int: Int] = [:]
        for segment in segments { for sum in sums(segment) { counts[sum, default: 0] += 1 } }
        return counts.filter { $0.value * 10 >= segments.count * 9 }.keys.sorted(by: >).prefix(3).map { .total($0) }
    }

    private func lengths(_ segments: [Range<Int>], after mark: [UInt8]) -> [AssemblyDefinition.Rule] {
        var votes: [AssemblyDefinition.Rule: Int] = [:]
        for segment in segments {
            let first = series[segment.lowerBound]
            for (offset, width, isBigEndian) in (mark.count..<Self.reach).flatMap({
                [($0, 1, false), ($0, 2, false), ($0, 2, true)]
            }) where first.count >= offset + width {
                let number = first.number(at: offset, width: width, isBigEndian: isBigEndian)
                for sum in sums(segment) where -4...offset + width + 8 ~= sum - number {
                    votes[
                        .length(offset: offset, octets: width, isBigEndian: isBigEndian, plus: sum - number),
                        default: 0] += 1
                }
            }
        }
        return votes.filter { $0.value >= 3 && $0.value * 2 >= segments.count }
            .sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }.prefix(4).map(\.key)
    }

    /// One octet or two that nearly all segments end with.
    private func ends(_ segments: [Range<Int>]) -> [AssemblyDefinition.Rule] {
        [2, 1].compactMap { width in
            var counts: [[UInt8]: Int] = [:]
            for segment in segments { counts[Array(series[segment.upperBound - 1].suffix(width)), default: 0] += 1 }
            guard let (end, count) = counts.max(by: { $0.value < $1.value }),
                end.count == width, count * 10 >= segments.count * 9
            else { return nil }
            return .terminator(end)
        }
    }
}

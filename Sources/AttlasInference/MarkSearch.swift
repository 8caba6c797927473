/// Looks for octets that change when the user does something, and at no other time.
struct MarkSearch {
    private let series: ValueSeries
    private let grouping: ValueGroups
    /// In order of time.
    private let marks: [(time: Int64, note: String)]

    /// A person's clock and finger are not exact.
    private static let before: Int64 = 2_000_000_000
    private static let after: Int64 = 5_000_000_000
    static let fewestMarks = 3
    private static let longest = 64

    /// - Parameter marks: nanoseconds since 1970, and what the user did.
    init(_ series: ValueSeries, _ marks: [(time: Int64, note: String)]) {
        self.series = series
        grouping = ValueGroups(series)
        self.marks = marks.map { (ValueSeries.limited($0.time), $0.note) }.sorted { $0.time < $1.time }
    }

    func relations() -> [InferredRelation] {
        guard marks.count >= Self.fewestMarks, series.count > marks.count else { return [] }
        return grouping.groups.flatMap { group -> [InferredRelation] in
            let values = series.selecting(group.indexes)
            return (0..<min(Self.longest, values.lengths.lowerBound)).compactMap { place in
                relation(values.column(place), values.times, place, group.selector)
            }
        }
    }

    /// The mark whose time a value belongs to.
    private func mark(at time: Int64) -> Int? {
        let next = marks.firstIndex { $0.time - Self.before > time } ?? marks.count
        return next > 0 && time <= marks[next - 1].time + Self.after ? next - 1 : nil
    }

    private func relation(
        _ column: Column, _ times: [Int64], _ place: Int, _ selector: GroupSelector
    ) -> InferredRelation? {
        guard !column.isConstant, let first = times.first, let last = times.last, last > first else { return nil }
        let window = Self.before + Self.after
        var newOctets: [Int: UInt8] = [:]
        var others: Set<Int64> = []
        for index in column.octets.indices.dropFirst() where column.octets[index] != column.octets[index - 1] {
            if let mark = mark(at: times[index]) {
                newOctets[mark] = column.octets[index]
            } else {
                others.insert((times[index] - first) / window)
            }
        }
        let covered = marks.indices.reduce(Int64(0)) { sum, index in
            let end =
                index + 1 < marks.count
                ? min(marks[index + 1].time - Self.before, marks[index].time + Self.after)
                : marks[index].time + Self.after
            return sum + max(0, min(last, end) - max(first, marks[index].time - Self.before))
        }
        let slots = max(0, last - first - covered) / window
        guard newOctets.count >= Self.fewestMarks, newOctets.count * 5 >= marks.count * 4,
            others.count * 10 <= newOctets.count
        else { return nil }
        // The probability of a change in a time as long as that of a mark.
        let each = Chance.log2(Double(slots + 2) / Double(others.count + 1))
        var states: [(note: String, octet: UInt8?)] = []
        for (index, octet) in newOctets.sorted(by: { $0.key < $1.key }) {
            if let known = states.firstIndex(where: { $0.note == marks[index].note }) {
                if states[known].octet != octet { states[known].octet = nil }
            } else {
                states.append((marks[index].note, octet))
            }
        }
        let bits =
            Chance.bits(hits: newOctets.count, of: marks.count, each: each)
            - Chance.cost(of: Self.longest * grouping.groups.count)
        guard bits >= Chance.fieldLimit else { return nil }
        return InferredRelation(
            kind: .marks(states), place: place, selector: selector,
            evidence: Evidence(
                support: newOctets.count, of: marks.count, distinct: column.distinct, bits: bits, unit: "marks"))
    }
}

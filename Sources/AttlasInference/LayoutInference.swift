/// What is known besides the values.
struct InferenceContext {
    /// What was written to characteristics of the service, if the values are received ones.
    var requests: ValueSeries?
    /// Nanoseconds since 1970, and what the user did.
    var marks: [(time: Int64, note: String)] = []
    /// Of the devices of the capture.
    var addresses: Set<UInt64> = []
    /// What is advertised has no parts.
    var isAdvertised = false
}

/// Infers the layout of the values of one direction.
///
/// What all values have is searched first: a layout selector, the check, lengths and counters. The rest is inferred for each group.
package struct LayoutInference {
    private static let mostExamples = 3

    private let series: ValueSeries
    private let grouping: ValueGroups

    private let addresses: Set<UInt64>

    /// - Parameter addresses: of the devices of the capture.
    package init(_ series: ValueSeries, addresses: Set<UInt64> = []) {
        self.series = series
        self.addresses = addresses
        grouping = ValueGroups(series)
    }

    /// With the messages that values are parts of, the format that they are in, and what they depend on.
    static func layout(of values: ValueSeries, _ context: InferenceContext = InferenceContext()) -> InferredLayout {
        var messages = context.isAdvertised ? nil : FramingSearch(values, requests: context.requests).result()
        let dialect = DialectSearch(messages?.series ?? values).result()
        if let dialect, let stuffing = dialect.dialect.stuffing {
            messages = InferredMessages(stuffing, messages, of: values, dialect.evidence)
        }
        let series = messages?.series ?? values
        var layout =
            dialect?.dialect.hasFields ?? true
            ? LayoutInference(series, addresses: context.addresses).layout() : LayoutInference(series).plainLayout()
        if context.isAdvertised { layout.doubts = [] }
        layout.messages = messages
        layout.dialect = dialect
        if let requests = context.requests {
            let starts = messages?.parts.map { values.frames[$0[0]] } ?? values.frames
            layout.relations += RequestSearch(requests, series, starts: starts).relations(
                hasSelector: layout.hasOpcode)
        }
        layout.relations += MarkSearch(series, context.marks).relations()
        return layout
    }

    /// Without claims: the format of the values says what is in them.
    private func plainLayout() -> InferredLayout {
        let distinct = grouping.distinct
        let group = InferredLayout.Group(
            selector: .all, count: series.count, distinct: distinct.count, lengths: series.lengths, fields: [],
            examples: Array(distinct.prefix(Self.mostExamples)))
        return InferredLayout(
            count: series.count, distinct: distinct.count, octets: series.octetCount, lengths: series.lengths,
            groups: [group], doubts: [])
    }

    package func layout() -> InferredLayout {
        let distinct = grouping.distinct
        let common = distinct.count >= InferenceLimits.fewest ? commonFields(distinct) : []
        let groups = grouping.groups.map { group($0.selector, $0.indexes, common) }
        return InferredLayout(
            count: series.count, distinct: distinct.count, octets: series.octetCount, lengths: series.lengths,
            groups: groups, doubts: doubts(groups))
    }

    /// Parts of messages have the layouts of several places in a message.
    private func doubts(_ groups: [InferredLayout.Group]) -> [String] {
        let longest = series.lengths.upperBound
        let full = (0..<series.count).count { series.length($0) == longest }
        let isFramed = groups.flatMap(\.claims).contains { claim in
            switch claim.kind {
            case .check, .length: true
            default: false
            }
        }
        guard !isFramed, grouping.opcode == nil, longest >= 8, series.count >= 2 * InferenceLimits.fewest,
            series.lengths.count > 2, full * 10 >= series.count * 4,
            full < series.count
        else { return [] }
        return [
            "\(full) of \(series.count) values have the greatest length, \(longest) octets: they may be parts of longer messages"
        ]
    }

    // MARK: Fields of all values

    /// Those of all values, whatever their group is.
    private func commonFields(_ distinct: [Int]) -> [InferredField] {
        var fields: [InferredField] = []
        if let check = CheckSearch(series, searches: grouping.groups.count + 1).result() { fields.append(check) }
        let shortest = min(series.lengths.lowerBound, InferenceLimits.longest)
        func isFree(_ place: Int) -> Bool {
            place != grouping.opcode?.place && !fields.contains { $0.place >= 0 && $0.range.contains(place) }
                && !fields.contains { $0.place < 0 && place >= shortest + $0.place }
        }
        if let field = length(shortest, distinct.count, isFree) { fields.append(field) }
        // Within a group a counter of all values has gaps.
        guard grouping.groups.count > 1 else { return fields }
        var search = FieldSearch(series, prefix: shortest, distinct: distinct, groups: 1)
        return fields
            + search.advancing { place in !isFree(place) }.filter { field in
                // Values of another length may not be counted: those of one length are then looked at alone.
                grouping.opcode != nil || field.evidence?.support == series.count
            }
    }

    /// The number of octets of the value, or of those after the field.
    private func length(_ shortest: Int, _ distinct: Int, _ isFree: (Int) -> Bool) -> InferredField? {
        var lengths: Set<Int> = []
        for index in 0..<series.count { lengths.insert(series.length(index)) }
        guard lengths.count >= 3 else { return nil }
        for width in [2, 1] {
            for place in 0..<max(0, shortest - width + 1) where (place..<place + width).allSatisfy(isFree) {
                for isBigEndian in width == 2 ? [false, true] : [false] {
                    func number(_ index: Int) -> Int {
                        series.number(index, at: place, width: width, isBigEndian: isBigEndian)
                    }
                    let plus = series.length(0) - number(0)
                    // A length counts the value, or a part that begins after some octets.
                    guard (0..<series.count).allSatisfy({ series.length($0) - number($0) == plus }),
                        -4...place + width + 8 ~= plus
                    else { continue }
                    // Each length after the first is a prediction.
                    let bits = 8 * Double(lengths.count - 1) - Chance.cost(of: 3 * shortest / 4)
                    guard bits >= 12 else { continue }
                    // A constant 0 next to it need not be its high octet.
                    if width == 2, series.column(isBigEndian ? place : place + 1).isConstant { continue }
                    return InferredField(
                        place, width, .length(plus: plus),
                        Evidence(of: series.count, distinct: distinct, bits: bits), isBigEndian: isBigEndian)
                }
            }
        }
        return nil
    }

    // MARK: Fields of a group

    private func group(
        _ selector: GroupSelector, _ indexes: [Int], _ common: [InferredField]
    ) -> InferredLayout.Group {
        let values = series.selecting(indexes)
        let distinct = values.count == series.count ? grouping.distinct : values.distinctIndexes()
        let lengths = values.lengths
        var fields = common.filter { field in
            let end = field.place < 0 ? -field.place : field.place + field.width
            return end <= lengths.lowerBound
        }
        if let opcode = grouping.opcode, case .opcode(let value, let place) = selector {
            fields.append(
                InferredField(
                    place, 1, .opcode([value]),
                    Evidence(of: series.count, distinct: series.column(place).distinct, bits: opcode.bits)))
        }
        let isEnough = values.count >= InferenceLimits.fewest && distinct.count >= 4
        if isEnough, !common.contains(where: { if case .check = $0.kind { true } else { false } }),
            grouping.groups.count > 1, let check = CheckSearch(values, searches: grouping.groups.count + 1).result()
        {
            fields.append(check)
        }
        // What is counted from the end has a place from the start in values of one length.
        let tail = fields.filter { $0.place < 0 }.map { -$0.place }.max() ?? 0
        let prefix = min(InferenceLimits.longest, lengths.count > 1 ? lengths.lowerBound - tail : lengths.lowerBound)
        if lengths.count == 1 {
            fields = fields.map { $0.place < 0 ? $0.moved(to: lengths.lowerBound + $0.place) : $0 }
        } else {
            fields.removeAll { $0.place >= 0 && $0.place + $0.width > prefix }
        }
        if isEnough {
            var search = FieldSearch(
                values, prefix: prefix, distinct: distinct, groups: grouping.groups.count, addresses: addresses)
            fields = search.fields(besides: fields)
        }
        return InferredLayout.Group(
            selector: selector, count: values.count, distinct: distinct.count, lengths: lengths,
            fields: Self.filled(fields, prefix: prefix, tail: lengths.count > 1 ? tail : 0),
            examples: distinct.prefix(Self.mostExamples).map { indexes[$0] })
    }

    /// All places, with open fields for what is not claimed.
    private static func filled(_ fields: [InferredField], prefix: Int, tail: Int) -> [InferredField] {
        var all: [InferredField] = []
        for (first, end) in [(0, prefix), (-tail, 0)] {
            var place = first
            for field in fields.sorted(by: { $0.place < $1.place }) where (first..<end).contains(field.place) {
                for open in place..<max(place, field.place) { all.append(InferredField(open, 1, .open)) }
                all.append(field)
                place = field.place + field.width
            }
            for open in place..<max(place, end) { all.append(InferredField(open, 1, .open)) }
        }
        return all
    }
}

extension InferredField {
    func moved(to place: Int) -> InferredField {
        var moved = InferredField(place, width, kind, evidence, isBigEndian: isBigEndian)
        moved.isSigned = isSigned
        moved.doubts = doubts
        return moved
    }
}

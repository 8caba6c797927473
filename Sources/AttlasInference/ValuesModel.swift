import AttlasTrace
import AttlasValues

/// The distinct values of characteristics, and the statistics of their octets.
public struct ValuesModel: CaptureDocument {
    public let integrity: CaptureIntegrity
    package let characteristics: [Characteristic]
    /// Characteristics over the limit, which have fewer values.
    package let notExamined: Int
    /// Values over the limit.
    package let leftOut: Int
    /// Why nothing was found.
    package let whyNothing: String?

    package struct Characteristic: Sendable {
        package let values: CharacteristicValues
        package let directions: [Direction]
    }

    package func hasValue(inFrame frame: Int) -> Bool {
        characteristics.contains { $0.values.series.values.contains { $0.frames.contains(frame) } }
    }

    package struct Direction: Sendable {
        package let direction: ValueDirection
        package let count: Int
        package let lengths: ClosedRange<Int>
        /// The most frequent first.
        package let distinct: [Distinct]
        package let groups: [Group]
        /// Octets that repeat those of the value written before.
        package let relations: [InferredRelation]
    }

    package struct Distinct: Sendable {
        package let octets: [UInt8]
        package let count: Int
        package let firstFrame: Int
    }

    package struct Group: Sendable {
        package let selector: GroupSelector
        package let count: Int
        /// Octets that all values have, and what is claimed about each.
        package let columns: [(column: Column, field: InferredField?)]
    }

    fileprivate static func direction(
        _ direction: ValueDirection, _ series: ValueSeries, requests: ValueSeries?
    ) -> Direction {
        var counts: [ArraySlice<UInt8>: (count: Int, first: Int)] = [:]
        for index in 0..<series.count { counts[series[index], default: (0, index)].count += 1 }
        let distinct = counts.sorted { ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first) }
        let layout = LayoutInference(series).layout()
        let groups = zip(ValueGroups(series).groups, layout.groups).map { group, inferred in
            let values = series.selecting(group.indexes)
            return Group(
                selector: group.selector, count: values.count,
                columns: (0..<min(values.lengths.lowerBound, 64)).map { place in
                    (
                        values.column(place),
                        inferred.fields.first { $0.place >= 0 && $0.range.contains(place) && $0.isClaim }
                    )
                })
        }
        return Direction(
            direction: direction, count: series.count, lengths: series.lengths,
            distinct: distinct.map {
                Distinct(octets: Array($0.key), count: $0.value.count, firstFrame: series.frames[$0.value.first])
            }, groups: groups,
            relations: requests.map {
                RequestSearch($0, series, starts: series.frames).relations(hasSelector: layout.hasOpcode)
            } ?? [])
    }

    fileprivate init(_ gatherer: ValueGatherer, in trace: borrowing Trace, _ integrity: CaptureIntegrity) {
        self.integrity = integrity
        let (examined, more) = gatherer.characteristics()
        characteristics = examined.map { values in
            Characteristic(
                values: values,
                directions: ValueDirection.allCases.compactMap { direction in
                    values.series[direction].map { series in
                        let requests = direction == .received ? gatherer.requests(of: values.service) : nil
                        return Self.direction(direction, series, requests: requests)
                    }
                })
        }
        notExamined = more
        leftOut = gatherer.leftOut
        whyNothing = gatherer.whyNothing(in: trace, integrity)
    }
}

/// Collects the values of a characteristic.
public struct ValuesCollector: DocumentCollector {
    private var gatherer: ValueGatherer

    /// - Parameters:
    ///   - subject: a handle, a UUID, its first digits, or a part of a name.
    ///   - values: of the `Interpreted` that hands on the events.
    package init(_ subject: String, values: ValueInterpreter) {
        gatherer = ValueGatherer(subject, keepsRequests: true, values: values)
    }

    /// Of all characteristics that nothing names, with less memory.
    package init(ofUnknown values: ValueInterpreter) {
        gatherer = ValueGatherer(
            nil, isOfUnknown: true, limits: ValueGatherer.Limits(values: 8_192, octets: 1 << 18), values: values)
    }

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        gatherer.receive(event, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> ValuesModel {
        ValuesModel(gatherer, in: trace, integrity)
    }
}

/// The values of a characteristic in two captures.
package struct ValuesDifference: Sendable {
    package struct Direction: Sendable {
        package let name: String
        package let direction: ValueDirection
        package let common: Int
        /// Values of only one of the captures, the most frequent first.
        package let onlyFirst: [ValuesModel.Distinct]
        package let onlySecond: [ValuesModel.Distinct]
        /// Octets with other ranges: their place in values of the same kind.
        package let ranges:
            [(selector: GroupSelector, place: Int, first: ClosedRange<UInt8>, second: ClosedRange<UInt8>)]
    }

    package let directions: [Direction]

    package init(_ first: ValuesModel, _ second: ValuesModel) {
        var directions: [Direction] = []
        func add(_ first: ValuesModel.Characteristic?, _ second: ValuesModel.Characteristic?) {
            guard let values = first?.values ?? second?.values else { return }
            for direction in ValueDirection.allCases {
                let pair = [first, second].map { $0?.directions.first { $0.direction == direction } }
                if pair[0] == nil, pair[1] == nil { continue }
                directions.append(
                    Direction(values.title, direction, pair[0], pair[1]))
            }
        }
        var rest = second.characteristics
        for characteristic in first.characteristics {
            let match = rest.firstIndex { $0.values.source.isSame(as: characteristic.values.source) }
            add(characteristic, match.map { rest.remove(at: $0) })
        }
        for characteristic in rest { add(nil, characteristic) }
        self.directions = directions
    }
}

extension ValuesDifference.Direction {
    fileprivate init(
        _ name: String, _ direction: ValueDirection, _ first: ValuesModel.Direction?, _ second: ValuesModel.Direction?
    ) {
        self.name = name
        self.direction = direction
        let (ofFirst, ofSecond) = (first?.distinct ?? [], second?.distinct ?? [])
        let (inFirst, inSecond) = (Set(ofFirst.map(\.octets)), Set(ofSecond.map(\.octets)))
        onlyFirst = ofFirst.filter { !inSecond.contains($0.octets) }
        onlySecond = ofSecond.filter { !inFirst.contains($0.octets) }
        common = ofFirst.count - onlyFirst.count
        var ranges: [(GroupSelector, Int, ClosedRange<UInt8>, ClosedRange<UInt8>)] = []
        for group in first?.groups ?? [] {
            guard let other = second?.groups.first(where: { $0.selector == group.selector }) else { continue }
            for (place, columns) in zip(group.columns, other.columns).enumerated() {
                guard let here = columns.0.column.range, let there = columns.1.column.range, here != there else {
                    continue
                }
                ranges.append((group.selector, place, here, there))
            }
        }
        self.ranges = ranges
    }
}

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
        let others = second.characteristics
        for characteristic in first.characteristics {
            let match = others.first { $0.values.uuid == characteristic.values.uuid }
            for direction in characteristic.directions {
                let other = match?.directions.first { $0.direction == direction.direction }
                directions.append(
                    Direction(
                        characteristic.values.name ?? characteristic.values.uuid.description, direction.direction,
                        direction,
                        other))
            }
            for direction in match?.directions ?? []
            where !characteristic.directions.contains(where: { $0.direction == direction.direction }) {
                directions.append(
                    Direction(
                        characteristic.values.name ?? characteristic.values.uuid.description, direction.direction, nil,
                        direction))
            }
        }
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

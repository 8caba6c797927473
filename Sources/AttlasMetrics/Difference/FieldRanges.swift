import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// The ranges of the fields of values. Fields with names (an enumeration, flags) are not numbers.
public struct FieldRanges {
    /// Fields that are kept.
    static let limit = 4_096

    package struct Key: Hashable, Sendable {
        /// The attribute's type.
        package let uuid: BluetoothUUID
        package let field: String
        package let unit: String?
    }

    package struct Range: Sendable {
        package let key: Key
        package fileprivate(set) var count: Int
        package fileprivate(set) var least: ExactNumber
        package fileprivate(set) var greatest: ExactNumber
        /// Where the two were first seen.
        package fileprivate(set) var leastAt: Moment
        package fileprivate(set) var greatestAt: Moment
        /// The same, for comparisons.
        fileprivate var bounds: ClosedRange<Double>
    }

    private struct Place: Hashable {
        let type: UUIDIndex
        let dissector: ObjectIdentifier
        let field: UInt16
    }

    package private(set) var ranges: [Range] = []
    private var places: [Place: Int] = [:]
    /// Those that `places` identifies, held so that none of them gives its identity to another.
    private var dissectors: [ObjectIdentifier: Dissector] = [:]
    /// Fields of one name are alternatives, such as the same quantity in one octet or in two.
    private var indexes: [Key: Int] = [:]
    private var finder: FieldFinder

    package init(values: ValueInterpreter) {
        finder = FieldFinder(names: [], values: values)
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        finder.beginEvent()
        event.forEachAttribute(in: trace) { value in
            note(value, Moment(event), in: trace)
            return true
        }
    }

    private mutating func note(
        _ value: borrowing AttributeValue, _ moment: Moment, in trace: borrowing Trace
    ) {
        guard let type = value.type, let dissector = finder.read(value, in: trace) else { return }
        for index in 0..<finder.dissection.count {
            let record = finder.dissection[index]
            guard record.field != DissectedField.unexplainedOctets, dissector.label(of: record) == nil,
                dissector.label(of: record.special, field: record) == nil,
                dissector.fields[Int(record.field)].bits.isEmpty, let number = dissector.number(of: record)
            else { continue }
            let double = number.double
            guard double.isFinite else { continue }
            let place = Place(type: type, dissector: ObjectIdentifier(dissector), field: record.field)
            note(number, double, place, dissector, moment, in: trace)
        }
    }

    private mutating func note(
        _ number: ExactNumber, _ double: Double, _ place: Place, _ dissector: Dissector,
        _ moment: Moment,
        in trace: borrowing Trace
    ) {
        let index: Int
        if let known = places[place] {
            index = known
        } else {
            let field = dissector.fields[Int(place.field)]
            let key = Key(uuid: trace.uuids[place.type], field: field.name, unit: field.unit)
            guard ranges.count < Self.limit || indexes[key] != nil else { return }
            index = indexes[key, default: ranges.count]
            indexes[key] = index
            if places.count >= 4 * Self.limit {
                places.removeAll()
                dissectors.removeAll()
            }
            places[place] = index
            dissectors[place.dissector] = dissector
            if index == ranges.count {
                ranges.append(
                    Range(
                        key: key, count: 0, least: number, greatest: number, leastAt: moment, greatestAt: moment,
                        bounds: double...double))
            }
        }
        ranges[index].count += 1
        let bounds = ranges[index].bounds
        guard !bounds.contains(double) else { return }
        if double < bounds.lowerBound {
            (ranges[index].least, ranges[index].leastAt) = (number, moment)
        } else {
            (ranges[index].greatest, ranges[index].greatestAt) = (number, moment)
        }
        ranges[index].bounds = min(double, bounds.lowerBound)...max(double, bounds.upperBound)
    }
}

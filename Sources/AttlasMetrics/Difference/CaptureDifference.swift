import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// The differences between two captures of the same devices.
package struct CaptureDifference: Sendable {
    package let first: CaptureSnapshot
    package let second: CaptureSnapshot
    package let servers: [ServerDifference]
    /// Procedures of all connections together.
    package let procedures: [Pair<Procedure.Kind, ProcedureRow>]
    package let exchanges: [MeasuredPair<ExchangeRow>]
    package let values: [MeasuredPair<ValueRow>]
    /// Fields whose values have different ranges, or which only one capture has.
    package let fields: [FieldDifference]
    /// Incidents that broke or hindered something; first those that only the second capture has.
    package let incidents: [IncidentDifference]

    package struct FieldDifference: Sendable {
        package let key: FieldRanges.Key
        package let first: FieldRanges.Range?
        package let second: FieldRanges.Range?
    }

    /// The GATT servers of one peer; nil where the capture has no such peer.
    package struct ServerDifference: Sendable {
        package let first: CaptureSnapshot.Server?
        package let second: CaptureSnapshot.Server?
        /// In the order of the first tree, followed by attributes that only the second has.
        package let changes: [AttributeChange]

        /// Both captures have the device, and one of them has attributes of it.
        package var isCompared: Bool {
            guard let first, let second else { return false }
            return !first.attributes.isEmpty || !second.attributes.isEmpty
        }
    }

    /// An attribute that is not the same in both.
    package struct AttributeChange: Sendable {
        package let first: CaptureSnapshot.Attribute?
        package let second: CaptureSnapshot.Attribute?

        package var path: [CaptureSnapshot.Step] { first?.path ?? second?.path ?? [] }
        package var isMoved: Bool { first.flatMap { first in second.map { $0.handle != first.handle } } ?? false }
        package var hasOtherProperties: Bool {
            first.flatMap { first in second.map { $0.properties != first.properties } } ?? false
        }
    }

    package typealias MeasuredPair<Row: Sendable> = Pair<CaptureSnapshot.MeasureKey, Row>

    /// The same measure of both captures.
    package struct Pair<Key: Hashable & Sendable, Row: Sendable>: Sendable {
        package let key: Key
        package let first: Row?
        package let second: Row?
    }

    package init(_ first: CaptureSnapshot, _ second: CaptureSnapshot) {
        self.first = first
        self.second = second
        servers = Self.pairs(first.servers, second.servers).map { first, second in
            ServerDifference(
                first: first, second: second,
                changes: first == nil || second == nil
                    ? [] : Self.changes(first?.attributes ?? [], second?.attributes ?? []))
        }
        procedures = Self.pairs(first.procedures, second.procedures)
        exchanges = Self.pairs(first.exchanges, second.exchanges)
        values = Self.pairs(first.values, second.values)
        fields = Self.differences(first.fields, second.fields)
        incidents = Self.pairs(first, second, servers)
    }

    private static func differences(
        _ first: [FieldRanges.Range], _ second: [FieldRanges.Range]
    ) -> [FieldDifference] {
        let others = Dictionary(uniqueKeysWithValues: second.map { ($0.key, $0) })
        let known = Set(first.map(\.key))
        var differences = first.map { FieldDifference(key: $0.key, first: $0, second: others[$0.key]) }
        differences += second.filter { !known.contains($0.key) }.map {
            FieldDifference(key: $0.key, first: nil, second: $0)
        }
        return differences.filter { difference in
            guard let first = difference.first, let second = difference.second else { return true }
            return first.least.double != second.least.double || first.greatest.double != second.greatest.double
        }
    }

    /// Peers with the same address belong together; then, when each capture has one left, those two: a device may have been
    /// exchanged for another of its kind.
    private static func pairs(
        _ first: [CaptureSnapshot.Server], _ second: [CaptureSnapshot.Server]
    ) -> [(CaptureSnapshot.Server?, CaptureSnapshot.Server?)] {
        var pairs: [(CaptureSnapshot.Server?, CaptureSnapshot.Server?)] = []
        var places: [BluetoothAddress: Int] = [:]
        for (place, server) in second.enumerated() {
            if let address = server.address { places[address] = place }
        }
        var isPaired = Array(repeating: false, count: second.count)
        var alone: [CaptureSnapshot.Server] = []
        for server in first {
            if let place = server.address.flatMap({ places.removeValue(forKey: $0) }) {
                pairs.append((server, second[place]))
                isPaired[place] = true
            } else {
                alone.append(server)
            }
        }
        let rest = zip(second, isPaired).filter { !$0.1 }.map(\.0)
        if alone.count == 1, rest.count == 1 { return pairs + [(alone[0], rest[0])] }
        return pairs + alone.map { ($0, nil) } + rest.map { (nil, $0) }
    }

    private static func changes(
        _ first: [CaptureSnapshot.Attribute], _ second: [CaptureSnapshot.Attribute]
    ) -> [AttributeChange] {
        var others: [[CaptureSnapshot.Step]: CaptureSnapshot.Attribute] = [:]
        for attribute in second { others[attribute.path] = attribute }
        var changes: [AttributeChange] = []
        for attribute in first {
            let change = AttributeChange(first: attribute, second: others.removeValue(forKey: attribute.path))
            if change.second == nil || change.isMoved || change.hasOtherProperties { changes.append(change) }
        }
        for attribute in second where others[attribute.path] != nil {
            changes.append(AttributeChange(first: nil, second: attribute))
        }
        return changes
    }

    private static func pairs<Key, Row>(
        _ first: [(key: Key, row: Row)], _ second: [(key: Key, row: Row)]
    ) -> [Pair<Key, Row>] {
        // One key may mean several handles that are unknown in both captures.
        let others = Dictionary(second.map { ($0.key, $0.row) }) { first, _ in first }
        let known = Set(first.map(\.key))
        return first.map { Pair(key: $0.key, first: $0.row, second: others[$0.key]) }
            + second.filter { !known.contains($0.key) }.map { Pair(key: $0.key, first: nil, second: $0.row) }
    }
}

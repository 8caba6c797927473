import AttlasTrace
import AttlasWire

/// The grouping of rows in tables.
package enum StatisticsGrouping: String, CaseIterable, Sendable {
    /// A table for each connection.
    case connection
    /// A table for each peer, over all connections with it.
    case peer
    /// One table with a row for each characteristic, over all handles, peers and connections.
    case characteristic
    /// One table with a row for each method.
    case method
}

/// The rows of one table.
package struct StatisticsGroup: Sendable {
    /// Indexes into the collector's connections.
    package fileprivate(set) var connections: [Int] = []
    package fileprivate(set) var procedures: [ProcedureRow] = []
    package fileprivate(set) var exchanges: [ExchangeRow] = []
    package fileprivate(set) var values: [ValueRow] = []
    /// The slowest first; of equal ones, that of the lowest frame.
    package fileprivate(set) var slowest: [SlowExchange] = []
}

extension StatisticsCollector {
    func groups(by grouping: StatisticsGrouping) -> StatisticsGroups { StatisticsGroups(self, grouping) }
}

/// Each is made on demand: all at once would need the memory of the rows again.
package struct StatisticsGroups: RandomAccessCollection, Sendable {
    private let collector: StatisticsCollector
    private let grouping: StatisticsGrouping
    /// For each group, the indexes of its connections and rows.
    private var connections: [[Int]] = []
    private var exchanges: [[Int]] = []
    private var values: [[Int]] = []

    fileprivate init(_ collector: StatisticsCollector, _ grouping: StatisticsGrouping) {
        self.collector = collector
        self.grouping = grouping
        var groupOf = [Int?](repeating: nil, count: collector.connections.count)
        var peers: [BluetoothAddress: Int] = [:]
        for (index, life) in collector.connections.enumerated() where life.isSelected {
            var group = connections.count
            switch grouping {
            case .connection: break
            case .peer:
                guard let address = life.peer.address else { break }
                group = peers[address] ?? group
                peers[address] = group
            case .characteristic, .method: group = 0
            }
            if group == connections.count { connections.append([]) }
            connections[group].append(index)
            groupOf[index] = group
        }
        func rows(_ owners: [Int]) -> [[Int]] {
            var rows = [[Int]](repeating: [], count: connections.count)
            for (row, owner) in owners.enumerated() {
                if let group = groupOf[owner] { rows[group].append(row) }
            }
            return rows
        }
        exchanges = rows(collector.exchanges.owners)
        values = rows(collector.values.owners)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { connections.count }

    package subscript(_ index: Int) -> StatisticsGroup {
        var group = StatisticsGroup()
        group.connections = connections[index]
        group.procedures = group.connections.flatMap { collector.connections[$0].procedures }.merged()
        let exchanges = exchanges[index].lazy.map { collector.exchanges.rows[$0] }
        group.exchanges = merged(exchanges.filter { !$0.isEmpty })
        group.values = merged(values[index].lazy.map { collector.values.rows[$0] })
        group.slowest = Array(
            group.connections.flatMap { collector.slowest[$0] }
                .sorted { ($1.nanoseconds, $0.frame) < ($0.nanoseconds, $1.frame) }
                .prefix(StatisticsCollector.slowestLimit))
        return group
    }

    /// Rows merged by the grouping, in the order of the first of each.
    private func merged<Row: StatisticsRow>(_ rows: some Sequence<Row>) -> [Row] {
        var merged: [Row] = []
        // Each is a separate row.
        guard grouping != .connection else {
            merged.append(contentsOf: rows)
            for place in merged.indices { merged[place].sort() }
            return merged
        }
        var places: [RowKey: Int] = [:]
        for var row in rows {
            row.key = row.key.grouped(by: grouping)
            if let place = places[row.key] {
                merged[place].merge(row)
            } else {
                places[row.key] = merged.count
                merged.append(row)
            }
        }
        for place in merged.indices { merged[place].sort() }
        return merged
    }
}

/// A row with percentiles, and the number of samples that they are of.
package protocol SampledRow: Sendable {
    var sampleCount: Int { get }
}

extension ExchangeRow: SampledRow {
    package var sampleCount: Int { roundTrips.count }
}

extension ValueRow: SampledRow {
    package var sampleCount: Int { gaps.count }
}

extension ProcedureRow: SampledRow {
    package var sampleCount: Int { durations.count }
}

extension RowKey {
    fileprivate func grouped(by grouping: StatisticsGrouping) -> RowKey {
        var key = self
        switch grouping {
        case .connection, .peer: break
        case .characteristic: key.attribute = key.attribute?.ofAnyHandle
        case .method: key.attribute = nil
        }
        return key
    }
}

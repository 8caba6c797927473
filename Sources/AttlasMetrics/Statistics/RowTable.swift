import AttlasTrace
import AttlasWire

/// The rows of all connections, in the order in which they began.
struct RowTable<Row: Sendable>: Sendable {
    private struct Place: Hashable, Sendable {
        let connection: Int
        let key: RowKey
    }

    var rows: [Row] = []
    /// Of each row, the index of its connection.
    private(set) var owners: [Int] = []
    private var indexes: [Place: Int] = [:]

    /// The index of a row, which is made when there is none; nil when there are as many as are kept.
    mutating func row(_ key: RowKey, of connection: Int, _ make: (RowKey) -> Row) -> Int? {
        let place = Place(connection: connection, key: key)
        if let index = indexes[place] { return index }
        guard rows.count < StatisticsCollector.rowLimit else { return nil }
        indexes[place] = rows.count
        rows.append(make(key))
        owners.append(connection)
        return rows.count - 1
    }
}

/// What stands together in a table.
public enum StatisticsGrouping: String, CaseIterable, Sendable {
    /// A table for each connection.
    case connection
    /// A table for each peer, over all connections with it.
    case peer
    /// One table with a row for each characteristic, over all handles, peers and connections.
    case characteristic
    /// One table with a row for each method.
    case method
}

/// The rows that stand in one table.
public struct StatisticsGroup: Sendable {
    /// Indexes into the collector's connections.
    public fileprivate(set) var connections: [Int] = []
    public fileprivate(set) var exchanges: [ExchangeRow] = []
    public fileprivate(set) var values: [ValueRow] = []
    /// The slowest first; of equal ones, that of the lowest frame.
    public fileprivate(set) var slowest: [SlowExchange] = []
}

extension StatisticsCollector {
    /// The rows of the connections of which something was selected, put together. Gaps, windows and round trips are those of
    /// single connections in any case.
    public func groups(by grouping: StatisticsGrouping) -> [StatisticsGroup] {
        var groups: [StatisticsGroup] = []
        var groupOf = [Int?](repeating: nil, count: connections.count)
        var peers: [BluetoothAddress: Int] = [:]
        for (index, life) in connections.enumerated() where life.isSelected {
            var group = groups.count
            switch grouping {
            case .connection: break
            case .peer:
                if let address = life.peer.address { group = peers[address] ?? group }
                if let address = life.peer.address { peers[address] = group }
            case .characteristic, .method: group = 0
            }
            if group == groups.count { groups.append(StatisticsGroup()) }
            groups[group].connections.append(index)
            groupOf[index] = group
        }

        var places: [[RowKey: Int]] = Array(repeating: [:], count: groups.count)
        for (row, owner) in zip(exchanges.rows, exchanges.owners) where !row.isEmpty {
            guard let group = groupOf[owner] else { continue }
            var row = row
            row.key = row.key.grouped(by: grouping)
            if let place = places[group][row.key] {
                groups[group].exchanges[place].merge(row)
            } else {
                places[group][row.key] = groups[group].exchanges.count
                groups[group].exchanges.append(row)
            }
        }
        places = Array(repeating: [:], count: groups.count)
        for (row, owner) in zip(values.rows, values.owners) {
            guard let group = groupOf[owner] else { continue }
            var row = row
            row.key = row.key.grouped(by: grouping)
            if let place = places[group][row.key] {
                groups[group].values[place].merge(row)
            } else {
                places[group][row.key] = groups[group].values.count
                groups[group].values.append(row)
            }
        }
        for index in groups.indices {
            groups[index].slowest = Array(
                groups[index].connections.flatMap { slowest[$0] }
                    .sorted { ($1.nanoseconds, $0.frame) < ($0.nanoseconds, $1.frame) }.prefix(Self.slowestLimit))
        }
        return groups
    }
}

extension RowKey {
    fileprivate func grouped(by grouping: StatisticsGrouping) -> RowKey {
        var key = self
        switch grouping {
        case .connection, .peer: break
        case .characteristic: key.subject?.handle = nil
        case .method: key.subject = nil
        }
        return key
    }
}

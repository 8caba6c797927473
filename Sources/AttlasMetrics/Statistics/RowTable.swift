import AttlasTrace
import AttlasWire

/// The rows of all connections, in the order in which they began.
struct RowTable<Row: StatisticsRow>: Sendable {
    private struct Place: Hashable, Sendable {
        let connection: Int
        let key: RowKey
    }

    /// Paged, because an array would have room for twice as many when it has grown, and for three times as many meanwhile.
    var rows = PagedArray<Row>()
    /// For each row, the index of its connection.
    private(set) var owners: [Int] = []
    private var indexes: [Place: Int] = [:]
    /// For each connection its last row, and for each row the one before it of the same connection; -1 where there is none.
    private var last: [Int32] = []
    private var previous: [Int32] = []
    /// Rows looked up last, by a few bits of their keys: hashing a key takes ten times as long as comparing it.
    private var recent = [(place: Place, row: Int)?](repeating: nil, count: 512)

    /// The index of a row, which is created if needed; nil at the limit.
    @inline(__always)
    mutating func row(
        _ key: RowKey, of connection: Int, limit: Int, _ make: (RowKey) -> Row
    ) -> Int? {
        let place = Place(connection: connection, key: key)
        let hint = (connection &* 37 &+ key.place) & (recent.count - 1)
        if let known = recent[hint], known.place == place { return known.row }
        return lookUp(place, hint, limit, make)
    }

    @inline(never)
    private mutating func lookUp(_ place: Place, _ hint: Int, _ limit: Int, _ make: (RowKey) -> Row) -> Int? {
        let index = indexes[place] ?? rows.count
        if index == rows.count {
            guard index < limit else { return nil }
            indexes[place] = index
            rows.append(make(place.key))
            owners.append(place.connection)
            while last.count <= place.connection { last.append(-1) }
            previous.append(last[place.connection])
            last[place.connection] = Int32(index)
        }
        recent[hint] = (place, index)
        return index
    }
}

extension RowTable {
    /// Changes each row of a connection.
    mutating func forEachRow(of connection: Int, _ change: (inout Row) -> Void) {
        var row = connection < last.count ? last[connection] : -1
        while row >= 0 {
            change(&rows[Int(row)])
            row = previous[Int(row)]
        }
    }
}

import AttlasCapture
import AttlasTrace
import AttlasWire

/// Together, the figures for which the limits leave no room: those of connections beyond theirs, and of rows beyond theirs.
package struct OtherFigures: Sendable {
    /// Traffic of connections beyond the limit.
    package private(set) var links: [Direction: LinkTraffic] = [:]
    /// A row for each method and direction, of any attribute.
    private(set) var exchangeTable = RowTable<ExchangeRow>()
    private(set) var valueTable = RowTable<ValueRow>()

    package var exchanges: [ExchangeRow] { Array(exchangeTable.rows).filter { !$0.isEmpty } }
    package var values: [ValueRow] { Array(valueTable.rows) }
    /// Those with traffic.
    package var directions: [Direction] { [.tx, .rx, .unknown].filter { links[$0] != nil } }

    mutating func note(l2capOctets: Int, packets: Int, _ direction: Direction) {
        links[direction, default: LinkTraffic()].note(l2capOctets, packets: packets)
    }

    mutating func note(attOctets: Int, _ direction: Direction) {
        links[direction, default: LinkTraffic()].attOctets += attOctets
    }

    /// - Parameter run: Run of the clock and the connection, across which nothing is measured.
    mutating func note(value: Int, _ direction: Direction, at time: Int64, run: Int) {
        _ = links[direction, default: LinkTraffic()].record(value, at: time, run: run)
    }

    /// Changes the row of requests with this opcode.
    mutating func change(
        _ opcode: ATTOpcode, _ direction: Direction, _ time: Timestamp, _ change: (inout ExchangeRow) -> Void
    ) {
        let key = RowKey(opcode: opcode, direction: direction, attribute: nil)
        guard let row = exchangeTable.row(key, of: 0, limit: .max, { ExchangeRow($0, time) }) else { return }
        exchangeTable.rows[row].seen.add(time)
        change(&exchangeTable.rows[row])
    }

    mutating func record(_ octets: Octets, _ key: RowKey, _ moment: Moment, at time: Int64, run: Int) {
        let key = RowKey(opcode: key.opcode, direction: key.direction, attribute: nil)
        guard let row = valueTable.row(key, of: 0, limit: .max, { ValueRow($0, moment) }) else { return }
        _ = valueTable.rows[row].record(octets, moment, at: time, run: run, isTight: true)
    }

    mutating func sort() {
        for row in exchangeTable.rows.indices { exchangeTable.rows[row].sort() }
        for row in valueTable.rows.indices { valueTable.rows[row].sort() }
    }

    mutating func excuseAnswers() {
        for row in exchangeTable.rows.indices { exchangeTable.rows[row].excuseAnswers() }
    }
}

import AttlasCapture
import AttlasText
import AttlasTrace
import AttlasWire

/// Puts values into the row that was begun.
package struct TableRows<Sink: TableSink> {
    package var sink: Sink
    private var piece = TextBuffer()
    /// Number of rows of each table, by its raw value.
    private(set) var counts = [Int](repeating: 0, count: Table.allCases.count)
    private let capture: Int

    init(_ sink: Sink, capture: Int) {
        self.sink = sink
        self.capture = capture
    }

    mutating func begin(_ table: Table) {
        counts[table.rawValue] += 1
        sink.begin(table)
        add(capture)
    }

    /// Frame, time and connection.
    mutating func add(_ event: borrowing Event, in trace: borrowing Trace) {
        add(event.frame)
        add(event.time)
        if let connection = event.connection { add(trace.connections[connection].number) } else { sink.addNull() }
    }

    mutating func add(_ number: Int) { sink.add(Int64(number)) }

    mutating func add(_ number: (some BinaryInteger)?) {
        if let number { sink.add(Int64(clamping: number)) } else { sink.addNull() }
    }

    mutating func add(_ time: Timestamp) { sink.add(time.nanoseconds(since: .epoch)) }

    mutating func add(_ time: Timestamp?) {
        if let time { add(time) } else { sink.addNull() }
    }

    mutating func add(text: StaticString) { addText { $0.append(text) } }

    /// A word that many rows share: it is written once for each number of its column, if the sink keeps it.
    mutating func add(word number: Int, _ write: (inout TextBuffer) -> Void) {
        if sink.add(known: number) { return }
        piece.removeAll()
        write(&piece)
        sink.add(text: piece, as: number)
    }

    mutating func add(_ direction: Direction) {
        add(word: Int(direction.rawValue)) { $0.append(direction.word) }
    }

    /// Text from the air or from a file is shown as elsewhere: no character of it steers a terminal.
    mutating func add(text: String?) {
        if let text { addText { $0.append(display: text) } } else { sink.addNull() }
    }

    /// Address and type.
    mutating func add(_ address: BluetoothAddress?) {
        if let address { addText { $0.append(address) } } else { sink.addNull() }
        add(text: address?.kind.rawValue)
    }

    mutating func addText(_ write: (inout TextBuffer) -> Void) {
        piece.removeAll()
        write(&piece)
        sink.add(text: piece)
    }

    mutating func addNulls(_ count: Int) {
        for _ in 0..<count { sink.addNull() }
    }

    mutating func end() { sink.end() }
}

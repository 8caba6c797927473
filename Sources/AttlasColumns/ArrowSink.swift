import AttlasTables
import AttlasText
import AttlasWire

/// Takes the rows of some tables, and hands on batches of them.
package struct ArrowSink: TableSink {
    /// The rows of each table, by its raw value.
    private var tables = Table.allCases.map { ArrowRows($0) }
    private let wanted: [Bool]
    private let rowLimit: Int
    /// In which the last batches are handed on.
    private let order: [Int]
    private var row = ArrowRow()
    /// The table of the row in progress; nil if it is not wanted.
    private var table: Int?
    private let take: (ArrowBatch) -> Void

    /// - Parameters:
    ///   - rowLimit: rows after which a batch is full.
    ///   - take: gets each batch: when it is full, and the last of each table at the end.
    package init(_ tables: [Table], rowLimit: Int = 65_536, take: @escaping (ArrowBatch) -> Void) {
        order = tables.map(\.rawValue)
        self.rowLimit = rowLimit
        wanted = Table.allCases.map { tables.contains($0) }
        self.take = take
    }

    package func wants(_ table: Table) -> Bool { wanted[table.rawValue] }

    package mutating func begin(_ table: Table) {
        self.table = wants(table) ? table.rawValue : nil
        row.begin()
    }

    package mutating func add(_ number: Int64) { row.add(number) }
    package mutating func add(_ number: Double) { row.add(Int64(bitPattern: number.bitPattern)) }
    package mutating func add(_ isTrue: Bool) { row.add(isTrue ? 1 : 0) }
    package mutating func addNull() { row.addNull() }

    package mutating func add(text: borrowing TextBuffer) {
        guard let table else { return }
        row.add(tables[table].cell(of: text.bytes, in: row.column))
    }

    package mutating func add(octets: Bytes) {
        guard let table else { return }
        row.add(tables[table].cell(of: octets, in: row.column))
    }

    package mutating func add(known number: Int) -> Bool {
        // An unwanted row gets no text.
        guard let table else { return true }
        guard let cell = tables.span[table].cell(ofKnown: number, in: row.column) else { return false }
        row.add(cell)
        return true
    }

    package mutating func add(text: borrowing TextBuffer, as number: Int) {
        guard let table else { return }
        row.add(tables[table].cell(of: text.bytes, as: number, in: row.column))
    }

    package mutating func end() {
        guard let table else { return }
        tables[table].append(row)
        if tables[table].isFull(rowLimit) { handOn(table) }
    }

    package mutating func finish() { handOnAll() }

    /// The rows so far, although batches of them are not full.
    package mutating func handOnAll() {
        for table in order where !tables[table].isEmpty { handOn(table) }
    }

    private mutating func handOn(_ table: Int) {
        take(tables[table].take())
    }
}

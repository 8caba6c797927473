import AttlasTables
import AttlasWire

/// Rows of one table, in columns.
package struct ArrowBatch: Sendable {
    package let table: Table
    package let columns: [ArrowColumn]
    package let rows: Int
}

/// A batch that is being filled. Rows are collected one after another, and become columns together: a value then costs a few
/// instructions.
struct ArrowRows {
    /// Octets of texts and values after which a batch is handed on: offsets in it have 32 bits.
    private static let octetLimit = 16 << 20
    /// Rows that become columns together: eight divides their number, and their data stays in the cache.
    private static let group = 128

    private let table: Table
    private var columns: [ArrowColumn]
    private var rowsInColumns = 0
    /// Octets of texts and values.
    private var octets = 0
    private var waiting = Waiting()

    /// Rows that are not in the columns yet.
    private struct Waiting {
        /// Capacity is the maximum number of rows.
        var cells: [Int64] = []
        /// A bit per column for each row, set if the cell is empty.
        var missing: [UInt64] = []
    }

    var isEmpty: Bool { rowsInColumns == 0 && waiting.missing.isEmpty }

    func isFull(_ rowLimit: Int) -> Bool {
        rowsInColumns + waiting.missing.count >= rowLimit || octets >= Self.octetLimit
    }

    init(_ table: Table) {
        self.table = table
        columns = table.columns.map { ArrowColumn($0.kind) }
    }

    /// The rows so far; the next ones are the first of another batch.
    mutating func take() -> ArrowBatch {
        group()
        let batch = ArrowBatch(table: table, columns: columns, rows: rowsInColumns)
        columns = columns.map { ArrowColumn($0.kind, as: $0) }
        rowsInColumns = 0
        octets = 0
        return batch
    }

    private mutating func group() {
        var rows = waiting
        waiting = Waiting()
        let width = columns.count
        let incomplete = rows.missing.reduce(0, |)
        let absent = rows.missing.reduce(.max, &)
        for column in 0..<width {
            columns[column].append(
                rows.cells.span, column: column, of: width, missing: rows.missing.span, incomplete: incomplete,
                absent: absent)
        }
        rowsInColumns += rows.missing.count
        rows.missing.removeAll(keepingCapacity: true)
        waiting = rows
    }

    // MARK: Rows

    mutating func cell(of text: ArraySlice<UInt8>, in column: Int) -> Int64 {
        octets += text.count
        return columns[column].cell(of: text)
    }

    mutating func cell(of bytes: Bytes, in column: Int) -> Int64 {
        octets += bytes.count
        return columns[column].cell(of: bytes)
    }

    mutating func cell(of text: ArraySlice<UInt8>, as number: Int, in column: Int) -> Int64 {
        columns[column].cell(of: text, as: number)
    }

    @inline(__always)
    func cell(ofKnown number: Int, in column: Int) -> Int64? { columns.span[column].cell(ofKnown: number) }

    mutating func append(_ row: borrowing ArrowRow) {
        let width = columns.count
        if waiting.cells.isEmpty { waiting.cells = [Int64](repeating: 0, count: Self.group * width) }
        let start = waiting.missing.count * width
        let cells = row.cells.span
        var room = waiting.cells.mutableSpan
        for column in 0..<width { room[start &+ column] = cells[column] }
        waiting.missing.append(row.missing)
        if waiting.missing.count == Self.group { group() }
    }
}

/// The row that was begun.
struct ArrowRow {
    /// More than a table has columns.
    private(set) var cells = InlineArray<64, Int64>(repeating: 0)
    /// A bit for each column that has nothing.
    private(set) var missing: UInt64 = 0
    private(set) var column = 0

    @inline(__always)
    mutating func begin() {
        missing = 0
        column = 0
    }

    @inline(__always)
    mutating func add(_ cell: Int64) {
        cells[column] = cell
        column &+= 1
    }

    @inline(__always)
    mutating func addNull() {
        missing |= 1 << UInt64(column)
        add(0)
    }
}

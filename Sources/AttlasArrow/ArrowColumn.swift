import AttlasReport
import AttlasWire

/// The values of one column of a batch.
struct ArrowColumn {
    let kind: TableColumn.Kind
    private(set) var count = 0
    private(set) var nullCount = 0
    /// A bit for each row; set where there is a value.
    private(set) var validity: [UInt8] = []
    /// Integers, times, durations, and the patterns of real numbers.
    private(set) var numbers: [Int64] = []
    /// A bit for each row.
    private(set) var bits: [UInt8] = []
    /// Of texts and octets: where each ends in `octets`.
    private(set) var offsets: [Int32] = [0]
    private(set) var octets: [UInt8] = []
    /// Of words: the position of each in `words`.
    private(set) var indices: [Int32] = []
    private(set) var words = WordList()

    init(_ kind: TableColumn.Kind) {
        self.kind = kind
    }

    mutating func add(_ number: Int64) {
        note(isValue: true)
        numbers.append(number)
    }

    mutating func add(_ isTrue: Bool) {
        Self.append(isTrue, at: count, to: &bits)
        note(isValue: true)
    }

    mutating func add(_ text: ArraySlice<UInt8>) {
        note(isValue: true)
        guard kind != .word else { return indices.append(words.index(of: text)) }
        octets.append(contentsOf: text)
        offsets.append(Int32(truncatingIfNeeded: octets.count))
    }

    mutating func add(_ bytes: Bytes) {
        note(isValue: true)
        bytes.append(to: &octets)
        offsets.append(Int32(truncatingIfNeeded: octets.count))
    }

    mutating func addNull() {
        switch kind {
        case .integer, .time, .duration, .real: numbers.append(0)
        case .boolean: Self.append(false, at: count, to: &bits)
        case .word: indices.append(0)
        case .text, .octets: offsets.append(Int32(truncatingIfNeeded: octets.count))
        }
        note(isValue: false)
    }

    private mutating func note(isValue: Bool) {
        Self.append(isValue, at: count, to: &validity)
        count += 1
        if !isValue { nullCount += 1 }
    }

    private static func append(_ isSet: Bool, at index: Int, to bits: inout [UInt8]) {
        if index & 7 == 0 { bits.append(0) }
        if isSet { bits[index >> 3] |= 1 << UInt8(index & 7) }
    }
}

/// Rows of one table, gathered in columns.
final class ArrowBatch {
    /// Rows, and octets of texts and values, after which a batch is handed on: offsets in it have 32 bits.
    private static let rowLimit = 65_536
    private static let octetLimit = 16 << 20

    let table: Table
    private(set) var columns: [ArrowColumn]
    private(set) var rows = 0
    /// Octets of texts and values.
    private(set) var octets = 0

    var isFull: Bool { rows >= Self.rowLimit || octets >= Self.octetLimit }

    init(_ table: Table) {
        self.table = table
        columns = table.columns.map { ArrowColumn($0.kind) }
    }

    fileprivate func change(_ column: Int, _ body: (inout ArrowColumn) -> Void) {
        guard column < columns.count else { return }
        body(&columns[column])
    }

    fileprivate func note(octets count: Int) { octets += count }

    fileprivate func endRow() { rows += 1 }

    /// The rows so far; the next ones are the first of another batch.
    func take() -> [ArrowColumn] {
        defer {
            columns = table.columns.map { ArrowColumn($0.kind) }
            rows = 0
            octets = 0
        }
        return columns
    }
}

/// Takes the rows of some tables.
struct ArrowSink: TableSink {
    /// Of each table, by its raw value; nil if its rows are not wanted.
    private let batches: [ArrowBatch?]
    /// Of the row that was begun.
    private var batch: ArrowBatch?
    private var column = 0

    init(_ batches: [ArrowBatch]) {
        self.batches = Table.allCases.map { table in batches.first { $0.table == table } }
    }

    var failure: String? { nil }

    func wants(_ table: Table) -> Bool { batches[table.rawValue] != nil }

    mutating func begin(_ table: Table) {
        batch = batches[table.rawValue]
        column = 0
    }

    mutating func add(_ number: Int64) { add { $0.add(number) } }
    mutating func add(_ number: Double) { add { $0.add(Int64(bitPattern: number.bitPattern)) } }
    mutating func add(_ isTrue: Bool) { add { $0.add(isTrue) } }

    mutating func add(text: borrowing TextBuffer) {
        guard let batch else { return }
        batch.note(octets: text.count)
        let octets = text.bytes
        add { $0.add(octets) }
    }

    mutating func add(octets bytes: Bytes) {
        guard let batch else { return }
        batch.note(octets: bytes.count)
        batch.change(column) { $0.add(bytes) }
        column += 1
    }

    mutating func addNull() { add { $0.addNull() } }

    private mutating func add(_ body: (inout ArrowColumn) -> Void) {
        guard let batch else { return }
        batch.change(column, body)
        column += 1
    }

    mutating func end() { batch?.endRow() }
}

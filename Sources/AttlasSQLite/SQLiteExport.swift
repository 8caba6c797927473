import AttlasReport
import AttlasWire

/// A database that a capture is written to. All of the capture is there, or nothing of it, whatever ends the process.
public final class SQLiteExport {
    /// "attl": tells the file from other databases. https://sqlite.org/pragma.html#pragma_application_id
    static let application: Int64 = 0x6174_746C
    /// Of the tables. A database with other tables is refused.
    static let version: Int64 = 1

    let file: String
    let connection: SQLiteConnection
    /// A statement for each table, by its raw value.
    private let inserts: [SQLiteStatement]
    /// The number of the capture that is written next.
    public let capture: Int
    /// The number of the last operation.
    public let operation: Int

    /// Opens the database, and makes the tables if it is empty.
    ///
    /// - Parameter folder: for what SQLite sorts when an index is large.
    public init(_ file: String, temporaryFiles folder: String) throws(SQLiteError) {
        self.file = file
        let connection = try SQLiteConnection(file, temporaryFiles: folder)
        let application = try connection.number("PRAGMA application_id") ?? 0
        let version = try connection.number("PRAGMA user_version") ?? 0
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema") ?? 0
        if tables == 0 {
            try connection.run("BEGIN IMMEDIATE; \(SQLiteSchema.text); COMMIT")
        } else if application != Self.application {
            throw SQLiteError(file: file, reason: "this database was not made by attlas, and nothing is written to it")
        } else if version != Self.version {
            throw SQLiteError(
                file: file,
                reason:
                    "its tables are those of version \(version), and this attlas writes version \(Self.version): name a new file"
            )
        }
        var inserts: [SQLiteStatement] = []
        for table in Table.allCases { inserts.append(try connection.prepare(SQLiteSchema.insert(table))) }
        capture = Int(try connection.number("SELECT coalesce(max(capture), 0) FROM captures") ?? 0) + 1
        operation = Int(try connection.number("SELECT coalesce(max(operation), 0) FROM operations") ?? 0)
        self.connection = connection
        self.inserts = inserts
    }

    /// Begins a capture.
    public func begin() throws(SQLiteError) -> SQLiteSink {
        try connection.run("BEGIN IMMEDIATE")
        return SQLiteSink(inserts)
    }

    /// Keeps what was written of the capture.
    public func commit() throws(SQLiteError) {
        // To sort the rows of the first capture takes a third of the time of finding the place of each.
        try connection.run("\(SQLiteSchema.indexes.joined(separator: ";\n")); COMMIT")
    }

    /// Forgets what was written of the capture.
    ///
    /// - Returns: the error to throw.
    public func rollBack(because reason: String) -> SQLiteError {
        // A full disk has ended the transaction already.
        try? connection.run("ROLLBACK")
        return SQLiteError(file: file, reason: reason)
    }
}

/// Writes rows to the tables. After a failure it takes rows and does nothing.
public struct SQLiteSink: TableSink {
    private let inserts: [SQLiteStatement]
    private var insert: SQLiteStatement?
    private var cells: [SQLiteCell] = []
    private var octets: [UInt8] = []
    public private(set) var failure: String?

    init(_ inserts: [SQLiteStatement]) {
        self.inserts = inserts
    }

    public func wants(_ table: Table) -> Bool { true }

    public mutating func begin(_ table: Table) {
        insert = inserts[table.rawValue]
        cells.removeAll(keepingCapacity: true)
        octets.removeAll(keepingCapacity: true)
    }

    public mutating func add(_ number: Int64) { cells.append(.integer(number)) }
    public mutating func add(_ number: Double) { cells.append(.real(number)) }
    public mutating func add(_ isTrue: Bool) { cells.append(.integer(isTrue ? 1 : 0)) }

    public mutating func add(text: borrowing TextBuffer) {
        let start = octets.count
        octets.append(contentsOf: text.bytes)
        cells.append(.text(start..<octets.count))
    }

    public mutating func add(octets bytes: Bytes) {
        let start = octets.count
        bytes.append(to: &octets)
        cells.append(.octets(start..<octets.count))
    }

    public mutating func addNull() { cells.append(.null) }

    public mutating func end() {
        guard failure == nil, let insert else { return }
        do throws(SQLiteError) { try insert.run(cells, in: octets) } catch { failure = error.reason }
    }
}

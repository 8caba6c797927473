import AttlasColumns
import AttlasTables

/// A database that a capture is written to. It has all of the capture or nothing of it, whatever ends the process.
package final class SQLiteExport {
    /// "attl": distinguishes the file from other databases. https://sqlite.org/pragma.html#pragma_application_id
    static let application: Int64 = 0x6174_746C
    /// Version of the tables. A database with other tables is refused.
    static let version: Int64 = 3

    let file: String
    let connection: SQLiteConnection
    /// For each table, by its raw value: the rows that are to be written, and the statement that wrote the last ones.
    private let rows: [SQLiteRows]
    private var inserts: [Insert?]
    private var failure: SQLiteError?

    private struct Insert {
        /// A bit for each column that it writes.
        let columns: UInt64
        let statement: SQLiteStatement
    }

    /// The number of the capture that is written next.
    package let capture: Int
    /// The number of the last operation.
    package let operation: Int

    /// Opens the database, and makes the tables if it is empty.
    ///
    /// - Parameter folder: for SQLite's temporary files, when an index is large.
    package init(_ file: String, temporaryFiles folder: String) throws(SQLiteError) {
        self.file = file
        let connection = try SQLiteConnection(file, temporaryFiles: folder)
        let application = try connection.number("PRAGMA application_id") ?? 0
        let version = try connection.number("PRAGMA user_version") ?? 0
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema") ?? 0
        if tables == 0 {
            // With pages of 4 096 octets, writing takes 15 % longer.
            try connection.run("PRAGMA page_size = 16384; BEGIN IMMEDIATE; \(SQLiteSchema.text); COMMIT")
        } else if application != Self.application {
            throw SQLiteError(file: file, reason: "this database was not made by attlas, and nothing is written to it")
        } else if version != Self.version {
            throw SQLiteError(
                file: file,
                reason:
                    "its tables are those of version \(version), and this attlas writes version \(Self.version): name a new file"
            )
        }
        let rows = Table.allCases.map { SQLiteRows($0) }
        for (table, rows) in zip(Table.allCases, rows) {
            try connection.add(rows, as: SQLiteSchema.rows(of: table))
        }
        capture = Int(try connection.number("SELECT coalesce(max(capture), 0) FROM captures") ?? 0) + 1
        operation = Int(try connection.number("SELECT coalesce(max(operation), 0) FROM operations") ?? 0)
        self.connection = connection
        self.rows = rows
        inserts = Table.allCases.map { _ in nil }
    }

    /// Begins a capture.
    package func begin() throws(SQLiteError) {
        try connection.run("BEGIN IMMEDIATE")
    }

    /// Writes rows of the capture. After a failure it does nothing; `commit` throws that.
    package func write(_ batch: ArrowBatch) {
        guard failure == nil else { return }
        do throws(SQLiteError) {
            let statement = try insert(batch)
            rows[batch.table.rawValue].withRows(of: batch) {
                do throws(SQLiteError) { try statement.run() } catch { failure = error }
            }
        } catch {
            failure = error
        }
    }

    /// The statement that writes the columns with other values than the default. Often many have none in a batch, and writing their cells one by
    /// one took a tenth of the time.
    private func insert(_ batch: ArrowBatch) throws(SQLiteError) -> SQLiteStatement {
        let table = batch.table
        var columns: UInt64 = 0
        for (index, column) in table.columns.enumerated() {
            if !batch.columns[index].isDefault(column, rows: batch.rows) { columns |= 1 << UInt64(index) }
        }
        if let insert = inserts[table.rawValue], insert.columns == columns { return insert.statement }
        let names = table.columns.enumerated().filter { columns >> UInt64($0.offset) & 1 != 0 }.map(\.element.name)
        let statement = try connection.prepare(SQLiteSchema.insert(names, into: table))
        inserts[table.rawValue] = Insert(columns: columns, statement: statement)
        return statement
    }

    /// Keeps the rows of the capture.
    package func commit() throws(SQLiteError) {
        if let failure { throw rollBack(because: failure.reason) }
        // To sort the rows of the first capture takes a third of the time of finding the place of each.
        try connection.run("\(SQLiteSchema.indexes.joined(separator: ";\n")); COMMIT")
    }

    /// An earlier capture of the database with the same octets and the same place in its file; nil if there is none.
    package func earlierCapture() throws(SQLiteError) -> Int? {
        try connection.number(
            """
            SELECT max(old.capture) FROM captures old JOIN captures new USING (sha256)
            WHERE new.capture = \(capture) AND old.capture < new.capture
            AND CASE WHEN instr(old.file, '!/') THEN substr(old.file, instr(old.file, '!/')) ELSE '' END
            = CASE WHEN instr(new.file, '!/') THEN substr(new.file, instr(new.file, '!/')) ELSE '' END
            """
        ).flatMap { $0 == 0 ? nil : Int($0) }
    }

    /// Drops the rows of the capture; no more are written.
    ///
    /// - Returns: the error to throw.
    package func rollBack(because reason: String) -> SQLiteError {
        // A full disk has ended the transaction already.
        try? connection.run("ROLLBACK")
        let error = SQLiteError(file: file, reason: reason)
        failure = error
        return error
    }
}

extension ArrowColumn {
    /// Whether each row has the column's default: nothing, or false.
    fileprivate func isDefault(_ column: TableColumn, rows: Int) -> Bool {
        if column.isOptional { return nullCount == rows }
        return column.kind == .boolean && bits.allSatisfy { $0 == 0 }
    }
}

import CSQLite
import Glibc

/// A database file that is open, as SQLite's C interface gives it.
@safe final class SQLiteConnection {
    private let file: String
    private var handle: OpaquePointer?
    /// Sources of rows for statements; SQLite has their addresses.
    private var sources: [SQLiteRows] = []

    init(_ file: String, temporaryFiles folder: String) throws(SQLiteError) {
        self.file = file
        unsafe setenv("SQLITE_TMPDIR", folder, 1)
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard unsafe sqlite3_open_v2(file, &handle, flags, nil) == SQLITE_OK else { throw failure() }
        // Another program may be reading it just now.
        unsafe sqlite3_busy_timeout(handle, 5_000)
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    private var folder: String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    func failure() -> SQLiteError {
        guard let handle = unsafe handle else { return SQLiteError(file: file, reason: "no memory for a database") }
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        var number = unsafe sqlite3_system_errno(handle)
        // A new file that cannot be made: SQLite tried to read it after that.
        if number == ENOENT, unsafe access(folder, W_OK) != 0 { number = errno }
        let isOpened = unsafe sqlite3_errcode(handle) != SQLITE_CANTOPEN || number == 0
        return SQLiteError(
            file: file, reason: isOpened ? message : unsafe "\(message): \(String(cString: strerror(number)))")
    }

    func run(_ statement: String) throws(SQLiteError) {
        guard unsafe sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    /// The first column of the first row; nil if there is none.
    func number(_ query: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(query)
        return try statement.next() ? statement.number : nil
    }

    /// The first two columns of all rows: a text and a number.
    func rows(_ query: String) throws(SQLiteError) -> [(text: String, number: Int64)] {
        let statement = try prepare(query)
        var rows: [(String, Int64)] = []
        while try statement.next() { rows.append((statement.text, statement.secondNumber)) }
        return rows
    }

    /// Statements of this connection can read `rows` as a table of this name.
    func add(_ rows: SQLiteRows, as name: String) throws(SQLiteError) {
        sources.append(rows)
        guard unsafe rows.register(name, with: handle) == SQLITE_OK else { throw failure() }
    }

    func prepare(_ text: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        guard
            unsafe sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK
        else { throw failure() }
        return unsafe SQLiteStatement(statement, of: self)
    }
}

/// A statement that is run again and again.
@safe final class SQLiteStatement {
    private let statement: OpaquePointer?
    private let connection: SQLiteConnection

    fileprivate init(_ statement: OpaquePointer?, of connection: SQLiteConnection) {
        unsafe self.statement = statement
        self.connection = connection
    }

    deinit {
        unsafe sqlite3_finalize(statement)
    }

    /// Whether there is a row.
    fileprivate func next() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.failure()
        }
    }

    fileprivate var number: Int64 { unsafe sqlite3_column_int64(statement, 0) }
    fileprivate var secondNumber: Int64 { unsafe sqlite3_column_int64(statement, 1) }
    fileprivate var text: String { unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "" }

    /// Runs a statement that has no rows.
    func run() throws(SQLiteError) {
        let isDone = unsafe sqlite3_step(statement) == SQLITE_DONE
        let failure = isDone ? nil : connection.failure()
        unsafe sqlite3_reset(statement)
        if let failure { throw failure }
    }
}

import AttlasTables

/// The tables as SQLite's statements.
enum SQLiteSchema {
    static var text: String {
        let settings = [
            "PRAGMA application_id = \(SQLiteExport.application)", "PRAGMA user_version = \(SQLiteExport.version)",
        ]
        return (settings + Table.allCases.map(table) + SQLiteView.allCases.map(\.statement))
            .joined(separator: ";\n")
    }

    private static func table(_ table: Table) -> String {
        var lines = table.columns.map { column in
            let key = table.key == [column.name] ? " PRIMARY KEY" : ""
            let ending = column.isOptional ? "" : column.kind == .boolean ? " NOT NULL DEFAULT 0" : " NOT NULL"
            return "    \(column.name) \(type(column.kind))\(ending)\(key)"
        }
        if table.key.count > 1 { lines.append("    PRIMARY KEY (\(table.key.joined(separator: ", ")))") }
        for (columns, other) in table.references {
            let names = columns.joined(separator: ", ")
            // Rows come in the order of the capture: a connection after its traffic.
            lines.append(
                "    FOREIGN KEY (\(names)) REFERENCES \(other.name) (\(other.key.joined(separator: ", "))) DEFERRABLE INITIALLY DEFERRED"
            )
        }
        // A key of several columns is then no second copy of them.
        let ending = table.key.count > 1 ? ", WITHOUT ROWID" : ""
        return "CREATE TABLE \(table.name) (\n\(lines.joined(separator: ",\n"))\n) STRICT\(ending)"
    }

    private static func type(_ kind: TableColumn.Kind) -> String {
        switch kind {
        case .integer, .boolean, .time, .duration: "INTEGER"
        case .real: "REAL"
        case .text, .word: "TEXT"
        case .octets: "BLOB"
        }
    }

    /// For the views and for usual queries; each costs a part of the writing time. The rows of an index have the number of the row, and so
    /// of the operation, at their end.
    static let indexes = [
        """
        CREATE INDEX IF NOT EXISTS operations_of_characteristics ON operations (characteristic_uuid, capture)
            WHERE characteristic_uuid IS NOT NULL
        """,
        "CREATE INDEX IF NOT EXISTS advertisements_of_addresses ON advertisements (address, capture)",
        "CREATE INDEX IF NOT EXISTS findings_of_rules ON findings (rule, capture)",
        "CREATE INDEX IF NOT EXISTS faults_of_operations ON faults (operation) WHERE operation IS NOT NULL",
    ]

    /// The name of `SQLiteRows` in statements.
    static func rows(of table: Table) -> String { "rows_of_\(table.name)" }

    static func insert(_ columns: [String], into table: Table) -> String {
        let columns = columns.joined(separator: ", ")
        return "INSERT INTO \(table.name) (\(columns)) SELECT \(columns) FROM \(rows(of: table))"
    }
}

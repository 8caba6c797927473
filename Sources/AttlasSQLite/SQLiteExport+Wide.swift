import AttlasTables
import AttlasWire

extension SQLiteExport {
    /// Maximum number of columns, of the 2 000 that SQLite allows.
    private static let columnLimit = 1_000

    /// Makes two views with a row for each value of a characteristic, and a column for each field: one of the values without faults, and one
    /// of all, whose name ends in `_all`, with the faults.
    ///
    /// - Parameter columns: the fields of its definition. Further fields of values in the database are added.
    /// - Returns: the name of the first view, or nil if the database has no such value.
    package func widen(_ uuid: BluetoothUUID, name: String, _ columns: [WideColumn]) throws(SQLiteError) -> String? {
        let selected =
            "FROM operations o JOIN fields f USING (operation) WHERE o.characteristic_uuid = '\(uuid)' AND o.descriptor IS NULL"
        let found = try connection.rows(
            """
            SELECT path, max(times) FROM (SELECT f.path AS path, count(*) AS times, min(f.field) AS first \(selected)
            GROUP BY operation, f.path) GROUP BY path ORDER BY min(first), path
            """)
        if found.isEmpty { return nil }
        let repeated = Set(found.filter { $0.number > 1 }.map(\.text))
        let paths = Set(columns.map(\.path))
        var cells = columns.flatMap { column in
            let value = cell(column.path, column.kind.cell, isList: column.isList || repeated.contains(column.path))
            guard column.hasSpecials else { return [value] }
            return [value, cell(column.path, "f.special", isList: column.isList, as: column.path + " special")]
        }
        for (path, times) in found where !paths.contains(path) {
            cells.append(cell(path, "coalesce(f.number, f.text)", isList: times > 1))
        }
        guard cells.count <= Self.columnLimit else {
            throw SQLiteError(
                file: file, reason: "\(name) has \(cells.count) columns, and a view \(Self.columnLimit)")
        }
        let view = "wide_" + String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        let keys = "o.capture, o.operation, o.frame, \(SQLiteView.utc("o.time")) AS utc, o.connection, o.method"
        let fields = cells.joined(separator: ",\n")
        let faults = "(SELECT group_concat(reason, ' · ') FROM faults WHERE faults.operation = o.operation)"
        try connection.run(
            """
            BEGIN IMMEDIATE; DROP VIEW IF EXISTS \(view); DROP VIEW IF EXISTS \(view)_all;
            CREATE VIEW \(view) AS SELECT \(keys),
            \(fields) \(selected) AND NOT f.faulty GROUP BY o.operation;
            CREATE VIEW \(view)_all AS SELECT \(keys), CASE WHEN f.faulty THEN \(faults) END AS faults,
            \(fields) \(selected) GROUP BY o.operation; COMMIT
            """)
        return view
    }

    /// A field of a value; of one that a value has several times, a list.
    private func cell(_ path: String, _ value: String, isList: Bool, as name: String? = nil) -> String {
        let value = "CASE WHEN f.path = \(quoted(path, "'")) THEN \(value) END"
        return (isList ? "group_concat(\(value), ', ')" : "max(\(value))") + " AS \(quoted(name ?? path, "\""))"
    }

    private func quoted(_ text: String, _ mark: Character) -> String {
        "\(mark)\(text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\(mark)\(mark)"))\(mark)"
    }
}

extension WideColumn.Kind {
    /// The cell for a row of `fields`.
    fileprivate var cell: String {
        switch self {
        case .integer, .unsigned, .boolean: "CAST(f.number AS INTEGER)"
        case .real: "f.number"
        case .text: "f.text"
        }
    }
}

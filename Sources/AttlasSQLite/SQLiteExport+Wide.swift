import AttlasWire

extension SQLiteExport {
    /// Of the 2 000 that SQLite has room for.
    private static let columnLimit = 1_000

    /// Makes a view with a row for each value of a characteristic, and a column for each field that values in the database have by now.
    ///
    /// - Returns: the name of the view, or nil if the database has no such value.
    public func widen(_ uuid: BluetoothUUID, name: String) throws(SQLiteError) -> String? {
        let selected =
            "FROM operations o JOIN fields f USING (operation) WHERE o.characteristic_uuid = '\(uuid)' AND o.descriptor IS NULL"
        let paths = try connection.rows(
            """
            SELECT path, max(times) FROM (SELECT f.path AS path, count(*) AS times, min(f.field) AS first \(selected)
            GROUP BY operation, f.path) GROUP BY path ORDER BY min(first), path
            """)
        if paths.isEmpty { return nil }
        guard paths.count <= Self.columnLimit else {
            throw SQLiteError(
                file: file, reason: "\(name) has \(paths.count) fields, and a view \(Self.columnLimit) columns")
        }
        let columns = paths.map { path, times in
            let cell = "CASE WHEN f.path = \(quoted(path, "'")) THEN coalesce(f.number, f.text) END"
            // What a value has several times is a list.
            let value = times == 1 ? "max(\(cell))" : "group_concat(\(cell), ', ')"
            return "\(value) AS \(quoted(path, "\""))"
        }
        let view = "wide_" + String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        try connection.run(
            """
            BEGIN IMMEDIATE; DROP VIEW IF EXISTS \(view);
            CREATE VIEW \(view) AS SELECT o.capture, o.operation, o.frame, \(SQLiteView.utc("o.time")) AS utc, o.connection, o.method,
            \(columns.joined(separator: ",\n")) \(selected) GROUP BY o.operation; COMMIT
            """)
        return view
    }

    private func quoted(_ text: String, _ mark: Character) -> String {
        "\(mark)\(text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\(mark)\(mark)"))\(mark)"
    }
}

import AttlasColumns
import AttlasTables
import CSQLite

/// The rows of a batch as a table that SQLite reads: a virtual table. https://sqlite.org/vtab.html
///
/// One statement writes all rows of a batch. A statement for each row takes half as much time again.
@safe final class SQLiteRows {
    private let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    private let place = UnsafeMutablePointer<Place>.allocate(capacity: 1)
    private let columns: UnsafeMutablePointer<PinnedColumn>

    init(_ table: Table) {
        unsafe columns = .allocate(capacity: table.columns.count)
        unsafe place.initialize(to: Place(table: table, columns: columns))
        unsafe module.initialize(to: sqlite3_module())
        // Without xCreate, the table exists under the module's name, and is not part of the file.
        unsafe module.pointee.xConnect = connect
        unsafe module.pointee.xDisconnect = disconnect
        unsafe module.pointee.xBestIndex = { _, _ in SQLITE_OK }
        unsafe module.pointee.xOpen = open
        unsafe module.pointee.xClose = close
        unsafe module.pointee.xFilter = { cursor, _, _, _, _ in unsafe move(cursor) { _ in 0 } }
        unsafe module.pointee.xNext = { unsafe move($0) { $0 &+ 1 } }
        unsafe module.pointee.xEof = isAtEnd
        unsafe module.pointee.xColumn = readColumn
        unsafe module.pointee.xRowid = readRow
    }

    deinit {
        unsafe columns.deallocate()
        unsafe place.deallocate()
        unsafe module.deallocate()
    }

    /// - Returns: SQLite's status.
    func register(_ name: String, with connection: OpaquePointer?) -> Int32 {
        unsafe sqlite3_create_module_v2(connection, name, module, place, nil)
    }

    /// A statement that is run in `body` reads the rows of `batch`.
    func withRows(of batch: ArrowBatch, _ body: () -> Void) {
        unsafe place.pointee.rows = batch.rows
        pin(batch.columns[...], body)
        unsafe place.pointee.rows = 0
    }

    /// The memory of each column stays where it is until `body` returns.
    private func pin(_ columns: ArraySlice<ArrowColumn>, _ body: () -> Void) {
        guard let column = columns.first else { return body() }
        let isWord = column.kind == .word
        let (offsets, octets) = isWord ? (column.words.offsets, column.words.octets) : (column.offsets, column.octets)
        unsafe column.validity.withUnsafeBufferPointer { validity in
            unsafe column.withUnsafeValues { values in
                unsafe offsets.withUnsafeBufferPointer { offsets in
                    unsafe octets.withUnsafeBytes { octets in
                        unsafe (self.columns + columns.startIndex).initialize(
                            to: PinnedColumn(
                                kind: column.kind, validity: column.nullCount > 0 ? validity.baseAddress : nil,
                                values: values.baseAddress, offsets: offsets.baseAddress, octets: octets.baseAddress))
                        pin(columns.dropFirst(), body)
                    }
                }
            }
        }
    }
}

extension ArrowColumn {
    /// Numbers, bits, or the positions of words.
    fileprivate func withUnsafeValues(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch kind {
        case .integer, .time, .duration, .real: unsafe numbers.withUnsafeBytes(body)
        case .boolean: unsafe bits.withUnsafeBytes(body)
        case .word: unsafe indices.withUnsafeBytes(body)
        case .text, .octets: unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}

/// A place in the rows. One statement reads them at a time.
@safe private struct Place {
    let table: Table
    let columns: UnsafeMutablePointer<PinnedColumn>
    var rows = 0
    var row = 0
}

@safe private struct PinnedColumn {
    let kind: TableColumn.Kind
    /// nil if all rows have a value.
    let validity: UnsafePointer<UInt8>?
    let values: UnsafeRawPointer?
    let offsets: UnsafePointer<Int32>?
    let octets: UnsafeRawPointer?

    /// Gives SQLite the value of a row.
    @inline(__always)
    func give(_ row: Int, to context: OpaquePointer?) {
        if let validity = unsafe validity, unsafe validity[row >> 3] >> UInt8(row & 7) & 1 == 0 { return }
        switch kind {
        case .integer, .time, .duration: unsafe sqlite3_result_int64(context, value(row))
        case .real: unsafe sqlite3_result_double(context, value(row))
        case .boolean:
            let bits: UInt8 = value(row >> 3)
            unsafe sqlite3_result_int(context, Int32(bits >> UInt8(row & 7) & 1))
        case .word:
            let word: Int32 = value(row)
            unsafe giveText(Int(word), to: context)
        case .text: unsafe giveText(row, to: context)
        case .octets:
            guard let (start, count) = unsafe range(row), count > 0 else {
                // A null pointer would give NULL.
                return unsafe sqlite3_result_zeroblob(context, 0)
            }
            unsafe sqlite3_result_blob64(context, start, count, nil)
        }
    }

    @inline(__always)
    private func value<Value: BitwiseCopyable>(_ index: Int) -> Value {
        unsafe values!.assumingMemoryBound(to: Value.self)[index]
    }

    private func giveText(_ index: Int, to context: OpaquePointer?) {
        guard let (start, count) = unsafe range(index), count > 0 else {
            return unsafe sqlite3_result_text(context, "", 0, nil)
        }
        unsafe sqlite3_result_text64(
            context, start.assumingMemoryBound(to: CChar.self), count, nil, UInt8(SQLITE_UTF8))
    }

    private func range(_ index: Int) -> (UnsafeRawPointer, UInt64)? {
        guard let offsets = unsafe offsets, let octets = unsafe octets else { return nil }
        let start = unsafe offsets[index]
        return unsafe (octets + Int(start), UInt64(offsets[index + 1] &- start))
    }
}

// MARK: What SQLite calls

private func connect(
    _ connection: OpaquePointer?, _ source: UnsafeMutableRawPointer?, _ count: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    guard let place = unsafe source?.assumingMemoryBound(to: Place.self), let table = unsafe table else {
        return SQLITE_MISUSE
    }
    let columns = unsafe place.pointee.table.columns.map(\.name).joined(separator: ", ")
    let status = unsafe sqlite3_declare_vtab(connection, "CREATE TABLE rows (\(columns))")
    guard status == SQLITE_OK else { return status }
    let ours = UnsafeMutablePointer<attlas_virtual_table>.allocate(capacity: 1)
    unsafe ours.initialize(to: attlas_virtual_table(base: sqlite3_vtab(), source: source))
    unsafe table.pointee = UnsafeMutableRawPointer(ours).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
}

private func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    unsafe table?.deallocate()
    return SQLITE_OK
}

private func open(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?,
    _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
) -> Int32 {
    let ours = UnsafeMutablePointer<sqlite3_vtab_cursor>.allocate(capacity: 1)
    unsafe ours.initialize(to: sqlite3_vtab_cursor())
    unsafe cursor?.pointee = ours
    return SQLITE_OK
}

private func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    unsafe cursor?.deallocate()
    return SQLITE_OK
}

@inline(__always)
private func place(of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Place>? {
    let table = unsafe UnsafeMutableRawPointer(cursor?.pointee.pVtab)
    return unsafe table?.assumingMemoryBound(to: attlas_virtual_table.self).pointee.source?
        .assumingMemoryBound(to: Place.self)
}

@inline(__always)
private func move(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ next: (Int) -> Int) -> Int32 {
    guard let place = unsafe place(of: cursor) else { return SQLITE_MISUSE }
    unsafe place.pointee.row = next(place.pointee.row)
    return SQLITE_OK
}

private func isAtEnd(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let place = unsafe place(of: cursor) else { return 1 }
    return unsafe place.pointee.row < place.pointee.rows ? 0 : 1
}

private func readColumn(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ context: OpaquePointer?, _ column: Int32
) -> Int32 {
    guard let place = unsafe place(of: cursor) else { return SQLITE_MISUSE }
    unsafe place.pointee.columns[Int(column)].give(place.pointee.row, to: context)
    return SQLITE_OK
}

private func readRow(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ row: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
    guard let place = unsafe place(of: cursor) else { return SQLITE_MISUSE }
    unsafe row?.pointee = sqlite3_int64(place.pointee.row)
    return SQLITE_OK
}

import AttlasColumns
import AttlasInput
import AttlasTables
import CArrow

private func reader(_ tables: UnsafeMutableRawPointer) -> TableReader {
    unsafe Unmanaged<TableReader>.fromOpaque(tables).takeUnretainedValue()
}

/// attlas.h describes it.
@_cdecl("attlas_open_tables")
public func openTables(
    _ path: UnsafePointer<CChar>, _ tables: UnsafePointer<UnsafePointer<CChar>?>?,
    _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> UnsafeMutableRawPointer? {
    PythonSignals.begin()
    do {
        let tables = try unsafe Table.named(texts(tables))
        let request = try unsafe CaptureRequest(path: String(cString: path), options: texts(options))
        let reader = try TableReader(request, tables: tables)
        return unsafe Unmanaged.passRetained(reader).toOpaque()
    } catch let reason {
        unsafe error.pointee = copy(Array(message(reason).utf8))
        return nil
    }
}

/// attlas.h describes it.
@_cdecl("attlas_schema")
public func schema(_ tables: UnsafeMutableRawPointer, _ index: Int, _ schema: UnsafeMutableRawPointer) {
    let schema = unsafe schema.bindMemory(to: ArrowSchema.self, capacity: 1)
    let tables = unsafe reader(tables).tables
    unsafe schema.initialize(to: tables.indices.contains(index) ? ArrowSchema(tables[index]) : ArrowSchema())
}

/// attlas.h describes it.
@_cdecl("attlas_next_batch")
public func nextBatch(_ tables: UnsafeMutableRawPointer, _ batch: UnsafeMutableRawPointer) -> Int {
    PythonSignals.begin()
    guard let (table, rows) = unsafe reader(tables).next() else { return -1 }
    let batch = unsafe batch.bindMemory(to: ArrowArray.self, capacity: 1)
    unsafe batch.initialize(to: ArrowArray(rows))
    return table
}

/// attlas.h describes it.
@_cdecl("attlas_tables_error")
public func tablesError(_ tables: UnsafeMutableRawPointer) -> UnsafeMutablePointer<CChar>? {
    unsafe reader(tables).mistake.flatMap { unsafe copy(Array($0.message.utf8)) }
}

/// attlas.h describes it.
@_cdecl("attlas_close_tables")
public func closeTables(_ tables: UnsafeMutableRawPointer?) {
    guard let tables = unsafe tables else { return }
    unsafe Unmanaged<TableReader>.fromOpaque(tables).release()
}

/// attlas.h describes it.
@_cdecl("attlas_table_schema")
public func tableSchema(_ table: UnsafePointer<CChar>, _ schema: UnsafeMutableRawPointer) {
    let schema = unsafe schema.bindMemory(to: ArrowSchema.self, capacity: 1)
    let table = try? unsafe Table(named: String(cString: table))
    unsafe schema.initialize(to: table.map { unsafe ArrowSchema($0) } ?? ArrowSchema())
}

/// attlas.h describes it.
@_cdecl("attlas_follow")
public func follow(
    _ descriptor: CInt, _ name: UnsafePointer<CChar>, _ tables: UnsafePointer<UnsafePointer<CChar>?>?,
    _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ milliseconds: CInt,
    _ take: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> CInt,
    _ context: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
    do {
        let name = unsafe String(cString: name)
        let live = try unsafe LiveTables(
            tables: Table.named(texts(tables)), request: CaptureRequest(path: name, options: texts(options)),
            pace: Int64(max(0, milliseconds)) * 1_000_000
        ) { index, batch in
            guard let batch else { return unsafe take(context, index, nil) != 0 }
            var array = unsafe ArrowArray(batch)
            return unsafe take(context, index, &array) != 0
        }
        try live.follow(LiveOctets(descriptor: descriptor, path: name))
        return nil
    } catch let reason {
        return unsafe copy(Array(message(reason).utf8))
    }
}

import AttlasReport
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
    guard let (table, rows) = unsafe reader(tables).next() else { return -1 }
    let batch = unsafe batch.bindMemory(to: ArrowArray.self, capacity: 1)
    unsafe batch.initialize(to: ArrowArray(rows))
    return table
}

/// attlas.h describes it.
@_cdecl("attlas_close_tables")
public func closeTables(_ tables: UnsafeMutableRawPointer?) {
    guard let tables = unsafe tables else { return }
    unsafe Unmanaged<TableReader>.fromOpaque(tables).release()
}

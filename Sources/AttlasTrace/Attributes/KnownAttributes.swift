import AttlasWire

/// Attributes found for handles of one table, so that a handle with much traffic is looked up once.
///
/// An array with a place for each handle's lowest bits, twice as large as the table: servers number their attributes in a row, so that few
/// handles share a place. The last one looked up has it.
struct KnownAttributes: Sendable {
    private struct Entry {
        /// The handle, and above it the version of the table.
        var key = -1
        /// Counted from 1, because the source of an attribute depends on the connection.
        var connection = 0
        var info: AttributeInfo?
    }

    private static let largest = 1_024

    private var entries: [Entry] = []
    /// Which of all versions of the table it is, above 16 bits for a handle: notes of an earlier one are invalid.
    private var version = 0

    /// The table was found to have nothing, so that every handle is unknown.
    private(set) var isEmptyTable = false

    mutating func removeAll() {
        version += 0x1_0000
        isEmptyTable = false
    }

    mutating func noteNothing() { isEmptyTable = true }

    /// The noted attribute of a handle: nil when nothing was noted, nil inside when it is unknown.
    @inline(__always)
    func find(_ handle: AttributeHandle, connection: Int) -> AttributeInfo?? {
        if isEmptyTable { return .some(nil) }
        guard !entries.isEmpty else { return nil }
        let place = Int(handle) & (entries.count &- 1)
        guard entries[place].key == version | Int(handle), entries[place].connection == connection else { return nil }
        return .some(entries[place].info)
    }

    /// - Parameter count: Entries of the table.
    mutating func note(_ info: AttributeInfo?, _ handle: AttributeHandle, connection: Int, of count: Int) {
        if entries.count < min(2 * count, Self.largest) {
            var size = 4
            while size < min(2 * count, Self.largest) { size *= 2 }
            entries = [Entry](repeating: Entry(), count: size)
        }
        entries[Int(handle) & (entries.count - 1)] = Entry(
            key: version | Int(handle), connection: connection, info: info)
    }
}

extension AttributeTable {
    /// The attribute at `handle`, for which nothing was noted; remembers it.
    mutating func lookUp(_ handle: AttributeHandle, connection: Int, types: DeclarationTypes) -> AttributeInfo? {
        guard heldCount > 0 else {
            known.noteNothing()
            return nil
        }
        let info = info(handle, connection: connection, types: types)
        known.note(info, handle, connection: connection, of: count)
        return info
    }
}

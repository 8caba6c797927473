import AttlasWire

/// What handles of one attribute table were found to be, so that a handle with much traffic is looked up once.
///
/// An array with a place for each handle's lowest bits, twice as large as the table: servers number their attributes in a
/// row, so that few handles share a place. The one asked for last has it.
struct KnownAttributes: Sendable {
    private struct Entry {
        var handle: AttributeHandle = 0
        /// Counted from 1: how a handle is known depends on who asks.
        var connection = 0
        /// Which of all versions of the table it is of.
        var version = 0
        var info: AttributeInfo?
    }

    private static let largest = 1_024

    private var entries: [Entry] = []
    /// Counts the changes of the table: what was noted before the last one does not hold.
    private var version = 0

    mutating func removeAll() { version += 1 }

    /// What was noted of a handle: nil when nothing was, nil inside when it is unknown.
    @inline(__always)
    func find(_ handle: AttributeHandle, connection: Int) -> AttributeInfo?? {
        guard !entries.isEmpty else { return nil }
        let place = Int(handle) & (entries.count &- 1)
        guard entries[place].handle == handle, entries[place].connection == connection,
            entries[place].version == version
        else { return nil }
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
            handle: handle, connection: connection, version: version, info: info)
    }
}

extension AttributeTable {
    /// What `handle` is, of which nothing was noted; remembers it.
    mutating func lookUp(_ handle: AttributeHandle, connection: Int, types: DeclarationTypes) -> AttributeInfo? {
        guard count > 0 else { return nil }
        let info = info(handle, connection: connection, types: types)
        known.note(info, handle, connection: connection, of: count)
        return info
    }
}

import AttlasText
import AttlasTrace
import AttlasWire

/// The use of a table that was given with the capture.
extension ConversationJSON {
    mutating func write(_ change: ImportedTableChange, in trace: borrowing Trace) {
        json.key("event")
        switch change {
        case .used(let attributes, let isPresumed):
            json.literal("used")
            json.member("entries", attributes)
            json.member("presumed", isPresumed)
        case .outdated(let imported, let seen):
            json.literal("outdated")
            json.member("imported_hash", databaseHash: imported)
            json.member("seen_hash", databaseHash: seen)
        case .conflict(let handle, let imported, let seen):
            json.literal("conflict")
            json.member("handle", handle)
            write("imported", imported, in: trace)
            write("seen", seen, in: trace)
        }
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex, in trace: borrowing Trace) {
        json.write(key, trace.uuids[index], name: values.anyKnownName(index, in: trace))
    }
}

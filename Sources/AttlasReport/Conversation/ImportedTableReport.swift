import AttlasTrace
import AttlasWire

/// What became of a table that was given with the capture.
extension ConversationText {
    mutating func write(
        _ change: ImportedTableChange, _ server: ServerSide, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        if case .used = change {
            begin(event, in: trace, arrow: "⇄", .good)
        } else {
            begin(event, in: trace, arrow: "✗", .bad)
        }
        line.advance(to: columns.method)
        piece.removeAll()
        if server == .local {
            let isHeard = event.connection.map { trace.connections[$0].isHeard } ?? false
            piece.append(isHeard ? "the central: " : "this host: ")
        }
        switch change {
        case .used(let attributes, let isPresumed):
            piece.append("imported table of ")
            piece.append(decimal: attributes)
            piece.append(attributes == 1 ? " entry" : " entries")
            if isPresumed { piece.append(": taken to be this peer's, whose address the capture does not tell") }
        case .outdated(let imported, let seen):
            piece.append("frame ")
            piece.append(decimal: event.frame)
            piece.append(": the imported table no longer holds and is dropped: Database Hash ")
            piece.append(databaseHash: seen)
            piece.append(", imported ")
            piece.append(databaseHash: imported)
        case .conflict(let handle, let imported, let seen):
            piece.append("frame ")
            piece.append(decimal: event.frame)
            piece.append(": the imported table does not hold and is dropped: handle 0x")
            piece.append(hex: handle, digits: 4, uppercase: true)
            piece.append(" is ")
            piece.append(display: values.anyName(seen, in: trace))
            piece.append(", imported as ")
            piece.append(display: values.anyName(imported, in: trace))
        }
        if case .used = change { line.put(piece) } else { line.put(piece, .bad) }
        line.endLine()
    }
}

extension ConversationJSON {
    mutating func write(_ change: ImportedTableChange, in trace: borrowing Trace) {
        json.key("event")
        switch change {
        case .used(let attributes, let isPresumed):
            json.literal("used")
            write("entries", attributes)
            json.key("presumed")
            json.boolean(isPresumed)
        case .outdated(let imported, let seen):
            json.literal("outdated")
            json.key("imported_hash")
            json.hex(databaseHash: imported)
            json.key("seen_hash")
            json.hex(databaseHash: seen)
        case .conflict(let handle, let imported, let seen):
            json.literal("conflict")
            write("handle", handle)
            write("imported", imported, in: trace)
            write("seen", seen, in: trace)
        }
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex, in trace: borrowing Trace) {
        json.write(key, trace.uuids[index], name: values.anyKnownName(index, in: trace))
    }
}

extension JSONWriter {
    /// The octets as the server sends them.
    mutating func hex(databaseHash: UInt128) {
        value { text in
            text.append("\"")
            text.append(databaseHash: databaseHash)
            text.append("\"")
        }
    }
}

extension TextBuffer {
    /// The octets as the server sends them.
    mutating func append(databaseHash: UInt128) {
        for shift in stride(from: 0, to: 128, by: 8) {
            append(hex: UInt8(truncatingIfNeeded: databaseHash >> UInt128(shift)), digits: 2)
        }
    }
}

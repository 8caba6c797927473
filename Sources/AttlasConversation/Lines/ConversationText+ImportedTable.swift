import AttlasText
import AttlasTrace
import AttlasWire

/// The use of a table that was given with the capture.
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
            piece.append("imported table of \(attributes)")
            piece.append(attributes == 1 ? " entry" : " entries")
            if isPresumed { piece.append(": taken to be this peer's, whose address is not in the capture") }
        case .outdated(let imported, let seen):
            piece.append("frame \(event.frame): the imported table no longer holds and is dropped: Database Hash ")
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

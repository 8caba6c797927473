import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Objects of the Object Transfer Service, as SDUs of their channel bring them.
extension ConversationText {
    /// Characters of an object that is text.
    private static let longestText = 96

    /// `⇒ Object Read   "notes.txt"   512 of 2048 octets`, and at the end the transferred octets.
    mutating func write(_ transfer: ObjectTransfer, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace)
        line.advance(to: columns.method)
        line.put(transfer.operation == .read ? "⇒ Object Read" : "⇒ Object Write", .name)
        line.advance(to: columns.attribute)
        piece.removeAll()
        piece.append(transfer.object)
        line.put(piece, .name, limit: columns.attributeWidth)
        line.advance(to: columns.value)
        piece.removeAll()
        append(transfer)
        line.put(piece)
        line.endLine()
    }

    private mutating func append(_ transfer: ObjectTransfer) {
        piece.append(decimal: min(transfer.transferred, Int(transfer.length)))
        piece.append(" of \(transfer.length) octets")
        if transfer.offset > 0 {
            piece.append(" from \(transfer.offset)")
        }
        guard transfer.isComplete else { return }
        piece.append(" · complete")
        if transfer.excess > 0 {
            piece.append(" · ✗ \(transfer.excess) octets more than asked for")
        }
        if let type = transfer.object.type {
            piece.append(" · \(display: values.library.assignedNumbers.name(of: type) ?? type.abbreviated)")
        }
        if transfer.isCut { piece.append(" · cut by the capture") }
        if transfer.requestedOctets.isEmpty { return }
        piece.append(" · ")
        if let text = transfer.text {
            piece.append("\"\(display: String(text.prefix(Self.longestText)))")
            piece.append(text.utf8.count > Self.longestText ? "…\"" : "\"")
        } else {
            piece.append(octets: Bytes(transfer.requestedOctets.span), limit: 32)
        }
    }
}

extension TextBuffer {
    /// `"notes.txt" (ID 256)`
    fileprivate mutating func append(_ object: ObjectTransfer.Object) {
        if let name = object.name {
            append("\"\(display: name)\"")
        } else if object.id == 0 {
            append("Directory Listing Object")
        } else {
            append("object")
        }
        guard let id = object.id, id > 0 else { return }
        append(" (ID ")
        append(decimal: id)
        append(")")
    }
}

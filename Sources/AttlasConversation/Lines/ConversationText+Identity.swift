import AttlasText
import AttlasTrace
import AttlasWire

/// A peer that turned out to be a device with another address.
extension ConversationText {
    mutating func write(_ identification: PeerIdentification, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace, arrow: "⇄", .good)
        line.advance(to: event.connection == nil ? Column.peer : columns.method)
        piece.removeAll()
        if let address = identification.privateAddress {
            piece.append(address)
            piece.append(" is an address of ")
        } else {
            piece.append("the peer is ")
        }
        if let identity = trace.peerAddress(identification.peer) {
            piece.append(identity)
            piece.append(" ")
            piece.append(string: identity.kind.rawValue)
        }
        if identification.peer != identification.previous { piece.append(" · met before") }
        line.put(piece)
        line.endLine()
    }
}

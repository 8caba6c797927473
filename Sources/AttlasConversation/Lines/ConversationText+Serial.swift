import AttlasText
import AttlasTrace

/// Data of a device on a separate channel.
extension ConversationText {
    private static let mostOctets = 32

    /// `Data   Serial Port (RFCOMM channel 10)   12 octets  41 54 2B`
    mutating func write(_ data: borrowing SerialData, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace)
        line.advance(to: columns.method)
        line.put("Data", .name)
        line.advance(to: columns.attribute)
        guard let connection = event.connection else { return line.endLine() }
        piece.removeAll()
        piece.append(display: data.channel.title(values.name(of: data.channel, connection, in: trace)))
        line.put(piece, .name)
        line.advance(to: columns.value)
        piece.removeAll()
        if let reading = values.read(data, event.direction, connection, in: trace) {
            piece.append(reading, values.dissection)
        } else {
            piece.append("\(data.octets.count, "octet")  ")
            piece.append(octets: data.octets, limit: Self.mostOctets)
        }
        if !data.isWhole { piece.append(" · cut by the capture") }
        line.put(piece)
        line.endLine()
    }
}

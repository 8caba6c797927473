import AttlasText
import AttlasTrace

/// What a device sends on a separate channel.
extension ConversationText {
    private static let mostOctets = 32

    /// `Data   RFCOMM channel 10   12 octets   41 54 2B`
    mutating func write(_ data: borrowing SerialData, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace)
        line.advance(to: columns.method)
        line.put("Data", .name)
        line.advance(to: columns.attribute)
        switch data.channel {
        case .rfcomm(let channel): line.put(TextBuffer("RFCOMM channel \(channel)"), .name)
        case .psm(let psm): line.put(TextBuffer("PSM \(hex: psm)"), .name)
        }
        line.advance(to: columns.value)
        piece.removeAll()
        piece.append("\(data.octets.count, "octet")  ")
        piece.append(octets: data.octets, limit: Self.mostOctets)
        if !data.isWhole { piece.append(" · cut by the capture") }
        line.put(piece)
        line.endLine()
    }
}

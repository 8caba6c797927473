import AttlasText
import AttlasTrace
import AttlasValues

/// Mesh PDUs of an advertisement, when a NetKey was given.
extension ConversationText {
    mutating func writeMesh(_ report: AdvertisingReport, _ event: borrowing Event, in trace: borrowing Trace) {
        for reading in values.meshReadings(of: event) {
            begin(event, in: trace)
            line.advance(to: Column.peer)
            piece.removeAll()
            if let address = report.address { piece.append(address) }
            line.put(piece, .plain, limit: columns.method - Column.peer - 1)
            line.advance(to: columns.method)
            line.put(reading.name, .name)
            line.advance(to: columns.attribute)
            piece.removeAll()
            piece.append(reading)
            line.put(piece)
            line.endLine()
        }
    }
}

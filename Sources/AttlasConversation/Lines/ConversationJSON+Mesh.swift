import AttlasText
import AttlasTrace
import AttlasValues

/// The type `mesh`: mesh PDUs of an advertisement, when a NetKey was given.
extension ConversationJSON {
    /// A line for each of them.
    mutating func writeMesh(_ report: AdvertisingReport, _ event: borrowing Event, in trace: borrowing Trace) {
        for reading in values.meshReadings(of: event) {
            begin("mesh", event, in: trace)
            if let address = report.address { json.write(address) }
            json.member("rssi_dbm", report.rssi)
            json.write(reading)
            json.endObject()
            json.endLine()
        }
    }
}

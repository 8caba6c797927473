import AttlasFilter
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasConversation

/// A row for each operation.
@Suite struct ConversationCSVTests {
    @Test func everyOperationHasARowAndEveryRowItsColumns() throws {
        let table = try table("heart-rate.btsnoop")
        expect(
            table[0],
            equals: [
                "frame", "time", "connection", "direction", "peer", "method", "service", "characteristic", "descriptor",
                "handle", "value", "decoded", "rtt_us", "error",
            ])
        expect(table.count, equals: 98)
        for row in table { expect(row.count, equals: 14) }
    }

    @Test func rowsOfTheHeartRate() throws {
        let table = try table("heart-rate.btsnoop")
        let notification = try #require(table.first { $0[0] == "172" })
        expect(
            notification,
            equals: [
                "172", "2026-11-21T09:55:29.043367Z", "1", "rx", "HRM-7", "Handle Value Notification", "Heart Rate",
                "Heart Rate Measurement", "", "0x0010", "0x0470", "112 bpm · no contact", "", "",
            ])
        let refusal = try #require(table.first { $0[0] == "136" })
        expect(
            refusal,
            equals: [
                "136", "2026-11-21T09:55:22.561549Z", "1", "rx", "HRM-7", "Error Response", "Device Information",
                "System ID", "", "0x0024", "", "", "59551", "Insufficient Authentication (0x05)",
            ])
        let configuration = try #require(table.first { $0[0] == "137" })
        expect(
            configuration[8...],
            equals: ["Client Characteristic Configuration", "0x0011", "0x0100", "notifications", "", ""])
        let services = try #require(table.first { $0[0] == "48" })
        #expect(services[11].hasPrefix("0x0001–0x0005 Generic Access, 0x0006–0x000D Generic Attribute, "))
    }

    @Test func aValueWithoutOctetsIsNotNone() throws {
        // An empty Read Blob Response.
        let row = try #require(try table("long-read.btsnoop").first { $0[0] == "144" })
        expect(row[10], equals: "0x")
    }

    /// Captures/long-read.md: reads of 22 octets with an MTU of 23, of a vendor's characteristic and of a string.
    @Test func aValueThatMayGoOnSaysSo() throws {
        let table = try table("long-read.btsnoop")
        expect(table.first { $0[0] == "110" }?[11], equals: "more may follow")
        expect(table.first { $0[0] == "138" }?[11], equals: "\"T3 application 4.11.0-\" · more may follow")
    }

    @Test func aFileOfManyHasItsColumn() throws {
        var selection = Selection()
        selection.frames = 172...172
        let csv = try printedLines(ofCapture: "heart-rate.btsnoop", selection) {
            ConversationCSV(values: $0, file: "a, b", hasHeader: true)
        }
        let lines = csv.split(separator: "\n")
        #expect(lines.first?.hasPrefix("file,frame,time,") == true)
        #expect(lines.last?.hasPrefix("\"a, b\",172,") == true)
        let next = ConversationCSV(values: ValueInterpreter(library: .withExamples), file: "c", hasHeader: false)
        #expect(next.lines.string.isEmpty)
    }

    /// Battery Level at handle 3, and Body Sensor Location at handle 5: each has its row.
    @Test func aRowForEachOfSeveralValues() {
        let table = printedLines(of: [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0F18"),
            .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 12 0300 192A 0400 12 0500 382A"),
            .att(.tx, "20 0300 0500"), .att(.rx, "21 0100 5A 0100 01"),
        ]) { ConversationCSV(values: $0, file: nil, hasHeader: false) }
        let last = cells(table).suffix(2)
        expect(last.map { $0[5] }, equals: Array(repeating: "Read Multiple Variable Response", count: 2))
        expect(last.map { $0[7] }, equals: ["Battery Level", "Body Sensor Location"])
        expect(last.map { $0[9] }, equals: ["0x0003", "0x0005"])
        expect(last.map { $0[10] }, equals: ["0x5a", "0x01"])
        expect(last.map { $0[11] }, equals: ["90 %", "Chest"])
        // What the operation has once counts once. A second a PDU, and none between the request and its response.
        expect(last.map { $0[12] }, equals: ["1000000", ""])
    }

    private func table(_ capture: String) throws -> [[String]] {
        let csv = try printedLines(ofCapture: capture) {
            ConversationCSV(values: $0, file: nil, hasHeader: true)
        }
        return cells(csv)
    }
}

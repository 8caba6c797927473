import AttlasDefinitions
import AttlasFilter
import AttlasValues
import AttlasWire
import Foundation
import Testing

@testable import AttlasReport

@Suite struct CSVTests {
    // MARK: Cells

    @Test(
        arguments: [
            ("HRM-7", "HRM-7"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("", ""),
            ("two\nlines\r", "two\\nlines\\r"), ("a\u{1B}[2J", "a\\u{1B}[2J"), ("Grün, größer", "\"Grün, größer\""),
        ])
    func textIsQuotedAsRFC4180Says(text: String, cell: String) {
        var csv = CSVWriter()
        csv.string(text)
        #expect(csv.text.string == cell)
    }

    @Test(
        arguments: [
            "=HYPERLINK(\"http://example.com\")", "+1", "-1+2", "@SUM(1)", "-", "\u{FF1D}1+1", "\u{FF0B}1", "\u{FF0D}1",
            "\u{FF20}A1",
        ])
    func aNameIsNoFormula(text: String) {
        var csv = CSVWriter()
        csv.string(text)
        #expect(csv.text.string.hasPrefix("\"'"))
        #expect(csv.text.string.hasSuffix("\""))
    }

    @Test(arguments: ["\t=1+1", "\r=1+1", "\n=1+1"]) func aControlCharacterBeginsNoFormula(text: String) {
        var csv = CSVWriter()
        csv.string(text)
        #expect(csv.text.string.hasPrefix("\\"))
    }

    @Test func ourOwnNumbersKeepTheirSign() {
        var csv = CSVWriter()
        csv.write { $0.append("-40.5") }
        csv.write { $0.append("-5 °C") }
        csv.write { $0.append("+INFINITY") }
        csv.number(-3)
        csv.empty()
        #expect(csv.text.string == "-40.5,-5 °C,\"'+INFINITY\",-3,")
    }

    // MARK: A row for each operation

    @Test func everyOperationHasARowAndEveryRowItsColumns() throws {
        let table = try table("heart-rate.btsnoop")
        #expect(
            table[0] == [
                "frame", "time", "connection", "direction", "peer", "method", "service", "characteristic", "descriptor",
                "handle", "value", "decoded", "rtt_us", "error",
            ])
        #expect(table.count == 98)
        for row in table { #expect(row.count == 14) }
    }

    @Test func rowsOfTheHeartRate() throws {
        let table = try table("heart-rate.btsnoop")
        let notification = try #require(table.first { $0[0] == "172" })
        #expect(
            notification == [
                "172", "2026-11-21T09:55:29.043367Z", "1", "rx", "HRM-7", "Handle Value Notification", "Heart Rate",
                "Heart Rate Measurement", "", "0x0010", "0x0470", "112 bpm · no contact", "", "",
            ])
        let refusal = try #require(table.first { $0[0] == "136" })
        #expect(
            refusal == [
                "136", "2026-11-21T09:55:22.561549Z", "1", "rx", "HRM-7", "Error Response", "Device Information",
                "System ID", "", "0x0024", "", "", "59551", "Insufficient Authentication (0x05)",
            ])
        let configuration = try #require(table.first { $0[0] == "137" })
        #expect(
            configuration[8...] == ["Client Characteristic Configuration", "0x0011", "0x0100", "notifications", "", ""])
        let services = try #require(table.first { $0[0] == "48" })
        #expect(services[11].hasPrefix("0x0001–0x0005 Generic Access, 0x0006–0x000D Generic Attribute, "))
    }

    @Test func aValueWithoutOctetsIsNotNone() throws {
        // An empty Read Blob Response.
        let row = try #require(try table("long-read.btsnoop").first { $0[0] == "144" })
        #expect(row[10] == "0x")
    }

    @Test func aFileOfManyHasItsColumn() throws {
        var selection = Selection()
        selection.frames = 172...172
        let csv = try Selecting.show(selection, "heart-rate.btsnoop") {
            ConversationCSV(values: $0, file: "a, b", hasHeader: true)
        }
        let lines = csv.lines.string.split(separator: "\n")
        #expect(lines.first?.hasPrefix("file,frame,time,") == true)
        #expect(lines.last?.hasPrefix("\"a, b\",172,") == true)
        let next = ConversationCSV(values: ValueInterpreter(library: .withExamples), file: "c", hasHeader: false)
        #expect(next.lines.string.isEmpty)
    }

    // MARK: Fields over time

    /// The page: 254, 260 and 300/min, the last with one RR interval; tshark has its 204 of 1/1024 s.
    @Test func aRowForEachValueThatHasTheField() throws {
        let table = try series(["Heart Rate Measurement Value"], "heart-rate.btsnoop")
        #expect(table[0] == ["frame", "time", "peer", "characteristic", "Heart Rate Measurement Value"])
        #expect(table.count == 26)
        #expect(table.suffix(5).map { $0[4] } == ["254", "260", "300", "112", "72"])
        #expect(table[25] == ["173", "2026-11-21T09:55:29.313048Z", "HRM-7", "Heart Rate Measurement", "72"])
    }

    @Test func aRepeatedFieldHasARowForEachTimeAndTheOthersCountOnce() throws {
        let table = try series(["Heart Rate Measurement Value", "RR-Interval"], "heart-rate.btsnoop")
        // 806, 799 and 791 of 1/1024 s.
        #expect(
            table.filter { $0[0] == "146" }.map { Array($0[4...]) }
                == [["78", "0.787109375"], ["", "0.7802734375"], ["", "0.7724609375"]])
        #expect(table.filter { $0[0] == "172" }.map { Array($0[4...]) } == [["112", ""]])
    }

    @Test func scaledNumbersAreExactAndSpecialOnesSaySo() throws {
        let table = try series(["Temperature Measurement Value"], "indications.btsnoop")
        let values = table.dropFirst().map { [$0[0], $0[4]] }
        #expect(values.contains(["115", "36.6"]))
        #expect(values.contains(["118", "36.64"]))
        #expect(values.contains(["121", "97.9"]))
        #expect(values.contains(["124", "NaN"]))
    }

    @Test func bitsAndTextAreFieldsToo() throws {
        let bits = try series(["sensor contact detected"], "heart-rate.btsnoop").dropFirst()
        #expect(bits.count { $0[4] == "1" } == 22)
        #expect(bits.count { $0[4] == "0" } == 3)
        let text = try series(["Model Number"], "heart-rate.btsnoop").dropFirst()
        #expect(text.map { $0[4] } == ["HRM-7 Chest Strap"])
    }

    @Test func aFilterChoosesTheRows() throws {
        var selection = Selection()
        selection.filter = try Filter("field(\"Heart Rate Measurement Value\") > 150", library: .withExamples)
        let csv = try Selecting.show(selection, "heart-rate.btsnoop") {
            FieldSeries(names: ["Heart Rate Measurement Value"], values: $0, file: nil, hasHeader: false)
        }
        let rows = parse(csv.lines.string)
        #expect(rows.map { $0[4] } == ["157", "166", "254", "260", "300"])
    }

    private func table(_ capture: String) throws -> [[String]] {
        let csv = try Selecting.show(Selection(), capture) {
            ConversationCSV(values: $0, file: nil, hasHeader: true)
        }
        return parse(csv.lines.string)
    }

    private func series(_ names: [String], _ capture: String) throws -> [[String]] {
        let csv = try Selecting.show(Selection(), capture) {
            FieldSeries(names: names, values: $0, file: nil, hasHeader: true)
        }
        return parse(csv.lines.string)
    }

    /// RFC 4180, read back.
    private func parse(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var cell = ""
        var isQuoted = false
        var wasQuote = false
        for character in text {
            switch character {
            case "\"":
                if wasQuote { cell.append(character) }
                wasQuote = isQuoted && !wasQuote
                if !isQuoted { (isQuoted, wasQuote) = (true, false) }
            case "," where !isQuoted || wasQuote, "\n" where !isQuoted || wasQuote:
                row.append(cell)
                (cell, isQuoted, wasQuote) = ("", false, false)
                if character == "\n" {
                    rows.append(row)
                    row = []
                }
            default: cell.append(character)
            }
        }
        return rows
    }
}

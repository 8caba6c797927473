import AttlasCapture
import AttlasDefinitions
import AttlasInput
import AttlasTables
import AttlasTestSupport
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire
import Foundation
import Testing

@Suite struct TableWriterTests {
    /// Rows as text, a mistake for each that is not as its table says.
    struct Rows: TableSink {
        private(set) var rows: [Table: [[String: String]]] = [:]
        private(set) var mistakes: [String] = []
        private var table = Table.captures
        private var cells: [(kind: TableColumn.Kind?, text: String)] = []

        func wants(_ table: Table) -> Bool { true }

        mutating func begin(_ table: Table) {
            self.table = table
            cells = []
        }

        mutating func add(_ number: Int64) { cells.append((.integer, "\(number)")) }
        mutating func add(_ number: Double) { cells.append((.real, "\(number)")) }
        mutating func add(_ isTrue: Bool) { cells.append((.boolean, "\(isTrue)")) }
        mutating func add(text: borrowing TextBuffer) {
            cells.append((.text, String(decoding: text.bytes, as: UTF8.self)))
        }
        mutating func add(octets: Bytes) {
            cells.append((.octets, octets.copy().map { String($0, radix: 16) }.joined(separator: " ")))
        }
        mutating func addNull() { cells.append((nil, "")) }

        mutating func end() {
            let columns = table.columns
            guard cells.count == columns.count else {
                return mistakes.append("\(table): \(cells.count) values for \(columns.count) columns: \(cells)")
            }
            var row: [String: String] = [:]
            for (cell, column) in zip(cells, columns) {
                if let kind = cell.kind {
                    let isNumber = [.time, .duration].contains(column.kind) && kind == .integer
                    let isText = column.kind == .word && kind == .text
                    if kind != column.kind, !isNumber, !isText {
                        mistakes.append("\(table).\(column.name): \(kind) \(cell.text)")
                    }
                    row[column.name] = cell.text
                } else if !column.isOptional {
                    mistakes.append("\(table).\(column.name) has nothing")
                }
            }
            rows[table, default: []].append(row)
        }
    }

    /// What keeps the rows of a collector that is gone.
    final class Kept: @unchecked Sendable {
        var rows = Rows()
    }

    struct KeptRows: TableSink {
        let kept: Kept

        func wants(_ table: Table) -> Bool { true }
        mutating func begin(_ table: Table) { kept.rows.begin(table) }
        mutating func add(_ number: Int64) { kept.rows.add(number) }
        mutating func add(_ number: Double) { kept.rows.add(number) }
        mutating func add(_ isTrue: Bool) { kept.rows.add(isTrue) }
        mutating func add(text: borrowing TextBuffer) { kept.rows.add(text: text) }
        mutating func add(octets: Bytes) { kept.rows.add(octets: octets) }
        mutating func addNull() { kept.rows.addNull() }
        mutating func end() { kept.rows.end() }
    }

    func rows(_ packets: [Packet]) -> Rows {
        let kept = Kept()
        _ = document(of: packets) { TableWriter(KeptRows(kept: kept), capture: 7, values: $0) }
        expect(kept.rows.mistakes, equals: [])
        return kept.rows
    }

    @Test func anOperationHasItsAttributeItsValueAndItsFields() throws {
        let found = rows([
            .connected(),
            // Read By Type: Heart Rate Measurement, at 0x0010. Vol 3, Part F, 3.4.4.1.
            .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 10 1000 372A"),
            // 16 bits, 300 bpm: Heart Rate Service 1.0, 3.1.1.
            .att(.rx, "1B 1000 01 2C01"),
        ])
        let notification = try #require(found.rows[.operations]?.last)
        expect(notification["method"], equals: "Handle Value Notification")
        expect(notification["opcode"], equals: "27")
        expect(notification["handle"], equals: "16")
        expect(notification["characteristic_uuid"], equals: "2A37")
        expect(notification["characteristic"], equals: "Heart Rate Measurement")
        expect(notification["value"], equals: "1 2c 1")
        expect(notification["text"], equals: "300 bpm")
        expect(notification["capture"], equals: "7")
        let fields = try #require(found.rows[.fields]).filter { $0["operation"] == notification["operation"] }
        let rate = try #require(fields.first { $0["unit"] == "bpm" })
        expect(rate["number"], equals: "300.0")
        expect(rate["offset"], equals: "1")
        expect(rate["length"], equals: "2")
        #expect(fields.contains { $0["path"] == "Flags/Heart Rate Value Format uint16" && $0["number"] == "1.0" })
    }

    @Test func aResponseHasItsRequestAndItsRoundTrip() throws {
        let found = rows([
            .connected().at(milliseconds: 0), .att(.tx, "0A 0300").at(milliseconds: 5),
            .att(.rx, "0B 5A").at(milliseconds: 45),
        ])
        let response = try #require(found.rows[.operations]?.last)
        expect(response["request_frame"], equals: "2")
        try expect(Int(#require(response["round_trip"])), equals: 40_000_000)
        #expect(response["error"] == nil)
    }

    @Test func anErrorHasItsCodeAndItsName() throws {
        let found = rows([.connected(), .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 05")])
        let error = try #require(found.rows[.operations]?.last)
        expect(error["error_code"], equals: "5")
        expect(error["error"], equals: "Insufficient Authentication")
        #expect(error["text"] == nil)
    }

    /// Vol 3, Part F, 3.4.7.4: Handle Length Value Tuples.
    @Test func aPDUWithSeveralValuesHasARowForEach() throws {
        let found = rows([.connected(), .att(.rx, "23 1000 0100 4B 1300 0200 0102")])
        let operations = try #require(found.rows[.operations])
        expect(operations.map { $0["handle"] }, equals: ["16", "19"])
        expect(operations.map { $0["part"] }, equals: ["0", "1"])
        expect(operations.map { $0["value"] }, equals: ["4b", "1 2"])
    }

    /// Vol 3, Part F, 3.4.4.2: values of one type, here of two attributes with the Battery Level.
    @Test func theFieldsOfOneOperationAreCountedOn() throws {
        let found = rows([.connected(), .att(.tx, "08 0100 FFFF 192A"), .att(.rx, "09 03 0300 5A 0700 32")])
        let fields = try #require(found.rows[.fields])
        expect(fields.map { $0["operation"] }, equals: ["2", "2"])
        expect(fields.map { $0["field"] }, equals: ["1", "2"])
        expect(fields.map { $0["number"] }, equals: ["90.0", "50.0"])
    }

    @Test func aConnectionHasItsBeginningAndItsEnd() throws {
        let found = rows([.connected(), .att(.tx, "0A 0300"), .disconnected(reason: 0x13)])
        let connection = try #require(found.rows[.connections]?.first)
        expect(connection["begun_frame"], equals: "1")
        expect(connection["ended_frame"], equals: "3")
        expect(connection["whole"], equals: "true")
        expect(connection["reason_code"], equals: "19")
        expect(connection["reason"], equals: "Remote User Terminated Connection")
        expect(connection["peer"], equals: "1")
        expect(found.rows[.peers]?.count, equals: 1)
    }

    /// The connection complete event, a read of 2 ms, a notification after 9 ms, and the supervision timeout 5 ms later.
    @Test func aConnectionHasItsFacts() throws {
        let found = rows([
            .connected().at(milliseconds: 0), .att(.tx, "0A 0300").at(milliseconds: 1),
            .att(.rx, "0B 64").at(milliseconds: 3), .att(.rx, "1B 0300 6465").at(milliseconds: 12),
            .event("0E 07 01 0514 00 4000 AB").at(milliseconds: 15), .disconnected(reason: 0x08).at(milliseconds: 17),
            .connected().at(milliseconds: 30),
        ])
        let connections = try #require(found.rows[.connections])
        let lost = connections[0]
        #expect(lost["lost"] == "true" && lost["duration"] == "17000000")
        #expect(lost["first_value_after"] == "3000000" && lost["longest_silence"] == "9000000")
        #expect(lost["rx_values"] == "2" && lost["rx_octets"] == "3" && lost["tx_values"] == "0")
        #expect(lost["last_rssi"] == "-85" && lost["last_rssi_before_end"] == "2000000" && lost["rssi_change"] == nil)
        #expect(lost["interval"] == "30000000" && lost["mtu"] == "23" && lost["tx_phy"] == "LE 1M")
        #expect(lost["bonded"] == nil && lost["attempt"] == nil && lost["reconnected_after"] == nil)
        #expect(lost["failed_attempts"] == "0" && lost["peer_version"] == nil)
        #expect(connections[1]["reconnected_after"] == "13000000" && connections[1]["after_loss"] == "true")
        #expect(connections[1]["lost"] == nil && connections[1]["duration"] == nil)
    }

    @Test func whatOutlivesTheCaptureHasNoEnd() throws {
        let found = rows([.connected(), .att(.tx, "0A 0300")])
        let connection = try #require(found.rows[.connections]?.first)
        #expect(connection["ended_frame"] == nil)
        #expect(connection["reason"] == nil)
    }

    /// The read of an attribute that needs encryption (Vol 3, Part F, 3.4.1.1), twice, and the supervision timeout (Vol 1, Part F, 2.8).
    @Test func anIncidentHasItsCauseAndItsFrames() throws {
        let found = rows([
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 02 1000 192A"),
            .att(.tx, "0A 1000"), .att(.rx, "01 0A 1000 0F"), .att(.tx, "0A 1000"), .att(.rx, "01 0A 1000 0F"),
            .disconnected(reason: 0x08),
        ])
        let incidents = try #require(found.rows[.incidents])
        expect(incidents.map { $0["incident"] }, equals: ["1", "2"])
        expect(incidents.map { $0["kind"] }, equals: ["request refused", "link lost"])
        expect(incidents.map { $0["weight"] }, equals: ["broke", "broke"])
        expect(incidents.map { $0["frame"] }, equals: ["5", "8"])
        expect(incidents.map { $0["count"] }, equals: ["2", "1"])
        expect(incidents.map { $0["connection"] }, equals: ["1", "1"])
        expect(incidents.map { $0["peer_address"] }, equals: Array(repeating: "F2:F2:F2:F2:F2:F2", count: 2))
        expect(incidents.map { $0["certainty"] }, equals: ["proved", "unknown"])
        #expect(incidents[0]["server"] == "peer" && incidents[0]["handle"] == "16")
        #expect(incidents[0]["characteristic_uuid"] == "2A19" && incidents[0]["characteristic"] == "Battery Level")
        #expect(incidents[0]["what"]?.contains("Insufficient Encryption (0x0F)") == true)
        #expect(incidents[1]["handle"] == nil && incidents[1]["server"] == nil)
        let frames = try #require(found.rows[.incidentFrames]).filter { $0["incident"] == "1" }
        let occurrences = frames.filter { $0["occurrence"] == "true" }.compactMap { $0["frame"] }
        expect(occurrences.sorted(), equals: ["5", "7"])
        #expect(frames.first?["frame"] == "4" && frames.first?["text"]?.contains("Read Request") == true)
        #expect(frames.last?["frame"] == "7" && frames.last?["text"] == nil)
    }

    /// Every row has a value of the right kind for each column, no two rows have one key, and what a row names is present.
    @Test(arguments: Repository.captureNames) func everyRowIsAsItsTableSays(_ name: String) throws {
        let kept = Kept()
        let summary = try document(ofCapture: name) {
            TableWriter(KeptRows(kept: kept), capture: 1, values: $0)
        }
        expect(kept.rows.mistakes, equals: [])
        let rows = kept.rows.rows
        expect(rows[.captures]?.count, equals: 1)
        var keys: [Table: Set<[String]>] = [:]
        for table in Table.allCases where !table.key.isEmpty {
            let all = (rows[table] ?? []).map { row in table.key.map { row[$0] ?? "" } }
            keys[table] = Set(all)
            expect(keys[table]?.count, equals: all.count, "\(table)")
        }
        for table in Table.allCases {
            for (columns, other) in table.references {
                for row in rows[table] ?? [] {
                    let named = columns.compactMap { row[$0] }
                    guard named.count == columns.count else { continue }
                    #expect(keys[other]?.contains(named) == true, "\(table): no \(other) \(named)")
                }
            }
        }
        for table in Table.allCases { expect(summary.count(of: table), equals: rows[table]?.count ?? 0) }
    }
}

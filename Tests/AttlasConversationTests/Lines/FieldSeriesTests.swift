import AttlasFilter
import AttlasTestSupport
import Testing

@testable import AttlasConversation

/// Fields over time: a row for each value that has one of them.
@Suite struct FieldSeriesTests {
    /// The page: 254, 260 and 300/min, the last with one RR interval; tshark has its 204 of 1/1024 s.
    @Test func aRowForEachValueThatHasTheField() throws {
        let table = try series(["Heart Rate Measurement Value"], "heart-rate.btsnoop")
        expect(table[0], equals: ["frame", "time", "peer", "characteristic", "Heart Rate Measurement Value"])
        expect(table.count, equals: 26)
        expect(table.suffix(5).map { $0[4] }, equals: ["254", "260", "300", "112", "72"])
        expect(table[25], equals: ["173", "2026-11-21T09:55:29.313048Z", "HRM-7", "Heart Rate Measurement", "72"])
    }

    @Test func aRepeatedFieldHasARowForEachTimeAndTheOthersCountOnce() throws {
        let table = try series(["Heart Rate Measurement Value", "RR-Interval"], "heart-rate.btsnoop")
        // 806, 799 and 791 of 1/1024 s.
        expect(
            table.filter { $0[0] == "146" }.map { Array($0[4...]) },
            equals: [["78", "0.787109375"], ["", "0.7802734375"], ["", "0.7724609375"]])
        expect(table.filter { $0[0] == "172" }.map { Array($0[4...]) }, equals: [["112", ""]])
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
        expect(bits.count { $0[4] == "1" }, equals: 22)
        expect(bits.count { $0[4] == "0" }, equals: 3)
        let text = try series(["Model Number"], "heart-rate.btsnoop").dropFirst()
        expect(text.map { $0[4] }, equals: ["HRM-7 Chest Strap"])
    }

    @Test func aFilterChoosesTheRows() throws {
        var selection = Selection()
        selection.filter = try Filter("field(\"Heart Rate Measurement Value\") > 150", library: .withExamples)
        let csv = try printedLines(ofCapture: "heart-rate.btsnoop", selection) {
            FieldSeries(names: ["Heart Rate Measurement Value"], values: $0, file: nil, hasHeader: false)
        }
        let rows = cells(csv)
        expect(rows.map { $0[4] }, equals: ["157", "166", "254", "260", "300"])
    }

    /// A mouse and a vendor's pressure: frames of the capture's page.
    @Test func valuesThatOtherAttributesDescribeHaveFields() throws {
        let rows = try series(["X", "Value"], "many-sensors.btsnoop").dropFirst()
        expect(
            rows.map { [$0[0], $0[4], $0[5]] },
            equals: [
                ["176", "5", ""], ["177", "0", ""], ["178", "0", ""], ["180", "-128", ""], ["194", "", "-15.3"],
                ["199", "", "101.3"],
            ])
    }

    private func series(_ names: [String], _ capture: String) throws -> [[String]] {
        let csv = try printedLines(ofCapture: capture) {
            FieldSeries(names: names, values: $0, file: nil, hasHeader: true)
        }
        return cells(csv)
    }
}

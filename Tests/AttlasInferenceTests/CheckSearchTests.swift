import AttlasTestSupport
import Testing

@testable import AttlasInference

@Suite struct CheckSearchTests {
    private func series(_ values: [String]) -> ValueSeries {
        var series = ValueSeries()
        for (index, value) in values.enumerated() { series.append(hex(value), time: 0, frame: index + 1) }
        return series
    }

    private func found(_ values: [String]) -> InferredCheck? {
        guard case .check(let check) = CheckSearch(series(values), searches: 1).result()?.kind else { return nil }
        return check
    }

    /// Requests to Modbus devices, as manuals of inverters print them.
    private static let modbus = [
        "01 03 00 00 00 0A C5 CD", "01 03 00 6B 00 03 74 17", "11 03 00 6B 00 03 76 87", "01 04 00 00 00 02 71 CB",
        "01 06 00 01 00 03 98 0B", "01 03 00 01 00 01 D5 CA", "02 03 00 00 00 01 84 39", "01 03 00 00 00 01 84 0A",
    ]

    @Test func modbus() throws {
        let check = try #require(found(Self.modbus))
        #expect(check.name == "CRC-16/MODBUS" && check.place == -2 && check.start == 0 && !check.isBigEndian)
    }

    @Test func oneWrongValueRefutesIt() {
        #expect(found(Self.modbus + ["01 03 00 00 00 02 C4 0C"]) == nil)
    }

    @Test func fewerThanEightDistinctValuesClaimNothing() {
        #expect(found(Array(Self.modbus.dropLast())) == nil)
        #expect(found(Array(Self.modbus.dropLast()) + [Self.modbus[0], Self.modbus[0]]) == nil)
    }

    /// The last octet is the second one: an exclusive or, too, because the others are 0.
    @Test func aCopyIsNoCheck() {
        #expect(
            found(
                (0..<40).map { number in "00 \(number < 10 ? "0" : "")\(number) 00 \(number < 10 ? "0" : "")\(number)" }
            ) == nil)
    }

    /// Both count: their difference is constant.
    @Test func twoCountersAreNoCheck() {
        var series = ValueSeries()
        for number in UInt8(0)..<100 { series.append([0x10, number, 0x20, number &+ 0x30], time: 0, frame: 1) }
        #expect(CheckSearch(series, searches: 1).result() == nil)
    }

    @Test func evidenceSaysHowImprobableItIs() {
        expect(Evidence(of: 214, distinct: 200, bits: 31).text, equals: "214 of 214 values, by chance < 10⁻⁹")
        expect(Evidence(support: 3, of: 4, distinct: 4).text, equals: "3 of 4 values")
    }
}

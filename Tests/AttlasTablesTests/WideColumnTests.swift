import AttlasDefinitions
import AttlasDissection
import AttlasTables
import AttlasTestSupport
import AttlasWire
import Testing

/// The columns of the wide form come from the definition, and not from a capture.
@Suite struct WideColumnTests {
    private func columns(_ uuid: UInt16) -> [WideColumn] {
        WideColumn.all(of: DissectorLibrary.shipped.dissectors(for: BluetoothUUID(uuid)))
    }

    /// Heart Rate Service 1.0, 3.1.1: eight or 16 bits of bpm, intervals of 1/1024 s.
    @Test func theFieldsOfAHeartRateHaveOneKindEach() throws {
        let columns = columns(0x2A37)
        let rate = try #require(columns.first { $0.path == "Heart Rate Measurement Value" })
        #expect(rate.kind == .integer && !rate.isList && rate.unit == "bpm")
        let intervals = try #require(columns.first { $0.path == "RR-Interval" })
        #expect(intervals.kind == .real && intervals.isList)
        let format = try #require(columns.first { $0.path == "Flags/Heart Rate Value Format uint16" })
        expect(format.kind, equals: .boolean)
        expect(Set(columns.map(\.path)).count, equals: columns.count)
    }

    /// A medical float has special values; the unit is Celsius or Fahrenheit.
    @Test func aTemperatureMayBeSpecial() throws {
        let value = try #require(columns(0x2A1C).first { $0.path == "Temperature Measurement Value" })
        #expect(value.kind == .real && value.hasSpecials && value.unit == nil)
    }

    @Test func namesAreTexts() { expect(columns(0x2A00).map(\.kind), equals: [.text]) }

    @Test func anUnknownCharacteristicHasNone() { #expect(columns(0xFFF1).isEmpty) }
}

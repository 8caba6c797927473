import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

@testable import AttlasMetrics

@Suite struct FieldRangesTests {
    private struct Collector: EventSink {
        var ranges: FieldRanges

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            ranges.receive(event, in: trace)
        }
    }

    /// A mouse and a vendor's pressure: frames of the capture's page.
    @Test func valuesThatOtherAttributesDescribeHaveRanges() throws {
        let ranges = try decoded(capture: "many-sensors.btsnoop") { Collector(ranges: FieldRanges(values: $0)) }
            .ranges.ranges
        let pressure = try #require(ranges.first { $0.key.field == "Value" })
        expect(pressure.count, equals: 2)
        expect(pressure.least.double, equals: -15.3)
        expect(pressure.greatest.double, equals: 101.3)
        expect(ranges.first { $0.key.field == "X" }?.least.double, equals: -128)
    }
}

import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

@testable import AttlasPage

/// Flags and enumerations over time.
@Suite struct StateSeriesTests {
    /// The bands under the plot of Heart Rate Measurement, whose flags are these, a value each second from 3 s on.
    private static func states(_ flags: [String]) -> [StateSeries] {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 10 0300 372A"),
        ]
        let model = document(
            of: discovery + flags.map { .att(.rx, "1B 0300 \($0)") }, as: RecordMaker(step: 1_000_000)
        ) { ReportCollector(selection: Selection(), values: $0) }
        let plots = model.plots.filter { $0.subject == .field }
        #expect(plots.dropFirst().allSatisfy { $0.states.isEmpty })
        return plots.first?.states ?? []
    }

    private static func words(_ state: StateSeries) -> [String] {
        state.bands.map { band in
            let name = band.state.map { state.states[$0] } ?? "?"
            return "\(name) \(seconds(band.start))–\(seconds(band.end))"
        }
    }

    /// A piece begins a little before its first value.
    private static func seconds(_ time: Int64) -> Int { Int((Double(time) / 1e9).rounded()) }

    /// Bit 1 is Sensor Contact Detected, bit 2 Sensor Contact Supported. What never changes is no band.
    @Test func flagsAreOnOrOff() {
        let states = Self.states(["04 48", "06 48", "06 49", "04 4A", "06 4A"])
        expect(states.map(\.series.name), equals: ["Sensor Contact Detected"])
        expect(states.map(Self.words), equals: [["off 3–4", "on 4–6", "off 6–7", "on 7–7"]])
    }

    /// A value that is empty has no flags; one that is cut short after them has.
    @Test func aValueWithoutTheFieldIsAbsent() {
        let states = Self.states(["06 48", "", "06 48", "06"])
        let contact = states.first { $0.series.name == "Sensor Contact Detected" }
        expect(contact.map(Self.words), equals: ["on 3–4", "absent 4–5", "on 5–6"])
    }

    /// A time without values, more than three times as long as usual, has no state.
    @Test func aGapEndsABand() throws {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 10 0300 372A"),
        ]
        let values = ["04", "06", "06", "06", "06", "06", "06", "06"].enumerated().map { number, flags in
            Packet.att(.rx, "1B 0300 \(flags) 48").at(milliseconds: Double(3_000 + number * 1_000))
        }
        let late = Packet.att(.rx, "1B 0300 06 48").at(milliseconds: 40_000)
        let model = document(of: discovery + values + [late], as: RecordMaker(step: 1_000_000)) {
            ReportCollector(selection: Selection(), values: $0)
        }
        let contact = try #require(model.plots.first?.states.first)
        // From the first record on, which has 2 s.
        expect(Self.words(contact), equals: ["off 1–2", "on 2–8", "on 38–38"])
    }

    /// States that change within a piece of time cannot be distinguished.
    @Test func fastChangesAreOneBand() throws {
        let flags = (0..<2_000).map { $0 < 1_000 ? "06 48" : $0.isMultiple(of: 2) ? "04 48" : "06 48" }
        let contact = try #require(Self.states(flags).first)
        #expect(contact.series.pieces.count <= 256)
        let bands = contact.bands
        #expect(bands.prefix(2).map(\.state) == [0, nil] && bands.count <= 3)
        #expect((950...1_050).contains(Self.seconds(bands[0].end)))
    }
}

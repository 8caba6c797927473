import AttlasCapture
import AttlasDefinitions
import AttlasFilter
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

@testable import AttlasMetrics
@testable import AttlasReport

/// Values that other attributes, or the controller, describe are the same to every output.
@Suite struct ShapedValueTests {
    // MARK: A mouse and a vendor's pressure: frames of the capture's page

    @Test(
        arguments: [
            ("field(\"X\") < 0", [180]), ("field(x) == 5", [176]), ("field(\"Button 1\") == 1", [177]),
            ("field(\"Button 3\") == 0 and field(Y) == 127", [180]),
            // The first read came before the Presentation Format.
            ("field(\"Value\") == -15.3", [194]), ("field(Value) > 100", [199]),
        ])
    func filtersSeeThem(filter: String, frames: [Int]) throws {
        #expect(try Selecting.frames(filter, in: "many-sensors.btsnoop") == frames)
    }

    @Test func tablesOverTimeSeeThem() throws {
        let series = try Selecting.show(Selection(), "many-sensors.btsnoop") {
            FieldSeries(names: ["X", "Value"], values: $0, file: nil, hasHeader: false)
        }
        let rows = series.lines.string
            .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(
            rows.map { [$0[0], $0[4], $0[5]] }
                == [
                    ["176", "5", ""], ["177", "0", ""], ["178", "0", ""], ["180", "-128", ""], ["194", "", "-15.3"],
                    ["199", "", "101.3"],
                ])
    }

    @Test func differencesSeeThem() throws {
        let ranges = try Selecting.show(Selection(), "many-sensors.btsnoop") { RangeCollector(values: $0) }
        let pressure = try #require(ranges.ranges.ranges.first { $0.key.field == "Value" })
        #expect(pressure.count == 2)
        #expect(pressure.least.double == -15.3)
        #expect(pressure.greatest.double == 101.3)
        #expect(ranges.ranges.ranges.first { $0.key.field == "X" }?.least.double == -128)
    }

    private struct RangeCollector: LineSink {
        var lines = TextBuffer()
        var ranges: FieldRanges

        init(values: ValueInterpreter) {
            ranges = FieldRanges(values: values)
        }

        mutating func separateGroups() {}

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            ranges.receive(event, in: trace)
        }
    }

    // MARK: Ranging data

    /// Handle 3 is Real-time Ranging Data, 6 the RAS Control Point.
    private static let discovery: [(Direction, String)] = [
        (.tx, "10 0100 FFFF 0028"), (.rx, "11 06 0100 0800 5B18"),
        (.tx, "08 0100 0800 0328"), (.rx, "09 07 0200 10 0300 152C 0500 28 0600 172C"),
    ]
    /// Counter 1000, configuration 0, one antenna path; 1 step of mode 0: no errors, −60 dBm, antenna 1, and of an initiator
    /// 1 ppm. In two segments.
    private static let initiated: [(Direction, String)] = [
        (.rx, "1B 0300 01 E8 03 F6 01 10 00 32 00 00 00 EC 01"), (.rx, "1B 0300 06 00 00 C4 01 64 00"),
    ]
    private static let reflected: [(Direction, String)] = [
        (.rx, "1B 0300 01 E8 03 F6 01 10 00 00 C0 00 00 EC 01"), (.rx, "1B 0300 06 00 00 C4 01"),
    ]

    /// LE CS Config Complete of configuration 0: created or removed, the host's role, access address only.
    private static func configured(role: Int, action: Int = 1) -> String {
        "3E 22 2F 00 4000 00 0\(action) 02 FF 02 08 00 03 0\(role) 00 01 FCFFFF7FFCFFFFFFFF1F 01 00 00 02 00 0A 14 3C 0A"
    }

    @Test func theServersRoleIsTheOtherOne() throws {
        let initiated = try text(event: Self.configured(role: 1), Self.discovery + Self.initiated)
        #expect(initiated.contains("ranging counter 1000 · -10 dBm · connection event 16: 1 steps, complete (2 parts)"))
        #expect(
            try json(event: Self.configured(role: 1), Self.discovery + Self.initiated).contains(
                "\"Measured Frequency Offset\""))
        let reflected = try json(event: Self.configured(role: 0), Self.discovery + Self.reflected)
        #expect(reflected.contains("\"Packet RSSI\""))
        #expect(!reflected.contains("\"Measured Frequency Offset\""))
        #expect(!reflected.contains("\"fault\""))
    }

    @Test func withoutAConfigurationStepsStayOctets() throws {
        for event in [nil, Self.configured(role: 1, action: 0)] {
            let json = try json(event: event, Self.discovery + Self.initiated)
            #expect(json.contains("\"Steps\""))
            #expect(!json.contains("\"Packet RSSI\""))
            #expect(!json.contains("\"fault\""))
        }
    }

    @Test func aFilterChangesTheLayout() throws {
        // Of mode 0, the RSSI alone; the server takes it, or does not know Set Filter.
        let taken: [(Direction, String)] = [
            (.tx, "12 0600 04 0800"), (.rx, "13"), (.rx, "1D 0600 02 01"), (.tx, "1E"),
            (.rx, "1B 0300 03 E8 03 F6 01 10 00 32 00 00 00 EC 01 00 C4"),
        ]
        let filtered = try json(event: Self.configured(role: 1), Self.discovery + taken)
        #expect(filtered.contains("\"Packet RSSI\""))
        #expect(!filtered.contains("\"Packet Antenna\""))
        #expect(!filtered.contains("\"fault\""))
        let refused: [(Direction, String)] = [
            (.tx, "12 0600 04 0800"), (.rx, "13"), (.rx, "1D 0600 02 02"), (.tx, "1E"),
        ]
        let whole = try json(event: Self.configured(role: 1), Self.discovery + refused + Self.initiated)
        #expect(whole.contains("\"Packet Antenna\""))
    }

    private func text(event: String?, _ pdus: [(Direction, String)]) throws -> String {
        Talking.show(event, pdus) { ConversationText(values: $0, options: .init()) }
    }

    private func json(event: String?, _ pdus: [(Direction, String)]) throws -> String {
        Talking.show(event, pdus) { ConversationJSON(values: $0, showsHCI: false, file: nil) }
    }
}

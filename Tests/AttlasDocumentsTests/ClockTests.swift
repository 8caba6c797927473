import AttlasCapture
import AttlasFilter
import AttlasLint
import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasConversation
@testable import AttlasDocuments

/// Whatever the clock of a capture does, every document is made, and no duration in it is negative.
@Suite struct ClockTests {
    /// The first and the last moment of 64 bits, the years 0 and 292 277, this century, and steps around them.
    private static let seconds: [Int64] = [
        .min, .min + 1, -62_168_256_000, -1, 0, 1, 1_767_225_600, 1_767_225_601, 1_767_225_630, 9_161_203_780_854,
        .max - 1, .max,
    ]

    /// Two connections with what has a time: advertising, an attempt that fails, round trips, values, silence.
    private func packets(_ generator: inout SplitMix64) -> [Packet] {
        let packets: [Packet] =
            [
                .advertisement(), .command("0D 20 19 6000 3000 00 00 F2F2F2F2F2F2 00 1800 2800 0000 4800 0000 0000"),
                .event("3E 13 01 3E 0000 00 00 000000000000 0000 0000 0000 00"),
            ]
            + (0..<3).flatMap { _ -> [Packet] in
                [
                    .connected(), .att(.tx, "02 F700"), .att(.rx, "03 4000"), .att(.tx, "08 0100 FFFF 192A"),
                    .att(.rx, "09 03 0300 5A"), .att(.rx, "1B 0300 59"), .att(.rx, "1B 0300 58"),
                    .att(.rx, "1D 0300 57"), .att(.tx, "1E"), .att(.tx, "0A 0300"), .disconnected(), .advertisement(),
                ]
            }
        return packets.map { packet in
            var packet = packet
            packet.time = Timestamp(
                seconds: Self.seconds.randomElement(using: &generator) ?? 0,
                nanoseconds: [0, 999_999_999].randomElement(using: &generator) ?? 0, precision: 9)
            return packet
        }
    }

    @Test(arguments: 1...8)
    func noDurationIsNegative(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (first, second) = (packets(&generator), packets(&generator))
        let values = ValueInterpreter(library: .shipped)
        var selection = Selection()
        selection.from = .sinceStart(1_000_000_000)
        let trees = document(of: first) { TreeCollector(values: $0) }
        let devices = document(of: first) { _ in DeviceCollector() }
        let statistics = [Selection(), selection].map { selection in
            document(of: first) { SelectedStatistics(selection: selection, values: $0) }
        }
        let findings = document(of: first) { LintCollector(values: $0) }
        let snapshots = [first, second].map { packets in
            document(of: packets) { SnapshotCollector(file: "a", selection: Selection(), values: $0) }
        }
        let difference = CaptureDifference(snapshots[0], snapshots[1])

        let text = try printed { output in
            var tree = TreeText(trees, width: nil, isColoured: false)
            tree.write(file: nil, into: &output)
            var list = DevicesText(devices, values: values, width: nil, isColoured: false)
            list.write(into: &output)
            for model in statistics {
                var tables = StatisticsText(model, grouping: .connection, width: nil, isColoured: false)
                tables.write(file: nil, into: &output)
            }
            var lint = LintText(findings, width: nil, isColoured: false)
            lint.write(file: nil, into: &output)
            var tables = DifferenceText(values: values, width: nil, isColoured: false)
            tables.write(difference, DifferenceVerdict(difference, failOn: [.slower], tolerance: 0), into: &output)
        }
        let lines = decoded(first) { ConversationText(values: $0, options: .init()) }.lines.string
        #expect(!(text + lines).contains(#/(after|least|in|for|silence|value|by|of|waited) -\d/#))

        var json = try printed { output in
            var tree = TreeJSON(trees)
            tree.write(file: "a", into: &output)
            var list = DevicesJSON(devices, values: values)
            list.write(file: "a", into: &output)
            for model in statistics {
                var document = StatisticsJSON(model, grouping: .connection)
                document.write(file: "a", into: &output)
            }
            var lint = LintJSON(findings)
            lint.write(file: "a", into: &output)
            var document = DifferenceJSON(values: values)
            document.write(difference, DifferenceVerdict(difference, failOn: [.slower], tolerance: 0), into: &output)
        }
        json += decoded(first) { ConversationJSON(values: $0, showsHCI: true, file: nil) }.lines.string
        // A step of the clock has a direction.
        json.replace("\"clock_step_us\":-", with: "\"clock_step_us\":")
        #expect(!json.contains(#/_(us|ms|s)":-/#))
        #expect(!json.contains(#/_us":\{[^}]*:-/#))
    }
}

@Suite struct ClockLongTests {
    @Test(arguments: 9...40) func noDurationIsNegative(seed: UInt64) throws {
        try ClockTests().noDurationIsNegative(seed: seed)
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// `attlas diff`: two captures side by side.
@Suite struct DiffTests {
    private let heartRate = Repository.capture("heart-rate.btsnoop")

    @Test func aCaptureIsAsItself() throws {
        let result = try Command.attlas(["diff", heartRate, heartRate, "--fail-on", "tree", "--fail-on", "slower"])
        expect(result.status, equals: 0)
        #expect(result.output.contains("HRM-7 F2:F2:F2:F2:F2:F2 · the same tree of "))
        let document = try difference(heartRate, heartRate)
        #expect(try list(document["peers"]).map { try list($0["changes"]).count } == [0])
        for table in ["round_trips", "values"] {
            for row in try list(document[table]) {
                #expect(row["a"] as? NSDictionary == row["b"] as? NSDictionary)
            }
        }
    }

    @Test func attributesAreAddedRemovedMovedAndChanged() throws {
        // The example of Documentation/statistics.md, and one whose characteristic is at 0x0005 and can only be read.
        let moved = try with([
            ("07 02 00 16 03 00", "07 04 00 02 05 00"), ("0A 03 00", "0A 05 00"), ("1B 03 00", "1B 05 00"),
        ])
        let document = try difference(StatisticsTests.example, moved)
        let changes = try list(try list(document["peers"])[0]["changes"])
        expect(changes.count, equals: 1)
        let (before, after) = (changes[0]["a"] as? [String: Any], changes[0]["b"] as? [String: Any])
        #expect(before?["handle"] as? Int == 3)
        #expect(after?["handle"] as? Int == 5)
        #expect(before?["properties"] as? [String] == ["read", "write without response", "notify"])
        #expect(after?["properties"] as? [String] == ["read"])
        #expect((changes[0]["characteristic"] as? [String: Any])?["uuid"] as? String == "2A37")
        // The figures are those of the characteristic, wherever it is.
        let reads = try list(document["round_trips"]).filter { $0["method"] as? String == "Read Request" }
        expect(reads.count, equals: 1)
        #expect(reads[0]["a"] as? NSDictionary == reads[0]["b"] as? NSDictionary)

        // Another characteristic in its place: one is gone, one is new.
        let other = try difference(StatisticsTests.example, with([("03 00 37 2A", "03 00 19 2A")]))
        let both = try list(try list(other["peers"])[0]["changes"])
        expect(both.map { $0["a"] != nil }, equals: [true, false])
        expect(both.map { $0["b"] != nil }, equals: [false, true])
    }

    @Test func anotherTreeIsStatus2WhenAsked() throws {
        let moved = try with([("07 02 00 16 03 00", "07 02 00 02 03 00")])
        try expect(run(StatisticsTests.example, moved).status, equals: 0)
        try expect(run(StatisticsTests.example, moved, "--fail-on", "tree").status, equals: 2)
        try expect(run(StatisticsTests.example, moved, "--fail-on", "slower").status, equals: 0)
    }

    @Test func slowerIsStatus2WhenAsked() throws {
        // 20 reads of 50 ms, and of 60 ms and 70 ms: 20 % and 40 % more.
        let (fast, slow, slower) = (reads(20, 50), reads(20, 60), reads(20, 70))
        try expect(run(fast, slow, "--fail-on", "slower").status, equals: 0)
        try expect(run(fast, slower, "--fail-on", "slower").status, equals: 2)
        #expect(try run(fast, slower, "--fail-on", "slower").output.contains("✗ slower  p99 50 ms → 70 ms"))
        try expect(run(slower, fast, "--fail-on", "slower").status, equals: 0)
        try expect(run(fast, slow, "--fail-on", "slower", "--tolerance", "19").status, equals: 2)
        try expect(run(fast, slower, "--fail-on", "slower", "--tolerance", "41").status, equals: 0)
        // 19 say nothing.
        try expect(run(fast, reads(19, 70), "--fail-on", "slower").status, equals: 0)
        #expect(
            try run(fast, reads(19, 70), "--fail-on", "slower").output.contains(
                "       20     19  → Read  unknown handles"))
        #expect(try run(fast, slower).output.contains("+40 %"))
    }

    /// Connection Timeout (Vol 1, Part F, 2.8), and Remote User Terminated Connection.
    @Test func anIncidentIsStatus2WhenAsked() throws {
        func connections(_ reasons: [UInt8]) -> Data {
            let packets = reasons.flatMap { [Packet.connected(), .disconnected(reason: $0)] }
            return Data(
                packets.enumerated().map { $1.at(microseconds: StatisticsTests.year2000 + $0 * 20_000_000) }.btsnoop)
        }
        let (none, one) = (connections([0x13]), connections([0x08]))
        // 2 and 20 losses in the same time, and 2 that say nothing.
        let two = connections([0x08, 0x08] + [UInt8](repeating: 0x13, count: 18))
        let many = connections([UInt8](repeating: 0x08, count: 20))
        try expect(run(none, one).status, equals: 0)
        try expect(run(none, one, "--fail-on", "incidents").status, equals: 2)
        try expect(run(two, many, "--fail-on", "incidents").status, equals: 2)
        try expect(run(one, two, "--fail-on", "incidents").status, equals: 0)
        try expect(run(one, one, "--fail-on", "incidents").status, equals: 0)
        try expect(run(many, two, "--fail-on", "incidents").status, equals: 0)
        // Ten times the losses in ten times the time.
        #expect(
            try run(two, connections((0..<200).map { $0 % 10 == 0 ? 0x08 : 0x13 }), "--fail-on", "incidents").status
                == 0)
        try expect(run(none, one, "--fail-on", "tree").status, equals: 0)
        let failed = try list(document(try run(two, many, "--json", "--fail-on", "incidents").output)["failed"])
        expect(failed.map { $0["fail_on"] as? String }, equals: ["incidents"])
        expect(failed.map { $0["kind"] as? String }, equals: ["link lost"])
        expect(failed.map { ($0["b"] as? [String: Any])?["count"] as? Int }, equals: [20])
    }

    @Test func fieldsLieInOtherRanges() throws {
        // The example reads and notifies 72 bpm; read as such, 01 02 03 … that it writes is 0x0302, 770 bpm. Of the last
        // notification 64 bpm are made.
        let example = StatisticsTests.example
        #expect(try list(try difference(example, example)["fields"]).isEmpty)
        var faster = example
        let last = try #require(faster.range(of: Data([0x1B, 0x03, 0x00, 0x00, 0x48]), options: .backwards))
        faster.replaceSubrange(last, with: [0x1B, 0x03, 0x00, 0x00, 0x40])
        let fields = try list(try difference(example, faster)["fields"])
        expect(fields.map { $0["field"] as? String }, equals: ["Heart Rate Measurement Value"])
        #expect(fields[0]["unit"] as? String == "bpm")
        // Three reads, five notifications and the write.
        #expect(fields[0]["a"] as? [String: Int] == ["count": 9, "min": 72, "max": 770])
        #expect(fields[0]["b"] as? [String: Int] == ["count": 9, "min": 64, "max": 770])
        #expect(try run(example, faster).output.contains("Heart Rate Measurement Value  72 … 770 bpm → 64 … 770 bpm"))
    }

    @Test func peersOfOneCaptureOnlyAreNamed() throws {
        let result = try Command.attlas(["diff", heartRate, Repository.capture("two-peripherals.btsnoop")])
        #expect(result.output.contains("Oven Probe"))
        #expect(result.output.contains("only in B"))
    }

    @Test func whatCannotBeReadIsStatus1() throws {
        try expect(Command.attlas(["diff", heartRate, "/nonexistent", "--fail-on", "tree"]).status, equals: 1)
        try expect(Command.attlas(["diff", heartRate]).status, equals: 64)
        try expect(Command.attlas(["diff", "-", "-"]).status, equals: 64)
        try expect(Command.attlas(["diff", heartRate, heartRate, "--tolerance", "-1"]).status, equals: 64)
        let whole = try Data(contentsOf: URL(fileURLWithPath: heartRate))
        let cut = try run(whole, whole.prefix(whole.count - 5), "--fail-on", "tree")
        expect(cut.status, equals: 1)
        #expect(cut.output.contains("the same tree"))
    }

    // MARK: Captures

    /// The example with some of its octets changed.
    private func with(_ changes: [(String, String)]) throws -> Data {
        var file = StatisticsTests.example
        for (old, new) in changes {
            var count = 0
            while let range = file.range(of: Data(hex(old))) {
                file.replaceSubrange(range, with: hex(new))
                count += 1
            }
            try #require(count > 0)
        }
        return file
    }

    /// A log of reads of 0x0003, 200 ms apart, answered after some milliseconds.
    private func reads(_ count: Int, _ milliseconds: Int) -> Data {
        let packets = (0..<count).flatMap { index in
            let start = StatisticsTests.year2000 + index * 200_000
            return [
                Packet.att(.tx, "0A 0300").at(microseconds: start),
                Packet.att(.rx, "0B 48").at(microseconds: start + milliseconds * 1_000),
            ]
        }
        return Data(packets.btsnoop)
    }

    private func run(_ first: Data, _ second: Data, _ options: String...) throws -> Command.Result {
        try run(first, second, options)
    }

    private func run(_ first: Data, _ second: Data, _ options: [String]) throws -> Command.Result {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            try Command.attlas(["diff", "-", folder.write(second)] + options, input: first)
        }
    }

    private func difference(_ first: Data, _ second: Data) throws -> [String: Any] {
        try document(try run(first, second, "--json").output)
    }

    private func difference(_ first: String, _ second: String) throws -> [String: Any] {
        try document(try Command.attlas(["diff", "--json", first, second]).output)
    }

    private func document(_ output: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }

    private func list(_ value: Any?) throws -> [[String: Any]] { try #require(value as? [[String: Any]]) }
}

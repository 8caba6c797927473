import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasDocuments

@Suite struct DifferenceDocumentTests {
    private func difference(_ first: [Packet], _ second: [Packet], file: String = "b.btsnoop") -> CaptureDifference {
        CaptureDifference(snapshot(first, "a.btsnoop"), snapshot(second, file))
    }

    private func snapshot(_ packets: [Packet], _ file: String) -> CaptureSnapshot {
        document(of: packets, as: RecordMaker(step: 1_000_000)) {
            SnapshotCollector(file: file, selection: Selection(), values: $0)
        }
    }

    private func text(
        _ difference: CaptureDifference, width: Int? = nil, failOn: [DifferenceVerdict.Criterion] = []
    ) throws -> String {
        let verdict = DifferenceVerdict(difference, failOn: failOn, tolerance: 20)
        return try printed { output in
            var text = DifferenceText(
                values: ValueInterpreter(library: .shipped), width: width, isColoured: false)
            text.write(difference, verdict, into: &output)
        }
    }

    private func json(
        _ difference: CaptureDifference, failOn: [DifferenceVerdict.Criterion] = []
    ) throws -> String {
        let verdict = DifferenceVerdict(difference, failOn: failOn, tolerance: 20)
        return try printed { output in
            var json = DifferenceJSON(values: ValueInterpreter(library: .shipped))
            json.write(difference, verdict, into: &output)
        }
    }

    // MARK: A device with another firmware

    /// Battery Level at 0x0003, which can be read and notified; read once, 90 %. A packet a second.
    private static let before: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18"),
        .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 12 0300 192A"),
        .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0229"),
        .att(.tx, "0A 0300"), .att(.rx, "0B 5A"),
    ]
    /// The same one handle later and without its configuration, and Body Sensor Location; read twice, 90 % and 80 %.
    private static let after: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0600 0F18"),
        .att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0300 02 0400 192A 0500 02 0600 382A"),
        .att(.tx, "0A 0400"), .att(.rx, "0B 5A"), .att(.tx, "0A 0400"), .att(.rx, "0B 50"),
    ]

    @Test func aChangedTreeAsText() throws {
        try expectText(
            text(difference(Self.before, Self.after)),
            equals: """
                A  a.btsnoop
                B  b.btsnoop

                F2:F2:F2:F2:F2:F2
                  ~ 0x0003 → 0x0004   Battery › Battery Level  read, notify → read
                  − 0x0004            Battery › Battery Level › Client Characteristic Configuration
                  + 0x0006            Battery › Body Sensor Location  read

                  Procedures
                  count A      B     p50 A        B  change     p90 A        B     max A        B
                        1      1       5 s      3 s               5 s      3 s       5 s      3 s  discovery

                  Round trips
                  count A      B     p50 A        B  change     p99 A        B     max A        B
                        1      1       1 s      1 s               1 s      1 s       1 s      1 s  → Read By Group Type
                        1      1       1 s      1 s               1 s      1 s       1 s      1 s  → Read By Type
                        1              1 s                        1 s                1 s           → Find Information
                        1      2       1 s      1 s               1 s      1 s       1 s      1 s  → Read  Battery › Battery Level

                  Values
                  count A      B    rate A        B     mean A         B best 1 s A       B gap p50 A        B     p99 A        B
                        1      2             0.5 /s              0.5 B/s        1 B     1 B                2 s                2 s  ← Read  Battery › Battery Level

                  Fields in other ranges
                  count A      B
                        1      2  Battery Level › Battery Level  90 % → 80 … 90 %

                """)
    }

    @Test func aChangedTreeAsJSON() throws {
        let second = #"{"count": 1, "min": 1000000, "p50": 1000000, "p90": 1000000, "p99": 1000000, "max": 1000000}"#
        let one = #"{"rtt_us": \#(second), "unanswered": 0, "timed_out": 0, "overlapping": 0}"#
        let two = one.replacing("\"count\": 1", with: "\"count\": 2")
        let peer = #"{"address": "F2:F2:F2:F2:F2:F2", "address_type": "random-static", "attributes": 3}"#
        let service = #""service": {"uuid": "180F", "name": "Battery", "occurrence": 1}"#
        let level = #""characteristic": {"uuid": "2A19", "name": "Battery Level", "occurrence": 1}"#
        let measured =
            #""server": "peer", "service": {"uuid": "180F", "name": "Battery"}, "#
            + #""characteristic": {"uuid": "2A19", "name": "Battery Level"}"#
        try expectJSON(
            json(difference(Self.before, Self.after)),
            equals: """
                {"schema": "attlas/diff/1", "a": "a.btsnoop", "b": "b.btsnoop",
                 "peers": [
                  {"a": \(peer), "b": \(peer),
                   "changes": [
                    {\(service), \(level), "a": {"handle": 3, "properties": ["read", "notify"]},
                     "b": {"handle": 4, "properties": ["read"]}},
                    {\(service), \(level),
                     "descriptor": {"uuid": "2902", "name": "Client Characteristic Configuration", "occurrence": 1},
                     "a": {"handle": 4}},
                    {\(service),
                     "characteristic": {"uuid": "2A38", "name": "Body Sensor Location", "occurrence": 1},
                     "b": {"handle": 6, "properties": ["read"]}}]}],
                 "procedures": [
                  {"kind": "discovery", "a": {"count": 1, "duration_us": \(second.replacing("1000000", with: "5000000")),
                    "outcomes": {"done": 1}},
                   "b": {"count": 1, "duration_us": \(second.replacing("1000000", with: "3000000")), "outcomes": {"done": 1}}}],
                 "round_trips": [
                  {"method": "Read By Group Type Request", "direction": "tx", "a": \(one), "b": \(one)},
                  {"method": "Read By Type Request", "direction": "tx", "a": \(one), "b": \(one)},
                  {"method": "Find Information Request", "direction": "tx", "a": \(one)},
                  {"method": "Read Request", "direction": "tx", \(measured), "a": \(one), "b": \(two)}],
                 "values": [
                  {"method": "Read Response", "direction": "rx", \(measured),
                   "a": {"count": 1, "value_octets": 1, "best_second_octets": 1},
                   "b": {"count": 2, "value_octets": 2, "best_second_octets": 1, "octets_per_s": 0.5, "per_s": 0.5,
                    "gap_us": \(second.replacing("1000000", with: "2000000"))}}],
                 "fields": [
                  {"attribute": {"uuid": "2A19", "name": "Battery Level"}, "field": "Battery Level", "unit": "%",
                   "a": {"count": 1, "min": 90, "max": 90}, "b": {"count": 2, "min": 80, "max": 90}}],
                 "incidents": [], "failed": [], "not_compared": [],
                 "integrity": {\(complete(Self.before.count, as: "a")), \(complete(Self.after.count, as: "b"))}}
                """)
    }

    // MARK: Incidents

    /// Insufficient Authentication (Vol 3, Part F, 3.4.1.1) 30 times instead of once, a link lost, and a MIC Failure in both.
    private static let refusals: ([Packet], [Packet]) = {
        let refusal: [Packet] = [.att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 05")]
        let failed: [Packet] = [.disconnected(), .connected(), .disconnected(reason: 0x3D)]
        return (
            before + refusal + (1..<30).flatMap { _ in [Packet.att(.tx, "0A 0200"), .att(.rx, "0B 12")] } + failed,
            before + (0..<30).flatMap { _ in refusal } + failed + [
                .connected(Address.probe), .disconnected(reason: 0x08),
            ]
        )
    }()

    @Test func incidentsAsText() throws {
        let difference = difference(Self.refusals.0, Self.refusals.1)
        let text = try text(difference, failOn: [.incidents])
        #expect(
            text.contains(
                """
                B  b.btsnoop

                  Incidents
                  count A      B
                               1  \(Self.probe): connection lost · only in B, frame 74 of B (00:01:15 UTC)
                        1     30  \(Self.strap): Battery Level cannot be read: Insufficient Authentication · more often in B: 1479 an hour, 50.7 in A, frame 11 of A (00:00:12 UTC), frame 11 of B (00:00:12 UTC)
                  1 is the same in both.

                F2:F2:F2:F2:F2:F2 · the same tree of 3 attributes

                """), "\(text)")
        #expect(
            text.contains(
                """
                  Failed
                  ✗ incidents  0 → 1  \(Self.probe): connection lost
                  ✗ incidents  1 → 30  \(Self.strap): Battery Level cannot be read: Insufficient Authentication

                """), "\(text)")
    }

    private static let (strap, probe) = ("F2:F2:F2:F2:F2:F2", "E6:0A:33:7C:90:15")

    /// The device of B stands for that of A, and its link is lost twice.
    @Test func incidentsOfADeviceThatWasExchanged() throws {
        let discovery = Self.before.dropFirst()
        let first = [.connected()] + discovery + [.disconnected(reason: 0x08)]
        let second =
            [.connected(Address.probe)] + discovery + [.disconnected(reason: 0x08)]
            + [.connected(Address.probe), .disconnected(reason: 0x08)]
        let text = try text(difference(first, second))
        #expect(text.contains("  1 is the same in both.\n") && !text.contains("only in"), "\(text)")
    }

    @Test func incidentsAsJSON() throws {
        let json = try json(difference(Self.refusals.0, Self.refusals.1), failOn: [.incidents])
        let peer = #""peer":{"address":"\#(Self.strap)","address_type":"random-static"}"#
        let side =
            #"{\#(peer),"weight":"broke","title":"Battery Level cannot be read: Insufficient Authentication","frame":11"#
        let refused =
            #""kind":"request refused","server":"peer","service":{"uuid":"180F","name":"Battery"},"#
            + #""characteristic":{"uuid":"2A19","name":"Battery Level"},"a":\#(side),"count":1,"per_hour":\#(1 / (71e9 / 3.6e12))},"#
            + #""b":\#(side),"count":30,"per_hour":\#(30 / (73e9 / 3.6e12))}}"#
        #expect(json.contains(#""incidents":[{"kind":"link lost","b":{"peer":{"address":"\#(Self.probe)","#), "\(json)")
        #expect(json.contains(",{\(refused),{\"kind\":\"integrity check failed\",\"a\":{"), "\(json)")
        #expect(json.contains(#""failed":[{"fail_on":"incidents","kind":"link lost","b":{"#), "\(json)")
        #expect(json.contains(#"{"fail_on":"incidents",\#(refused)],"#), "\(json)")
    }

    // MARK: Verdict

    /// The tree above, and 20 reads that take 2 s instead of 1 s.
    @Test func whyItFails() throws {
        func reads(_ milliseconds: Double) -> [Packet] {
            (0..<20).flatMap { index in
                let start = 100_000 + 10_000 * Double(index)
                return [
                    Packet.att(.tx, "0A 0300").at(milliseconds: start),
                    .att(.rx, "0B 5A").at(milliseconds: start + milliseconds),
                ]
            }
        }
        let slower = difference(Self.before + reads(1_000), Self.before + reads(2_000))
        let text = try text(slower, failOn: [.slower])
        #expect(
            text.hasSuffix(
                """

                  Failed
                  ✗ slower  p50 1 s → 2 s  → Read  Battery › Battery Level
                  ✗ slower  p99 1 s → 2 s  → Read  Battery › Battery Level

                  Not compared: fewer than 20 round trips
                  count A      B
                        1      1  → Read By Group Type
                        1      1  → Read By Type
                        1      1  → Find Information

                """))
        let other = difference(Self.before, Self.after)
        #expect(
            try self.text(other, failOn: [.tree]).hasSuffix(
                "\n\n  Failed\n  ✗ tree  3 differences of F2:F2:F2:F2:F2:F2\n"))
        let json = try json(slower, failOn: [.slower])
        let read =
            #""method":"Read Request","direction":"tx","server":"peer","service":{"uuid":"180F","name":"Battery"},"characteristic":{"uuid":"2A19","name":"Battery Level"}"#
        #expect(
            json.contains(#""failed":[{"fail_on":"slower",\#(read),"percentile":50,"a_us":1000000,"b_us":2000000},"#))
        #expect(
            json.contains(
                #""not_compared":[{"method":"Read By Group Type Request","direction":"tx","a_count":1,"b_count":1},"#))
        #expect(try self.json(other, failOn: [.tree]).contains(#""failed":[{"fail_on":"tree","a":{"address":"F2:"#))
    }

    // MARK: Peers

    @Test func theSameTreeAndAPeerOfOneCaptureOnly() throws {
        let probe: [Packet] = [
            .connected(Address.probe, handle: 0x41), .att(.tx, "10 0100 FFFF 0028", handle: 0x41),
            .att(.rx, "11 06 0100 0400 0A18", handle: 0x41),
        ]
        let text = try text(difference(Self.before, Self.before + probe))
        #expect(
            text.hasPrefix(
                """
                A  a.btsnoop
                B  b.btsnoop

                F2:F2:F2:F2:F2:F2 · the same tree of 3 attributes

                E6:0A:33:7C:90:15 · only in B

                  Procedures

                """))
        #expect(!text.contains("Fields in other ranges"))
        let json = try json(difference(Self.before + probe, Self.before))
        #expect(
            json.contains(
                #","changes":[]},{"a":{"address":"E6:0A:33:7C:90:15","address_type":"random-static","attributes":1},"changes":[]}]"#
            ))
    }

    /// A device that was exchanged for another of its kind.
    @Test func twoPeersThatAreLeftBelongTogether() throws {
        var other = Self.before
        other[0] = .connected(Address.probe)
        let text = try text(difference(Self.before, other))
        #expect(
            text.contains(
                "\nF2:F2:F2:F2:F2:F2 in A, E6:0A:33:7C:90:15 in B · the same tree of 3 attributes\n"
            ))
    }

    // MARK: Nothing, and names that would steer

    @Test func emptyCaptures() throws {
        try expectText(
            text(difference([], [])),
            equals: """
                A  a.btsnoop
                B  b.btsnoop

                No GATT tree of a peer in either capture.

                """)
        try expectJSON(
            json(difference([], [])),
            equals: """
                {"schema": "attlas/diff/1", "a": "a.btsnoop", "b": "b.btsnoop", "peers": [], "procedures": [], "round_trips": [],
                 "values": [], "fields": [], "incidents": [], "failed": [], "not_compared": [], "integrity": {\(complete(0, as: "a")), \(complete(0, as: "b"))}}
                """)
    }

    /// A name that ends a JSON string, begins a line, clears the screen and turns the line round; and a file called like that.
    @Test func hostileNames() throws {
        let name = "a\"\n\u{1B}[2J\u{202E}"
        let octets = Array(name.utf8)
        // Read By Type of Device Name.
        let named: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 002A"),
            .frame(.rx, channel: 4, [0x09, UInt8(octets.count + 2), 0x03, 0x00] + octets),
        ]
        let difference = difference([], named, file: name)
        let text = try text(difference)
        let head = #"""
            A  a.btsnoop
            B  a"\n\u{1B}[2J\u{202E}

            a"\n\u{1B}[2J\u{202E} F2:F2:F2:F2:F2:F2 · only in B

            """#
        #expect(text.hasPrefix(head))
        let json = try json(difference)
        #expect(
            json.hasPrefix(#"{"schema":"attlas/diff/1","a":"a.btsnoop","b":"a\"\n\u001b[2J\u202e","peers":[{"b":{"#))
        #expect(json.contains(#""address_type":"random-static","name":"a\"\n\u001b[2J\u202e","attributes":"#))
    }

    @Test func noLinePassesTheEdge() throws {
        for line in try text(difference(Self.before, Self.after), width: 60).split(separator: "\n") {
            #expect(line.count <= 60)
        }
    }
}

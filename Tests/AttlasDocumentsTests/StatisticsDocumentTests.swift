import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import Testing

@testable import AttlasDocuments

@Suite struct StatisticsDocumentTests {
    private func statistics(_ packets: [Packet], _ selection: Selection = Selection()) -> StatisticsModel {
        document(of: packets, as: RecordMaker(step: 1_000_000)) {
            SelectedStatistics(selection: selection, values: $0)
        }
    }

    private func text(
        _ model: StatisticsModel, file: String? = nil, by grouping: StatisticsGrouping = .connection, width: Int? = nil
    ) throws -> String {
        try printed { output in
            var text = StatisticsText(model, grouping: grouping, width: width, isColoured: false)
            text.write(file: file, into: &output)
        }
    }

    private func json(
        _ model: StatisticsModel, file: String = "a.btsnoop", by grouping: StatisticsGrouping = .connection
    ) throws -> String {
        try printed { output in
            var json = StatisticsJSON(model, grouping: grouping)
            json.write(file: file, into: &output)
        }
    }

    /// LE CIS Established (Vol 4, Part E, 7.7.65.25) and Disconnection Complete of 0x0041.
    @Test func streamsBeyondTheLimit() throws {
        let stream: [Packet] = [
            .event("3E 1D 19 00 4100 B80B00 B80B00 102700 102700 02 01 03 01 00 01 01 7800 2900 0800"),
            .event("05 04 00 4100 13"),
        ]
        let model = statistics([Packet.connected()] + Array(repeating: stream, count: 4_098).flatMap(\.self))
        expect(model.streamsLeftOut, equals: 2)
        #expect(try text(model).contains("Beyond the limits · 2 streams"))
        #expect(try json(model).contains(#""streams_left_out":2,"#))
    }

    // MARK: A connection

    /// Reads of 0x0003, of which nobody knows what it is, answered after 50, 50 and 100 ms; notifications at 3, 3.1 and 3.3 s; a
    /// read that is not answered.
    private static let reads: [Packet] = [
        Packet.connected().at(milliseconds: 0),
        .att(.tx, "0A 0300").at(milliseconds: 1_000), .att(.rx, "0B 5A").at(milliseconds: 1_050),
        .att(.tx, "0A 0300").at(milliseconds: 2_000), .att(.rx, "0B 59").at(milliseconds: 2_050),
        .att(.rx, "1B 0300 5A").at(milliseconds: 3_000), .att(.rx, "1B 0300 5A5B").at(milliseconds: 3_100),
        .att(.rx, "1B 0300 5A").at(milliseconds: 3_300),
        .att(.tx, "0A 0300").at(milliseconds: 4_000), .att(.rx, "0B 58").at(milliseconds: 4_100),
        .att(.tx, "0A 0300").at(milliseconds: 5_000), .disconnected().at(milliseconds: 6_000),
    ]

    /// An ATT PDU has 4 octets of L2CAP header, and 4 more of ACL. Allowed are 44 packets with 20 octets of value in 30 ms: LinkTests.
    @Test func aConnectionAsText() throws {
        try expectText(
            text(statistics(Self.reads)),
            equals: """
                F2:F2:F2:F2:F2:F2 · connection 1 · this host is central
                    0.000000  connected · interval 30 ms · latency 0 · timeout 720 ms
                    6.000000  ended by the peer after 6 s: Remote User Terminated Connection (0x13)
                              first value 1.1 s after connecting (frame 3) · longest silence 1 s (frames 1 → 2)

                  Link
                      values       ATT     L2CAP       HCI   packets   best 1 s     allowed   share  under
                    →      0        12        28        44         4        0 B
                    ←      7        19        43        67         6        4 B   29.3 kB/s     0 %  30 ms, MTU 23, LE 1M, 27 octets

                  Round trips
                    count      p50      p90      p99      max   intervals  min … max
                        3    50 ms   100 ms   100 ms   100 ms         1.7  █          ▄  → Read  handle 0x0003  ✗ 1 unanswered

                  Slowest
                     time  frames
                   100 ms  9 → 10           → Read  handle 0x0003
                    50 ms  2 → 3            → Read  handle 0x0003
                    50 ms  4 → 5            → Read  handle 0x0003

                  Values
                    count    octets    L2CAP      HCI       rate       mean   best 1 s  gap p50      p99      max   jitter
                        3         3       18       30     0.7 /s    0.7 B/s        1 B      1 s    2.1 s    2.1 s    1.1 s  ← Read  handle 0x0003
                        3         4       25       37     6.7 /s     10 B/s        4 B   100 ms   200 ms   200 ms   100 ms  ← Notification  handle 0x0003

                """)
    }

    @Test func aConnectionAsJSON() throws {
        // Two of 50 ms, none in ten twelfths of the range, one of 100 ms.
        let bounds = [
            50_000, 54_167, 58_334, 62_501, 66_668, 70_835, 75_002, 79_169, 83_336, 87_503, 91_670, 95_837, 100_004,
        ]
        let histogram = zip(bounds, bounds.dropFirst()).enumerated().map { index, bounds in
            let count = [0: 2, 11: 1][index, default: 0]
            return #"{"from_us": \#(bounds.0), "to_us": \#(bounds.1), "count": \#(count)}"#
        }.joined(separator: ", ")
        let read = #""method": "Read Request", "direction": "tx", "server": "peer", "handle": 3"#
        try expectJSON(
            json(statistics(Self.reads)),
            equals: """
                {"schema": "attlas/stats/1", "file": "a.btsnoop",
                 "connections": [
                  {"connection": 1, "controller": 0, "connection_handle": 64, "transport": "LE", "role": "central",
                   "peer": {"address": "F2:F2:F2:F2:F2:F2", "address_type": "random-static"},
                   "begun": {"time": "1970-01-01T00:00:00.000000Z", "frame": 1},
                   "steps": [
                    {"time": "1970-01-01T00:00:00.000000Z", "frame": 1, "event": "parameters", "interval_us": 30000,
                     "latency": 0, "supervision_timeout_us": 720000}],
                   "steps_left_out": 0,
                   "end": {"time": "1970-01-01T00:00:06.000000Z", "frame": 12, "duration_us": 6000000, "kind": "expected",
                    "by": "peer", "reason": {"code": "0x13", "name": "Remote User Terminated Connection"}},
                   "first_value": {"time": "1970-01-01T00:00:01.050000Z", "frame": 3, "after_us": 1050000},
                   "longest_silence": {"duration_us": 1000000, "from_frame": 1, "to_frame": 2},
                   "failed_procedures": 0,
                   "settings": {"interval_us": 30000, "latency": 0, "supervision_timeout_us": 720000, "mtu": 23,
                    "tx_phy": "LE 1M", "rx_phy": "LE 1M", "max_tx_octets": 27, "max_rx_octets": 27},
                   "links": [
                    {"direction": "tx", "values": 0, "value_octets": 0, "att_octets": 12, "l2cap_octets": 28, "hci_octets": 44,
                     "acl_packets": 4, "best_second_octets": 0},
                    {"direction": "rx", "values": 6, "value_octets": 7, "att_octets": 19, "l2cap_octets": 43, "hci_octets": 67,
                     "acl_packets": 6, "best_second_octets": 4,
                     "conditions": {"interval_us": 30000, "mtu": 23, "phy": "LE 1M", "data_length": 27, "encrypted": false},
                     "allowed_octets_per_s": 29333.333333333332, "share_of_allowed": 0.00013636363636363637}]}],
                 "by": "connection",
                 "groups": [
                  {"connections": [1], "procedures": [],
                   "round_trips": [
                    {\(read),
                     "rtt_us": {"count": 3, "min": 50000, "p50": 50000, "p90": 100000, "p99": 100000, "max": 100000},
                     "rtt_connection_intervals":
                      {"count": 3, "min": 1.66, "p50": 1.66, "p90": 3.33, "p99": 3.33, "max": 3.33},
                     "histogram": [\(histogram)],
                     "unanswered": 1, "answer_missed": 0, "open": 0, "timed_out": 0, "overlapping": 0, "untimed": 0}],
                   "slowest": [
                    {"request_frame": 9, "frame": 10, "rtt_us": 100000, \(read)},
                    {"request_frame": 2, "frame": 3, "rtt_us": 50000, \(read)},
                    {"request_frame": 4, "frame": 5, "rtt_us": 50000, \(read)}],
                   "values": [
                    {"method": "Read Response", "direction": "rx", "server": "peer", "handle": 3, "count": 3,
                     "value_octets": 3, "l2cap_octets": 18, "hci_octets": 30, "best_second_octets": 1,
                     "octets_per_s": 0.6557377049180327, "per_s": 0.6557377049180327,
                     "gap_us":
                      {"count": 2, "min": 1000000, "p50": 1000000, "p90": 2050000, "p99": 2050000, "max": 2050000},
                     "jitter_us": 1050000},
                    {"method": "Handle Value Notification", "direction": "rx", "server": "peer", "handle": 3, "count": 3,
                     "value_octets": 4, "l2cap_octets": 25, "hci_octets": 37, "best_second_octets": 4,
                     "octets_per_s": 10, "per_s": 6.666666666666667,
                     "gap_us": {"count": 2, "min": 100000, "p50": 100000, "p90": 200000, "p99": 200000, "max": 200000},
                     "jitter_us": 100000}]}],
                 "connections_left_out": 0, "operations_left_out": 0, \(complete(Self.reads.count))}
                """)
    }

    @Test(arguments: StatisticsGrouping.allCases)
    func theGroupingIsNamed(_ grouping: StatisticsGrouping) throws {
        let json = try json(statistics(Self.reads), by: grouping)
        #expect(json.contains(#","by":"\#(grouping.rawValue)","groups":[{"connections":[1],"#))
    }

    // MARK: Nothing, too much, and names that would steer

    @Test func anEmptyCapture() throws {
        try expect(text(statistics([])), equals: "No connection in this capture.\n")
        try expect(text(statistics([]), file: "a"), equals: "a\n\nNo connection in this capture.\n")
        try expectJSON(
            json(statistics([])),
            equals: """
                {"schema": "attlas/stats/1", "file": "a.btsnoop", "connections": [], "by": "connection", "groups": [], "connections_left_out": 0,
                 "operations_left_out": 0, \(complete(0))}
                """)
    }

    @Test func nothingThatWasAskedFor() throws {
        var selection = Selection()
        selection.frames = 100...200
        let model = statistics(Self.reads, selection)
        try expect(text(model), equals: "Nothing in this capture is what was asked for.\n")
        try expectJSON(
            json(model),
            equals: """
                {"schema": "attlas/stats/1", "file": "a.btsnoop", "connections": [], "by": "connection", "groups": [], "connections_left_out": 0,
                 "operations_left_out": 0, \(complete(Self.reads.count))}
                """)
    }

    /// The parameters change 300 times; 256 steps are kept, with the one that the connection begins with.
    @Test func stepsThatWereLeftOut() throws {
        let changes = (1...300).map { Packet.event("3E 0A 03 00 4000").with(little(5 + $0) + hex("0000 4800")) }
        let model = statistics([.connected()] + changes)
        #expect(try text(model).contains("\n              and 45 more changes\n"))
        #expect(try json(model).contains(#","steps_left_out":45,"#))
    }

    @Test func connectionsThatWereLeftOut() throws {
        let packets = (0..<StatisticsCollector.connectionLimit + 2).flatMap { _ in
            [Packet.connected(), .disconnected()]
        }
        let model = statistics(packets)
        #expect(try text(model).hasSuffix("\n\nBeyond the limits · 2 connections\n"))
        #expect(try json(model).contains(#","connections_left_out":2,"operations_left_out":0,"#))
    }

    /// A request, an answer and a value of each of five handles.
    @Test func operationsThatWereLeftOut() throws {
        let reads = (1...StatisticsCollector.rowLimit + 5).flatMap { handle in
            [Packet.frame(.tx, channel: 4, [0x0A] + little(handle)), .frame(.rx, channel: 4, [0x0B])]
        }
        let model = statistics([.connected()] + reads)
        let text = try text(model, by: .method)
        #expect(text.contains("\n\nBeyond the limits · 15 ATT PDUs\n"))
        #expect(text.hasSuffix("← Read\n"))
        #expect(
            try json(model, by: .method).contains(#","connections_left_out":0,"operations_left_out":15,"#))
    }

    /// A name that ends a JSON string, begins a line, clears the screen and turns the line round; and a file called like that.
    @Test func hostileNames() throws {
        let name = "a\"\n\u{1B}[2J\u{202E}"
        let octets = Array(name.utf8)
        // Read By Type of Device Name.
        let packets: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 002A"),
            .frame(.rx, channel: 4, [0x09, UInt8(octets.count + 2), 0x03, 0x00] + octets),
        ]
        let text = try text(statistics(packets), file: name)
        #expect(text.hasPrefix(#"a"\n\u{1B}[2J\u{202E}"# + "\n\n" + #"a"\n\u{1B}[2J\u{202E}  F2:F2:F2:F2:F2:F2 · "#))
        let json = try json(statistics(packets), file: name)
        #expect(json.hasPrefix(#"{"schema":"attlas/stats/1","file":"a\"\n\u001b[2J\u202e","connections":[{"#))
        #expect(json.contains(#""address_type":"random-static","name":"a\"\n\u001b[2J\u202e"}"#))
    }

    @Test func noLinePassesTheEdge() throws {
        for line in try text(statistics(Self.reads), width: 60).split(separator: "\n") { #expect(line.count <= 60) }
    }

    // MARK: Audio

    /// The endpoint's states, the stream, and what the controller gave of it. Of `Audio.unicast`.
    @Test func anAudioStream() throws {
        let model = statistics(Audio.unicast)
        let text = try text(model)
        #expect(text.contains("5.000000  ASE 1 (sink) Codec Configured · LC3 48 kHz, 10 ms, 120 octets\n"))
        #expect(
            text.contains(
                """
                  Streams
                    CIS 5 of CIG 2 · handle 0x0041 · every 10 ms · → PDUs of up to 40 octets, LE 1M · ← PDUs of up to 120 octets, LE 2M \
                · LC3 48 kHz, 10 ms, 120 octets · ASE 1 · from 8.000000 to 14.000000 · Remote User Terminated Connection
                      → 1 SDU · 2 octets
                      ← 2 SDUs · 8 octets
                      ASE 1 (sink): Codec Configured 5.000000 → QoS Configured 6.000000 →
                """))
        let json = try json(model)
        #expect(
            json.contains(
                #""event":"audio_endpoint","ase":1,"direction":"sink","state":"Streaming","cig_id":2,"cis_id":5"#))
        #expect(json.contains(#""streams":[{"kind":"cis","cig_id":2,"cis_id":5,"controller":0,"handle":65,"#))
        #expect(json.contains(#""rx":{"max_pdu_octets":120,"phy":"LE 2M","sdus":2,"octets":8,"lost":0,"#))
    }

    /// Numbers 2 and 3 were left out, 5 was lost, 6 may have errors; the codec is the one in the BASE. Of `Audio.broadcast`.
    @Test func aBroadcastStreamWithLosses() throws {
        let model = statistics(Audio.broadcast)
        #expect(
            try text(model).contains(
                """
                  Streams of no connection
                    BIS 1 of BIG 0, received · handle 0x0042 · every 10 ms · ← PDUs of up to 120 octets · LC3 48 kHz, 10 ms, 100 octets \
                · from 6.000000 to 12.000000 · Connection Timeout
                      ← 4 SDUs · 8 octets · ✗ 1 lost · ✗ 1 with possible errors · ✗ 2 sequence numbers left out
                    BIS 2 of BIG 0, received ·
                """))
        #expect(
            try json(model).contains(
                #""sdus":4,"octets":8,"lost":1,"possibly_invalid":1,"sequence_numbers_left_out":2"#))
    }

    /// Number 20 is 50 ms late on a stream of 10 ms with a transport latency of 20 ms; numbers 21 to 23 follow it at once. Of `Audio.ownBroadcast`.
    @Test func aSentStreamWithALateSDU() throws {
        let sdus = (0..<40).flatMap { (number: Int) -> [Packet] in
            let digits = (number < 16 ? "0" : "") + String(number, radix: 16)
            let milliseconds = number < 20 ? number * 10 : max(number * 10, 230 + number)
            let time = 20_000 + Double(milliseconds)
            return [
                Audio.iso(.tx, "4220 0600 \(digits)00 0200 AABB").at(milliseconds: time),
                // Number Of Completed Packets: one. Core, Vol 4, Part E, 7.7.19.
                .event("13 05 01 4200 0100").at(milliseconds: time + 0.5),
            ]
        }
        let model = statistics(Audio.ownBroadcast + sdus)
        #expect(
            try text(model).contains("      → 40 SDUs · 80 octets · ✗ 4 late by up to 50 ms · ✗ 1 gap of up to 60 ms\n")
        )
        #expect(
            try json(model).contains(
                #""timing":{"late":4,"largest_lateness_us":50000,"gaps":1,"longest_gap_us":60000}"#))
    }
}

import AttlasCapture
import AttlasTables
import AttlasTestSupport
import AttlasText
import AttlasTrace
import Testing

@Suite struct TrackWriterTests {
    /// A message of Protocol Buffers: https://protobuf.dev/programming-guides/encoding
    struct Message {
        private(set) var numbers: [UInt64: UInt64] = [:]
        private(set) var parts: [UInt64: [[UInt8]]] = [:]

        init(_ octets: [UInt8]) throws {
            var rest = octets[...]
            func varint() throws -> UInt64 {
                var (number, shift) = (0 as UInt64, 0 as UInt64)
                while true {
                    let octet = try #require(rest.first)
                    rest.removeFirst()
                    number |= UInt64(octet & 0x7F) << shift
                    if octet < 0x80 { return number }
                    shift += 7
                }
            }
            while !rest.isEmpty {
                let key = try varint()
                switch key & 7 {
                case 0: numbers[key >> 3] = try varint()
                case 1:
                    numbers[key >> 3] = rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
                    rest = rest.dropFirst(8)
                default:
                    let length = Int(try varint())
                    try #require(key & 7 == 2 && length <= rest.count)
                    parts[key >> 3, default: []].append(Array(rest.prefix(length)))
                    rest = rest.dropFirst(length)
                }
            }
        }

        func messages(_ field: UInt64) throws -> [Message] { try (parts[field] ?? []).map { try Message($0) } }
        func text(_ field: UInt64) -> String? { parts[field]?.first.map { String(decoding: $0, as: UTF8.self) } }
    }

    struct Track {
        var name = ""
        var parent: UInt64?
        var unit: String?
        var isCounter = false
    }

    struct Event {
        var track: UInt64
        var kind: UInt64
        var time: UInt64
        /// Of a slice.
        var end: UInt64?
        var name = ""
        var category = ""
        var number: Double?
        var notes: [String: String] = [:]
    }

    /// A trace as its readers understand it: the events of a track in the order of their times.
    struct Trace {
        var tracks: [UInt64: Track] = [:]
        var events: [Event] = []
        /// The clocks of the first packet.
        var clocks: [UInt64: UInt64] = [:]

        init(_ octets: [UInt8]) throws {
            var all: [Event] = []
            for packet in try Message(octets).messages(1) {
                // trusted_packet_sequence_id
                expect(packet.numbers[10], equals: 1)
                for snapshot in try packet.messages(6) {
                    for clock in try snapshot.messages(1) { clocks[clock.numbers[1] ?? 0] = clock.numbers[2] }
                }
                for descriptor in try packet.messages(60) {
                    let counter = try descriptor.messages(8).first
                    let uuid = try #require(descriptor.numbers[1])
                    #expect(tracks[uuid] == nil)
                    tracks[uuid] = Track(
                        name: descriptor.text(2) ?? "", parent: descriptor.numbers[5], unit: counter?.text(6),
                        isCounter: counter != nil)
                }
                for event in try packet.messages(11) {
                    let track = try #require(event.numbers[11])
                    var notes: [String: String] = [:]
                    for note in try event.messages(4) {
                        notes[note.text(10) ?? ""] = note.text(6) ?? note.numbers[4].map { "\(Int64(bitPattern: $0))" }
                    }
                    // A counter is known before its first number.
                    if event.numbers[9] == 4 { #expect(tracks[track]?.isCounter == true) }
                    all.append(
                        Event(
                            track: track, kind: event.numbers[9] ?? 0, time: packet.numbers[8] ?? 0,
                            name: event.text(23) ?? "", category: event.text(22) ?? "",
                            number: event.numbers[44].map { Double(bitPattern: $0) }, notes: notes))
                }
            }
            var open: [UInt64: [Int]] = [:]
            for event in all.enumerated().sorted(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }) {
                if event.element.kind == 2 {
                    let place = try #require(open[event.element.track]?.last)
                    open[event.element.track]?.removeLast()
                    events[place].end = event.element.time
                    events[place].notes.merge(event.element.notes) { $1 }
                    continue
                }
                if event.element.kind == 1 { open[event.element.track, default: []].append(events.count) }
                events.append(event.element)
            }
            for event in events { #expect(tracks[event.track] != nil, "\(event) has no track") }
        }

        func events(_ category: String) -> [Event] { events.filter { $0.category == category } }
        func name(_ event: Event) -> String { tracks[event.track]?.name ?? "" }
        func numbers(_ name: String) -> [Double] {
            events.filter { $0.kind == 4 && tracks[$0.track]?.name == name }.compactMap(\.number)
        }
    }

    private func trace(_ packets: [Packet], file: String? = nil) throws -> Trace {
        final class Kept { var octets: [UInt8] = [] }
        let kept = Kept()
        _ = document(of: packets) { values in
            TrackWriter(capture: 1, file: file, values: values) {
                kept.octets += $0.bytes
                $0.removeAll()
            }
        }
        return try Trace(kept.octets)
    }

    /// Read By Type: Battery Level, at 0x0010. Vol 3, Part F, 3.4.4.1.
    private static let discovery: [Packet] = [
        .att(.tx, "08 0100 FFFF 0328").at(milliseconds: 10), .att(.rx, "09 07 0F00 02 1000 192A").at(milliseconds: 20),
    ]

    @Test func aTransactionLastsFromItsRequestToItsResponse() throws {
        let found = try trace(
            [.connected().at(milliseconds: 0)] + Self.discovery + [
                .att(.tx, "0A 1000").at(microseconds: 30_000), .att(.rx, "0B 5A").at(microseconds: 77_123),
                .att(.tx, "0A 1000").at(microseconds: 80_000), .att(.rx, "01 0A 1000 0F").at(microseconds: 80_400),
            ])
        let slices = found.events("transaction")
        expect(slices.map(\.name), equals: ["Read By Type", "Read Battery Level", "Read Battery Level"])
        expect(slices.map { ($0.end ?? 0) - $0.time }, equals: [10_000_000, 47_123_000, 400_000])
        expect(slices.map { found.name($0) }, equals: Array(repeating: "Requests by the host", count: 3))
        expect(slices[1].notes, equals: ["request_frame": "4", "frame": "5", "response": "90 %"])
        expect(slices[2].notes["error"], equals: "Insufficient Encryption")
        expect(slices[1].time - slices[0].time, equals: 20_000_000)
        let parent = try #require(found.tracks[slices[0].track]?.parent)
        let connection = try #require(found.tracks[parent])
        #expect(connection.name == "1 · F2:F2:F2:F2:F2:F2" && connection.parent == nil)
        expect(found.numbers("Battery Level"), equals: [90])
        expect(found.tracks.values.first { $0.name == "Battery Level" }?.unit, equals: "%")
    }

    /// BUILTIN_CLOCK_REALTIME and BUILTIN_CLOCK_BOOTTIME, which packets have without another, are equal: nanoseconds since 1970.
    @Test func theClockIsTheTimeOfDay() throws {
        let found = try trace([.connected(), .disconnected()])
        let connection = try #require(found.events("connection").first)
        expect(found.clocks, equals: [1: connection.time, 6: connection.time])
        expect(connection.end, equals: connection.time + 1_000_000)
        #expect(connection.notes["frame"] == "1" && connection.notes["end_frame"] == "2")
        #expect(connection.notes["end"]?.contains("Remote User Terminated Connection") == true)
    }

    /// LE Connection Update Complete: Vol 4, Part E, 7.7.65.3.
    @Test func parametersLastUntilTheNext() throws {
        let found = try trace([
            .connected(), .event("3E 0A 03 00 4000 1800 0200 4800").at(milliseconds: 100),
            .disconnected().at(milliseconds: 300),
        ])
        let slices = found.events("parameters")
        expect(slices.map { $0.notes["interval_us"] }, equals: ["30000", "30000"])
        expect(slices.map { $0.notes["latency"] }, equals: ["0", "2"])
        #expect(slices[0].end == slices[1].time && slices[1].end == found.events("connection").first?.end)
        expect(slices[1].name, equals: "interval 30 ms · latency 2 · timeout 720 ms")
    }

    @Test func aRequestWithoutAnAnswerEndsWithTheConnection() throws {
        let found = try trace(
            [.connected().at(milliseconds: 0)] + Self.discovery + [
                .att(.tx, "0A 1000").at(milliseconds: 30), .disconnected().at(milliseconds: 500),
            ])
        let slice = try #require(found.events("unanswered").first)
        expect(found.events("unanswered").count, equals: 1)
        #expect(slice.name == "Read Battery Level" && slice.end == slice.time + 470_000_000)
        expect(slice.notes, equals: ["request_frame": "4"])
    }

    /// What the capture does not show the end of has none; what it last saw of a request is its end.
    @Test func anOpenConnectionStaysOpen() throws {
        let found = try trace([.connected(), .att(.tx, "0A 1000")])
        #expect(found.events("connection").first?.end == nil && found.events("parameters").first?.end == nil)
        #expect(found.events("open").first?.end != nil && found.events("unanswered").isEmpty)
    }

    /// Each side may ask while the other's request waits. Vol 3, Part F, 3.3.2.
    @Test func bothSidesHaveTracks() throws {
        let found = try trace([
            .connected(), .att(.tx, "0A 1000"), .att(.rx, "0A 0300"), .att(.tx, "0B 41"), .att(.rx, "0B 5A"),
            .att(.rx, "1D 1000 5A"), .att(.tx, "1E"),
        ])
        let slices = found.events("transaction")
        expect(
            slices.map { found.name($0) },
            equals: ["Requests by the host", "Requests by the peer", "Requests by the peer"])
        expect(slices.map(\.name), equals: ["Read handle 0x0010", "Read handle 0x0003", "Indication handle 0x0010"])
        expect(slices.map { ($0.end ?? 0) - $0.time }, equals: [3_000_000, 1_000_000, 1_000_000])
    }

    @Test func everyOccurrenceOfAnIncidentIsOnItsConnection() throws {
        let found = try trace(
            [.advertisement(), .connected()] + Self.discovery + [
                .att(.tx, "0A 1000"), .att(.rx, "01 0A 1000 0F"), .disconnected(reason: 0x08).at(milliseconds: 100),
                .connected().at(milliseconds: 200), .disconnected(reason: 0x08).at(milliseconds: 333),
            ])
        let lost = found.events("incident").filter { $0.notes["kind"] == "link lost" }
        #expect(lost.map { $0.notes["frame"] } == ["7", "9"] && lost.allSatisfy { $0.notes["count"] == "2" })
        expect(lost.map { found.name($0) }, equals: ["1 · F2:F2:F2:F2:F2:F2", "2 · F2:F2:F2:F2:F2:F2"])
        expect(lost[1].time - lost[0].time, equals: 233_000_000)
        #expect(lost[0].notes["frames"]?.contains("7, 9") == true)
        let refused = try #require(found.events("incident").first { $0.notes["kind"] == "request refused" })
        #expect(refused.notes["certainty"] == "proved" && refused.notes["what"]?.contains("0x0F") == true)
    }

    @Test func notificationsAreInstants() throws {
        let found = try trace(
            [.connected()] + Self.discovery + [.att(.rx, "1B 1000 5A"), .att(.rx, "1B 1000 59")], file: "a.btsnoop")
        let values = found.events("value")
        expect(values.map(\.name), equals: Array(repeating: "Notification Battery Level", count: 2))
        expect(values.map { $0.notes["value"] }, equals: ["90 %", "89 %"])
        expect(found.name(values[0]), equals: "Notifications and commands by the peer")
        expect(found.numbers("Battery Level"), equals: [90, 89])
        #expect(found.tracks.values.contains { $0.name == "a.btsnoop · 1 · F2:F2:F2:F2:F2:F2" })
    }

    /// The PDUs that have no slice: no answer may nest with what it does not belong to.
    @Test func aClockThatGoesBackBreaksNoSlice() throws {
        let found = try trace(
            [.connected().at(milliseconds: 5_000)] + Self.discovery + [
                .att(.tx, "0A 1000").at(milliseconds: 30), .att(.rx, "0B 5A").at(milliseconds: 90),
                .disconnected().at(milliseconds: 100),
            ])
        for slice in found.events where slice.kind == 1 { #expect(slice.end ?? 0 >= slice.time, "\(slice)") }
        expect(found.events("transaction").last?.name, equals: "Read Battery Level")
    }
}

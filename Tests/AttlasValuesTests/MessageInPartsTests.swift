import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

/// Mesh Proxy Data Out, whose Proxy PDUs are split by the two upper bits of their first octet: 1 the first part, 2 one in
/// between, 3 the last. Mesh Protocol 1.1, 6.3.1.
@Suite struct MessageInPartsTests {
    /// Frames 1 to 5; the characteristic is at 0x0003.
    private static let discovery: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 2818"),
        .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 DE2A"),
    ]

    private func readings(_ parts: [String]) -> [ReadingCollector.Reading] {
        AttlasValuesTests.readings(
            Self.discovery + parts.map { .att(.rx, $0.isEmpty ? "1B FF00 00" : "1B 0300 \($0)") })
    }

    @Test func theLastPartHasTheWhole() {
        let readings = readings(["40 10 11 12", "80 13 14", "C0 15 16"])
        expect(readings.map(\.message), equals: ["part 1", "part 2", "complete of 6, 7, 8"])
        expect(readings.map(\.fields.isEmpty), equals: [true, true, false])
        expect(readings[2].octets, equals: hex("40 10 11 12 13 14 15 16"))
        #expect(readings.compactMap(\.loss).isEmpty)
    }

    @Test func aMessageInOnePartIsWhole() {
        let readings = readings(["00 10 11 12"])
        expect(readings.map(\.message), equals: ["complete of 6"])
        expect(readings[0].octets, equals: hex("00 10 11 12"))
    }

    @Test func aNewBeginningGivesTheOldMessageUp() {
        let readings = readings(["40 10 11 12", "40 10 21 22", "C0 23"])
        expect(readings.map(\.message), equals: ["part 1", "part 1", "complete of 7, 8"])
        expect(readings.map(\.loss), equals: [nil, .restarted, nil])
        expect(readings[2].octets, equals: hex("40 10 21 22 23"))
    }

    /// 20 s, a second a PDU.
    @Test func aPauseThatIsTooLongGivesTheMessageUp() {
        let readings = readings(["40 10 11 12"] + Array(repeating: "", count: 25) + ["C0 13"])
        expect(readings.map(\.message), equals: ["part 1", "stray"])
        expect(readings.map(\.loss), equals: [nil, .timeout])
    }

    /// Two octets of a part are not in the capture: nothing is read of that message, and the next one has its beginning.
    @Test func aMessageWithACutPartIsNotRead() {
        var parts: [Packet] = ["40 10 11 12", "C0 13 14", "40 20 21 22", "C0 23"].map { .att(.rx, "1B 0300 \($0)") }
        parts[0].octets.removeLast(2)
        parts[0].missing = 2
        let readings = AttlasValuesTests.readings(Self.discovery + parts)
        expect(readings.map(\.message), equals: ["part 1", "part 2", "part 1", "complete of 8, 9"])
        expect(readings.map(\.fields.isEmpty), equals: [true, true, true, false])
        expect(readings[3].octets, equals: hex("40 20 21 22 23"))
    }

    @Test func eachDirectionAndConnectionHasItsMessages() {
        // Another connection on another handle, with another device that has the same table.
        let other = Self.discovery.dropFirst().enumerated().map { index, packet in
            var packet = packet
            packet.octets[0] = 0x41
            return packet
        }
        let packets =
            Self.discovery + [.connected(Address.probe, handle: 0x41)] + other + [
                .att(.rx, "1B 0300 40 10 11"), .att(.rx, "1B 0300 40 10 21", handle: 0x41), .att(.rx, "1B 0300 C0 12"),
                .att(.rx, "1B 0300 C0 22", handle: 0x41),
            ]
        let readings = AttlasValuesTests.readings(packets)
        expect(readings.map(\.message), equals: ["part 1", "part 1", "complete of 11, 13", "complete of 12, 14"])
        expect(readings.suffix(2).map(\.octets), equals: [hex("40 10 11 12"), hex("40 10 21 22")])
    }

    @Test func aMessageEndsWithItsConnection() {
        let packets =
            Self.discovery + [
                .att(.rx, "1B 0300 40 10 11"), .disconnected(), .connected(), .att(.rx, "1B 0300 C0 12"),
            ]
        expect(AttlasValuesTests.readings(packets).map(\.message), equals: ["part 1", "stray"])
    }

    /// Two sinks share what came before: neither takes the second part for a new message.
    @Test func everyReaderOfAConversationSeesTheSame() {
        let packets = Self.discovery + [.att(.rx, "1B 0300 40 10 11 12"), .att(.rx, "1B 0300 C0 13 14")]
        let both = decoded(packets) { values in
            SinkPair(first: ReadingCollector(values: values), second: ReadingCollector(values: values))
        }
        for readings in [both.first.readings, both.second.readings] {
            expect(readings.map(\.message), equals: ["part 1", "complete of 6, 7"])
            expect(readings[1].octets, equals: hex("40 10 11 12 13 14"))
            #expect(readings.compactMap(\.loss).isEmpty)
        }
    }
}

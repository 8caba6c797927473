import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Periodic advertising and isochronous streams.
@Suite struct IsochronousTests {
    private let train = "1 C1:22:33:44:55:66 sid 1 interval 80"
    private func digits(_ octets: String) -> String { octets.filter { $0 != " " }.lowercased() }

    @Test func aBroadcastIsFollowed() {
        let recorder = decode(Audio.broadcast)
        expect(recorder.lines("fault"), equals: [])
        expect(
            recorder.lines("periodic").map { $0.lowercased() },
            equals: [
                "periodic 2 \(train) synchronized", "periodic 4 \(train) data \(digits(Audio.announcement))",
                "periodic 5 \(train) streams 2 sdu 10000 100 encrypted", "periodic 14 \(train) lost",
            ].map { $0.lowercased() })
        expect(
            recorder.lines("stream"),
            equals: [
                "stream 7 broadcast(big: 0, index: Optional(1), train: Optional(1), isOwn: false) 0042 on none",
                "stream 7 broadcast(big: 0, index: Optional(2), train: Optional(1), isOwn: false) 0043 on none",
                "stream 13 0042 ended 0008", "stream 13 0043 ended 0008",
            ])
    }

    /// Without its beginning a train has neither an address nor an interval; what failed to be received is no data.
    @Test func aTrainWhoseBeginningIsMissing() {
        let recorder = decode([
            .event("3E 08 0F 2000 7F C4 FF FF 00"), .event("3E 0B 25 2000 7F 7F FF 0500 00 00 00"),
            .event("3E 0B 0F 2000 7F 7F FF 00 03 020A00"),
        ])
        expect(recorder.lines("fault"), equals: [])
        expect(
            recorder.lines("periodic"),
            equals: [
                "periodic 2 1 - sid - interval - data ", "periodic 3 1 - sid - interval - data 020A00",
            ])
    }

    /// LE BIG Terminate Sync: the controller refuses it, then completes it. Core, Vol 4, Part E, 7.8.107.
    @Test func theHostTakesNoMoreOfABroadcast() {
        let streams = Array(Audio.broadcast[..<7])
        let refused = Packet.event("0E 05 01 6C20 0C 00")
        expect(decode(streams + [refused]).lines("stream").count, equals: 2)
        expect(
            decode(streams + [refused, .event("0E 05 01 6C20 00 00")]).lines("stream").suffix(2),
            equals: ["stream 9 0042 ended -", "stream 9 0043 ended -"])
    }

    /// Data_Status 0x02: what is present is not the whole. Core, Vol 4, Part E, 7.7.65.15.
    @Test func dataThatTheControllerTruncated() {
        let recorder = decode([
            .event("3E 0B 0F 2000 7F 7F FF 01 03 1716FE"), .event("3E 0A 0F 2000 7F 7F FF 02 02 0102"),
            .event("3E 0B 0F 2000 7F 7F FF 00 03 020A04"),
        ])
        expect(recorder.lines("fault"), equals: [])
        expect(
            recorder.lines("periodic"),
            equals: [
                "periodic 2 1 - sid - interval - data 1716FE0102 truncated",
                "periodic 3 1 - sid - interval - data 020A04",
            ])
    }

    @Test func whatTheHostBroadcasts() {
        let recorder = decode(Audio.ownBroadcast)
        let own = "own 1 C1:22:33:44:55:66 sid 3 interval 80"
        expect(recorder.lines("fault"), equals: [])
        expect(
            recorder.lines("periodic").map { $0.lowercased() },
            equals: [
                "periodic 10 \(own) data \(digits(Audio.announcement))", "periodic 12 \(own) enabled",
                "periodic 15 \(own) streams 2 sdu 10000 100 encrypted",
            ].map { $0.lowercased() })
        expect(
            recorder.lines("stream").first,
            equals: "stream 15 broadcast(big: 0, index: Optional(1), train: Optional(1), isOwn: true) 0042 on none")
    }

    /// What the controller refused is not sent; data whose first fragment was not captured is not known; unchanged data says nothing; of an
    /// address that the controller makes nothing is known, nor of an interval that it chooses.
    @Test func whatTheHostDoesNotBroadcast() {
        let recorder = decode([
            .command("3F20 06 01 03 03 020A04"), .event("0E 04 01 3F20 0C"),
            .command("3F20 06 01 02 03 020A04"), .event("0E 04 01 3F20 00"),
            .command("3F20 03 01 04 00"), .event("0E 04 01 3F20 00"),
            .command("3620 19 01 0000 A00000 A00000 07 02 00 000000000000 00 7F 01 00 02 03 00"),
            .event("0E 05 01 3620 00 07"),
            .command("3E20 07 01 5000 6000 0000"), .event("0E 04 01 3E20 00"),
            .command("4020 02 01 01"), .event("0E 04 01 4020 00"),
            // LE Clear Advertising Sets: what follows is another train.
            .command("3D20 00"), .event("0E 04 01 3D20 00"),
            .command("4020 02 00 01"), .event("0E 04 01 4020 00"),
            // No parameters, and not enough of them.
            .command("4020 00"), .event("0E 04 01 4020 00"), .command("3F20 01 01"), .event("0E 04 01 3F20 00"),
        ])
        expect(
            recorder.lines("periodic"),
            equals: [
                "periodic 12 own 1 - sid 3 interval - enabled", "periodic 16 own 2 - sid - interval - disabled",
            ])
    }

    @Test func aTransferredTrain() {
        let recorder = decode([.event("3E 14 18 00 4000 0102 1000 03 00 665544332211 01 A000 00")])
        expect(recorder.lines("periodic"), equals: ["periodic 1 1 11:22:33:44:55:66 sid 3 interval 160 synchronized"])
    }

    @Test func aReportThatIsCutIsAFault() {
        let recorder = decode([.event("3E 08 0F 2000 7F C4 FF 00 01")])
        expect(recorder.lines("periodic"), equals: [])
        expect(recorder.lines("fault").count, equals: 1)
    }

    @Test func aStreamOfAPeripheral() {
        let recorder = decode(Audio.unicast)
        expect(
            recorder.lines("stream"),
            equals: [
                "stream 9 connected(group: Optional(2), stream: Optional(5)) 0041 on 0",
                "stream 15 0041 ended 0013",
            ])
    }

    /// The identifiers are in LE Set CIG Parameters, the handles in its result, and the connection in LE Create CIS.
    @Test func aStreamOfACentral() {
        let recorder = decode([
            .connected(),
            .command(
                """
                6220 21 01 102700 102700 00 00 00 1400 1400 02 \
                07 7800 0000 02 02 05 05 09 0000 2800 02 02 05 05
                """),
            .event("0E 0A 01 6220 00 01 02 6000 6100"), .command("6420 09 02 6000 4000 6100 4000"),
            .event("3E 1D 19 00 6100 B80B00 B80B00 102700 102700 02 01 03 00 01 01 01 0000 2800 0800"),
            .event("0E 04 01 030C 00"),
        ])
        expect(
            recorder.lines("stream"),
            equals: [
                "stream 5 connected(group: Optional(1), stream: Optional(9)) 0061 on 0", "stream 6 0061 ended -",
            ])
    }

    @Test func anOwnBroadcastCountsItsStreams() {
        let recorder = decode([
            .event("3E 17 1B 00 05 701700 102700 02 03 01 00 03 7800 0800 02 7000 7100"), .event("3E 03 1C 05 16"),
        ])
        expect(
            recorder.lines("stream"),
            equals: [
                "stream 1 broadcast(big: 5, index: Optional(1), train: nil, isOwn: true) 0070 on none",
                "stream 1 broadcast(big: 5, index: Optional(2), train: nil, isOwn: true) 0071 on none",
                "stream 2 0070 ended 0016", "stream 2 0071 ended 0016",
            ])
    }

    /// AUX_ADV_IND with SyncInfo, then AUX_SYNC_IND with BIGInfo in ACAD. Vol 6, Part B, 2.3.4.6 and 4.4.6.11.
    @Test func aBroadcastFromTheAir() {
        let pdu = hex("07 53 24 00 22 2C \(Audio.bigInfo) \(Audio.announcement)")
        func sync(_ octets: [UInt8]) -> Packet {
            Packet(.air(RadioInfo()), .unknown, hex("44332211") + octets + linkLayerCRC(pdu, initial: 0xCC_BBAA))
        }
        var damaged = pdu
        damaged[50] ^= 1
        let recorder = decode([
            Air().advertising("47 1C 1B 29 6655443322C1 2310 0000 5000 FFFFFFFF1F 44332211 AABBCC 0000", channel: 12),
            sync(damaged), sync(pdu),
        ])
        expect(recorder.lines("fault"), equals: [])
        expect(
            recorder.lines("periodic").map { $0.lowercased() },
            equals: [
                "periodic 1 \(train) synchronized", "periodic 3 \(train) data \(digits(Audio.announcement))",
                "periodic 3 \(train) streams 2 sdu 10000 100",
            ].map { $0.lowercased() })
    }

    /// The Access Addresses of a group follow from its seed: 0x12345678 with 0x02A40000, 0xFD060000 and 0x01300000, the words of the
    /// control subevent and of streams 1 and 2. Vol 6, Part B, 2.1.2.
    @Test func streamsOfABroadcastFromTheAir() {
        let pdu = hex("07 53 24 00 22 2C \(Audio.bigInfo) \(Audio.announcement)")
        // Header 0x20: the event has a control subevent. Data of 2 octets, and BIG_TERMINATE_IND.
        func stream(_ octets: String) -> Packet {
            Packet(.air(RadioInfo()), .unknown, hex(octets + "000000"))
        }
        let recorder = decode([
            Air().advertising("47 1C 1B 29 6655443322C1 2310 0000 5000 FFFFFFFF1F 44332211 AABBCC 0000", channel: 12),
            Packet(.air(RadioInfo()), .unknown, hex("44332211") + pdu + linkLayerCRC(pdu, initial: 0xCC_BBAA)),
            stream("785632EF 2002 AABB"), stream("78560413 2002 AABB"), stream("78569010 0304 01 13 0A00"),
        ])
        expect(recorder.lines("fault"), equals: [])
        expect(
            recorder.lines("air").suffix(3),
            equals: [
                "air 3 ?? BIS 1 of train 1 taken", "air 4 ?? BIS 2 of train 1 taken", "air 5 ?? BIS 0 of train 1 taken",
            ])
    }

    /// The time from one part of a train to the next is not to be counted in 64 bits.
    @Test func aHostileClockBetweenPartsOfATrain() {
        let pdu = hex("07 53 24 00 22 2C \(Audio.bigInfo) \(Audio.announcement)")
        func sync(_ seconds: Int64) -> Packet {
            var packet = Packet(
                .air(RadioInfo()), .unknown, hex("44332211") + pdu + linkLayerCRC(pdu, initial: 0xCC_BBAA))
            packet.time = Timestamp(seconds: seconds, nanoseconds: 0, precision: 6)
            return packet
        }
        let recorder = decode([
            Air().advertising("47 1C 1B 29 6655443322C1 2310 0000 5000 FFFFFFFF1F 44332211 AABBCC 0000", channel: 12),
            sync(.min), sync(.max), sync(.min),
        ])
        expect(recorder.lines("periodic").filter { $0.contains(" data ") }.count, equals: 3)
    }
}

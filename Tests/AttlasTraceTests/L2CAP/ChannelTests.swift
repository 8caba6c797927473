import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Connection-oriented channels and what they carry. Core Specification, Vol 3, Part A, 3.4, 4 and 10; Part F, 3.2.11.
@Suite struct ChannelTests {
    /// LE credit based channel on SPSM 0x0080: host 0x0040 (MTU 256, 2 credits), peer 0x0055 (MTU 100, 3 credits).
    let opened: [Packet] = [
        .connected(),
        .frame(.tx, channel: 5, hex("14 01 0A00 8000 4000 0001 4000 0200")),
        .frame(.rx, channel: 5, hex("15 01 0A00 5500 6400 4000 0300 0000")),
    ]

    /// Two enhanced bearers: host 0x0040 and 0x0041, peer 0x0050 and 0x0051, MTU 100 and 64.
    let enhanced: [Packet] = [
        .connected(),
        .frame(.tx, channel: 5, hex("17 01 0C00 2700 6400 4000 0800 4000 4100")),
        .frame(.rx, channel: 5, hex("18 01 0C00 4000 4000 0800 0000 5000 5100")),
    ]

    /// The limit counts channels, and bearers that outlive theirs.
    @Test func channelsAreCountedWhereTheyOpenAndClose() {
        var trace = Trace()
        func count(_ packets: [Packet]) -> Int {
            _ = AttlasTraceTests.decode(packets, with: &trace)
            expect(trace.channelCount, equals: trace.connections.reduce(0) { $0 + $1.channelCount })
            return trace.channelCount
        }
        expect(count(opened), equals: 1)
        expect(count(Array(enhanced.dropFirst())), equals: 2)
        expect(
            count([
                .frame(.tx, channel: 5, hex("06 02 0400 5000 4000")),
                .frame(.rx, channel: 5, hex("07 02 0400 5000 4000")),
            ]), equals: 2)
        expect(count([.disconnected()]), equals: 0)
    }

    @Test func anSDUInOneFrameIsTheFrameWithoutItsLength() {
        let recorder = decode(opened + [.frame(.tx, channel: 0x55, hex("0300 AABBCC"))])
        expect(recorder.lines("sdu"), equals: ["sdu 4 tx psm 0080 0040 0055 credits 2 AABBCC"])
    }

    @Test func anSDUInSeveralFramesIsJoinedWithoutTheirHeaders() {
        let recorder = decode(
            opened + [
                .frame(.rx, channel: 0x40, hex("0500 AABB")), .frame(.tx, channel: 0x55, hex("0100 01")),
                .frame(.rx, channel: 0x40, hex("CCDD")), .frame(.rx, channel: 0x40, hex("EE")),
            ])
        expect(
            recorder.lines("sdu"),
            equals: [
                "sdu 5 tx psm 0080 0040 0055 credits 2 01",
                "sdu 7 rx psm 0080 0040 0055 credits -1 AABBCCDDEE frames=4,6,7",
            ])
    }

    @Test func creditsAreGrantedByTheEndThatTakesTheFrames() {
        let recorder = decode(
            opened + [
                .frame(.tx, channel: 0x55, hex("0100 01")),
                // The peer grants 9 for its own end.
                .frame(.rx, channel: 5, hex("16 02 0400 5500 0900")),
                .frame(.tx, channel: 0x55, hex("0100 02")),
            ])
        expect(
            recorder.lines("sdu"),
            equals: [
                "sdu 4 tx psm 0080 0040 0055 credits 2 01", "sdu 6 tx psm 0080 0040 0055 credits 10 02",
            ])
    }

    @Test func aRefusedChannelIsNone() {
        let recorder = decode([
            .connected(), .frame(.tx, channel: 5, hex("14 01 0A00 8000 4000 0001 4000 0200")),
            .frame(.rx, channel: 5, hex("15 01 0A00 0000 0000 0000 0000 0200")),
            .frame(.rx, channel: 0x40, hex("0100 AA")),
        ])
        expect(recorder.lines("sdu", "fault"), equals: [])
        expect(recorder.lines("l2cap").last, equals: "l2cap 4 rx channel 0040 0100AA")
    }

    @Test func aClosedChannelCarriesNothing() {
        let recorder = decode(
            opened + [
                .frame(.tx, channel: 5, hex("06 02 0400 5500 4000")),
                .frame(.rx, channel: 5, hex("07 02 0400 5500 4000")),
                .frame(.rx, channel: 0x40, hex("0100 AA")),
            ])
        expect(recorder.lines("sdu"), equals: [])
    }

    @Test func anSDULengthThatLiesIsAFault() {
        let short = decode(opened + [.frame(.tx, channel: 0x55, hex("0200 AABBCC"))])
        expect(short.lines("sdu"), equals: ["sdu 4 tx psm 0080 0040 0055 credits 2 AABB"])
        expect(short.lines("fault").count, equals: 1)
        #expect(short.lines("fault")[0].contains("SDU length"))

        let cutLength = decode(opened + [.frame(.tx, channel: 0x55, hex("02"))])
        expect(cutLength.lines("fault").count, equals: 1)

        let empty = decode(opened + [.frame(.tx, channel: 0x55, hex("0000"))])
        expect(empty.lines("sdu"), equals: ["sdu 4 tx psm 0080 0040 0055 credits 2 "])
    }

    // MARK: Enhanced ATT bearers

    @Test func eachEnhancedBearerHasItsOwnRequest() {
        let recorder = decode(
            enhanced + [
                // Read 0x0003 on the first, read 0x0005 on the second, answered the other way round.
                .frame(.tx, channel: 0x50, hex("0300 0A0300")), .frame(.tx, channel: 0x51, hex("0300 0A0500")),
                .frame(.rx, channel: 0x41, hex("0200 0B05")), .frame(.rx, channel: 0x40, hex("0200 0B03")),
            ])
        let lines = recorder.lines("att")
        expect(lines.count, equals: 4)
        #expect(lines[2].hasPrefix("att 6 rx 0B peer eatt:0041 0005"))
        #expect(lines[3].hasPrefix("att 7 rx 0B peer eatt:0040 0003"))
    }

    @Test func theFixedChannelKeepsItsOwnRequestAndMTU() {
        var trace = Trace()
        let recorder = decode(
            enhanced + [
                .att(.tx, "0A 0700"), .frame(.tx, channel: 0x50, hex("0300 0A0300")),
                .frame(.rx, channel: 0x40, hex("0200 0B03")), .att(.rx, "0B 07"),
            ], with: &trace)
        #expect(recorder.lines("att")[3].contains("0007"))
        expect(trace.connections[0].bearers.map(\.mtu), equals: [23, 64, 64])
    }

    @Test func aLongPDUTakesSeveralFrames() {
        // A notification of 6 octets for 0x0010, in frames of 5 and 6 octets.
        let recorder = decode(
            enhanced + [
                .frame(.rx, channel: 0x40, hex("0900 1B1000")), .frame(.rx, channel: 0x40, hex("010203040506")),
            ])
        expect(recorder.lines("att").count, equals: 1)
        #expect(recorder.lines("att")[0].hasPrefix("att 5 rx 1B peer eatt:0040 0010"))
        #expect(recorder.lines("att")[0].hasSuffix("frames=4,5"))
    }

    @Test func partOfTheChannelsMayBeRefused() {
        let recorder = decode([
            .connected(), .frame(.tx, channel: 5, hex("17 01 0C00 2700 6400 4000 0800 4000 4100")),
            // Some refused for want of resources: the second has no end.
            .frame(.rx, channel: 5, hex("18 01 0C00 4000 4000 0800 0400 5000 0000")),
            .frame(.rx, channel: 0x41, hex("0400 1B100001")), .frame(.rx, channel: 0x40, hex("0400 1B100001")),
        ])
        expect(recorder.lines("att").count, equals: 1)
        #expect(recorder.lines("att")[0].hasPrefix("att 5 "))
    }

    @Test func reconfiguringChangesTheMTU() {
        var trace = Trace()
        _ = decode(
            enhanced + [
                // The peer takes 100 octets on its end 0x0050 from now on.
                .frame(.rx, channel: 5, hex("19 07 0600 6400 4000 5000")),
                .frame(.tx, channel: 5, hex("1A 07 0200 0000")),
            ], with: &trace)
        expect(trace.connections[0].bearers.map(\.mtu), equals: [23, 100, 64])
    }

    @Test func thePeerMayOpenThem() {
        let recorder = decode([
            .connected(), .frame(.rx, channel: 5, hex("17 01 0A00 2700 6400 4000 0800 5000")),
            .frame(.tx, channel: 5, hex("18 01 0A00 4000 4000 0800 0000 4000")),
            .frame(.rx, channel: 0x40, hex("0300 0A0300")), .frame(.tx, channel: 0x50, hex("0200 0B03")),
        ])
        let lines = recorder.lines("att")
        expect(lines.count, equals: 2)
        #expect(lines[0].hasPrefix("att 4 rx 0A local eatt:0040 0003"))
        #expect(lines[1].hasPrefix("att 5 tx 0B local eatt:0040 0003"))
    }

    // MARK: BR/EDR

    /// A BR/EDR link, then a channel on PSM 0x001F: host 0x0040, peer 0x0041, both configured with an MTU of 256 and 512.
    let classic: [Packet] = [
        .event("03 0B 00 4000 1371DA7D1A00 01 00"),
        .frame(.tx, channel: 1, hex("02 01 0400 1F00 4000")),
        // Pending first, then connected.
        .frame(.rx, channel: 1, hex("03 01 0800 0000 4000 0100 0000")),
        .frame(.rx, channel: 1, hex("03 01 0800 4100 4000 0000 0000")),
        .frame(.tx, channel: 1, hex("04 02 0800 4100 0000 01 02 0001")),
        .frame(.rx, channel: 1, hex("04 03 0800 4000 0000 01 02 0002")),
    ]

    @Test func attOverBREDRIsFoundByItsPSM() {
        var trace = Trace()
        let recorder = decode(
            classic + [.frame(.tx, channel: 0x41, hex("0A 0300")), .frame(.rx, channel: 0x40, hex("0B 55"))],
            with: &trace)
        let lines = recorder.lines("att")
        expect(lines.count, equals: 2)
        #expect(lines[0].hasPrefix("att 7 tx 0A peer bredr 0003"))
        #expect(lines[1].hasPrefix("att 8 rx 0B peer bredr 0003"))
        expect(trace.connections[0].bearers[1].mtu, equals: 256)
    }

    @Test func anotherPSMIsNotATT() {
        let recorder = decode([
            .event("03 0B 00 4000 1371DA7D1A00 01 00"), .frame(.tx, channel: 1, hex("02 01 0400 0300 4000")),
            .frame(.rx, channel: 1, hex("03 01 0800 4100 4000 0000 0000")), .frame(.tx, channel: 0x41, hex("0A 0300")),
        ])
        expect(recorder.lines("att"), equals: [])
        expect(recorder.lines("sdu"), equals: ["sdu 4 tx psm 0003 0040 0041 credits - 0A0300"])
    }

    // MARK: Bounds

    @Test func channelsAreBounded() {
        var trace = Trace()
        var packets: [Packet] = [.connected()]
        for number in 0..<2_000 {
            let end = little(0x40 + number)
            let identifier = UInt8(truncatingIfNeeded: number)
            packets.append(
                .frame(.tx, channel: 5, [0x14, identifier] + hex("0A00 2700") + end + hex("0001 4000 0200")))
            packets.append(
                .frame(.rx, channel: 5, [0x15, identifier] + hex("0A00") + end + hex("6400 4000 0300 0000")))
        }
        _ = decode(packets, with: &trace)
        expect(trace.connections[0].channels.channels.count, equals: ChannelTable.limit)
        expect(trace.connections[0].bearers.count, equals: ChannelTable.limit + 1)
    }
}

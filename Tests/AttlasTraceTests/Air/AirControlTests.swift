import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// LL control PDUs and advertising, as they change what is known. Core Specification, Vol 6, Part B, 2.3, 4.4 and 5.1.
@Suite struct AirControlTests {
    private let air = Air()

    private func connection(_ packets: [Packet], finish: Bool = false) -> [String] {
        decode([air.connect()] + packets, finish: finish).lines("connection").dropFirst().map { String($0) }
    }

    // MARK: Instants

    /// 5.1.1, 5.1.2, 5.1.10: what is announced holds from the connection event of its instant on.
    @Test(arguments: [
        ("00 01 0000 0600 0300 F401 0A00", "parameters 6/3/500"), ("01 FF00000000 0A00", "channels 8"),
        ("3F 0000 C000 0A00 0100 0300 0000 F401", "parameters 20/3/500"),
        ("18 02 00 0A00", "PHY 2 1"),
    ])
    func updatesHoldFromTheirInstantOn(pdu: String, change: String) {
        let announced = change == "PHY 2 1" ? "PHY 2 -" : change
        expect(
            connection([
                air.control(.tx, sn: 0, nesn: 0, pdu, event: 4, time: 1_000_000),
                air.data(.tx, 1, sn: 1, nesn: 0, channel: 6, event: 9, time: 1_150_000),
                air.data(.tx, 1, sn: 0, nesn: 0, channel: 7, event: 10, time: 1_180_000),
                air.data(.rx, 1, sn: 0, nesn: 1, channel: 7, event: 10, time: 1_180_230),
            ]), equals: ["connection 2 1 12345678 announced \(announced) at 10", "connection 4 1 12345678 \(change)"])
        // The event of the instant is not in the capture, but one after it is.
        expect(
            connection([
                air.control(.tx, sn: 0, nesn: 0, pdu, event: 4, time: 1_000_000),
                air.data(.tx, 1, sn: 1, nesn: 0, channel: 7, event: 12, time: 1_240_000),
            ]).last, equals: "connection 3 1 12345678 \(change)")
        // The capture ends before, and the connection does.
        expect(
            connection(
                [
                    air.control(.tx, sn: 0, nesn: 0, pdu, event: 4, time: 1_000_000),
                    air.data(.tx, 1, sn: 1, nesn: 0, channel: 6, event: 9, time: 1_150_000),
                ], finish: true),
            equals: [
                "connection 2 1 12345678 announced \(announced) at 10",
                "connection 3 1 12345678 not reached \(announced) at 10",
            ])
        expect(
            connection([
                air.control(.tx, sn: 0, nesn: 0, pdu, event: 4, time: 1_000_000),
                air.control(.tx, sn: 1, nesn: 0, "02 13", event: 5, time: 1_030_000),
            ]).dropFirst(),
            equals: [
                "connection 3 1 12345678 not reached \(announced) at 10",
                "connection 3 1 12345678 ended by host: Remote User Terminated Connection",
            ])
    }

    /// Counted by the time, 30 ms an event, when the sniffer does not count: also when it writes the same number each time.
    @Test(arguments: [nil, 0 as UInt16?]) func instantsByTheTime(counter: UInt16?) {
        let events = (1...4).map { index in
            air.data(
                .tx, 1, sn: index & 1, nesn: 0, channel: UInt8(index), event: counter, time: 1_000_000 + 30_000 * index)
        }
        expect(
            connection([air.control(.tx, sn: 0, nesn: 0, "18 02 02 0300", event: counter, time: 1_000_000)] + events),
            equals: ["connection 2 1 12345678 announced PHY 2 2 at 3", "connection 5 1 12345678 PHY 2 2"])
    }

    /// The numbers of events have 16 bits. 4.5.1.
    @Test func instantsBehindTheWrapOfTheCounter() {
        expect(
            connection([
                air.control(.tx, sn: 0, nesn: 0, "18 02 02 0200", event: 65_533, time: 1_000_000),
                air.data(.tx, 1, sn: 1, nesn: 0, channel: 6, event: 65_535, time: 1_060_000),
                air.data(.tx, 1, sn: 0, nesn: 0, channel: 7, event: 2, time: 1_150_000),
            ]), equals: ["connection 2 1 12345678 announced PHY 2 2 at 2", "connection 4 1 12345678 PHY 2 2"])
    }

    /// Nobody counts the events of a connection from before the capture: what is announced is all there is.
    @Test func instantsThatCannotBeCounted() {
        var air = air
        air.radio.crc = .ok
        let recorder = decode([air.control(.tx, sn: 0, nesn: 0, "18 02 02 0A00")])
        expect(
            recorder.lines("connection"),
            equals: [
                "connection 1 1 12345678 presumed LE", "connection 1 1 12345678 announced PHY 2 2 at 10",
                "connection 1 1 12345678 PHY 2 2",
            ])
    }

    /// From the instant on an event takes 7.5 ms. 5.1.1.
    @Test func eventsAreCountedByTheNewIntervalFromItsInstantOn() {
        func recorder(_ time: Int) -> [String] {
            decode([
                air.connect(), air.control(.tx, sn: 0, nesn: 0, "00 01 0000 0600 0000 4800 0200", time: 2_000_000),
                air.att(.tx, sn: 1, nesn: 0, "52 0300 01", channel: 6, time: 2_030_000),
                air.att(.tx, sn: 0, nesn: 0, "52 0300 02", channel: 7, time: 2_060_000),
                air.att(.tx, sn: 1, nesn: 0, "52 0300 03", channel: 8, time: time),
            ]).lines("missed")
        }
        #expect(recorder(2_067_500).isEmpty)
        expect(recorder(2_075_000), equals: ["missed 5 tx central 1 peripheral 0"])
    }

    /// One in ten events of 30 ms is used, or one in four of 7.5 ms: the others were not missed. By the sniffer's count and by the time.
    /// 4.5.1, 5.1.19 and 5.1.33.
    @Test(arguments: [("27 0A00 0000 0000 0000 4800", 10, 30_000), ("3F 0000 3C00 0200 0400 0000 0000 4800", 4, 7_500)])
    func subratedEventsAreCounted(pdu: String, factor: Int, interval: Int) {
        func missed(_ events: [Int], isCounted: Bool) -> [String] {
            let packets = ([0, 1, 2] + events.map { 2 + $0 * factor }).enumerated().map { index, event in
                let time = 2_000_000 + min(event, 2) * 30_000 + max(0, event - 2) * interval
                let counter = isCounted ? UInt16(event) : nil
                let (sn, channel) = (index & 1, UInt8(event % 37))
                guard index > 0 else {
                    return air.data(
                        .tx, 3, sn: sn, nesn: 0, hex(pdu), channel: channel, event: counter, time: time)
                }
                return air.att(
                    .tx, sn: sn, nesn: 0, "52 0300 0\(index)", channel: channel, event: counter, time: time)
            }
            return decode([air.connect()] + packets).lines("missed")
        }
        for isCounted in [true, false] {
            expect(missed([1, 2, 3], isCounted: isCounted), equals: [])
            expect(missed([1, 4], isCounted: isCounted), equals: ["missed 6 tx central 2 peripheral 0"])
        }
    }

    /// LL_FRAME_SPACE_RSP: 52 µs after the central's packets on LE 2M. Other spaces stay 150 µs. 4.1.1.
    @Test func frameSpaces() {
        var trace = Trace()
        _ = decode([air.connect(), air.control(.rx, sn: 0, nesn: 1, "3C 3400 02 0100")], with: &trace)
        let spaces = trace.connections[0].frameSpaces
        #expect(spaces.after(central: true, phy: 2) == 52)
        #expect(spaces.after(central: false, phy: 2) == 150 && spaces.after(central: true, phy: 1) == 150)
    }

    /// Only the central sends these. 5.1.1, 5.1.2, 5.1.10, 5.1.19 and 5.1.33.
    @Test(arguments: [
        "00 01 0000 0600 0300 F401 0000", "01 FF00000000 0000", "18 02 00 0000", "27 0A00 0000 0000 0000 4800",
        "3F 0000 C000 0000 0100 0300 0000 F401",
    ])
    func aPeripheralAnnouncesNothing(pdu: String) {
        let packets = [air.empty(.tx, sn: 0, nesn: 0), air.control(.rx, sn: 0, nesn: 1, pdu)]
        expect(connection(packets), equals: [])
        #expect(!connection([air.control(.tx, sn: 0, nesn: 0, pdu)]).isEmpty)
    }

    @Test func phyAndLength() {
        expect(
            connection([
                air.control(.tx, sn: 0, nesn: 0, "16 02 02"), air.control(.rx, sn: 0, nesn: 1, "17 07 07"),
                air.control(.tx, sn: 1, nesn: 1, "18 02 00 0000"), air.control(.tx, sn: 0, nesn: 1, "18 00 00 0000"),
            ]), equals: ["connection 4 1 12345678 announced PHY 2 - at 0", "connection 4 1 12345678 PHY 2 1"])
        // The smaller of what one sends and the other receives. 4.5.10.
        expect(
            connection([
                air.control(.tx, sn: 0, nesn: 0, "14 FB00 4808 FB00 4808"),
                air.control(.rx, sn: 0, nesn: 1, "15 6400 B003 3000 1002"),
            ]), equals: ["connection 3 1 12345678 data length 100 944 48 528"])
    }

    @Test func whoIsWho() {
        expect(
            connection([
                air.control(.tx, sn: 0, nesn: 0, "0C 0C 5900 3412"),
                air.control(.rx, sn: 0, nesn: 1, "09 FF01000000000000"),
                air.control(.rx, sn: 1, nesn: 1, "11 16 1A"), air.control(.rx, sn: 0, nesn: 1, "0D 1A"),
            ]),
            equals: [
                "connection 2 1 12345678 version 12 89 4660", "connection 3 1 12345678 features 1ff",
                "connection 4 1 12345678 rejected LL_PHY_REQ: Unsupported Remote Feature",
                "connection 5 1 12345678 rejected -: Unsupported Remote Feature",
            ])
    }

    @Test(arguments: [(Direction.tx, "host"), (.rx, "peer")])
    func end(by side: Direction, party: String) {
        expect(
            connection([air.control(side, sn: 0, nesn: 0, "02 3B")]),
            equals: ["connection 2 1 12345678 ended by \(party): Unacceptable Connection Parameters"])
    }

    @Test func aControlPDUThatIsTooShortIsAFault() {
        let recorder = decode([air.connect(), air.control(.tx, sn: 0, nesn: 0, "18 02 00 0A")])
        expect(
            recorder.lines("fault"),
            equals: [
                "fault 2 link layer: LL control PDU incomplete, need 5 have 4 by link layer length"
            ])
    }

    /// LL_CIS_REQ names the stream, and LL_CIS_IND its Access Address: what comes with it is no connection. 5.1.15.
    @Test(arguments: [
        (["1F 01 02" + String(repeating: "00", count: 33)], "CIS 1.2 of 1"), ([], "CIS -"),
    ])
    func connectedIsochronousStreams(request: [String], name: String) {
        var stream = air
        stream.accessAddress = hex("44332211")
        stream.radio.crc = .ok
        let requests = request.map { air.control(.tx, sn: 0, nesn: 0, $0) }
        let recorder = decode(
            [air.connect()] + requests + [
                air.control(.tx, sn: request.count, nesn: 0, "21 44332211 000000 000000 000000 0000"),
                stream.data(.tx, 2, sn: 0, nesn: 0, [1, 2, 3]),
            ])
        expect(recorder.lines("air").last, equals: "air \(request.count + 3) tx \(name) taken")
        expect(recorder.lines("connection").count, equals: 1)
    }

    // MARK: Advertising

    @Test func advertisingOfEveryKind() {
        let name = "04 09 41 42 43"
        let recorder = decode([
            air.advertising("000B 112233445566 \(name)"), air.advertising("020B 112233445566 \(name)"),
            air.advertising("060B 112233445566 \(name)"), air.advertising("040B 112233445566 \(name)"),
            air.advertising("010C 112233445566 \(Air.central)"), air.advertising("030C \(Air.central) 112233445566"),
        ])
        expect(
            recorder.lines(),
            equals: [
                "advertising 1 66:55:44:33:22:11 ABC", "advertising 2 66:55:44:33:22:11 ABC",
                "advertising 3 66:55:44:33:22:11 ABC", "advertising 4 66:55:44:33:22:11 ABC",
                "advertising 5 66:55:44:33:22:11 -",
            ])
        expect(recorder.lines("air").last, equals: "air 6 ?? SCAN_REQ taken")
    }

    @Test func advertisingWithAWrongCRCIsLeftOut() {
        var packet = air.advertising("0006 112233445566")
        packet.octets[8] ^= 1
        let recorder = decode([packet])
        #expect(recorder.lines().isEmpty)
        expect(recorder.lines("air"), equals: ["air 1 ?? ADV_IND bad CRC"])
    }

    /// ADV_EXT_IND points to AUX_ADV_IND, which has the address; its data continue in AUX_CHAIN_IND. 4.4.2.
    @Test func extendedAdvertisingIsJoined() {
        let recorder = decode([
            air.advertising("0707 06 18 2301 0C6420"),
            air.advertising("4710 0C 19 6655443322C1 2301 0C6420 06 09 41", channel: 12),
            air.advertising("0708 03 08 2301 42 43 44 45", channel: 12),
        ])
        expect(
            recorder.lines("advertising"),
            equals: [
                "advertising 1 - -", "advertising 2 C1:22:33:44:55:66 A",
                "advertising 3 C1:22:33:44:55:66 ABCDE frames=2,3",
            ])
    }

    @Test func periodicAdvertisingIsNamed() {
        var train = air
        train.accessAddress = hex("44332211")
        train.tellsDirection = false
        train.radio.crc = .ok
        let recorder = decode([
            air.advertising("0716 15 28 2301 0000 5000 FFFFFFFF1F 44332211 AABBCC 0000"),
            train.data(.tx, 2, sn: 0, nesn: 0, [1, 2, 3]),
        ])
        expect(recorder.lines("air").last, equals: "air 2 ?? periodic advertising taken")
    }

    @Test func aConnectionRequestThatIsCutIsAFault() {
        let recorder = decode([air.advertising("4506 0A0B0C0D0EC6")])
        expect(
            recorder.lines("fault"),
            equals: [
                "fault 1 link layer: connection request incomplete, need 34 have 6 by link layer length"
            ])
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// The MTU in force. Vol 3, Part F, 3.2.8 and 3.4.2.
@Suite struct MTUTests {
    /// The MTU in force after these packets.
    func mtu(_ packets: [Packet]) -> (Int, [String]) {
        var trace = Trace()
        let recorder = decode([.connected()] + packets, with: &trace)
        return (trace.connections[0].bearer.mtu, recorder.lines("mtu"))
    }

    @Test func itIs23UntilTheResponse() {
        expect(mtu([]).0, equals: 23)
        expect(mtu([.att(.tx, "02 F700")]).0, equals: 23)
    }

    @Test(arguments: [
        ("F700", "B900", 247, 185, 185), ("B900", "0502", 185, 517, 185), ("1700", "0502", 23, 517, 23),
        ("0500", "0502", 5, 517, 23), ("0502", "0000", 517, 0, 23), ("FFFF", "FFFF", 65535, 65535, 65535),
    ])
    func itIsTheSmallerOfBothAndNeverBelow23(client: String, server: String, asked: Int, given: Int, inForce: Int) {
        let result = mtu([.att(.tx, "02" + client), .att(.rx, "03" + server)])
        expect(result.0, equals: inForce)
        expect(result.1, equals: ["mtu 3 client \(asked) server \(given) in force \(inForce)"])
    }

    @Test func bothSidesMayAskForIt() {
        let result = mtu([.att(.tx, "02 F700"), .att(.rx, "02 B900"), .att(.tx, "03 F700"), .att(.rx, "03 B900")])
        expect(result.0, equals: 185)
        expect(
            result.1, equals: ["mtu 4 client 185 server 247 in force 185", "mtu 5 client 247 server 185 in force 185"])
    }

    @Test func anErrorLeavesItAsItWas() {
        #expect(mtu([.att(.tx, "02 F700"), .att(.rx, "01 02 0000 06")]) == (23, []))
    }

    @Test func aResponseWithoutARequestLeavesItAsItWas() {
        #expect(mtu([.att(.rx, "03 F700")]) == (23, []))
    }

    @Test func aReadResponseThatFillsItMayGoOn() {
        let octets = String(repeating: "AA", count: 22)
        let recorder = decode([
            .connected(), .att(.tx, "0A 1900"), .att(.rx, "0B" + octets), .att(.tx, "0A 1900"),
            .att(.rx, "0B" + octets.dropLast(2)),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 tx 0A peer 0019", "att 3 rx 0B peer 0019 answers 2 after 1000 more?",
                "att 4 tx 0A peer 0019", "att 5 rx 0B peer 0019 answers 4 after 1000",
            ])
    }

    @Test func aReadByTypeResponseThatFillsItMayGoOn() {
        // One value of 19 octets is all that 23 octets have room for. 3.4.4.2.
        let octets = String(repeating: "AA", count: 19)
        let recorder = decode([
            .connected(), .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 15 0300" + octets),
            .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 14 0300" + octets.dropLast(2)),
        ])
        expect(recorder.lines("att").map { $0.hasSuffix("more?") }, equals: [false, true, false, false])
    }

    @Test func itIsAtLeastWhatThePDUsShowWhenTheExchangeWasNotCaptured() {
        var trace = Trace()
        let octets = String(repeating: "AA", count: 60)
        let recorder = decode(
            [.att(.rx, "1B 1900 01"), .att(.rx, "1B 1900" + octets), .att(.rx, "1B 1900 01")], with: &trace)
        expect(trace.connections[0].bearer.mtu, equals: 63)
        #expect(!trace.connections[0].bearer.isMTUKnown)
        #expect(trace.peers[0].mtu == 63 && !trace.peers[0].isMTUKnown)
        expect(recorder.lines("mtu"), equals: [])
    }

    @Test func anExchangeMakesItKnown() {
        var trace = Trace()
        _ = decode([.att(.rx, "1B 1900 01"), .att(.tx, "02 0502"), .att(.rx, "03 B900")], with: &trace)
        #expect(trace.peers[0].mtu == 185 && trace.peers[0].isMTUKnown)
    }

    @Test func ofAWholeConnectionItIsKnownFromTheStart() {
        var trace = Trace()
        // A PDU of 24 octets is the server's fault, and changes nothing.
        _ = decode([.connected(), .att(.rx, "1B 1900" + String(repeating: "AA", count: 21))], with: &trace)
        #expect(trace.peers[0].mtu == 23 && trace.peers[0].isMTUKnown)
    }

    @Test func overBREDRItIsWhatL2CAPNegotiates() {
        // Connection Complete of an ACL link: at least 48, as long as no channel for ATT is open. Vol 3, Part A, 5.1.
        var trace = Trace()
        _ = decode([.event("03 0B 00 4000 \(Address.phone) 01 00")], with: &trace)
        #expect(trace.peers[0].mtu == 48 && !trace.peers[0].isMTUKnown)

        // A channel on PSM 0x001F whose ends take 672 octets. Exchange MTU is excluded there and changes nothing. Part G, 4.3.1.
        let channel: [Packet] = [
            .frame(.tx, channel: 1, hex("02 01 0400 1F00 4100")),
            .frame(.rx, channel: 1, hex("03 01 0800 5000 4100 0000 0000")),
            .frame(.tx, channel: 1, hex("04 02 0800 5000 0000 0102 A002")),
            .frame(.rx, channel: 1, hex("05 02 0A00 4100 0000 0000 0102 A002")),
            .frame(.rx, channel: 1, hex("04 03 0800 4100 0000 0102 A002")),
            .frame(.tx, channel: 1, hex("05 03 0A00 5000 0000 0000 0102 A002")),
            .frame(.tx, channel: 0x50, hex("02 0001")), .frame(.rx, channel: 0x41, hex("03 0001")),
        ]
        let recorder = decode(channel, with: &trace)
        expect(trace.peers[0].mtu, equals: 672)
        expect(recorder.lines("mtu").count, equals: 1)
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// The MTU in force. Vol 3, Part F, 3.2.8 and 3.4.2.
@Suite struct MTUTests {
    /// The MTU in force behind these packets.
    func mtu(_ packets: [Packet]) -> (Int, [String]) {
        var trace = Trace()
        let recorder = decode([.connected()] + packets, with: &trace)
        return (trace.connections[0].bearer.mtu, recorder.lines("mtu"))
    }

    @Test func itIs23UntilTheResponse() {
        #expect(mtu([]).0 == 23)
        #expect(mtu([.att(.tx, "02 F700")]).0 == 23)
    }

    @Test(arguments: [
        ("F700", "B900", 247, 185, 185), ("B900", "0502", 185, 517, 185), ("1700", "0502", 23, 517, 23),
        ("0500", "0502", 5, 517, 23), ("0502", "0000", 517, 0, 23), ("FFFF", "FFFF", 65535, 65535, 65535),
    ])
    func itIsTheSmallerOfBothAndNeverBelow23(client: String, server: String, asked: Int, given: Int, inForce: Int) {
        let result = mtu([.att(.tx, "02" + client), .att(.rx, "03" + server)])
        #expect(result.0 == inForce)
        #expect(result.1 == ["mtu 3 client \(asked) server \(given) in force \(inForce)"])
    }

    @Test func bothSidesMayAskForIt() {
        let result = mtu([.att(.tx, "02 F700"), .att(.rx, "02 B900"), .att(.tx, "03 F700"), .att(.rx, "03 B900")])
        #expect(result.0 == 185)
        #expect(result.1 == ["mtu 4 client 185 server 247 in force 185", "mtu 5 client 247 server 185 in force 185"])
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
        #expect(
            recorder.lines("att") == [
                "att 2 tx 0A peer 0019", "att 3 rx 0B peer 0019 answers 2 after 1000 more?",
                "att 4 tx 0A peer 0019", "att 5 rx 0B peer 0019 answers 4 after 1000",
            ])
    }
}

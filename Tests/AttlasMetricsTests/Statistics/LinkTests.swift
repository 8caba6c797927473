import AttlasTestSupport
import AttlasTrace
import Testing

@testable import AttlasMetrics

/// What a link allows, by the durations of packets in the Core Specification, Vol 6, Part B, 2.1, 2.2 and 4.1.1.
@Suite struct LinkTests {
    /// - Parameter expected: Value octets in the events of one pattern, and how many events that has.
    @Test(arguments: [
        // Packets of 27 octets take 296 µs, with their acknowledgement 676 µs: 44 in 30 ms, each with 20 octets of value.
        (24, 23, 1, 1, 27, false, 44 * 20, 1),
        // 2 088 + 380 = 2 468 µs: 12 in 30 ms, each with 244 octets of value.
        (24, 247, 1, 1, 251, false, 12 * 244, 1),
        // The integrity check makes it 2 500 µs: exactly 12.
        (24, 247, 1, 1, 251, true, 12 * 244, 1),
        // At 2 Mbit/s 1 048 + 344 = 1 392 µs: 21.
        (24, 247, 2, 2, 251, false, 21 * 244, 1),
        // Acknowledged at 1 Mbit/s, 1 428 µs: 21.
        (24, 247, 2, 1, 251, false, 21 * 244, 1),
        // LE Coded, S = 2: 894 + 150 + 462 + 150 = 1 656 µs: 18.
        (24, 23, 3, 3, 27, false, 18 * 20, 1),
        // A value has 512 octets at most, also when the MTU is 517. Its PDU is 519 octets: 251 + 251 + 17, that is
        // 2 468 + 2 468 + 596 = 5 532 µs: 5 in 30 ms, and 2 340 µs are too few for another packet of 251.
        (24, 517, 1, 1, 251, false, 5 * 512, 1),
        // In 7.5 ms, one.
        (6, 517, 1, 1, 251, false, 512, 1),
        // In 10 ms, one and the first packet of the next, whose other two are in the next event, before a whole one.
        (8, 517, 1, 1, 251, false, 3 * 512, 2),
    ])
    func allowed(
        interval: UInt16, mtu: Int, phy: UInt8, reversePHY: UInt8, dataLength: Int, isEncrypted: Bool, octets: Int,
        events: Int
    ) throws {
        let conditions = LinkConditions(
            intervalMicroseconds: Int(interval) * 1_250, mtu: mtu, phy: phy, reversePHY: reversePHY,
            dataLength: dataLength,
            isEncrypted: isEncrypted)
        let allowed = try #require(conditions.allowedOctetsPerSecond)
        let expected = Double(octets) / (Double(interval) * 0.00125 * Double(events))
        #expect(abs(allowed - expected) < 0.001)
    }

    /// One event of 30 ms in ten: packets end before the next anchor point, which is not used. 44 in 300 ms. With a continuation
    /// number, each event. LE Subrate Change, Vol 4, Part E, 7.7.65.35.
    @Test(arguments: [("0000", 300_000), ("0100", 30_000)])
    func subratedConditions(continuation: String, interval: Int) throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.event("3E 0C 23 00 4000 0A00 0000 \(continuation) 4800", at: 10)
        talk.att(.rx, "1B 0300 01", at: 100)
        let conditions = try #require(talk.measure().connections[0].received.conditions)
        expect(conditions.intervalMicroseconds, equals: interval)
        let allowed = try #require(conditions.allowedOctetsPerSecond)
        #expect(abs(allowed - 44 * 20 * 1e6 / Double(interval)) < 0.001)
    }

    /// 52 µs after the central's packets on LE 1M, and after both sides' or those on LE 2M only: 296 + 80 and 202, 104 or 300 µs. LE Frame
    /// Space Update Complete, Vol 4, Part E, 7.7.65.
    @Test(arguments: [("01 0100", 51), ("01 0300", 62), ("02 0300", 44)])
    func changedFrameSpaces(change: String, packets: Int) throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.event("3E 0A 35 00 4000 00 3400 \(change)", at: 10)
        talk.att(.rx, "1B 0300 01", at: 100)
        let allowed = try #require(talk.measure().connections[0].received.conditions?.allowedOctetsPerSecond)
        #expect(abs(allowed - Double(packets) * 20 / 0.03) < 0.001)
    }

    @Test(arguments: [(24, 3, 27), (0, 23, 27), (24, 23, 0), (1, 247, 251)])
    func whatFitsNowhereIsNotAllowed(interval: UInt16, mtu: Int, dataLength: Int) {
        let conditions = LinkConditions(
            intervalMicroseconds: Int(interval) * 1_250, mtu: mtu, phy: 1, reversePHY: 1, dataLength: dataLength,
            isEncrypted: false)
        #expect(conditions.allowedOctetsPerSecond == nil)
    }

    @Test func hostileNumbersAreNoProblem() {
        for mtu in [Int(UInt16.max), 512, 24] {
            for dataLength in [1, 26, Int(UInt16.max)] {
                let conditions = LinkConditions(
                    intervalMicroseconds: 65_535 * 1_250, mtu: mtu, phy: 0xFF, reversePHY: 0, dataLength: dataLength,
                    isEncrypted: true)
                #expect(conditions.allowedOctetsPerSecond != nil)
            }
        }
    }

    @Test func conditionsAreThoseOfTheBestSecond() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "1B 0300 01", at: 100)
        // LE Data Length Change: 100 octets to the peer, 251 from it. Vol 4, Part E, 7.7.65.7.
        talk.event("3E 0B 07 4000 6400 4808 FB00 4808", at: 1_200)
        // LE PHY Update Complete: 1M to the peer, 2M from it. 7.7.65.12.
        talk.event("3E 06 0C 00 4000 01 02", at: 1_210)
        // Exchange MTU: 100.
        talk.att(.tx, "02 6400", at: 1_300)
        talk.att(.rx, "03 6400", at: 1_310)
        // Encryption Change: on. 7.7.8.
        talk.event("08 04 00 4000 01", at: 1_400)
        talk.att(.rx, "1B 0300 0102", at: 2_000)
        // LE Connection Update Complete, after the best second.
        talk.event("3E 0A 03 00 4000 0C00 0000 4800", at: 3_000)
        talk.att(.rx, "1B 0300 01", at: 4_000)
        talk.att(.tx, "52 0300 01", at: 4_000)
        let life = talk.measure().connections[0]
        expect(life.received.bestSecond, equals: 2)
        expect(
            life.received.conditions,
            equals: LinkConditions(
                intervalMicroseconds: 24 * 1_250, mtu: 100, phy: 2, reversePHY: 1, dataLength: 251,
                isEncrypted: true))
        expect(
            life.transmitted.conditions,
            equals: LinkConditions(
                intervalMicroseconds: 12 * 1_250, mtu: 100, phy: 1, reversePHY: 2, dataLength: 100,
                isEncrypted: true))
        expect(life.transmitted.octets.value, equals: 1)
        expect(life.received.octets.value, equals: 4)
    }

    @Test func whatWasInForceBeforeTheCaptureNobodyKnows() {
        var talk = Talk()
        for time in [0.0, 10, 20, 30] { talk.att(.rx, "1B 0300 01", at: time) }
        let collector = talk.measure()
        expect(collector.connections.map(\.isCentral), equals: [nil])
        #expect(collector.connections[0].received.conditions == nil)
        #expect(collector.connections[0].received.bestSecond > 0)
    }

    @Test func whatTheSelectionLeavesOutIsNoTraffic() {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "1B 0300 01", at: 100)
        talk.att(.rx, "1B 0300 01", at: 200)
        let life = talk.measure { $0.isWithin = $1 != 3 }.connections[0]
        expect(life.received.octets, equals: Octets(value: 1, l2cap: 8, hci: 12))
        expect(life.received.attOctets, equals: 4)
    }
}

import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics

@Suite struct ValueTests {
    private static let twentyOctets = String(repeating: "AA", count: 20)

    @Test func elevenNotificationsEvery100Milliseconds() throws {
        var talk = Talk()
        talk.connect(at: 0)
        for index in 0...10 { talk.att(.rx, "1B 0300" + Self.twentyOctets, at: 100 + 100 * Double(index)) }
        let row = try talk.values()
        expect(row.key.opcode.rawValue, equals: 0x1B)
        expect(row.key.direction, equals: .rx)
        expect(row.count, equals: 11)
        // Each has 3 octets of ATT, 4 of L2CAP and 4 of ACL header.
        expect(row.octets, equals: Octets(value: 220, l2cap: 297, hci: 341))
        expect(row.gaps.count, equals: 10)
        expect(row.gaps.percentile(50), equals: 100_000)
        expect(row.gaps.maximum, equals: 100_000)
        expect(row.jitter, equals: 0)
        expect(row.perSecond, equals: 10)
        expect(row.octetsPerSecond, equals: 200)
        // The first and the eleventh are 1 000 ms apart: one second holds ten.
        expect(row.bestSecond, equals: 200)
    }

    @Test func jitterIsTheMeanDifferenceOfGaps() throws {
        var talk = Talk()
        talk.connect(at: 0)
        // Gaps of 100, 100, 120 and 80 ms: they differ by 0, 20 and 40 ms.
        for time in [100.0, 200, 300, 420, 500] { talk.att(.rx, "1B 0300 01", at: time) }
        let row = try talk.values()
        expect(row.jitter, equals: 20_000)
        expect(row.gaps.minimum, equals: 80_000)
        expect(row.gaps.maximum, equals: 120_000)
    }

    @Test func theBestSecondMovesOver() throws {
        var talk = Talk()
        talk.connect(at: 0)
        // 3 octets in the first second, then 1 + 2 + 4 within 999 ms, then 4 alone.
        for (time, octets) in [
            (0.0, "010203"), (2_000, "01"), (2_500, "0102"), (2_999, "01020304"), (4_000, "01020304"),
        ] {
            talk.att(.tx, "52 0300" + octets, at: time)
        }
        let row = try talk.values()
        expect(row.bestSecond, equals: 7)
        expect(row.octetsPerSecond, equals: 11.0 / 4)
        expect(row.perSecond, equals: 1)
    }

    @Test func fragmentsHaveAHeaderEach() throws {
        var talk = Talk()
        talk.connect(at: 0)
        // A Write Command of 30 octets: an L2CAP PDU of 37 octets, in ACL packets of 27 and 10.
        let pdu = hex("52 0300") + Array(repeating: 0xAA, count: 30)
        let frame = little(pdu.count) + little(4) + pdu
        talk.add(.fragment(.tx, boundary: 0b00, Array(frame.prefix(27))), at: 100)
        talk.add(.fragment(.tx, boundary: 0b01, Array(frame.dropFirst(27))), at: 110)
        try expect(talk.values().octets, equals: Octets(value: 30, l2cap: 37, hci: 45))
        let life = talk.measure().connections[0]
        expect(life.transmitted.octets, equals: Octets(value: 30, l2cap: 37, hci: 45))
        expect(life.transmitted.attOctets, equals: 33)
        expect(life.transmitted.aclPackets, equals: 2)
        expect(life.received.aclPackets, equals: 0)
    }

    @Test(arguments: [
        ("0B AABB", 0x0B, 2), ("0D AABBCC", 0x0D, 3), ("12 0300 AA", 0x12, 1), ("16 0300 0000 AABB", 0x16, 2),
        ("1D 0300 AA", 0x1D, 1), ("D2 0300 AABB 000102030405060708090A0B", 0xD2, 2),
    ])
    func whatMovesAValue(pdu: String, opcode: UInt8, octets: Int) throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, pdu, at: 100)
        let row = try talk.values()
        expect(row.key.opcode.rawValue, equals: opcode)
        expect(row.octets.value, equals: octets)
    }

    /// L2CAP: 4 octets of header, 12 of the PDU. In HCI four more. A handle and a length are before each value.
    @Test func eachValueOfAPDUHasARow() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "23 0300 0100 AA 0400 0200 BBCC", at: 100)
        let rows = try #require(talk.measure().groups(by: .connection).first).values
        expect(rows.map(\.key.attribute?.handle), equals: [3, 4])
        expect(rows.map(\.octets.value), equals: [1, 2])
        expect(rows.map(\.octets.l2cap), equals: [10, 6])
        expect(rows.map(\.octets.hci), equals: [14, 6])
    }

    @Test func eachValueOfAReadOfSeveralHasARow() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "20 0300 0400", at: 100)
        talk.att(.rx, "21 0100 AA 0200 BBCC", at: 200)
        let rows = try #require(talk.measure().groups(by: .connection).first).values
        expect(rows.map(\.key.attribute?.handle), equals: [3, 4])
        expect(rows.map(\.octets.value), equals: [1, 2])
        // A length is before each value.
        expect(rows.map(\.octets.l2cap), equals: [8, 4])
    }

    @Test(arguments: ["02 1700", "04 0100 FFFF", "13", "17 0300 0000 AA", "09 07 0200 02 0300 002A"])
    func whatMovesNone(pdu: String) {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, pdu, at: 100)
        #expect(talk.measure().groups(by: .connection)[0].values.isEmpty)
    }

    @Test func nothingIsMeasuredAcrossAJumpOfTheClock() throws {
        var talk = Talk()
        talk.connect(at: 10_000)
        talk.att(.rx, "1B 0300 01", at: 10_100)
        talk.att(.rx, "1B 0300 01", at: 10_300)
        // Back by more than a second.
        talk.att(.rx, "1B 0300 01", at: 5_000)
        talk.att(.rx, "1B 0300 01", at: 5_100)
        let row = try talk.values()
        expect(row.gaps.count, equals: 2)
        expect(row.gaps.minimum, equals: 100_000)
        expect(row.gaps.maximum, equals: 200_000)
        #expect(row.jitter == nil)
        expect(row.bestSecond, equals: 2)
    }

    @Test func descriptorsAreNoValues() throws {
        var talk = Talk()
        talk.connect(at: 0)
        // Find Information: 0x0004 is a Client Characteristic Configuration.
        talk.att(.tx, "04 0400 0400", at: 100)
        talk.att(.rx, "05 01 0400 0229", at: 110)
        talk.att(.tx, "12 0400 0100", at: 200)
        talk.att(.rx, "13", at: 210)
        let group = try #require(talk.measure().groups(by: .connection).first)
        #expect(group.values.isEmpty)
        expect(group.exchanges.count, equals: 2)
    }

    @Test func gapsAreThoseOfOneConnection() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "1B 0300 01", at: 100)
        talk.att(.rx, "1B 0300 01", at: 200)
        talk.disconnect(at: 300)
        talk.connect(at: 1_000)
        talk.att(.rx, "1B 0300 01", at: 1_100)
        talk.att(.rx, "1B 0300 01", at: 1_300)
        let collector = talk.measure()
        expect(collector.groups(by: .connection).map(\.values.count), equals: [1, 1])
        for grouping in [StatisticsGrouping.peer, .characteristic, .method] {
            let groups = collector.groups(by: grouping)
            expect(groups.count, equals: 1)
            expect(groups[0].connections, equals: [0, 1])
            let row = try #require(groups[0].values.first)
            expect(row.count, equals: 4)
            expect(row.gaps.count, equals: 2)
            expect(row.gaps.maximum, equals: 200_000)
            expect(row.perSecond, equals: 2 / 0.3)
        }
    }

    @Test func groupsOfTwoPeers() {
        var talk = Talk()
        talk.connect(at: 0)
        talk.connect(at: 1, address: "15907C330AE6", handle: 0x41)
        for handle in [0x40, 0x41] {
            // The Battery Level of one is at 0x0003, that of the other at 0x0013.
            let place = handle == 0x40 ? "03" : "13"
            talk.att(.tx, "08 0100 FFFF 0328", at: 10, handle: handle)
            talk.att(.rx, "09 07 0200 12 \(place)00 192A", at: 20, handle: handle)
            talk.att(.rx, "1B \(place)00 64", at: 30, handle: handle)
        }
        let collector = talk.measure()
        expect(collector.groups(by: .peer).map(\.values.count), equals: [1, 1])
        let byCharacteristic = collector.groups(by: .characteristic)
        expect(byCharacteristic.map(\.values.count), equals: [1])
        expect(byCharacteristic[0].values[0].count, equals: 2)
        #expect(byCharacteristic[0].values[0].key.attribute?.handle == nil)
        #expect(byCharacteristic[0].values[0].key.attribute?.isKnown == true)
        let byMethod = collector.groups(by: .method)
        expect(byMethod[0].values.map(\.key.opcode.rawValue), equals: [0x1B])
        expect(byMethod[0].exchanges.map(\.key.opcode.rawValue), equals: [0x08])
        expect(byMethod[0].exchanges[0].roundTrips.count, equals: 2)
    }
}

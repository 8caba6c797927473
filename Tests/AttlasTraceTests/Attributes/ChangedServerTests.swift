import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// When what was learned no longer holds. Vol 3, Part G, 2.5.2, 7.1 and 7.3.
@Suite struct ChangedServerTests {
    /// Service Changed at 0x0003 and, after it, the Heart Rate service.
    static let known: [Packet] =
        [.att(.tx, "08 0100 0900 0328"), .att(.rx, "09 07 0200 20 0300 052A")] + DiscoveryTests.heartRate

    func last(_ packets: [Packet]) -> String? { decode([.connected()] + packets).lines("att").last }

    @Test func serviceChangedMakesItsRangeUnknown() {
        let changed = Self.known + [.att(.rx, "1D 0300 0E00 1100"), .att(.tx, "1E")]
        expect(last(changed + [.att(.tx, "0A 1000")]), equals: "att 14 tx 0A peer 0010 180D/2A37 former")
        expect(last(changed + [.att(.tx, "0A 1100")]), equals: "att 14 tx 0A peer 0011 180D/2A37/2902 former")
        expect(last(changed + [.att(.tx, "0A 1300")]), equals: "att 14 tx 0A peer 0013 2A38 discovery")
        expect(last(changed + [.att(.tx, "0A 0300")]), equals: "att 14 tx 0A peer 0003 2A05 discovery")
    }

    @Test func anIndicationOfAnotherCharacteristicChangesNothing() {
        let indicated = Self.known + [.att(.rx, "1D 1000 0E00 1100"), .att(.tx, "1E")]
        expect(last(indicated + [.att(.tx, "0A 1100")]), equals: "att 14 tx 0A peer 0011 180D/2A37/2902 discovery")
    }

    @Test(arguments: ["1D 0300 1100 0E00", "1D 0300 0E00", "1D 0300"])
    func aServiceChangedThatNamesNoRangeChangesNothing(indication: String) {
        let indicated = Self.known + [.att(.rx, indication), .att(.tx, "1E")]
        expect(last(indicated + [.att(.tx, "0A 1100")]), equals: "att 14 tx 0A peer 0011 180D/2A37/2902 discovery")
    }

    /// Read By Type of Database Hash at 0x0008.
    func hash(_ octet: String) -> [Packet] {
        [
            .att(.tx, "08 0100 FFFF 2A2B"),
            .att(.rx, "09 12 0800" + String(repeating: octet, count: 16)),
        ]
    }

    @Test func theSameDatabaseHashKeepsWhatIsRemembered() {
        let again = Self.known + hash("AA") + [.disconnected(), .connected()] + hash("AA")
        expect(last(again + [.att(.tx, "0A 1000")]), equals: "att 18 tx 0A peer connection 2 0010 180D/2A37 remembered")
    }

    @Test func anotherDatabaseHashDropsWhatIsRemembered() {
        let again = Self.known + hash("AA") + [.disconnected(), .connected()] + hash("BB")
        expect(last(again + [.att(.tx, "0A 1000")]), equals: "att 18 tx 0A peer connection 2 0010 180D/2A37 former")
        expect(last(again + [.att(.tx, "0A 0800")]), equals: "att 18 tx 0A peer connection 2 0008 2B2A discovery")
    }

    @Test func anotherDatabaseHashKeepsWhatWasSeenBeforeItInTheSameConnection() {
        let again = Self.known + hash("AA") + [.disconnected(), .connected()] + DiscoveryTests.heartRate + hash("BB")
        expect(last(again + [.att(.tx, "0A 1000")]), equals: "att 26 tx 0A peer connection 2 0010 180D/2A37 discovery")
        expect(last(again + [.att(.tx, "0A 0300")]), equals: "att 26 tx 0A peer connection 2 0003 2A05 former")
    }

    @Test func anotherDatabaseHashInOneConnectionDropsWhatStoodBeforeTheFirst() {
        expect(
            last(Self.known + hash("AA") + hash("BB") + [.att(.tx, "0A 1000")]),
            equals: "att 16 tx 0A peer 0010 180D/2A37 former")
    }

    @Test func aDatabaseHashThatWasReadAsAWholeCounts() {
        let read: (String) -> [Packet] = { octet in
            [.att(.tx, "0A 0800"), .att(.rx, "0B" + String(repeating: octet, count: 16))]
        }
        let again = Self.known + hash("AA") + [.disconnected(), .connected()] + read("BB")
        expect(last(again + [.att(.tx, "0A 1000")]), equals: "att 18 tx 0A peer connection 2 0010 180D/2A37 former")
    }

    /// Discovery of all primary services (4.4.1) finds none where Heart Rate was: before the next one, or at the end.
    @Test(arguments: [
        [Packet.att(.tx, "10 0100 FFFF 0028"), .att(.rx, "01 10 0100 0A")],
        [.att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 2000 2200 0F18")],
    ])
    func aServiceThatIsNotFoundAgainIsGone(discovery: [Packet]) {
        let again = Self.known + [.disconnected(), .connected()] + discovery
        let line = last(again + [.att(.tx, "0A 1000")])
        #expect(line?.hasSuffix("connection 2 0010 180D/2A37 former") == true)
        // What the range does not have stays.
        let rest =
            Self.known + [.disconnected(), .connected(), .att(.tx, "10 2000 FFFF 0028"), .att(.rx, "01 10 2000 0A")]
        #expect(last(rest + [.att(.tx, "0A 1000")])?.hasSuffix("connection 2 0010 180D/2A37 remembered") == true)
    }

    @Test func aServerThatIsAnotherNowIsNotMixedWithTheOneRemembered() {
        // In the second connection the Heart Rate service begins at 0x0014, where its last characteristic was.
        let again: [Packet] =
            Self.known + [
                .disconnected(), .connected(),
                .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0E00 1300 0F18 1400 1B00 0D18"),
                .att(.tx, "08 1400 1B00 0328"), .att(.rx, "09 07 1500 10 1600 372A"),
            ]
        expect(last(again + [.att(.tx, "0A 1000")]), equals: "att 18 tx 0A peer connection 2 0010")
        expect(
            last(again + [.att(.tx, "0A 1500")]), equals: "att 18 tx 0A peer connection 2 0015 180D/2A37/2803 discovery"
        )
        expect(last(again + [.att(.tx, "0A 1600")]), equals: "att 18 tx 0A peer connection 2 0016 180D/2A37 discovery")
        expect(last(again + [.att(.tx, "0A 0300")]), equals: "att 18 tx 0A peer connection 2 0003 2A05 remembered")
    }

    @Test func aTypeThatContradictsADeclarationReplacesIt() {
        let again: [Packet] =
            Self.known + [.disconnected(), .connected(), .att(.tx, "04 1000 1000"), .att(.rx, "05 01 1000 0229")]
        expect(last(again + [.att(.tx, "0A 1000")]), equals: "att 16 tx 0A peer connection 2 0010 180D/2902 discovery")
    }

    @Test func theLastServiceEndsWhereANewOneBegins() {
        let packets: [Packet] = [
            .att(.tx, "06 0100 FFFF 0028 0D18"), .att(.rx, "07 0E00 FFFF"),
            .att(.tx, "06 0100 FFFF 0028 0F18"), .att(.rx, "07 1600 1900"),
            .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 10 1000 372A 1700 12 1800 192A"),
        ]
        expect(last(packets + [.att(.tx, "0A 1000")]), equals: "att 8 tx 0A peer 0010 180D/2A37 discovery")
        expect(last(packets + [.att(.tx, "0A 1800")]), equals: "att 8 tx 0A peer 0018 180F/2A19 discovery")
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// The recorded host's own table, and names.
extension ImportTests {
    /// Command Complete of Read BD_ADDR: 00:1A:7D:DA:71:13. Vol 4, Part E, 7.4.6.
    private var hostAddress: Packet { .event("0E 0A 01 0910 00 \(Address.phone)") }

    @Test func theHostWithTheOwnersAddressGetsTheTable() {
        let table = Self.table(owner: ImportedOwner(0x001A_7DDA_7113, isRandom: false))
        expect(
            lines(table, packets: [hostAddress, .connected(), notification, .att(.rx, "0A 1000"), .att(.tx, "0B 00")]),
            equals: [
                "att 3 rx 1B peer 0010", "import 4 local used 5", "att 4 rx 0A local 0010 180D/2A37 imported",
                "att 5 tx 0B local 0010 180D/2A37 imported answers 4 after 1000",
            ])
        expect(lines(table, packets: [.connected(), .att(.rx, "0A 1000")]), equals: ["att 2 rx 0A local 0010"])
        expect(
            lines(Self.strap, packets: [hostAddress, .connected(), .att(.rx, "0A 1000")]).last,
            equals: "att 3 rx 0A local 0010")
    }

    @Test func whatTheCaptureShowsOfTheHostOtherwiseDropsItsTable() {
        let table = Self.table(owner: ImportedOwner(0x001A_7DDA_7113, isRandom: false))
        let packets: [Packet] = [
            hostAddress, .connected(), .att(.rx, "08 0E00 1500 0328"), .att(.tx, "09 07 0F00 10 1000 382A"),
            .att(.rx, "0A 1800"), .disconnected(), .connected(), .att(.rx, "0A 1800"),
        ]
        expect(
            lines(table, packets: packets),
            equals: [
                "import 3 local used 5", "att 3 rx 08 local", "att 4 tx 09 local answers 3 after 1000",
                "import 4 local conflict 0010 2A37 seen 2A38", "att 5 rx 0A local 0018",
                "att 8 rx 0A local connection 2 0018",
            ])
    }

    @Test func aHostsTableIsNotPresumedToBeAPeers() {
        var host = Self.table(owner: ImportedOwner(1, isRandom: false))
        host.isLocal = true
        expect(lines(host, packets: [notification]), equals: ["att 1 rx 1B peer 0010"])
        expect(lines(host, Self.strap, packets: [notification]).first, equals: "import 1 used 5 presumed")
        // The same device, seen from the other side.
        host.owner = Self.strap.owner
        expect(lines(host, packets: [.connected(), notification]).first, equals: "import 1 used 5")
    }

    // MARK: Its name

    @Test func thePeerGetsTheOwnersNameUntilItSaysAnother() {
        var table = Self.strap
        table.name = "HRM-7"
        func name(_ packets: [Packet]) -> String? {
            var trace = Trace()
            trace.import(table)
            _ = decode(packets, with: &trace)
            return trace.peers[0].name
        }
        expect(name([.connected()]), equals: "HRM-7")
        #expect(name([.connected(Address.probe)]) == nil)
        // Read By Type of the Device Name.
        expect(name([.connected(), .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 05 0300 4F6E65")]), equals: "One")
        // Whose table it is is only presumed.
        #expect(name([notification]) == nil)
    }
}

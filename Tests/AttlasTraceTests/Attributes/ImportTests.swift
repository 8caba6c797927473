import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Tables that were given with the capture.
@Suite struct ImportTests {
    /// Heart Rate at 0x000E–0x0015, its measurement at 0x0010 with a configuration after it; Battery at 0x0016–0x0019.
    static let strap = table(owner: ImportedOwner(0xF2F2_F2F2_F2F2, isRandom: true))

    static func table(owner: ImportedOwner?, hash: UInt128? = nil) -> ImportedTable {
        var table = ImportedTable(owner: owner)
        table.databaseHash = hash
        table.services = [
            ImportedTable.Service(handle: 0x000E, endHandle: 0x0015, uuid: uuid(0x180D), isPrimary: true),
            ImportedTable.Service(handle: 0x0016, endHandle: 0x0019, uuid: uuid(0x180F), isPrimary: true),
        ]
        table.characteristics = [
            ImportedTable.Characteristic(
                handle: 0x000F, valueHandle: 0x0010, properties: .notify, uuid: uuid(0x2A37)),
            ImportedTable.Characteristic(
                handle: 0x0017, valueHandle: 0x0018, properties: .read, uuid: uuid(0x2A19)),
        ]
        table.attributes = [ImportedTable.Attribute(handle: 0x0011, uuid: uuid(0x2902))]
        return table
    }

    private static func uuid(_ short: UInt16) -> BluetoothUUID { BluetoothUUID(short) }

    func lines(_ imported: ImportedTable..., packets: [Packet], of kinds: [String] = ["att", "import"])
        -> [String]
    {
        var trace = Trace()
        for table in imported { trace.import(table) }
        return decode(packets, with: &trace).lines.filter { kinds.contains(String($0.prefix { $0 != " " })) }
    }

    var notification: Packet { .att(.rx, "1B 1000 0048") }

    // MARK: Whose it is

    @Test func thePeerWithTheOwnersAddressGetsTheTable() {
        expect(
            lines(Self.strap, packets: [.connected(), notification]),
            equals: [
                "import 1 used 5", "att 2 rx 1B peer 0010 180D/2A37 imported",
            ])
    }

    @Test func anotherPeerDoesNot() {
        expect(
            lines(Self.strap, packets: [.connected(Address.probe), notification]), equals: ["att 2 rx 1B peer 0010"])
        // The same octets, and not the same device.
        expect(
            lines(Self.strap, packets: [.connected(random: false), notification]), equals: ["att 2 rx 1B peer 0010"])
    }

    @Test func anOwnerOfUnknownKindIsEither() {
        let table = Self.table(owner: ImportedOwner(0xF2F2_F2F2_F2F2, isRandom: nil))
        expect(lines(table, packets: [.connected()]), equals: ["import 1 used 5"])
        expect(lines(table, packets: [.connected(random: false)]), equals: ["import 1 used 5"])
    }

    @Test func aPeerWithoutAddressGetsTheOnlyTable() {
        expect(
            lines(Self.strap, packets: [notification]),
            equals: [
                "import 1 used 5 presumed", "att 1 rx 1B peer 0010 180D/2A37 imported",
            ])
        let other = Self.table(owner: ImportedOwner(1, isRandom: false))
        expect(lines(Self.strap, other, packets: [notification]), equals: ["att 1 rx 1B peer 0010"])
    }

    @Test func ofSeveralTablesOfOneDeviceTheFirstIsUsed() {
        var second = Self.strap
        second.characteristics = []
        expect(
            lines(Self.strap, second, packets: [notification]).last, equals: "att 1 rx 1B peer 0010 180D/2A37 imported")
        expect(lines(Self.strap, second, packets: [.connected()]), equals: ["import 1 used 5"])
    }

    @Test func theHostsOwnTableIsNoPeers() {
        expect(
            lines(Self.strap, packets: [.connected(), .att(.tx, "1B 1000 0048")]).last, equals: "att 2 tx 1B local 0010"
        )
    }

    @Test func usesAreCounted() {
        var trace = Trace()
        trace.import(Self.strap)
        trace.import(Self.table(owner: ImportedOwner(1, isRandom: false)))
        _ = decode([.connected(), .connected(handle: 0x41, controller: 1)], with: &trace)
        expect(trace.importedTableUses, equals: [1, 0])
    }

    @Test func whatTheCaptureShowsIsDiscovered() {
        let packets: [Packet] = [
            .connected(), .att(.tx, "08 0E00 1500 0328"), .att(.rx, "09 07 0F00 10 1000 372A"), notification,
            .att(.tx, "12 1100 0100"), .att(.rx, "13"),
        ]
        expect(
            lines(Self.strap, packets: packets, of: ["att", "import", "subscription"]).suffix(4),
            equals: [
                "att 4 rx 1B peer 0010 180D/2A37 discovery", "att 5 tx 12 peer 0011 180D/2A37/2902 imported",
                "att 6 rx 13 peer 0011 180D/2A37/2902 imported answers 5 after 1000",
                "subscription 6 peer 0011 180D/2A37/2902 = 1",
            ])
    }

    // MARK: Whether it holds

    @Test(arguments: [
        // Find By Type Value, Read By Group Type: a service inside another, and another one in its place.
        ("06 0100 FFFF 0028 0F18", "07 1200 1500", "import 3 conflict 0012 180D seen 180F"),
        ("10 0100 FFFF 0028", "11 06 0E00 1500 0A18", "import 3 conflict 000E 180D seen 180A"),
        // Read By Type: the value is another one, and a declaration is where a configuration was.
        ("08 0E00 1500 0328", "09 07 0F00 10 1000 382A", "import 3 conflict 0010 2A37 seen 2A38"),
        ("08 0E00 1500 0328", "09 07 1100 02 1200 382A", "import 3 conflict 0011 2902 seen 2803"),
        ("08 0100 FFFF 192A", "09 03 1000 57", "import 3 conflict 0010 2A37 seen 2A19"),
        // Find Information: a configuration is where a declaration was, and the other way round.
        ("04 0F00 0F00", "05 01 0F00 0229", "import 3 conflict 000F 2803 seen 2902"),
        ("04 1100 1100", "05 01 1100 0328", "import 3 conflict 0011 2902 seen 2803"),
    ])
    func whatTheCaptureShowsOtherwiseDropsTheTable(_ request: String, _ response: String, _ conflict: String) {
        let packets: [Packet] = [
            .connected(), .att(.tx, request), .att(.rx, response), .att(.tx, "0A 1800"),
            // Said once, and not used again.
            .att(.tx, request), .att(.rx, response), .disconnected(), .connected(), .att(.tx, "0A 1800"),
        ]
        let lines = lines(Self.strap, packets: packets)
        expect(lines.filter { $0.hasPrefix("import") }, equals: ["import 1 used 5", conflict])
        #expect(lines.contains("att 4 tx 0A peer 0018"))
        expect(lines.last, equals: "att 9 tx 0A peer connection 2 0018")
    }

    @Test func whatTheCaptureShowsAlikeIsNoConflict() {
        let packets: [Packet] = [
            .connected(),
            .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0E00 1500 0D18 1600 FFFF 0F18"),
            .att(.tx, "08 0E00 FFFF 0328"), .att(.rx, "09 07 0F00 10 1000 372A 1700 12 1800 192A"),
            .att(.tx, "04 0F00 1100"), .att(.rx, "05 01 0F00 0328 1000 372A 1100 0229"),
            .att(.tx, "08 0100 FFFF 192A"), .att(.rx, "09 03 1800 57"),
        ]
        expect(lines(Self.strap, packets: packets, of: ["import"]), equals: ["import 1 used 5"])
    }

    @Test func aServiceBehindTheLastOneThatEndsAtFFFFIsNoConflict() {
        var table = Self.strap
        table.services[1].endHandle = 0xFFFF
        let packets: [Packet] = [
            .connected(), .att(.tx, "06 0100 FFFF 0028 0A18"), .att(.rx, "07 2000 2500"), .att(.tx, "0A 1800"),
        ]
        expect(
            lines(table, packets: packets),
            equals: [
                "import 1 used 5", "att 2 tx 06 peer", "att 3 rx 07 peer answers 2 after 1000",
                "att 4 tx 0A peer 0018 180F/2A19 imported",
            ])
    }

    // MARK: Database Hash

    /// Read By Type of the Database Hash, its value of 16 octets at 0x000D.
    private func hash(_ octets: String) -> [Packet] {
        [.att(.tx, "08 0100 FFFF 2A2B"), .att(.rx, "09 12 0D00 \(octets)")]
    }

    private let octets = "F1CA2D48ECF58BAC8A8830BBB9FBA990"
    private let number: UInt128 = 0x90A9_FBB9_BB30_888A_AC8B_F5EC_482D_CAF1

    @Test func theSameHashKeepsTheTable() {
        let table = Self.table(owner: Self.strap.owner, hash: number)
        let lines = lines(table, packets: [.connected()] + hash(octets) + [notification])
        expect(lines.filter { $0.hasPrefix("import") }, equals: ["import 1 used 5"])
        expect(lines.last, equals: "att 4 rx 1B peer 0010 180D/2A37 imported")
    }

    @Test func anotherHashDropsTheTable() {
        let table = Self.table(owner: Self.strap.owner, hash: number - 1)
        let packets: [Packet] =
            [.connected(), .att(.tx, "04 1100 1100"), .att(.rx, "05 01 1100 0229")] + hash(octets) + [notification]
            + [.att(.tx, "0A 1100")]
        let lines = lines(table, packets: packets)
        expect(
            lines.filter { $0.hasPrefix("import") },
            equals: [
                "import 1 used 5",
                "import 5 outdated 90a9fbb9bb30888aac8bf5ec482dcaf0 90a9fbb9bb30888aac8bf5ec482dcaf1",
            ])
        #expect(lines.contains("att 6 rx 1B peer 0010"))
        // What this capture showed stays.
        expect(lines.last, equals: "att 7 tx 0A peer 0011 2902 discovery")
    }

    @Test func withoutAHashThereIsNothingToCompare() {
        let lines = lines(Self.strap, packets: [.connected()] + hash(octets) + [notification])
        expect(lines.last, equals: "att 4 rx 1B peer 0010 180D/2A37 imported")
    }

    @Test func serviceChangedForgetsWhatWasImported() {
        var table = Self.strap
        table.characteristics.append(
            ImportedTable.Characteristic(
                handle: 0x0007, valueHandle: 0x0008, properties: .indicate, uuid: BluetoothUUID(0x2A05 as UInt16)))
        let packets: [Packet] = [.connected(), .att(.rx, "1D 0800 0E00 1500"), notification, .att(.tx, "0A 1800")]
        expect(
            lines(table, packets: packets).suffix(2),
            equals: [
                "att 3 rx 1B peer 0010", "att 4 tx 0A peer 0018 180F/2A19 imported",
            ])
    }

    // MARK: From a trace

    @Test func whatWasInferredIsNotHandedOn() throws {
        var trace = Trace()
        _ = decode(
            [.connected()] + DiscoveryTests.heartRate + [
                .att(.tx, "12 1900 0100"), .att(.rx, "13"), .att(.rx, "1B 1800 56"),
            ], with: &trace)
        #expect(trace.peers[0].table.typedAttribute(0x0019) != nil)
        let found = ImportedTable(peer: 0, in: trace)
        let isNoPeer = ImportedTable(peer: 1, in: trace) == nil
        let table = try #require(found)
        #expect(isNoPeer)
        expect(table.owner, equals: ImportedOwner(0xF2F2_F2F2_F2F2, isRandom: true))
        #expect(!table.attributes.contains { $0.handle == 0x0019 })
        #expect(table.characteristics.contains { $0.valueHandle == 0x0010 })
    }

    @Test func aTableThatCannotBeIsTakenAsFarAsItGoes() {
        var table = ImportedTable(owner: nil)
        for handle in UInt16.min...UInt16.max {
            table.attributes.append(ImportedTable.Attribute(handle: handle, uuid: BluetoothUUID(UInt128(handle))))
            table.services.append(
                ImportedTable.Service(
                    handle: handle, endHandle: 0, uuid: BluetoothUUID(0x180F as UInt16), isPrimary: false))
            table.characteristics.append(
                ImportedTable.Characteristic(
                    handle: handle, valueHandle: 0, properties: [], uuid: BluetoothUUID(0x2A19 as UInt16)))
        }
        var trace = Trace()
        trace.import(table)
        _ = decode([notification], with: &trace)
        expect(trace.peers[0].table.count, equals: TraceLimits.standard.attributesOfAServer)
    }

    @Test func tablesLeaveRoomForWhatTheCaptureShows() {
        var trace = Trace()
        for number in 1...100 as ClosedRange<UInt64> {
            var table = ImportedTable(owner: ImportedOwner(number, isRandom: true))
            table.attributes = (1...1_000 as ClosedRange<UInt16>).map { handle in
                ImportedTable.Attribute(handle: handle, uuid: BluetoothUUID(UInt128(number) << 64 | UInt128(handle)))
            }
            trace.import(table)
        }
        #expect(trace.uuids.count <= UUIDTable.limit / 2)
        let packets: [Packet] = [
            .connected(), .att(.tx, "04 1100 1100"), .att(.rx, "05 02 1100 000102030405060708090A0B0C0D0E0F"),
            .att(.tx, "0A 1100"),
        ]
        let lines = decode(packets, with: &trace).lines("att")
        expect(lines.last, equals: "att 4 tx 0A peer 0011 0F0E0D0C-0B0A-0908-0706-050403020100 discovery")
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Private addresses, and whose they are.
@Suite struct IdentityTests {
    // MARK: The hash

    /// FIPS 197, Appendix C.1.
    @Test func theBlockFunctionIsAES() {
        expect(
            AddressHash.e(0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F, 0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF),
            equals: 0x69C4_E0D8_6A7B_0430_D8CD_B780_70B4_C55A)
    }

    /// Core Specification, Vol 3, Part H, Appendix D.7.
    @Test func theSampleOfTheSpecificationResolves() {
        expect(AddressHash.ah(AES128(key: Self.strapKey), 0x70_8194), equals: 0x0D_FBAA)
        #expect(AddressHash.resolves(BluetoothAddress(0x7081_940D_FBAA, isRandom: true), AES128(key: Self.strapKey)))
        #expect(!AddressHash.resolves(BluetoothAddress(0x7081_940D_FBAB, isRandom: true), AES128(key: Self.strapKey)))
        #expect(!AddressHash.resolves(BluetoothAddress(0x7081_950D_FBAA, isRandom: true), AES128(key: Self.strapKey)))
        #expect(!AddressHash.resolves(BluetoothAddress(0x7081_940D_FBAA, isRandom: true), AES128(key: Self.probeKey)))
    }

    // MARK: Two devices

    static let strapKey: UInt128 = 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B
    static let probeKey: UInt128 = 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F
    static let strapOctets = "9B7D390AA610103405ADC857A33402EC"
    static let probeOctets = "0F0E0D0C0B0A09080706050403020100"

    /// Made with the strap's key: 70:81:94:0D:FB:AA, 41:23:45:C4:D0:DF, 7F:FF:FF:D5:9A:83.
    static let strap1 = "AAFB0D948170"
    static let strap2 = "DFD0C4452341"
    static let strap3 = "839AD5FFFF7F"
    /// Made with the probe's: 41:23:45:0A:96:C0, 40:00:01:A5:44:68.
    static let probe1 = "C0960A452341"
    static let probe2 = "6844A5010040"

    /// Identity Information and Identity Address Information: static random, as is everything here but the phone's.
    func keys(_ key: String, _ address: String, _ direction: Direction = .rx, handle: Int = 0x40) -> [Packet] {
        let type = address == Address.phone ? "00" : "01"
        return [
            .frame(direction, channel: 6, hex("08 \(key)"), handle: handle),
            .frame(direction, channel: 6, hex("09 \(type) \(address)"), handle: handle),
        ]
    }

    /// ADV_IND with Complete Local Name "T3".
    func advertising(_ address: String) -> Packet {
        .event("3E 10 02 01 00 01 \(address) 04 03 09 5433 C8")
    }

    let discovery: [Packet] = [.att(.tx, "04 1100 1100"), .att(.rx, "05 01 1100 0229")]

    func decode(_ packets: [Packet], undirected: Bool = false) -> (Recorder, PagedArray<Peer>) {
        var trace = Trace()
        let recorder = AttlasTraceTests.decode(packets, with: &trace, undirected: undirected)
        return (recorder, trace.peers)
    }

    func addresses(_ peers: PagedArray<Peer>) -> [String] {
        peers.filter { $0.mergedInto == nil }.map { $0.address?.description ?? "-" }
    }

    // MARK: From pairing

    @Test func aPeerThatPairsGoesByItsIdentity() {
        let (recorder, peers) = decode([.connected(Self.strap1)] + keys(Self.strapOctets, Address.strap))
        expect(recorder.lines("identified"), equals: ["identified 3 70:81:94:0D:FB:AA is F2:F2:F2:F2:F2:F2"])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2"])
    }

    @Test func itIsTheSameUnderAnotherAddress() {
        let (recorder, peers) = decode(
            [advertising(Self.strap1), .connected(Self.strap1)] + discovery + keys(Self.strapOctets, Address.strap) + [
                .disconnected(), .connected(Self.strap2), .att(.tx, "0A 1100"),
            ])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2"])
        expect(peers[0].name, equals: "T3")
        expect(recorder.lines("att").last, equals: "att 9 tx 0A peer connection 2 0011 2902 remembered")
        expect(
            recorder.lines("connection").last, equals: "connection 8 2 0040 made F2:F2:F2:F2:F2:F2 LE central 24/0/72")
    }

    @Test func theAddressOfTheConnectionIsKept() {
        var trace = Trace()
        _ = AttlasTraceTests.decode(
            [.connected(Self.strap1)] + keys(Self.strapOctets, Address.strap) + [
                .connected(Self.strap2, handle: 0x41), .connected(Address.probe, handle: 0x42),
            ], with: &trace)
        expect(
            trace.connections.map { $0.privateAddress?.description },
            equals: ["70:81:94:0D:FB:AA", "41:23:45:C4:D0:DF", nil])
        expect(trace.connections.map(\.peer), equals: [0, 0, 1])
        expect(trace.identity(of: BluetoothAddress(0x7FFF_FFD5_9A83, isRandom: true))?.value, equals: 0xF2F2_F2F2_F2F2)
        #expect(trace.identity(of: BluetoothAddress(0x7FFF_FFD5_9A83, isRandom: false)) == nil)
    }

    @Test func twoDevicesStayTwo() {
        let (recorder, peers) = decode(
            [.connected(Self.strap1), .connected(Self.probe1, handle: 0x41)] + discovery
                + keys(Self.strapOctets, Address.strap) + keys(Self.probeOctets, Address.probe, handle: 0x41) + [
                    .disconnected(), .disconnected(handle: 0x41), .connected(Self.probe2), .att(.tx, "0A 1100"),
                    .connected(Self.strap2, handle: 0x41), .att(.tx, "0A 1100", handle: 0x41),
                ])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2", "E6:0A:33:7C:90:15"])
        expect(
            recorder.lines("att").suffix(2),
            equals: [
                "att 12 tx 0A peer connection 3 0011", "att 14 tx 0A peer connection 4 0011 2902 remembered",
            ])
    }

    @Test func anUnresolvedAddressStaysItself() {
        let (recorder, peers) = decode(
            [.connected(Self.strap1)] + discovery + keys(Self.strapOctets, Address.strap) + [
                .disconnected(), .connected(Self.probe1), .att(.tx, "0A 1100"),
            ])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2", "41:23:45:0A:96:C0"])
        expect(recorder.lines("att").last, equals: "att 8 tx 0A peer connection 2 0011")
    }

    @Test func aDeviceWithoutAKeyHasAnIdentityAllTheSame() {
        let (_, peers) = decode(
            [.connected(Self.strap1)] + keys(String(repeating: "00", count: 16), Address.strap) + [
                .disconnected(), .connected(Self.strap2), .disconnected(), .connected(Self.strap1),
            ])
        // The address of the connection in which it said so, and no other.
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2", "41:23:45:C4:D0:DF"])
        expect(peers[0].connections, equals: 1)
    }

    @Test func theHostsOwnKeyIsNotThePeers() {
        let (recorder, peers) = decode(
            [.connected(Address.strap)] + keys(Self.probeOctets, Address.phone, .tx) + [
                // The other controller of the capture sees this host under a private address.
                .connected(Self.probe1, controller: 1)
            ])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2", "00:1A:7D:DA:71:13"])
        #expect(recorder.lines("identified").isEmpty)
    }

    @Test func withoutADirectionTheKeyIsKnownAndWhoseItIsByItsAddress() {
        let (recorder, peers) = decode(
            [.connected(Self.strap1)] + keys(Self.probeOctets, Address.probe) + keys(Self.strapOctets, Address.strap),
            undirected: true)
        expect(recorder.lines("identified"), equals: ["identified 5 70:81:94:0D:FB:AA is F2:F2:F2:F2:F2:F2"])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2"])
    }

    @Test func aPeerOfBeforeTheCaptureGetsItsAddressAndItsTable() {
        var trace = Trace()
        trace.import(ImportTests.strap)
        trace.import(ImportTests.table(owner: ImportedOwner(1, isRandom: false)))
        let recorder = AttlasTraceTests.decode(
            keys(Self.strapOctets, Address.strap) + [.att(.rx, "1B 1000 0048")], with: &trace)
        expect(
            recorder.lines("identified", "import", "att"),
            equals: [
                "identified 2 - is F2:F2:F2:F2:F2:F2", "import 2 used 5", "att 3 rx 1B peer 0010 180D/2A37 imported",
            ])
    }

    @Test func aPeerThatPairsGetsTheTableOfItsIdentity() {
        var trace = Trace()
        trace.import(ImportTests.strap)
        let recorder = AttlasTraceTests.decode(
            [.connected(Self.strap1)] + discovery + keys(Self.strapOctets, Address.strap) + [
                .att(.tx, "0A 1100"), .att(.rx, "1B 1000 0048"), .disconnected(), .connected(Self.strap2),
            ], with: &trace)
        expect(recorder.lines("import"), equals: ["import 5 used 5"])
        expect(
            recorder.lines("att").suffix(2),
            equals: [
                "att 6 tx 0A peer 0011 180D/2A37/2902 discovery", "att 7 rx 1B peer 0010 180D/2A37 imported",
            ])
    }

    @Test func aPublicAddressIsNoPrivateOne() {
        let (recorder, peers) = decode(
            [.connected(Address.phone, random: false)] + keys(Self.strapOctets, Address.strap))
        #expect(recorder.lines("identified").isEmpty)
        expect(addresses(peers), equals: ["00:1A:7D:DA:71:13"])
    }

    @Test func anAddressWithoutItsKeyAndAKeyWithoutItsAddressAreNothing() {
        let (recorder, _) = decode([
            .connected(Address.probe), .frame(.rx, channel: 6, hex("09 01 \(Address.strap)")),
            .frame(.rx, channel: 6, hex("08 \(Self.strapOctets)")), .frame(.rx, channel: 6, hex("09 01 F2F2")),
            .connected(Self.strap1, handle: 0x41),
        ])
        #expect(recorder.lines("connection").last?.contains("70:81:94:0D:FB:AA") == true)
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Where keys come from besides a pairing, and when they come late.
extension IdentityTests {
    // MARK: One device, met as several

    @Test func whatWasMetBeforeTheKeyWasKnownIsOne() {
        let (recorder, peers) = decode(
            [.connected(Self.strap1)] + discovery + [
                .disconnected(), .connected(), .att(.tx, "04 2100 2100"), .att(.rx, "05 01 2100 0129"),
                .disconnected(), .connected(Self.strap2), .att(.tx, "04 3100 3100"), .att(.rx, "05 01 3100 0029"),
            ] + keys(Self.strapOctets, Address.strap) + [
                .att(.tx, "0A 1100"), .att(.rx, "0B 00"), .att(.tx, "0A 2100"), .att(.rx, "0B 00"),
                .att(.tx, "0A 3100"),
                .disconnected(), .connected(Self.strap3),
            ])
        expect(
            recorder.lines("identified"),
            equals: [
                "identified 13 70:81:94:0D:FB:AA is F2:F2:F2:F2:F2:F2 merged",
                "identified 13 41:23:45:C4:D0:DF is F2:F2:F2:F2:F2:F2 merged",
            ])
        expect(
            recorder.lines("att").suffix(5).filter { $0.contains("tx") },
            equals: [
                "att 14 tx 0A peer connection 3 0011 2902 remembered",
                "att 16 tx 0A peer connection 3 0021 2901 remembered",
                "att 18 tx 0A peer connection 3 0031 2900 discovery",
            ])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2"])
        expect(peers.map(\.mergedInto), equals: [1, nil, 1])
        expect(peers[1].connections, equals: 1)
    }

    // MARK: From the controller

    @Test func theResolvingListHoldsKeys() {
        let zero = String(repeating: "00", count: 16)
        let (recorder, peers) = decode([
            .connected(Self.strap1), .command("27 20 27 01 \(Address.strap) \(Self.strapOctets) \(zero)"),
            .command("27 20 27 00 \(Address.phone) \(zero) \(zero)"), .connected(Self.strap2, handle: 0x41),
        ])
        expect(recorder.lines("identified"), equals: ["identified 2 70:81:94:0D:FB:AA is F2:F2:F2:F2:F2:F2"])
        expect(addresses(peers), equals: ["F2:F2:F2:F2:F2:F2"])
    }

    @Test func aControllerThatResolvedTheAddressTellsBoth() {
        var trace = Trace()
        // LE Enhanced Connection Complete, type 0x03: a random identity address.
        let recorder = AttlasTraceTests.decode(
            [
                .event(
                    "3E 1F 0A 00 4000 00 03 \(Address.strap) 000000000000 \(Self.strap1) 1800 0000 4800 00"),
                advertising(Self.strap1), .disconnected(), .connected(Self.strap1), advertising(Self.strap2),
            ], with: &trace)
        #expect(recorder.lines("connection").last?.contains("made F2:F2:F2:F2:F2:F2") == true)
        expect(trace.peers.count, equals: 1)
        expect(trace.peers[0].name, equals: "T3")
        expect(trace.connections[0].privateAddress?.description, equals: "70:81:94:0D:FB:AA")
        #expect(trace.identity(of: BluetoothAddress(0x4123_45C4_D0DF, isRandom: true)) == nil)
    }

    // MARK: Given

    @Test func aGivenKeyResolves() {
        var trace = Trace()
        trace.addIdentityResolvingKey(
            Self.strapKey, identity: BluetoothAddress(0xF2F2_F2F2_F2F2, isRandom: true))
        _ = AttlasTraceTests.decode(
            [.connected(Self.strap1), .disconnected(), .connected(), .disconnected(), .connected(Self.probe1)],
            with: &trace)
        expect(addresses(trace.peers), equals: ["F2:F2:F2:F2:F2:F2", "41:23:45:0A:96:C0"])
    }

    @Test func withoutAnAddressTheFirstOneStandsForTheDevice() {
        var trace = Trace()
        trace.addIdentityResolvingKey(Self.strapKey)
        _ = AttlasTraceTests.decode(
            [
                advertising(Self.strap1), .connected(Self.strap2), .disconnected(), .connected(Self.strap3),
                .disconnected(), .connected(Self.strap1),
            ], with: &trace)
        expect(addresses(trace.peers), equals: ["70:81:94:0D:FB:AA"])
        expect(trace.peers[0].name, equals: "T3")
    }

    @Test func anAddressThatComesLaterTakesItsPlace() {
        var trace = Trace()
        trace.addIdentityResolvingKey(Self.strapKey)
        let recorder = AttlasTraceTests.decode(
            [.connected(Self.strap1)] + keys(Self.strapOctets, Address.strap) + [
                .disconnected(), .connected(Self.strap2),
            ], with: &trace)
        expect(recorder.lines("identified"), equals: ["identified 3 70:81:94:0D:FB:AA is F2:F2:F2:F2:F2:F2"])
        expect(addresses(trace.peers), equals: ["F2:F2:F2:F2:F2:F2"])
    }

    @Test func aWrongKeyResolvesNothing() {
        var trace = Trace()
        trace.addIdentityResolvingKey(
            Self.probeKey, identity: BluetoothAddress(0xE60A_337C_9015, isRandom: true))
        _ = AttlasTraceTests.decode([.connected(Self.strap1), .disconnected(), .connected(Self.strap2)], with: &trace)
        expect(addresses(trace.peers), equals: ["70:81:94:0D:FB:AA", "41:23:45:C4:D0:DF"])
    }

    // MARK: Bounds

    @Test func aFloodOfKeysAndAddressesIsBounded() {
        var table = IdentityTable(addressLimit: 3_000)
        for number in 1...1_000 as ClosedRange<UInt128> { _ = table.add(number, nil) }
        for number in 0..<10_000 as Range<UInt64> {
            let address = BluetoothAddress(0x4000_0000_0000 | number << 20, isRandom: true)
            table.state(address, BluetoothAddress(number, isRandom: false))
            _ = table.identity(of: BluetoothAddress(0x4000_0000_0001 | number << 20, isRandom: true))
        }
        expect(table.keyCount, equals: IdentityTable.keyLimit)
        #expect(table.addressCount <= 3 * 3_000)
    }

    /// What was found last is kept; at the limit only the older half goes.
    @Test func addressesOfTheNewerHalfStayFound() {
        var table = IdentityTable(addressLimit: 10)
        _ = table.add(Self.strapKey, nil)
        let own = BluetoothAddress(0x7081_940D_FBAA, isRandom: true)
        #expect(table.identity(of: own) == nil)
        for number in 0..<100 as Range<UInt64> {
            _ = table.identity(of: BluetoothAddress(0x4000_0000_0001 | number << 20, isRandom: true))
            #expect((min(10, Int(number) + 2)...20).contains(table.addressCount))
        }
        // The address by which the device is known does not depend on them.
        #expect(table.identity(of: own) == nil)
        #expect(table.lookUp(own) == nil)
    }

    @Test func aFloodOfIdentitiesLeavesNoMoreThanThePeersLimit() {
        var feeder = Feeder()
        for number in 0..<TraceLimits.standard.peers + 500 {
            let low = little(number & 0xFFFF)
            feeder.feed(
                Packet(
                    .packet(.event), .rx, hex("3E 13 01 00 4000 00 01") + low + hex("00000040 1800 0000 4800 00")))
            feeder.feed(.frame(.rx, channel: 6, hex("08 \(Self.strapOctets)")))
            feeder.feed(.frame(.rx, channel: 6, hex("09 01") + low + hex("000000C0")))
            feeder.feed(.disconnected())
        }
        let count = feeder.trace.peers.count
        expect(count, equals: TraceLimits.standard.peers)
    }
}

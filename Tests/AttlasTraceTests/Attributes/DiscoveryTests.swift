import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// How handles get their names. Core Specification, Vol 3, Part G, 4.4 to 4.7.
@Suite struct DiscoveryTests {
    /// What each handle is after a conversation: the answer to a read of it.
    func names(_ packets: [Packet], of handles: [Int]) -> [String] {
        let reads = handles.map { Packet.fragment(.tx, boundary: 0, hex("0300 0400 0A") + little($0)) }
        return decode([.connected()] + packets + reads).lines("att").suffix(handles.count).map { line in
            line.split(separator: " ").dropFirst(6).joined(separator: " ")
        }
    }

    /// Heart Rate 0x000E–0x0015: Measurement at 0x0010 (notify) with its CCCD 0x0011, Body Sensor Location at 0x0013 (read),
    /// Control Point at 0x0015 (write).
    static let heartRate: [Packet] = [
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0E00 1500 0D18"),
        .att(.tx, "10 1600 FFFF 0028"), .att(.rx, "01 10 1600 0A"),
        .att(.tx, "08 0E00 1500 0328"), .att(.rx, "09 07 0F00 10 1000 372A 1200 02 1300 382A 1400 08 1500 392A"),
        .att(.tx, "04 1100 1100"), .att(.rx, "05 01 1100 0229"),
    ]

    @Test func allOfAServiceIsFoundByItsDiscovery() {
        expect(
            names(Self.heartRate, of: [0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16]),
            equals: [
                "", "180D/2800 discovery", "180D/2A37/2803 discovery", "180D/2A37 discovery",
                "180D/2A37/2902 discovery",
                "180D/2A38/2803 discovery", "180D/2A38 discovery", "180D/2A39/2803 discovery", "180D/2A39 discovery",
                "",
            ])
    }

    @Test func servicesOf128BitsAreFoundByReadByGroupType() {
        // 6E400001-B5A3-F393-E0A9-E50E24DCCA9E, 0x0010–0x0014.
        let found = names(
            [
                .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 14 1000 1400 9ECADC24 0EE5A9E0 93F3A3B5 0100406E"),
            ], of: [0x10, 0x11])
        expect(found, equals: ["6E400001-B5A3-F393-E0A9-E50E24DCCA9E/2800 discovery", ""])
    }

    @Test func secondaryServicesAreFoundByReadByGroupType() {
        let found = names([.att(.tx, "10 0100 FFFF 0128"), .att(.rx, "11 06 2000 2400 0F18")], of: [0x20])
        expect(found, equals: ["180F/2801 discovery"])
    }

    @Test func groupsOfAnotherTypeAreNoServices() {
        expect(names([.att(.tx, "10 0100 FFFF 0328"), .att(.rx, "11 06 2000 2400 0F18")], of: [0x20]), equals: [""])
    }

    @Test func servicesAreFoundByTheirUUID() {
        let found = names(
            [
                .att(.tx, "06 0100 FFFF 0028 0D18"), .att(.rx, "07 0E00 1500 4000 4900"),
                .att(.tx, "06 0100 FFFF 0028 9ECADC24 0EE5A9E0 93F3A3B5 0100406E"), .att(.rx, "07 5000 FFFF"),
            ], of: [0x0E, 0x40, 0x50])
        expect(
            found,
            equals: [
                "180D/2800 discovery", "180D/2800 discovery", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E/2800 discovery",
            ])
    }

    @Test func findByTypeValueOfAnotherTypeFindsNoService() {
        expect(names([.att(.tx, "06 0100 FFFF 002A 5433"), .att(.rx, "07 0300 0300")], of: [0x03]), equals: [""])
    }

    @Test func characteristicsOf128BitsAreFoundByReadByType() {
        let found = names(
            [
                .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 15 1000 0C 1100 9ECADC24 0EE5A9E0 93F3A3B5 0200406E"),
            ], of: [0x10, 0x11])
        expect(
            found,
            equals: [
                "6E400002-B5A3-F393-E0A9-E50E24DCCA9E/2803 discovery", "6E400002-B5A3-F393-E0A9-E50E24DCCA9E discovery",
            ])
    }

    @Test func includesAreFoundWithAndWithoutAUUID() {
        // 0x0011 includes 0x0020–0x0024, 180F; 0x0012 includes 0x0030–0x0034, whose UUID has 128 bits and is left out.
        var trace = Trace()
        let recorder = decode(
            [
                .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 1000 1F00 0D18"),
                .att(.tx, "08 1000 1F00 0228"), .att(.rx, "09 08 1100 2000 2400 0F18"),
                .att(.tx, "08 1200 1F00 0228"), .att(.rx, "09 06 1200 3000 3400"),
                .att(.tx, "0A 1100"), .att(.tx, "0A 1200"),
            ], with: &trace)
        expect(
            recorder.lines("att").suffix(2),
            equals: [
                "att 8 tx 0A peer 0011 180D/2802 discovery", "att 9 tx 0A peer 0012 180D/2802 discovery",
            ])
        let includes = trace.peers[0].table.includes
        expect(includes.map(\.includedHandle), equals: [0x20, 0x30])
        expect(includes.map(\.endHandle), equals: [0x24, 0x34])
        expect(includes.map { $0.uuid.map { trace.uuids[$0].description } }, equals: ["180F", nil])
    }

    @Test func descriptorsAreFoundByFindInformation() {
        let found = names(
            Self.heartRate + [
                .att(.tx, "04 1100 1100"), .att(.rx, "05 02 1100 9ECADC24 0EE5A9E0 93F3A3B5 0900406E"),
            ], of: [0x11])
        expect(found, equals: ["180D/2A37/6E400009-B5A3-F393-E0A9-E50E24DCCA9E discovery"])
    }

    @Test func findInformationAloneNamesTypesOnly() {
        // A service, a characteristic, its value and its CCCD: only the declarations would tell whose they are.
        let found = names(
            [.att(.tx, "04 0E00 1100"), .att(.rx, "05 01 0E00 0028 0F00 0328 1000 372A 1100 0229")],
            of: [0x0E, 0x0F, 0x10, 0x11])
        expect(found, equals: ["2800 discovery", "2803 discovery", "2A37 discovery", "2902 discovery"])
    }

    /// The types of 0x000E to 0x0013, two characteristics of a service and the next service, as `gatttool --char-desc` asks for them.
    private static let types: [Packet] = [
        .att(.tx, "04 0E00 1300"),
        .att(.rx, "05 01 0E00 0028 0F00 0328 1000 372A 1100 0229 1200 0328 1300 382A 1400 0028"),
    ]

    @Test func aDeclarationThatIsReadSaysWhatItDeclares() {
        // Heart Rate at 0x000E; Heart Rate Measurement, notify, value at 0x0010.
        let found = names(
            Self.types + [
                .att(.tx, "0A 0E00"), .att(.rx, "0B 0D18"), .att(.tx, "0A 0F00"), .att(.rx, "0B 10 1000 372A"),
            ],
            of: [0x0E, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14])
        expect(
            found,
            equals: [
                "180D/2800 discovery", "180D/2A37/2803 discovery", "180D/2A37 discovery", "180D/2A37/2902 discovery",
                "180D/2803 discovery", "180D/2A38 discovery", "2800 discovery",
            ])
    }

    @Test func whatADeclarationDeclaresIsInTheTable() throws {
        var trace = Trace()
        _ = decode(
            [.connected()] + Self.types + [
                .att(.tx, "0A 0E00"), .att(.rx, "0B 0D18"), .att(.tx, "0A 0F00"), .att(.rx, "0B 10 1000 372A"),
            ], with: &trace)
        let table = trace.peers[0].table
        let service = try #require(table.services.first)
        // It ends before the next service.
        #expect(service.handle == 0x0E && service.endHandle == 0x13 && service.isPrimary == true)
        let characteristic = try #require(table.characteristics.first)
        #expect(characteristic.valueHandle == 0x10 && characteristic.properties == .notify)
    }

    @Test func aDescriptorDoesNotBelongToACharacteristicBeforeAnotherDeclaration() {
        // 0x000F is declared; of 0x0012 only the type is known; 0x0014 is a CCCD after it.
        let found = names(
            [
                .att(.tx, "08 0E00 0F00 0328"), .att(.rx, "09 07 0F00 10 1000 372A"),
                .att(.tx, "04 1100 1400"), .att(.rx, "05 01 1100 0229 1200 0328 1300 382A 1400 0229"),
            ], of: [0x11, 0x12, 0x14])
        expect(found, equals: ["2A37/2902 discovery", "2803 discovery", "2902 discovery"])
    }

    /// Of a capture that lost the packets between: the request asks for includes, the response has a characteristic.
    @Test func aValueOfFiveOctetsDeclaresNoInclude() {
        var trace = Trace()
        _ = decode(
            [
                .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 1000 1F00 0D18"),
                .att(.tx, "08 1000 1F00 0228"), .att(.rx, "09 07 1100 02 1200 372A"),
            ], with: &trace)
        #expect(trace.peers[0].table.includes.isEmpty)
    }

    @Test func anIncludedServiceHasTheRangeThatItsIncludeSays() {
        // Heart Rate includes 0x0020–0x0024, Battery, which no search found.
        let found = names(
            [
                .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 1000 1F00 0D18"),
                .att(.tx, "08 1000 1F00 0228"), .att(.rx, "09 08 1100 2000 2400 0F18"),
                .att(.tx, "08 2000 2400 0328"), .att(.rx, "09 07 2100 02 2200 192A"),
            ], of: [0x11, 0x22, 0x24, 0x25])
        expect(found, equals: ["180D/2802 discovery", "180F/2A19 discovery", "", ""])
    }

    @Test func anIncludedServiceOf128BitsIsKnownWhenItsDeclarationIsRead() throws {
        // The include declaration has no UUID: the client reads the included service's own declaration. Vol 3, Part G, 4.5.1.
        var trace = Trace()
        _ = decode(
            [
                .connected(), .att(.tx, "08 1000 1F00 0228"), .att(.rx, "09 06 1200 3000 3400"),
                .att(.tx, "0A 3000"), .att(.rx, "0B 9ECADC24 0EE5A9E0 93F3A3B5 0100406E"),
            ], with: &trace)
        let service = try #require(trace.peers[0].table.services.first)
        expect(trace.uuids[service.uuid].description, equals: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
        #expect(service.handle == 0x30 && service.endHandle == 0x34 && service.isPrimary == nil)
    }

    @Test func aValueThatIsNotReadWholeDeclaresNothing() {
        // With an MTU of 23 a declaration of 128 bits has 19 octets; one of 22 may continue.
        let found = names(
            Self.types + [.att(.tx, "0A 0F00"), .att(.rx, "0B 10 1000 372A 00000000 00000000 00000000 00000000")],
            of: [0x0F, 0x10])
        expect(found, equals: ["2803 discovery", "2A37 discovery"])
    }

    @Test func aCharacteristicsTypeIsNeverADescriptorOfTheOneBefore() {
        // Only the first characteristic is declared; the types of all that follows are asked for.
        let found = names(
            [
                .att(.tx, "08 0E00 0F00 0328"), .att(.rx, "09 07 0F00 10 1000 372A"),
                .att(.tx, "04 1100 1300"), .att(.rx, "05 01 1100 0229 1200 0328 1300 382A"),
            ], of: [0x11, 0x13])
        expect(found, equals: ["2A37/2902 discovery", "2A38 discovery"])
    }

    @Test func aValueReadByItsTypeIsNamed() {
        // 0x0042 is read by a vendor's UUID; no declaration was ever seen there, though one was far below.
        let found = names(
            [
                .att(.tx, "08 0E00 0F00 0328"), .att(.rx, "09 07 0F00 10 1000 372A"),
                .att(.tx, "08 0100 FFFF 9ECADC24 0EE5A9E0 93F3A3B5 0200406E"), .att(.rx, "09 03 4200 01"),
            ], of: [0x42])
        expect(found, equals: ["6E400002-B5A3-F393-E0A9-E50E24DCCA9E discovery"])
    }

    @Test func handlesNobodyAskedForStayUnknown() {
        expect(names([], of: [1, 2, 3]), equals: ["", "", ""])
        expect(names([.att(.rx, "11 06 0E00 1500 0D18")], of: [0x0E]), equals: [""])
    }

    @Test func aRequestWhoseUUIDWasCutFindsNothing() {
        // Read By Type of a UUID of 128 bits, of which the first two octets look like the 16-bit one of Characteristic.
        let found = names(
            [
                .frame(.tx, channel: 4, hex("08 0100 FFFF 0328"), missing: 14), .att(.rx, "09 07 0F00 10 1000 372A"),
            ], of: [0x10])
        expect(found, equals: [""])
    }

    @Test func rangesAndHandlesThatMakeNoSenseAreNotLearned() {
        // A service that ends before it begins; a characteristic whose value precedes it; handle 0.
        let found = names(
            [
                .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0E00 0D00 0D18"),
                .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 10 0E00 372A"),
                .att(.tx, "04 0000 FFFF"), .att(.rx, "05 01 0000 0229"),
            ], of: [0x0E, 0x0F, 0x00])
        expect(found, equals: ["", "", ""])
    }
}

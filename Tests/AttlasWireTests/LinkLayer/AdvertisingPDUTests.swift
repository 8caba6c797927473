import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Core Specification, Vol 6, Part B, 2.3.
@Suite struct AdvertisingPDUTests {
    @Test func header() throws {
        let octets = hex("A5 03 112233 44")
        let pdu = try AdvertisingPDU(octets.wire)
        expect(pdu.type, equals: .connectInd)
        #expect(pdu.chSel && !pdu.txAdd && pdu.rxAdd)
        expect(pdu.length, equals: 3)
        expect(pdu.payload.copy(), equals: hex("112233"))
        expect(pdu.missing, equals: 0)
        try expect(AdvertisingPDU(hex("4006 11").wire).missing, equals: 5)
        expectNeed(2, of: octets, layer: .linkLayer, limit: .linkLayerLength) { _ = try AdvertisingPDU($0) }
    }

    @Test(arguments: [
        (UInt8(0), "ADV_IND", "ADV_IND"), (1, "ADV_DIRECT_IND", "ADV_DIRECT_IND"),
        (2, "ADV_NONCONN_IND", "ADV_NONCONN_IND"), (3, "SCAN_REQ", "AUX_SCAN_REQ"), (4, "SCAN_RSP", "SCAN_RSP"),
        (5, "CONNECT_IND", "AUX_CONNECT_REQ"), (6, "ADV_SCAN_IND", "ADV_SCAN_IND"),
        (7, "ADV_EXT_IND", "AUX_ADV_IND"), (8, "AUX_CONNECT_RSP", "AUX_CONNECT_RSP"),
        (9, "ADV_DECISION_IND", "ADV_DECISION_IND"),
    ])
    func names(type: UInt8, primary: String, secondary: String) {
        expect(AdvertisingPDUType(rawValue: type).name(isPrimary: true), equals: primary)
        expect(AdvertisingPDUType(rawValue: type).name(isPrimary: nil), equals: primary)
        expect(AdvertisingPDUType(rawValue: type).name(isPrimary: false), equals: secondary)
    }

    @Test func reservedTypesHaveNoName() {
        #expect(AdvertisingPDUType(rawValue: 10).name(isPrimary: true) == nil)
    }

    @Test func legacyAdvertisement() throws {
        let octets = hex("4009 6655443322C1 020106")
        let advertisement = try LegacyAdvertisement(AdvertisingPDU(octets.wire))
        expect(advertisement.advA, equals: BluetoothAddress(0xC122_3344_5566, isRandom: true))
        expect(advertisement.data.copy(), equals: hex("020106"))
        #expect(
            failure(hex("0005 6655443322")) { _ = try LegacyAdvertisement(AdvertisingPDU($0)) }
                == WireError(
                    .linkLayer, "advertising PDU without the advertiser's address", need: 6, have: 5,
                    limit: .linkLayerLength))
    }

    @Test func scanRequest() throws {
        let octets = hex("830C 010203040506 111213141516")
        let request = try AddressPairPDU(AdvertisingPDU(octets.wire))
        expect(request.sender, equals: BluetoothAddress(0x0605_0403_0201, isRandom: false))
        expect(request.target, equals: BluetoothAddress(0x1615_1413_1211, isRandom: true))
        #expect(failure(hex("030B 010203040506 1112131415")) { _ = try AddressPairPDU(AdvertisingPDU($0)) }?.need == 12)
    }

    @Test func connectIndication() throws {
        let octets = hex(
            """
            C522 010203040506 1112131415D6 78563412 563412 03 0100 1800 0200 F401 FF07C0FF1F A7
            """)
        let request = try ConnectIndication(AdvertisingPDU(octets.wire))
        expect(request.initA, equals: BluetoothAddress(0x0605_0403_0201, isRandom: true))
        expect(request.advA, equals: BluetoothAddress(0xD615_1413_1211, isRandom: true))
        expect(request.accessAddress, equals: 0x1234_5678)
        expect(request.crcInit, equals: 0x12_3456)
        #expect(request.winSize == 3 && request.winOffset == 1)
        #expect(request.interval == 24 && request.latency == 2 && request.timeout == 500)
        expect(request.channelMap.rawValue, equals: 0x1F_FFC0_07FF)
        expect(request.channelMap.count, equals: 26)
        #expect(request.channelMap.contains(10) && !request.channelMap.contains(11) && !request.channelMap.contains(37))
        expect(request.hopIncrement, equals: 7)
        expect(request.sca, equals: 5)
        #expect(request.chSel == false)
        #expect(failure(Array(octets.dropLast())) { _ = try ConnectIndication(AdvertisingPDU($0)) }?.need == 34)
    }

    /// ADV_EXT_IND: AdvMode 0b01, ADI and AuxPtr: channel 12, 30 µs × 100, LE 2M.
    @Test func extendedIndication() throws {
        let octets = hex("0707 46 18 2301 0C6420")
        let part = try ExtendedAdvertisement(AdvertisingPDU(octets.wire))
        #expect(part.isConnectable == true)
        #expect(part.advA == nil && part.targetA == nil && part.syncInfo == nil && part.txPower == nil)
        expect(part.adi, equals: 0x0123)
        expect(part.auxPtr?.channel, equals: 12)
        expect(part.auxPtr?.offsetMicroseconds, equals: 3_000)
        expect(part.auxPtr?.phy, equals: LEPHY(rawValue: 2))
        #expect(part.data.isEmpty && part.acad.isEmpty)
    }

    /// AUX_ADV_IND with every field: flags 0x7F, two octets of ACAD, three of AdvData.
    @Test func everyFieldOfTheExtendedHeader() throws {
        let header = hex(
            """
            7F 0102030405C6 1112131415D6 14 2341 89E843 0000 5000 FFFFFFFF1F 44332211 AABBCC 0000 F4 0155
            """)
        let octets = hex("C7") + [UInt8(header.count + 4)] + [0x80 | UInt8(header.count)] + header + hex("020106")
        let part = try ExtendedAdvertisement(AdvertisingPDU(octets.wire))
        #expect(part.advMode == 0b10 && !part.isConnectable)
        expect(part.advA, equals: BluetoothAddress(0xC605_0403_0201, isRandom: true))
        expect(part.targetA, equals: BluetoothAddress(0xD615_1413_1211, isRandom: true))
        expect(part.adi, equals: 0x4123)
        // Channel 9, units of 300 µs, 0x3E8 of them, PHY 0b010 is LE Coded.
        expect(part.auxPtr?.channel, equals: 9)
        expect(part.auxPtr?.offsetMicroseconds, equals: 300_000)
        expect(part.auxPtr?.phy, equals: LEPHY(rawValue: 3))
        expect(part.syncInfo?.interval, equals: 80)
        expect(part.syncInfo?.accessAddress, equals: 0x1122_3344)
        expect(part.syncInfo?.crcInit, equals: 0xCC_BBAA)
        expect(part.txPower, equals: -12)
        expect(part.acad.copy(), equals: hex("0155"))
        expect(part.data.copy(), equals: hex("020106"))
    }

    @Test func extendedHeadersThatLie() {
        func reading(_ octets: String) -> WireError? {
            failure(hex(octets)) { _ = try ExtendedAdvertisement(AdvertisingPDU($0)) }
        }
        expect(reading("0700")?.need, equals: 1)
        // Ten octets announced, two there.
        expect(reading("0703 0A 0111")?.need, equals: 11)
        // AdvA in a header of four octets.
        expect(reading("0705 04 01112233")?.need, equals: 7)
        // No header at all is none with fields.
        #expect(reading("0702 00 55") == nil)
    }
}

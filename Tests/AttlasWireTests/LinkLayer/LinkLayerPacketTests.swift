import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Core Specification, Vol 6, Part B, 2.1, 2.2 and 3.1.1.
@Suite struct LinkLayerPacketTests {
    @Test func anUncodedPacket() throws {
        let octets = hex("D6BE898E 0009 665544332211 020106 AABBCC")
        let packet = try LinkLayerPacket(octets.wire)
        expect(packet.accessAddress, equals: 0x8E89_BED6)
        #expect(packet.isAdvertising == true)
        #expect(packet.codingIndicator == nil)
        expect(packet.pdu.copy(), equals: hex("0009 665544332211 020106"))
        expect(packet.crc, equals: 0xCC_BBAA)
        #expect(packet.missing == 0 && packet.excess == 0)
    }

    @Test func aCodedPacketHasACodingIndicator() throws {
        let octets = hex("78563412 01 0500 AABBCC 00")
        let packet = try LinkLayerPacket(octets.wire, hasCodingIndicator: true)
        expect(packet.accessAddress, equals: 0x1234_5678)
        expect(packet.codingIndicator, equals: 1)
        expect(packet.pdu.copy(), equals: hex("0500"))
        expect(packet.crc, equals: 0xCC_BBAA)
        expect(packet.excess, equals: 1)
    }

    /// The CTEInfo is not counted in the length of a data PDU; an advertising PDU has none, whatever its header says.
    @Test func cteInfo() throws {
        let data = hex("78563412 2201 14 55 AABBCC")
        try expect(LinkLayerPacket(data.wire).pdu.copy(), equals: hex("2201 14 55"))
        let advertising = hex("D6BE898E 2001 55 AABBCC")
        try expect(LinkLayerPacket(advertising.wire).pdu.copy(), equals: hex("2001 55"))
        try expect(LinkLayerPacket(advertising.wire).crc, equals: 0xCC_BBAA)
    }

    @Test func whatIsNotThereIsCounted() throws {
        let octets = hex("78563412 0205 1122")
        let packet = try LinkLayerPacket(octets.wire)
        expect(packet.pdu.copy(), equals: hex("0205 1122"))
        expect(packet.missing, equals: 3)
        #expect(packet.crc == nil)
        expectNeed(6, of: octets, layer: .linkLayer, limit: .capturedLength) { _ = try LinkLayerPacket($0) }
        expectNeed(7, of: octets, layer: .linkLayer, limit: .capturedLength) {
            _ = try LinkLayerPacket($0, hasCodingIndicator: true)
        }
    }

    /// An empty PDU: Vol 6, Part B, 4.5.10 and Part A, 2: 80 µs on LE 1M, 44 µs on LE 2M, 720 µs at S=8, 462 µs at S=2.
    @Test(arguments: [(UInt8(1), 80), (2, 44)])
    func airTime(phy: UInt8, expected: Int) throws {
        let octets = hex("78563412 0100 AABBCC")
        try expect(LinkLayerPacket(octets.wire).airTime(LEPHY(rawValue: phy)), equals: expected)
    }

    @Test(arguments: [(0, 720), (1, 462)])
    func codedAirTime(indicator: Int, expected: Int) throws {
        let octets = hex("78563412 0\(indicator) 0100 AABBCC")
        let packet = try LinkLayerPacket(octets.wire, hasCodingIndicator: true)
        expect(packet.airTime(LEPHY(rawValue: 3)), equals: expected)
    }

    /// The shift register of Figure 3.5, bit by bit: position 0 to 23, taps after 0, 1, 3, 4, 6, 9, 10.
    static func crc(_ pdu: [UInt8], initial: UInt32) -> UInt32 {
        var register = (0..<24).map { initial >> UInt32($0) & 1 == 1 }
        for octet in pdu {
            for bit in 0..<8 {
                let feedback = register[23] != (octet >> UInt8(bit) & 1 == 1)
                register = [feedback] + register[..<23]
                for tap in [1, 3, 4, 6, 9, 10] where feedback { register[tap].toggle() }
            }
        }
        // Position 23 is sent first.
        return register.reversed().enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt32($1.offset) : 0) }
    }

    @Test(arguments: [UInt32(0x55_5555), 0, 0xFF_FFFF, 0x12_3456, 0x80_0001])
    func crcIsThatOfTheShiftRegister(initial: UInt32) {
        for pdu in [hex("0100"), hex("0009 665544332211 020106"), (0...255).map { UInt8($0) }] {
            let expected = Self.crc(pdu, initial: initial)
            expect(LinkLayerCRC.crc(of: pdu.wire, initial: initial), equals: expected)
            expect(LinkLayerCRC.initial(of: pdu.wire, crc: expected), equals: initial)
        }
    }
}

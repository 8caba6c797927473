import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ACLPacketTests {
    @Test func header() throws {
        let octets = hex("40 20 03 00  AA BB CC")
        let packet = try ACLPacket(octets.wire)
        expect(packet.connectionHandle, equals: 0x0040)
        expect(packet.boundary, equals: .firstFlushable)
        expect(packet.broadcastFlag, equals: 0)
        expect(packet.dataTotalLength, equals: 3)
        expect(packet.data.copy(), equals: hex("AA BB CC"))
        expect(packet.missing, equals: 0)
        expect(packet.excess, equals: 0)
        expectNeed(4, of: octets, layer: .acl, limit: .capturedLength) { _ = try ACLPacket($0) }
    }

    @Test(arguments: [
        ("FF 0E", 0x0EFF, ACLPacket.Boundary.firstNonFlushable, 0), ("FF 1F", 0x0FFF, .continuing, 0),
        ("01 20", 0x0001, .firstFlushable, 0), ("00 70", 0x0000, .complete, 1), ("FF FF", 0x0FFF, .complete, 3),
    ])
    func handleAndFlags(field: String, handle: UInt16, boundary: ACLPacket.Boundary, broadcast: UInt8) throws {
        let octets = hex(field + "00 00")
        let packet = try ACLPacket(octets.wire)
        expect(packet.connectionHandle, equals: handle)
        expect(packet.boundary, equals: boundary)
        expect(packet.broadcastFlag, equals: broadcast)
    }

    @Test(arguments: [
        ("00 00", 0, 0, 3), ("01 00", 1, 0, 2), ("03 00", 3, 0, 0), ("04 00", 3, 1, 0), ("FF FF", 3, 65532, 0),
    ])
    func length(length: String, count: Int, missing: Int, excess: Int) throws {
        let octets = hex("40 20" + length + "AA BB CC")
        let packet = try ACLPacket(octets.wire)
        expect(packet.data.count, equals: count)
        expect(packet.missing, equals: missing)
        expect(packet.excess, equals: excess)
    }
}

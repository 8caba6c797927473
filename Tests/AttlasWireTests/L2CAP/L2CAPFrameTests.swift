import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct L2CAPFrameTests {
    @Test func header() throws {
        let octets = hex("03 00 04 00  0A 03 00")
        let frame = try L2CAPFrame(octets.wire)
        expect(frame.pduLength, equals: 3)
        expect(frame.channel, equals: .attribute)
        expect(frame.payload.copy(), equals: hex("0A 03 00"))
        expect(frame.missing, equals: 0)
        expect(frame.excess, equals: 0)
        expectNeed(4, of: octets, layer: .l2cap, limit: .aclLength) { _ = try L2CAPFrame($0) }
    }

    @Test(arguments: [
        ("00 00", 0, 0, 3), ("01 00", 1, 0, 2), ("03 00", 3, 0, 0), ("04 00", 3, 1, 0), ("FF FF", 3, 65532, 0),
    ])
    func length(length: String, count: Int, missing: Int, excess: Int) throws {
        let octets = hex(length + "04 00" + "AA BB CC")
        let frame = try L2CAPFrame(octets.wire)
        expect(frame.payload.count, equals: count)
        expect(frame.missing, equals: missing)
        expect(frame.excess, equals: excess)
    }
}

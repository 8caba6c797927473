import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ReadBlobTests {
    @Test(arguments: [("00 00", 0), ("01 00", 1), ("16 00", 22), ("FF FF", 65535)])
    func request(offset: String, value: Int) throws {
        let octets = hex("0C 34 12" + offset)
        let request = try ReadBlobRequest(octets.wire)
        expect(request.attributeHandle, equals: 0x1234)
        expect(request.valueOffset, equals: value)
        expectNeed(5, of: octets) { _ = try ReadBlobRequest($0) }
    }

    @Test(arguments: ["", "41", "41 42 43"])
    func response(value: String) throws {
        let octets = hex("0D" + value)
        try expect(ReadBlobResponse(octets.wire).partAttributeValue.copy(), equals: hex(value))
        expectNeed(1, of: octets) { _ = try ReadBlobResponse($0) }
    }
}

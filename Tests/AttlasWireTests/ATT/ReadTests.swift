import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ReadTests {
    @Test func request() throws {
        let octets = hex("0A 34 12")
        try expect(ReadRequest(octets.wire).attributeHandle, equals: 0x1234)
        expectNeed(3, of: octets) { _ = try ReadRequest($0) }
    }

    @Test(arguments: ["", "41", "41 42 43"])
    func response(value: String) throws {
        let octets = hex("0B" + value)
        try expect(ReadResponse(octets.wire).attributeValue.copy(), equals: hex(value))
        expectNeed(1, of: octets) { _ = try ReadResponse($0) }
    }
}

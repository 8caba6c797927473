import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct WriteTests {
    @Test(arguments: ["", "01", "01 00 FF"])
    func request(value: String) throws {
        let octets = hex("12 34 12" + value)
        let request = try WriteRequest(octets.wire)
        expect(request.attributeHandle, equals: 0x1234)
        expect(request.attributeValue.copy(), equals: hex(value))
        expectNeed(3, of: octets) { _ = try WriteRequest($0) }
    }

    @Test func response() {
        expectNeed(1, of: hex("13 EE")) { _ = try WriteResponse($0) }
    }
}

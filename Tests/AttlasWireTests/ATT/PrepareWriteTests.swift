import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct PrepareWriteTests {
    @Test(arguments: [("00 00", 0), ("12 00", 18), ("FF FF", 65535)], ["", "01", "01 02 03"])
    func requestAndResponse(offset: (String, Int), value: String) throws {
        let octets = hex("16 34 12" + offset.0 + value)
        let request = try PrepareWriteRequest(octets.wire)
        expect(request.attributeHandle, equals: 0x1234)
        expect(request.valueOffset, equals: offset.1)
        expect(request.partAttributeValue.copy(), equals: hex(value))
        expectNeed(5, of: octets) { _ = try PrepareWriteRequest($0) }

        let answer = hex("17 34 12" + offset.0 + value)
        let response = try PrepareWriteResponse(answer.wire)
        expect(response.attributeHandle, equals: 0x1234)
        expect(response.valueOffset, equals: offset.1)
        expect(response.partAttributeValue.copy(), equals: hex(value))
        expectNeed(5, of: answer) { _ = try PrepareWriteResponse($0) }
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct FindByTypeValueTests {
    @Test func request() throws {
        let octets = hex("06 01 00 FF FF 00 28 0D 18")
        let request = try FindByTypeValueRequest(octets.wire)
        expect(request.startingHandle, equals: 0x0001)
        expect(request.endingHandle, equals: 0xFFFF)
        expect(request.attributeType, equals: BluetoothUUID(0x2800 as UInt16))
        expect(request.attributeValue.copy(), equals: [0x0D, 0x18])
        expectNeed(7, of: octets) { _ = try FindByTypeValueRequest($0) }
    }

    @Test func requestForAnEmptyValue() throws {
        let octets = hex("06 01 00 FF FF 00 28")
        try expect(FindByTypeValueRequest(octets.wire).attributeValue.count, equals: 0)
    }

    @Test func response() throws {
        let octets = hex("07  10 00 1F 00  40 00 FF FF")
        let response = try FindByTypeValueResponse(octets.wire)
        expect(response.list.count, equals: 2)
        expect(response.foundHandle(0), equals: 0x0010)
        expect(response.groupEndHandle(0), equals: 0x001F)
        expect(response.foundHandle(1), equals: 0x0040)
        expect(response.groupEndHandle(1), equals: 0xFFFF)
        expectNeed(5, of: octets) { _ = try FindByTypeValueResponse($0) }
    }

    @Test(arguments: 0..<4)
    func remainder(remainder: Int) throws {
        let octets = hex("07  10 00 1F 00") + [UInt8](repeating: 0xEE, count: remainder)
        let response = try FindByTypeValueResponse(octets.wire)
        expect(response.list.count, equals: 1)
        expect(response.list.remainder, equals: remainder)
    }
}

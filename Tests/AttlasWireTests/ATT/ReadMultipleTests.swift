import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ReadMultipleTests {
    @Test func request() throws {
        let octets = hex("0E  03 00  05 01  FF FF")
        let request = try ReadMultipleRequest(octets.wire)
        expect(request.list.count, equals: 3)
        expect(request.list.remainder, equals: 0)
        expect(request.handle(0), equals: 0x0003)
        expect(request.handle(1), equals: 0x0105)
        expect(request.handle(2), equals: 0xFFFF)
        expectNeed(5, of: octets) { _ = try ReadMultipleRequest($0) }
    }

    @Test func halfAHandle() throws {
        let octets = hex("0E  03 00  05 01  FF")
        let request = try ReadMultipleRequest(octets.wire)
        expect(request.list.count, equals: 2)
        expect(request.list.remainder, equals: 1)
    }

    @Test(arguments: ["", "41", "41 42 43"])
    func response(values: String) throws {
        let octets = hex("0F" + values)
        try expect(ReadMultipleResponse(octets.wire).setOfValues.copy(), equals: hex(values))
        expectNeed(1, of: octets) { _ = try ReadMultipleResponse($0) }
    }
}

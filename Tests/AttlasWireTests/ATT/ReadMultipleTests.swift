import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ReadMultipleTests {
    @Test func request() throws {
        let octets = hex("0E  03 00  05 01  FF FF")
        let request = try ReadMultipleRequest(octets.wire)
        #expect(request.list.count == 3)
        #expect(request.list.remainder == 0)
        #expect(request.handle(0) == 0x0003)
        #expect(request.handle(1) == 0x0105)
        #expect(request.handle(2) == 0xFFFF)
        expectNeed(5, of: octets) { _ = try ReadMultipleRequest($0) }
    }

    @Test func halfAHandle() throws {
        let octets = hex("0E  03 00  05 01  FF")
        let request = try ReadMultipleRequest(octets.wire)
        #expect(request.list.count == 2)
        #expect(request.list.remainder == 1)
    }

    @Test(arguments: ["", "41", "41 42 43"])
    func response(values: String) throws {
        let octets = hex("0F" + values)
        #expect(try ReadMultipleResponse(octets.wire).setOfValues.copy() == hex(values))
        expectNeed(1, of: octets) { _ = try ReadMultipleResponse($0) }
    }
}

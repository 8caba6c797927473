import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ReadMultipleVariableTests {
    @Test func request() throws {
        let octets = hex("20  03 00  05 01  FF FF")
        let request = try ReadMultipleVariableRequest(octets.wire)
        expect(request.list.count, equals: 3)
        expect(request.list.remainder, equals: 0)
        expect(request.handle(0), equals: 0x0003)
        expect(request.handle(1), equals: 0x0105)
        expect(request.handle(2), equals: 0xFFFF)
        expectNeed(5, of: octets) { _ = try ReadMultipleVariableRequest($0) }
    }

    @Test func halfAHandle() throws {
        let octets = hex("20  03 00  05 01  FF")
        let request = try ReadMultipleVariableRequest(octets.wire)
        expect(request.list.count, equals: 2)
        expect(request.list.remainder, equals: 1)
    }

    @Test func response() throws {
        let octets = hex("21  02 00 41 42  00 00  01 00 43")
        var tuples = try ReadMultipleVariableResponse(octets.wire).tuples
        expect(tuples.next()?.copy(), equals: [0x41, 0x42])
        expect(tuples.missing, equals: 0)
        expect(tuples.next()?.copy(), equals: [])
        expect(tuples.next()?.copy(), equals: [0x43])
        expect(tuples.missing, equals: 0)
        #expect(tuples.next()?.copy() == nil)
        expect(tuples.remainder, equals: 0)
        expectNeed(3, of: octets) { _ = try ReadMultipleVariableResponse($0) }
    }

    /// The length of a tuple at 0, 1, what is present, one more, and the greatest.
    @Test(arguments: [
        ("00 00", 0, 0), ("01 00", 1, 0), ("03 00", 3, 0), ("04 00", 3, 1), ("FF 00", 3, 252), ("FF FF", 3, 65532),
    ])
    func lengthOfATuple(length: String, count: Int, missing: Int) throws {
        let octets = hex("21" + length + "AA BB CC")
        var tuples = try ReadMultipleVariableResponse(octets.wire).tuples
        expect(tuples.next()?.copy(), equals: Array(hex("AA BB CC").prefix(count)))
        expect(tuples.missing, equals: missing)
    }

    @Test func halfALength() throws {
        let octets = hex("21  01 00 41  01")
        var tuples = try ReadMultipleVariableResponse(octets.wire).tuples
        expect(tuples.next()?.copy(), equals: [0x41])
        #expect(tuples.next()?.copy() == nil)
        expect(tuples.remainder, equals: 1)
    }
}

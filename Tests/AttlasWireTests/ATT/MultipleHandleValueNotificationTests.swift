import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct MultipleHandleValueNotificationTests {
    @Test func tuples() throws {
        let octets = hex("23  03 00 02 00 41 42  05 01 00 00  FF FF 01 00 43")
        var tuples = try MultipleHandleValueNotification(octets.wire).tuples
        expect(tuples.next()?.copy(), equals: [0x41, 0x42])
        expect(tuples.handle, equals: 0x0003)
        expect(tuples.missing, equals: 0)
        expect(tuples.next()?.copy(), equals: [])
        expect(tuples.handle, equals: 0x0105)
        expect(tuples.next()?.copy(), equals: [0x43])
        expect(tuples.handle, equals: 0xFFFF)
        expect(tuples.missing, equals: 0)
        #expect(tuples.next()?.copy() == nil)
        expect(tuples.remainder, equals: 0)
        expectNeed(5, of: octets) { _ = try MultipleHandleValueNotification($0) }
    }

    @Test(arguments: [
        ("00 00", 0, 0), ("01 00", 1, 0), ("03 00", 3, 0), ("04 00", 3, 1), ("FF 00", 3, 252), ("FF FF", 3, 65532),
    ])
    func lengthOfATuple(length: String, count: Int, missing: Int) throws {
        let octets = hex("23 03 00" + length + "AA BB CC")
        var tuples = try MultipleHandleValueNotification(octets.wire).tuples
        expect(tuples.next()?.copy(), equals: Array(hex("AA BB CC").prefix(count)))
        expect(tuples.handle, equals: 0x0003)
        expect(tuples.missing, equals: missing)
    }

    @Test(arguments: 1..<4)
    func tooFewForAnotherTuple(remainder: Int) throws {
        let octets = hex("23  03 00 01 00 41") + [UInt8](repeating: 0xEE, count: remainder)
        var tuples = try MultipleHandleValueNotification(octets.wire).tuples
        expect(tuples.next()?.copy(), equals: [0x41])
        #expect(tuples.next()?.copy() == nil)
        expect(tuples.remainder, equals: remainder)
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ExecuteWriteTests {
    @Test(arguments: [0x00, 0x01, 0x02, 0xFF])
    func request(flags: UInt8) throws {
        let octets = [0x18, flags]
        try expect(ExecuteWriteRequest(octets.wire).flags, equals: flags)
        expectNeed(2, of: octets) { _ = try ExecuteWriteRequest($0) }
    }

    @Test func response() {
        expectNeed(1, of: hex("19 EE")) { _ = try ExecuteWriteResponse($0) }
    }
}

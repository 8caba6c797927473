import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ExchangeMTUTests {
    @Test func request() throws {
        let octets = hex("02 05 02")
        try expect(ExchangeMTURequest(octets.wire).clientRxMTU, equals: 517)
        expectNeed(3, of: octets) { _ = try ExchangeMTURequest($0) }
    }

    @Test func response() throws {
        let octets = hex("03 F7 00")
        try expect(ExchangeMTUResponse(octets.wire).serverRxMTU, equals: 247)
        expectNeed(3, of: octets) { _ = try ExchangeMTUResponse($0) }
    }

    @Test(arguments: [("00 00", 0), ("17 00", 23), ("FF FF", 65535)])
    func extremes(mtu: String, value: UInt16) throws {
        let octets = hex("02" + mtu)
        try expect(ExchangeMTURequest(octets.wire).clientRxMTU, equals: value)
        let answer = hex("03" + mtu)
        try expect(ExchangeMTUResponse(answer.wire).serverRxMTU, equals: value)
    }
}

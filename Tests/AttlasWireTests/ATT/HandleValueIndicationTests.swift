import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HandleValueIndicationTests {
    @Test(arguments: ["", "06", "06 48 00"])
    func fields(value: String) throws {
        let octets = hex("1D 34 12" + value)
        let indication = try HandleValueIndication(octets.wire)
        expect(indication.attributeHandle, equals: 0x1234)
        expect(indication.attributeValue.copy(), equals: hex(value))
        expectNeed(3, of: octets) { _ = try HandleValueIndication($0) }
    }

    @Test func confirmation() {
        expectNeed(1, of: hex("1E EE")) { _ = try HandleValueConfirmation($0) }
    }
}

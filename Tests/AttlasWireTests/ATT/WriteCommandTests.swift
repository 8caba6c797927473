import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct WriteCommandTests {
    @Test(arguments: ["", "01", "01 00 FF"])
    func command(value: String) throws {
        let octets = hex("52 34 12" + value)
        let command = try WriteCommand(octets.wire)
        expect(command.attributeHandle, equals: 0x1234)
        expect(command.attributeValue.copy(), equals: hex(value))
        expectNeed(3, of: octets) { _ = try WriteCommand($0) }
    }

    @Test(arguments: ["", "AA", "AA BB CC"])
    func signedCommand(value: String) throws {
        let octets = hex("D2 34 12" + value + "04 03 02 01" + "08 07 06 05 04 03 02 01")
        let command = try SignedWriteCommand(octets.wire)
        expect(command.attributeHandle, equals: 0x1234)
        expect(command.attributeValue.copy(), equals: hex(value))
        expect(command.signCounter, equals: 0x0102_0304)
        expect(command.messageAuthenticationCode, equals: 0x0102_0304_0506_0708)
        expectNeed(15, of: octets) { _ = try SignedWriteCommand($0) }
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HCICommandTests {
    @Test func header() throws {
        let octets = hex("06 04 03  40 00 13")
        let command = try HCICommand(octets.wire)
        expect(command.opcode, equals: .disconnect)
        expect(command.parameterTotalLength, equals: 3)
        expect(command.parameters.copy(), equals: hex("40 00 13"))
        expect(command.missing, equals: 0)
        expect(command.excess, equals: 0)
        expectNeed(3, of: octets, layer: .hci, limit: .capturedLength) { _ = try HCICommand($0) }
    }

    /// The length at 0, 1, what is present, one more, and the greatest.
    @Test(arguments: [(0, 0, 0, 3), (1, 1, 0, 2), (3, 3, 0, 0), (4, 3, 1, 0), (255, 3, 252, 0)])
    func length(length: UInt8, count: Int, missing: Int, excess: Int) throws {
        let octets = [0x06, 0x04, length, 0xAA, 0xBB, 0xCC]
        let command = try HCICommand(octets.wire)
        expect(command.parameters.count, equals: count)
        expect(command.missing, equals: missing)
        expect(command.excess, equals: excess)
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HCICommandTests {
    @Test func header() throws {
        let octets = hex("06 04 03  40 00 13")
        let command = try HCICommand(octets.wire)
        #expect(command.opcode == .disconnect)
        #expect(command.opcode.ogf == 0x01)
        #expect(command.opcode.ocf == 0x0006)
        #expect(command.opcode.name == "Disconnect")
        #expect(command.parameterTotalLength == 3)
        #expect(command.parameters.copy() == hex("40 00 13"))
        #expect(command.missing == 0)
        #expect(command.excess == 0)
        expectNeed(3, of: octets, layer: .hci, limit: .capturedLength) { _ = try HCICommand($0) }
    }

    /// The length at 0, 1, what is there, one more, and the greatest.
    @Test(arguments: [(0, 0, 0, 3), (1, 1, 0, 2), (3, 3, 0, 0), (4, 3, 1, 0), (255, 3, 252, 0)])
    func length(length: UInt8, count: Int, missing: Int, excess: Int) throws {
        let octets = [0x06, 0x04, length, 0xAA, 0xBB, 0xCC]
        let command = try HCICommand(octets.wire)
        #expect(command.parameters.count == count)
        #expect(command.missing == missing)
        #expect(command.excess == excess)
    }

    @Test(arguments: [
        (0x0000, "NOP"), (0x0406, "Disconnect"), (0x0C03, "Reset"), (0x1009, "Read BD_ADDR"),
        (0x200A, "LE Set Advertising Enable"), (0x2011, "LE Add Device To Filter Accept List"),
        (0x2019, "LE Enable Encryption"), (0x201B, "LE Long Term Key Request Negative Reply"),
        (0x2032, "LE Set PHY"), (0x2043, "LE Extended Create Connection"), (0x2060, "LE Read Buffer Size [v2]"),
        (0x2062, "LE Set CIG Parameters"), (0xFC00, "Vendor Specific"), (0xFFFF, "Vendor Specific"),
    ])
    func names(opcode: Int, name: String) {
        #expect(HCIOpcode(rawValue: UInt16(opcode)).name == name)
    }

    @Test func noNames() {
        #expect(HCIOpcode(rawValue: 0x2004).name == nil)
        #expect(HCIOpcode(rawValue: 0x23FF).name == nil)
        #expect(HCIOpcode(rawValue: 0xFBFF).name == nil)
        #expect(HCIOpcode(rawValue: 0xFBFF).isVendorSpecific == false)
        #expect(HCIOpcode(rawValue: 0xFC00).isVendorSpecific == true)
    }
}

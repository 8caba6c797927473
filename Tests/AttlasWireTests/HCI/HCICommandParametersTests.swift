import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HCICommandParametersTests {
    @Test func disconnect() throws {
        let octets = hex("40 F0 13")
        let command = try DisconnectCommand(octets.wire)
        expect(command.connectionHandle, equals: 0x0040)
        expect(command.reason.name, equals: "Remote User Terminated Connection")
        expectParameters(3, of: octets) { _ = try DisconnectCommand($0) }
    }

    static let phy = hex("60 00 30 00 18 00 28 00 04 00 2A 00 05 00 06 00")

    @Test func leAddDeviceToResolvingList() throws {
        let octets = hex(
            "01 F2F2F2F2F2F2  9B7D390AA6101034 05ADC857A33402EC  100F0E0D0C0B0A09 0807060504030201")
        let command = try LEAddDeviceToResolvingListCommand(octets.wire)
        expect(command.peerIdentityAddressType, equals: 1)
        expect(command.peerIdentityAddress, equals: BluetoothAddress(0xF2F2_F2F2_F2F2, isRandom: true))
        expect(command.peerIRK, equals: 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B)
        expect(command.localIRK, equals: 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
        expectParameters(39, of: octets) { _ = try LEAddDeviceToResolvingListCommand($0) }
    }

    /// The opcode, and how many octets its view needs of parameters that are all zero.
    @Test(arguments: [
        (0x0406, 3, "disconnect"), (0x2027, 39, "leAddDeviceToResolvingList"), (0x0C03, 0, "other"),
        (0xFC01, 0, "other"), (0x0000, 0, "other"),
    ])
    func dispatch(opcode: Int, need: Int, name: String) throws {
        for length in 0...need {
            let octets = [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(length)] + [UInt8](repeating: 0, count: need)
            let command = try HCICommand(octets.wire)
            if length == need {
                try expect(caseName(HCICommandParameters(command)), equals: name)
            } else {
                let error = failure(octets) { _ = try HCICommandParameters(try HCICommand($0)) }
                expect(error?.need, equals: need)
                expect(error?.have, equals: length)
            }
        }
    }

    private func caseName(_ parameters: HCICommandParameters) -> String {
        switch parameters {
        case .disconnect: "disconnect"
        case .leAddDeviceToResolvingList: "leAddDeviceToResolvingList"
        case .other: "other"
        }
    }
}

func expectParameters(
    _ need: Int, of octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation,
    _ read: (Bytes) throws -> Void
) {
    // One octet more than needed does no harm.
    expectNeed(
        need, of: octets + [0xEE], layer: .hci, limit: .hciLength, sourceLocation: sourceLocation, read)
}

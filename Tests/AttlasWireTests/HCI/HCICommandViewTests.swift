import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Commands that are read outside the definitions: each offset, and nil of what is shorter.
@Suite struct HCICommandViewTests {
    private func command(_ opcode: HCIOpcode, _ parameters: [UInt8]) -> [UInt8] {
        [UInt8(opcode.rawValue & 0xFF), UInt8(opcode.rawValue >> 8), UInt8(parameters.count)] + parameters
    }

    private func missing() { Issue.record("no view") }

    /// The shortest beginning of the parameters that `read` accepts.
    private func need(_ opcode: HCIOpcode, _ parameters: [UInt8], _ read: (HCICommand) -> Bool) throws -> Int? {
        try (0...parameters.count).first { count in
            let octets = command(opcode, Array(parameters.prefix(count)))
            return read(try HCICommand(octets.wire))
        }
    }

    @Test func createConnection() throws {
        let parameters = hex("66 55 44 33 22 11  18 CC 02 00 00 00 01")
        let octets = command(.createConnection, parameters)
        let address = CreateConnectionCommand(try HCICommand(octets.wire))?.peerAddress
        expect(address, equals: BluetoothAddress(0x1122_3344_5566, isRandom: false))
        #expect(try need(.createConnection, parameters) { CreateConnectionCommand($0) != nil } == 6)
    }

    static let creations: [(HCIOpcode, String, Int)] = [
        // Scan interval and window; policy, peer, own type; the parameters.
        (
            .leCreateConnection,
            "60 00 30 00  00  01 66 55 44 33 22 C1  02  18 00 28 00 04 00 2A 00  00 00 00 00", 13
        ),
        (.leExtendedCreateConnection, "00  02  01 66 55 44 33 22 C1  01", 9),
        (.leExtendedCreateConnectionV2, "FF FF  00  02  01 66 55 44 33 22 C1  01", 11),
    ]

    @Test(arguments: creations)
    func leCreateConnection(opcode: HCIOpcode, parameters: String, least: Int) throws {
        let parameters = hex(parameters)
        let octets = command(opcode, parameters)
        guard let create = LECreateConnectionCommand(try HCICommand(octets.wire)) else { return missing() }
        expect(create.ownAddressType, equals: 0x02)
        expect(create.peerAddress, equals: BluetoothAddress(0xC122_3344_5566, isRandom: true))
        expect(create.connectionParameters != nil, equals: opcode == .leCreateConnection)
        if let range = create.connectionParameters {
            expect(
                [range.intervalMin, range.intervalMax, range.maxLatency, range.supervisionTimeout],
                equals: [24, 40, 4, 42])
        }
        #expect(try need(opcode, parameters) { LECreateConnectionCommand($0) != nil } == least)
    }

    /// The Filter Accept List names the device.
    @Test func leCreateConnectionByList() throws {
        let octets = command(.leExtendedCreateConnection, hex("01  00  00 00 00 00 00 00 00  01"))
        guard let create = LECreateConnectionCommand(try HCICommand(octets.wire)) else { return missing() }
        #expect(create.peerAddress == nil)
        expect(create.initiatorFilterPolicy, equals: 1)
    }

    @Test func leConnectionUpdate() throws {
        let parameters = hex("40 F0  06 00 0C 00 00 00 C8 00  00 00 00 00")
        let octets = command(.leConnectionUpdate, parameters)
        guard let update = LinkCommand(try HCICommand(octets.wire)) else { return missing() }
        expect(update.connectionHandle, equals: 0x0040)
        expect(update.connectionParameters?.intervalMin, equals: 6)
        expect(update.connectionParameters?.supervisionTimeout, equals: 200)
        #expect(try need(.leConnectionUpdate, parameters) { LinkCommand($0) != nil } == 2)
        #expect(
            try need(.leConnectionUpdate, parameters) { LinkCommand($0)?.connectionParameters != nil } == 14)
    }

    /// The key comes after Random_Number and Encrypted_Diversifier, or at once.
    @Test func longTermKeys() throws {
        let key = "0F0E0D0C0B0A09080706050403020100"
        let enable = hex("40 00  0102030405060708 1122 \(key)")
        let reply = hex("40 00  \(key)")
        for (opcode, parameters) in [(HCIOpcode.leEnableEncryption, enable), (.leLongTermKeyRequestReply, reply)] {
            let octets = command(opcode, parameters)
            guard let link = LinkCommand(try HCICommand(octets.wire)) else { return missing() }
            expect(link.connectionHandle, equals: 0x0040)
            expect(link.longTermKey, equals: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)
            #expect(try need(opcode, parameters) { LinkCommand($0)?.longTermKey != nil } == parameters.count)
        }
        let other = command(.leSetPHY, hex("40 00  00 02 02 0000"))
        guard let set = LinkCommand(try HCICommand(other.wire)) else { return missing() }
        #expect(set.longTermKey == nil && set.connectionParameters == nil)
    }

    @Test func scanning() throws {
        let legacy = command(.leSetScanParameters, hex("01 60 00 30 00 00 00"))
        let extended = command(.leSetExtendedScanParameters, hex("00 00 01  01 60 00 30 00"))
        for octets in [legacy, extended] {
            guard let scan = LESetScanParametersCommand(try HCICommand(octets.wire)) else { return missing() }
            expect(scan.scanInterval, equals: 0x60)
            expect(scan.scanWindow, equals: 0x30)
        }
        let octets = command(.leSetScanEnable, [1, 1])
        guard let enable = LEEnableCommand(try HCICommand(octets.wire)) else { return missing() }
        #expect(enable.isEnabled == true)
        #expect(enable.filtersDuplicates == true)
        let other = command(.leSetExtendedAdvertisingEnable, [0, 1])
        guard let advertise = LEEnableCommand(try HCICommand(other.wire)) else { return missing() }
        #expect(advertise.isEnabled == false)
        #expect(advertise.filtersDuplicates == nil)
    }

    @Test func isochronousGroup() throws {
        let head = hex("07 102700 102700 00 00 00 0A00 0A00 02")
        let octets = command(.leSetCIGParameters, head + hex("03 2800 2800 02 02 02 02  04 2800 2800 02 02 02 02"))
        guard let set = LESetCIGParametersCommand(try HCICommand(octets.wire)) else { return missing() }
        expect(set.count, equals: 2)
        expect([set.cisID(0), set.cisID(1)], equals: [3, 4])
        #expect(try need(.leSetCIGParameters, head) { LESetCIGParametersCommand($0) != nil } == 15)
        let handles = command(.leCreateCIS, hex("02  60 00 40 00  61 00"))
        guard let create = LECreateCISCommand(try HCICommand(handles.wire)) else { return missing() }
        expect(create.count, equals: 1)
        expect([create.cisConnectionHandle(0), create.aclConnectionHandle(0)], equals: [0x60, 0x40])
    }

    @Test func advertisingSet() throws {
        let parameters = command(
            .leSetExtendedAdvertisingParameters,
            hex("05 0000 A00000 A00000 07 01 00 000000000000 00 7F 01 00 02 0B 00"))
        guard let set = LESetAdvertisingParametersCommand(try HCICommand(parameters.wire)) else { return missing() }
        expect(set.ownAddressType, equals: 0x01)
        expect(set.secondaryAdvertisingPHY, equals: LEPHY(rawValue: 2))
        expect(set.advertisingSID, equals: 0x0B)
        let enable = command(.leSetPeriodicAdvertisingEnable, hex("01 05"))
        let handle = LEAdvertisingSetCommand(try HCICommand(enable.wire))?.advertisingHandle
        expect(handle, equals: 5)
        let data = command(.leSetPeriodicAdvertisingData, hex("05 03 02 AA BB"))
        guard let view = LEAdvertisingSetCommand(try HCICommand(data.wire)),
            case .periodicData(.completeData, let octets) = view.parameters
        else { return missing() }
        expect(octets.copy(), equals: [0xAA, 0xBB])
    }

    /// Return parameters count when the command succeeded.
    @Test func returnParameters() throws {
        let address = try CommandCompleteEvent(hex("01 09 10  00 66 55 44 33 22 11").wire)
        expect(address.controllerAddress, equals: BluetoothAddress(0x1122_3344_5566, isRandom: false))
        #expect(address.totalNumACLDataPackets == nil)
        let refused = try CommandCompleteEvent(hex("01 09 10  0C 66 55 44 33 22 11").wire)
        #expect(refused.controllerAddress == nil)
        expect(refused.status, equals: .commandDisallowed)
        let buffers = try CommandCompleteEvent(hex("01 02 20  00 FB 00 08").wire)
        expect(buffers.totalNumLEACLDataPackets, equals: 8)
        let streams = try CommandCompleteEvent(hex("01 62 20  00 07 02 60 00 61 00").wire)
        expect(streams.isochronousGroup?.cigID, equals: 7)
        expect(streams.streamHandle(1), equals: 0x61)
        #expect(streams.streamHandle(2) == nil)
        let empty = try CommandCompleteEvent(hex("01 03 0C").wire)
        #expect(empty.status == nil)
    }
}

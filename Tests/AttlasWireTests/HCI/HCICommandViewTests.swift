import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Commands that are read outside the definitions: each offset, and nil of what is shorter.
@Suite struct HCICommandViewTests {
    private func command(_ opcode: HCIOpcode, _ parameters: [UInt8]) -> [UInt8] {
        [UInt8(opcode.rawValue & 0xFF), UInt8(opcode.rawValue >> 8), UInt8(parameters.count)] + parameters
    }

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
        #expect(address == BluetoothAddress(0x1122_3344_5566, isRandom: false))
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
        let create = try #require(
            LECreateConnectionCommand(try HCICommand(octets.wire)).map {
                ($0.ownAddressType, $0.peerAddress, $0.connectionParameters)
            })
        #expect(create.0 == 0x02)
        #expect(create.1 == BluetoothAddress(0xC122_3344_5566, isRandom: true))
        #expect((create.2 != nil) == (opcode == .leCreateConnection))
        if let range = create.2 {
            #expect((range.intervalMin, range.intervalMax) == (24, 40))
            #expect((range.maxLatency, range.supervisionTimeout) == (4, 42))
        }
        #expect(try need(opcode, parameters) { LECreateConnectionCommand($0) != nil } == least)
    }

    /// The Filter Accept List names the device.
    @Test func leCreateConnectionByList() throws {
        let octets = command(.leExtendedCreateConnection, hex("01  00  00 00 00 00 00 00 00  01"))
        let create = LECreateConnectionCommand(try HCICommand(octets.wire))
        #expect(create?.peerAddress == nil)
        #expect(create?.initiatorFilterPolicy == 1)
    }

    @Test func leConnectionUpdate() throws {
        let parameters = hex("40 F0  06 00 0C 00 00 00 C8 00  00 00 00 00")
        let octets = command(.leConnectionUpdate, parameters)
        let update = try #require(
            LEConnectionCommand(try HCICommand(octets.wire)).map { ($0.connectionHandle, $0.connectionParameters) })
        #expect(update.0 == 0x0040)
        #expect(update.1?.intervalMin == 6)
        #expect(update.1?.supervisionTimeout == 200)
        #expect(try need(.leConnectionUpdate, parameters) { LEConnectionCommand($0) != nil } == 2)
        #expect(
            try need(.leConnectionUpdate, parameters) { LEConnectionCommand($0)?.connectionParameters != nil } == 14)
    }

    @Test func scanning() throws {
        let legacy = command(.leSetScanParameters, hex("01 60 00 30 00 00 00"))
        let extended = command(.leSetExtendedScanParameters, hex("00 00 01  01 60 00 30 00"))
        for octets in [legacy, extended] {
            let scan = LESetScanParametersCommand(try HCICommand(octets.wire))
            #expect(scan?.scanInterval == 0x60)
            #expect(scan?.scanWindow == 0x30)
        }
        let enable = LEEnableCommand(try HCICommand(command(.leSetScanEnable, [1, 1]).wire)).map {
            ($0.isEnabled, $0.filtersDuplicates)
        }
        #expect(enable?.0 == true)
        #expect(enable?.1 == true)
        let advertise = LEEnableCommand(try HCICommand(command(.leSetExtendedAdvertisingEnable, [0, 1]).wire)).map {
            ($0.isEnabled, $0.filtersDuplicates)
        }
        #expect(advertise?.0 == false)
        #expect(advertise?.1 == nil)
    }

    @Test func isochronousGroup() throws {
        let head = hex("07 102700 102700 00 00 00 0A00 0A00 02")
        let octets = command(.leSetCIGParameters, head + hex("03 2800 2800 02 02 02 02  04 2800 2800 02 02 02 02"))
        let identifiers = LESetCIGParametersCommand(try HCICommand(octets.wire)).map { view in
            (0..<view.count).map { view.cisID($0) }
        }
        #expect(identifiers == [3, 4])
        #expect(try need(.leSetCIGParameters, head) { LESetCIGParametersCommand($0) != nil } == 15)
        let handles = command(.leCreateCIS, hex("02  60 00 40 00  61 00"))
        let pairs = LECreateCISCommand(try HCICommand(handles.wire)).map { view in
            (0..<view.count).map { [view.cisConnectionHandle($0), view.aclConnectionHandle($0)] }
        }
        #expect(pairs == [[0x60, 0x40]])
    }

    @Test func advertisingSet() throws {
        let parameters = command(
            .leSetExtendedAdvertisingParameters,
            hex("05 0000 A00000 A00000 07 01 00 000000000000 00 7F 01 00 02 0B 00"))
        let set = LESetAdvertisingParametersCommand(try HCICommand(parameters.wire)).map {
            ($0.ownAddressType, $0.secondaryAdvertisingPHY, $0.advertisingSID)
        }
        #expect(set?.0 == 0x01)
        #expect(set?.1 == LEPHY(rawValue: 2))
        #expect(set?.2 == 0x0B)
        let enable = command(.leSetPeriodicAdvertisingEnable, hex("01 05"))
        #expect(LEAdvertisingSetCommand(try HCICommand(enable.wire))?.advertisingHandle == 5)
        let data = command(.leSetPeriodicAdvertisingData, hex("05 03 02 AA BB"))
        guard
            case .periodicData(.completeData, let octets) = LEAdvertisingSetCommand(try HCICommand(data.wire))?
                .parameters
        else { return #expect(Bool(false), "no data") }
        #expect(octets.copy() == [0xAA, 0xBB])
    }

    /// Return parameters count when the command succeeded.
    @Test func returnParameters() throws {
        let address = try CommandCompleteEvent(hex("01 09 10  00 66 55 44 33 22 11").wire)
        #expect(address.controllerAddress == BluetoothAddress(0x1122_3344_5566, isRandom: false))
        #expect(address.totalNumACLDataPackets == nil)
        let refused = try CommandCompleteEvent(hex("01 09 10  0C 66 55 44 33 22 11").wire)
        #expect(refused.controllerAddress == nil)
        #expect(refused.status == .commandDisallowed)
        let buffers = try CommandCompleteEvent(hex("01 02 20  00 FB 00 08").wire)
        #expect(buffers.totalNumLEACLDataPackets == 8)
        let streams = try CommandCompleteEvent(hex("01 62 20  00 07 02 60 00 61 00").wire)
        #expect(streams.isochronousGroup?.cigID == 7)
        #expect(streams.streamHandle(1) == 0x61)
        #expect(streams.streamHandle(2) == nil)
        #expect(try CommandCompleteEvent(hex("01 03 0C").wire).status == nil)
    }
}

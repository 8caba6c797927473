import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HCICommandParametersTests {
    let address = BluetoothAddress(0xC0DE_0102_0304, isRandom: true)

    @Test func disconnect() throws {
        let octets = hex("40 F0 13")
        let command = try DisconnectCommand(octets.wire)
        #expect(command.connectionHandle == 0x0040)
        #expect(command.reason.name == "Remote User Terminated Connection")
        expectParameters(3, of: octets) { _ = try DisconnectCommand($0) }
    }

    @Test func leSetRandomAddress() throws {
        let octets = hex("04 03 02 01 DE C0")
        #expect(try LESetRandomAddressCommand(octets.wire).randomAddress == address)
        expectParameters(6, of: octets) { _ = try LESetRandomAddressCommand($0) }
    }

    @Test func leSetAdvertisingSetRandomAddress() throws {
        let octets = hex("07 04 03 02 01 DE C0")
        let command = try LESetAdvertisingSetRandomAddressCommand(octets.wire)
        #expect(command.advertisingHandle == 7)
        #expect(command.randomAddress == address)
        expectParameters(7, of: octets) { _ = try LESetAdvertisingSetRandomAddressCommand($0) }
    }

    @Test(arguments: [(0, 0, 0), (1, 1, 0), (31, 31, 0), (32, 31, 1), (255, 31, 224)])
    func leSetAdvertisingData(length: UInt8, count: Int, missing: Int) throws {
        let octets = [length] + [UInt8](1...31)
        let command = try LESetAdvertisingDataCommand(octets.wire)
        #expect(command.dataLength == Int(length))
        #expect(command.data.copy() == Array(octets.dropFirst().prefix(count)))
        #expect(command.missing == missing)
        expectParameters(1, of: octets) { _ = try LESetAdvertisingDataCommand($0) }
    }

    @Test(arguments: [(0, 0, 0), (1, 1, 0), (3, 3, 0), (4, 3, 1), (255, 3, 252)])
    func leSetExtendedAdvertisingData(length: UInt8, count: Int, missing: Int) throws {
        let octets = [0x02, 0x03, 0x01, length, 0x02, 0x01, 0x06]
        let command = try LESetExtendedAdvertisingDataCommand(octets.wire)
        #expect(command.advertisingHandle == 2)
        #expect(command.operation == 3)
        #expect(command.fragmentPreference == 1)
        #expect(command.dataLength == Int(length))
        #expect(command.data.count == count)
        #expect(command.missing == missing)
        expectParameters(4, of: octets) { _ = try LESetExtendedAdvertisingDataCommand($0) }
    }

    @Test func leSetScanEnable() throws {
        let octets = hex("01 02")
        let command = try LESetScanEnableCommand(octets.wire)
        #expect(command.leScanEnable == 1)
        #expect(command.filterDuplicates == 2)
        expectParameters(2, of: octets) { _ = try LESetScanEnableCommand($0) }
    }

    @Test func leSetExtendedScanEnable() throws {
        let octets = hex("01 02 04 03 06 05")
        let command = try LESetExtendedScanEnableCommand(octets.wire)
        #expect(command.enable == 1)
        #expect(command.filterDuplicates == 2)
        #expect(command.duration == 0x0304)
        #expect(command.period == 0x0506)
        expectParameters(6, of: octets) { _ = try LESetExtendedScanEnableCommand($0) }
    }

    @Test func leCreateConnection() throws {
        let octets = hex("60 00 30 00 01 01 04 03 02 01 DE C0 02 18 00 28 00 04 00 2A 00 05 00 06 00")
        let command = try LECreateConnectionCommand(octets.wire)
        #expect(command.leScanInterval == 0x60)
        #expect(command.leScanWindow == 0x30)
        #expect(command.initiatorFilterPolicy == 1)
        #expect(command.peerAddressType == 1)
        #expect(command.peerAddress == address)
        #expect(command.ownAddressType == 2)
        #expect(command.connectionIntervalMin == 0x18)
        #expect(command.connectionIntervalMax == 0x28)
        #expect(command.maxLatency == 4)
        #expect(command.supervisionTimeout == 0x2A)
        #expect(command.minCELength == 5)
        #expect(command.maxCELength == 6)
        expectParameters(25, of: octets) { _ = try LECreateConnectionCommand($0) }
    }

    static let phy = hex("60 00 30 00 18 00 28 00 04 00 2A 00 05 00 06 00")

    @Test(arguments: [1, 2])
    func leExtendedCreateConnection(version: Int) throws {
        var octets = hex("01 02 01 04 03 02 01 DE C0 05") + Self.phy
        octets += hex("61 00 31 00 19 00 29 00 05 00 2B 00 06 00 07 00")
        if version == 2 { octets = [0x00, 0x01] + octets }
        let command = try LEExtendedCreateConnectionCommand(octets.wire, version: version)
        #expect(command.initiatorFilterPolicy == 1)
        #expect(command.ownAddressType == 2)
        #expect(command.peerAddressType == 1)
        #expect(command.peerAddress == address)
        #expect(command.initiatingPHYs == 0b101)
        #expect(command.count == 2)
        #expect(command.scanInterval(0) == 0x60)
        #expect(command.scanWindow(0) == 0x30)
        #expect(command.connectionIntervalMin(0) == 0x18)
        #expect(command.connectionIntervalMax(0) == 0x28)
        #expect(command.maxLatency(0) == 4)
        #expect(command.supervisionTimeout(0) == 0x2A)
        #expect(command.minCELength(0) == 5)
        #expect(command.maxCELength(0) == 6)
        #expect(command.scanInterval(1) == 0x61)
        #expect(command.supervisionTimeout(1) == 0x2B)
        #expect(command.minCELength(1) == 6)
        #expect(command.maxCELength(1) == 7)
        #expect(command.advertisingHandle == (version == 2 ? 0x00 : nil))
        #expect(command.subevent == (version == 2 ? 0x01 : nil))
    }

    /// No PHY, one, all three, and every bit that is reserved as well.
    @Test(arguments: [0x00, 0x01, 0x04, 0x07, 0xFF], [1, 2])
    func initiatingPHYs(bits: UInt8, version: Int) {
        let head = version == 2 ? 12 : 10
        var octets = [UInt8](repeating: 0, count: head + 16 * bits.nonzeroBitCount)
        octets[head - 1] = bits
        for length in 0...octets.count {
            let error = failure(Array(octets.prefix(length))) {
                _ = try LEExtendedCreateConnectionCommand($0, version: version)
            }
            let need = length < head ? head : octets.count
            #expect(error?.need == (length < octets.count ? need : nil))
        }
    }

    @Test func leConnectionUpdate() throws {
        let octets = hex("40 F0 18 00 28 00 04 00 2A 00 05 00 06 00")
        let command = try LEConnectionUpdateCommand(octets.wire)
        #expect(command.connectionHandle == 0x0040)
        #expect(command.connectionIntervalMin == 0x18)
        #expect(command.connectionIntervalMax == 0x28)
        #expect(command.maxLatency == 4)
        #expect(command.supervisionTimeout == 0x2A)
        #expect(command.minCELength == 5)
        #expect(command.maxCELength == 6)
        expectParameters(14, of: octets) { _ = try LEConnectionUpdateCommand($0) }
    }

    @Test func leSetDataLength() throws {
        let octets = hex("40 F0 FB 00 48 08")
        let command = try LESetDataLengthCommand(octets.wire)
        #expect(command.connectionHandle == 0x0040)
        #expect(command.txOctets == 251)
        #expect(command.txTime == 2120)
        expectParameters(6, of: octets) { _ = try LESetDataLengthCommand($0) }
    }

    @Test func leSetPHY() throws {
        let octets = hex("40 F0 03 02 04 02 01")
        let command = try LESetPHYCommand(octets.wire)
        #expect(command.connectionHandle == 0x0040)
        #expect(command.allPHYs == 3)
        #expect(command.txPHYs == 2)
        #expect(command.rxPHYs == 4)
        #expect(command.phyOptions == 0x0102)
        expectParameters(7, of: octets) { _ = try LESetPHYCommand($0) }
    }

    @Test func leEnableEncryption() throws {
        let octets = hex("40 F0  08 07 06 05 04 03 02 01  34 12  10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01")
        let command = try LEEnableEncryptionCommand(octets.wire)
        #expect(command.connectionHandle == 0x0040)
        #expect(command.randomNumber == 0x0102_0304_0506_0708)
        #expect(command.encryptedDiversifier == 0x1234)
        #expect(command.longTermKey == 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
        expectParameters(28, of: octets) { _ = try LEEnableEncryptionCommand($0) }
    }

    @Test func leLongTermKeyRequestReply() throws {
        let octets = hex("40 F0  10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01")
        let command = try LELongTermKeyRequestReplyCommand(octets.wire)
        #expect(command.connectionHandle == 0x0040)
        #expect(command.longTermKey == 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
        expectParameters(18, of: octets) { _ = try LELongTermKeyRequestReplyCommand($0) }
    }

    @Test func leAddDeviceToResolvingList() throws {
        let octets = hex(
            "01 F2F2F2F2F2F2  9B7D390AA6101034 05ADC857A33402EC  100F0E0D0C0B0A09 0807060504030201")
        let command = try LEAddDeviceToResolvingListCommand(octets.wire)
        #expect(command.peerIdentityAddressType == 1)
        #expect(command.peerIdentityAddress == BluetoothAddress(0xF2F2_F2F2_F2F2, isRandom: true))
        #expect(command.peerIRK == 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B)
        #expect(command.localIRK == 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
        expectParameters(39, of: octets) { _ = try LEAddDeviceToResolvingListCommand($0) }
    }

    @Test(arguments: [(0x2027, true), (0x2019, true), (0x201A, true), (0x040B, true), (0x200D, false)])
    func keysAreTold(opcode: Int, holdsKey: Bool) throws {
        let octets = [UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0]
        #expect(try HCICommand(octets.wire).holdsKey == holdsKey)
    }

    /// The opcode, and how many octets its view needs of parameters that are all zero.
    @Test(arguments: [
        (0x0406, 3, "disconnect"), (0x2005, 6, "leSetRandomAddress"), (0x2008, 1, "leSetAdvertisingData"),
        (0x2009, 1, "leSetScanResponseData"), (0x200C, 2, "leSetScanEnable"), (0x200D, 25, "leCreateConnection"),
        (0x2013, 14, "leConnectionUpdate"), (0x2019, 28, "leEnableEncryption"),
        (0x201A, 18, "leLongTermKeyRequestReply"), (0x2022, 6, "leSetDataLength"),
        (0x2027, 39, "leAddDeviceToResolvingList"), (0x2032, 7, "leSetPHY"),
        (0x2035, 7, "leSetAdvertisingSetRandomAddress"), (0x2037, 4, "leSetExtendedAdvertisingData"),
        (0x2038, 4, "leSetExtendedScanResponseData"), (0x2042, 6, "leSetExtendedScanEnable"),
        (0x2043, 10, "leExtendedCreateConnection"), (0x2085, 12, "leExtendedCreateConnection"), (0x0C03, 0, "other"),
        (0xFC01, 0, "other"), (0x0000, 0, "other"),
    ])
    func dispatch(opcode: Int, need: Int, name: String) throws {
        for length in 0...need {
            let octets = [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(length)] + [UInt8](repeating: 0, count: need)
            let command = try HCICommand(octets.wire)
            if length == need {
                #expect(caseName(try HCICommandParameters(command)) == name)
            } else {
                let error = failure(octets) { _ = try HCICommandParameters(try HCICommand($0)) }
                #expect(error?.need == need)
                #expect(error?.have == length)
            }
        }
    }

    private func caseName(_ parameters: HCICommandParameters) -> String {
        switch parameters {
        case .disconnect: "disconnect"
        case .leSetRandomAddress: "leSetRandomAddress"
        case .leSetAdvertisingSetRandomAddress: "leSetAdvertisingSetRandomAddress"
        case .leSetAdvertisingData: "leSetAdvertisingData"
        case .leSetScanResponseData: "leSetScanResponseData"
        case .leSetExtendedAdvertisingData: "leSetExtendedAdvertisingData"
        case .leSetExtendedScanResponseData: "leSetExtendedScanResponseData"
        case .leSetScanEnable: "leSetScanEnable"
        case .leSetExtendedScanEnable: "leSetExtendedScanEnable"
        case .leCreateConnection: "leCreateConnection"
        case .leExtendedCreateConnection: "leExtendedCreateConnection"
        case .leConnectionUpdate: "leConnectionUpdate"
        case .leSetDataLength: "leSetDataLength"
        case .leSetPHY: "leSetPHY"
        case .leAddDeviceToResolvingList: "leAddDeviceToResolvingList"
        case .leEnableEncryption: "leEnableEncryption"
        case .leLongTermKeyRequestReply: "leLongTermKeyRequestReply"
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

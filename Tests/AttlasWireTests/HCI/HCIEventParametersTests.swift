import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HCIEventParametersTests {
    let publicAddress = BluetoothAddress(0x0011_2233_4455, isRandom: false)

    @Test func connectionComplete() throws {
        let octets = hex("00 0B F0 55 44 33 22 11 00 01 02")
        let event = try ConnectionCompleteEvent(octets.wire)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x000B)
        expect(event.peerAddress, equals: publicAddress)
        expect(event.linkType, equals: 1)
        expect(event.encryptionEnabled, equals: 2)
        expectParameters(11, of: octets) { _ = try ConnectionCompleteEvent($0) }
    }

    @Test func disconnectionComplete() throws {
        let octets = hex("00 40 F0 08")
        let event = try DisconnectionCompleteEvent(octets.wire)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x0040)
        expect(event.reason.name, equals: "Connection Timeout")
        expectParameters(4, of: octets) { _ = try DisconnectionCompleteEvent($0) }
    }

    /// A name ends at its NUL, at 248 octets, or where the event does.
    @Test(arguments: [
        ([UInt8](), 0), ([0x41, 0x42], 2), ([0x41, 0x42, 0x00, 0x43], 2), ([0x00, 0x41], 0),
        ([UInt8](repeating: 0x41, count: 248), 248), ([UInt8](repeating: 0x41, count: 249), 248),
    ])
    func remoteNameRequestComplete(name: [UInt8], length: Int) throws {
        let octets = hex("04 55 44 33 22 11 00") + name
        let event = try RemoteNameRequestCompleteEvent(octets.wire)
        expect(event.status.name, equals: "Page Timeout")
        expect(event.address, equals: publicAddress)
        expect(event.remoteName.copy(), equals: Array(name.prefix(length)))
        expectParameters(7, of: octets) { _ = try RemoteNameRequestCompleteEvent($0) }
    }

    @Test func encryptionChange() throws {
        let octets = hex("00 40 F0 01 10")
        let event = try EncryptionChangeEvent(octets.wire, version: 1)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x0040)
        expect(event.encryptionEnabled, equals: 1)
        #expect(event.encryptionKeySize == nil)
        try expect(EncryptionChangeEvent(octets.wire, version: 2).encryptionKeySize, equals: 16)
        expectParameters(4, of: octets) { _ = try EncryptionChangeEvent($0, version: 1) }
        expectParameters(5, of: octets) { _ = try EncryptionChangeEvent($0, version: 2) }
    }

    @Test func encryptionKeyRefreshComplete() throws {
        let octets = hex("00 40 F0")
        let event = try EncryptionKeyRefreshCompleteEvent(octets.wire)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x0040)
        expectParameters(3, of: octets) { _ = try EncryptionKeyRefreshCompleteEvent($0) }
    }

    /// Handle 0x0040, 5.2, Nordic Semiconductor (0x0059), subversion 0x0111. Vol 4, Part E, 7.7.12.
    @Test func readRemoteVersionInformationComplete() throws {
        let octets = hex("00 4000 0B 5900 1101")
        let event = try ReadRemoteVersionInformationCompleteEvent(octets.wire)
        #expect(event.status == .success && event.connectionHandle == 0x0040)
        expect(event.version, equals: ControllerVersion(version: 11, companyIdentifier: 0x0059, subversion: 0x0111))
        expect(event.version.version.name, equals: "5.2")
        expectParameters(8, of: octets) { _ = try ReadRemoteVersionInformationCompleteEvent($0) }
    }

    @Test func commandStatus() throws {
        // Command Disallowed, one packet, LE Create Connection.
        let octets = hex("0C 01 0D20")
        let event = try CommandStatusEvent(octets.wire)
        expect(event.status.name, equals: "Command Disallowed")
        expect(event.commandOpcode.rawValue, equals: 0x200D)
        expectParameters(4, of: octets) { _ = try CommandStatusEvent($0) }
    }

    /// A laptop, Class of Device 0x2A010C, clock offset 0x1234: in an Inquiry Result, with -60 dBm, and with -60 dBm and its name.
    @Test(
        arguments: [
            (HCIEventCode.inquiryResult, "01 1371DA7D1A00 01 0000 0C012A 3412", nil, nil),
            (.inquiryResultWithRSSI, "01 1371DA7D1A00 01 00 0C012A 3412 C4", -60, nil),
            (.extendedInquiryResult, "01 1371DA7D1A00 01 00 0C012A 3412 C4 05 09 44657361", -60, "Desa"),
        ] as [(HCIEventCode, String, Int8?, String?)])
    func inquiryResult(code: HCIEventCode, parameters: String, rssi: Int8?, name: String?) throws {
        let octets = hex(parameters)
        let event = try InquiryResultEvent(octets.wire, code: code)
        expect(event.count, equals: 1)
        expect("\(event.address(0))", equals: "00:1A:7D:DA:71:13")
        expect(event.rssi(0), equals: rssi)
        var found: String?
        if let name = event.data.localName { found = String(decoding: name.copy(), as: UTF8.self) }
        expect(found, equals: name)
        let cut = Array(octets.prefix(14))
        let error = failure(cut) { _ = try InquiryResultEvent($0, code: code) }
        #expect(error?.need == 15 && error?.have == 14)
    }

    @Test func commandComplete() throws {
        let octets = hex("02 09 10 00 55 44 33 22 11 00")
        let event = try CommandCompleteEvent(octets.wire)
        expect(event.numHCICommandPackets, equals: 2)
        expect(event.commandOpcode, equals: HCIOpcode(rawValue: 0x1009))
        expect(event.returnParameters.copy(), equals: hex("00 55 44 33 22 11 00"))
        expectParameters(3, of: octets) { _ = try CommandCompleteEvent($0) }
    }

    @Test func numberOfCompletedPackets() throws {
        let octets = hex("02  40 F0 03 00  41 00 02 01")
        let event = try NumberOfCompletedPacketsEvent(octets.wire)
        expect(event.count, equals: 2)
        expect(event.connectionHandle(0), equals: 0x0040)
        expect(event.numCompletedPackets(0), equals: 3)
        expect(event.connectionHandle(1), equals: 0x0041)
        expect(event.numCompletedPackets(1), equals: 0x0102)
    }

    @Test(arguments: [0, 1, 63, 255])
    func numberOfHandles(count: UInt8) {
        let octets = [count] + [UInt8](repeating: 0, count: 4 * Int(count))
        for length in 0...octets.count {
            let error = failure(Array(octets.prefix(length))) { _ = try NumberOfCompletedPacketsEvent($0) }
            expect(error?.need, equals: length == octets.count ? nil : length == 0 ? 1 : octets.count)
        }
    }

    /// The code, the parameters up to what decides their length, and how many octets their view needs.
    @Test(arguments: [
        ("03", "", 11, "connectionComplete"), ("05", "", 4, "disconnectionComplete"),
        ("07", "", 7, "remoteNameRequestComplete"), ("08", "", 4, "encryptionChange"),
        ("0C", "", 8, "readRemoteVersionInformationComplete"),
        ("59", "", 5, "encryptionChange"), ("30", "", 3, "encryptionKeyRefreshComplete"),
        ("0E", "", 3, "commandComplete"), ("0F", "", 4, "commandStatus"), ("02", "", 1, "inquiryResult"),
        ("22", "", 1, "inquiryResult"), ("2F", "", 1, "inquiryResult"), ("13", "", 1, "numberOfCompletedPackets"),
        ("3E", "01", 19, "leConnectionComplete"), ("3E", "0A", 31, "leConnectionComplete"),
        ("3E", "29", 34, "leConnectionComplete"), ("3E", "02", 2, "leAdvertisingReport"),
        ("3E", "03", 10, "leConnectionUpdateComplete"), ("3E", "07", 11, "leDataLengthChange"),
        ("3E", "0C", 6, "lePHYUpdateComplete"), ("3E", "0D", 2, "leExtendedAdvertisingReport"),
        ("3E", "2F", 34, "leCSConfigComplete"), ("3E", "0E", 16, "lePeriodicSync"), ("3E", "24", 16, "lePeriodicSync"),
        ("3E", "18", 20, "lePeriodicSync"), ("3E", "26", 20, "lePeriodicSync"), ("3E", "0F", 8, "lePeriodicReport"),
        ("3E", "25", 11, "lePeriodicReport"), ("3E", "10", 3, "lePeriodicSyncLost"), ("3E", "22", 20, "leBIGInfo"),
        ("3E", "19", 29, "leCISEstablished"), ("3E", "2A", 29, "leCISEstablished"), ("3E", "1A", 7, "leCISRequest"),
        ("3E", "1B", 19, "leBIGEstablished"), ("3E", "1D", 15, "leBIGEstablished"), ("3E", "1C", 3, "leBIGEnded"),
        ("3E", "1E", 3, "leBIGEnded"),
        ("3E", "11", 1, "other"), ("3E", "FF", 1, "other"), ("10", "", 0, "other"), ("FF", "", 0, "other"),
    ])
    func dispatch(code: String, start: String, need: Int, name: String) throws {
        let start = hex(start)
        let parameters = start + [UInt8](repeating: 0, count: need - start.count)
        for length in start.count...need {
            let octets = hex(code) + [UInt8(length)] + parameters
            let event = try HCIEvent(octets.wire)
            if length == need {
                try expect(caseName(HCIEventParameters(event)), equals: name)
            } else {
                let error = failure(octets) { _ = try HCIEventParameters(try HCIEvent($0)) }
                expect(error?.layer, equals: .hci)
                expect(error?.limit, equals: .hciLength)
                expect(error?.need, equals: need)
                expect(error?.have, equals: length)
            }
        }
    }

    private func caseName(_ parameters: HCIEventParameters) -> String {
        switch parameters {
        case .connectionComplete: "connectionComplete"
        case .disconnectionComplete: "disconnectionComplete"
        case .remoteNameRequestComplete: "remoteNameRequestComplete"
        case .readRemoteVersionInformationComplete: "readRemoteVersionInformationComplete"
        case .encryptionChange: "encryptionChange"
        case .encryptionKeyRefreshComplete: "encryptionKeyRefreshComplete"
        case .commandStatus: "commandStatus"
        case .inquiryResult: "inquiryResult"
        case .commandComplete: "commandComplete"
        case .numberOfCompletedPackets: "numberOfCompletedPackets"
        case .leConnectionComplete: "leConnectionComplete"
        case .leAdvertisingReport: "leAdvertisingReport"
        case .leConnectionUpdateComplete: "leConnectionUpdateComplete"
        case .leDataLengthChange: "leDataLengthChange"
        case .lePHYUpdateComplete: "lePHYUpdateComplete"
        case .leConnectionRateChange: "leConnectionRateChange"
        case .leSubrateChange: "leSubrateChange"
        case .leFrameSpaceUpdateComplete: "leFrameSpaceUpdateComplete"
        case .leExtendedAdvertisingReport: "leExtendedAdvertisingReport"
        case .leCSConfigComplete: "leCSConfigComplete"
        case .lePeriodicSync: "lePeriodicSync"
        case .lePeriodicReport: "lePeriodicReport"
        case .lePeriodicSyncLost: "lePeriodicSyncLost"
        case .leBIGInfo: "leBIGInfo"
        case .leCISEstablished: "leCISEstablished"
        case .leCISRequest: "leCISRequest"
        case .leBIGEstablished: "leBIGEstablished"
        case .leBIGEnded: "leBIGEnded"
        case .other: "other"
        }
    }
}

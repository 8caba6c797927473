import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

@testable import AttlasMetrics

/// Who was seen.
@Suite struct DeviceCollectorTests {
    private func devices(_ packets: [Packet]) -> [DeviceCollector.Device] {
        document(of: packets, as: RecordMaker(step: 1_000_000)) { _ in DeviceCollector() }.devices
    }

    @Test func devicesStandInTheOrderInWhichTheyWereFirstSeen() {
        let devices = devices([
            .advertisement(of: Address.probe), .advertisement(), .connected(Address.phone, random: false),
            .advertisement(),
        ])
        expect(
            devices.map(\.address.description), equals: ["E6:0A:33:7C:90:15", "F2:F2:F2:F2:F2:F2", "00:1A:7D:DA:71:13"])
        expect(devices.map(\.advertisements), equals: [1, 2, 0])
        expect(devices.map(\.connections), equals: [0, 0, 1])
        expect(devices.map(\.firstFrame), equals: [1, 2, 3])
        expect(devices.map(\.lastFrame), equals: [1, 4, 3])
    }

    @Test func thePublicAndTheRandomAddressOfTheSameOctetsAreTwoDevices() {
        expect(devices([.advertisement(), .advertisement(random: false)]).count, equals: 2)
    }

    @Test func signalsHaveARange() {
        let devices = devices([-60, -48, -90, -50].map { Packet.advertisement(rssi: $0) })
        expect(devices.map(\.rssi), equals: [-90 ... -48])
    }

    /// Read RSSI of an open connection and of one that ended, next to an advertisement. Vol 4, Part E, 7.5.4.
    @Test func readingsOfConnectionsCount() {
        let reading = Packet.event("0E 07 01 0514 00 4000 AB")
        let packets: [Packet] = [.advertisement(rssi: -60), .connected(), reading]
        expect(devices(packets).map(\.rssi), equals: [-85 ... -60])
        expect(devices(packets + [.disconnected()]).map(\.rssi), equals: [-85 ... -60])
    }

    @Test func oneThatCanBeConnectedOnceIsConnectable() {
        expect(devices([.advertisement(type: 3)]).map(\.isConnectable), equals: [false])
        expect(
            devices([.advertisement(type: 3), .advertisement(type: 0), .advertisement(type: 3)])
                .map(\.isConnectable), equals: [true])
    }

    @Test func whatWasAdvertisedIsPutTogether() throws {
        let device = try #require(
            devices([
                .advertisement(hex("02 01 06  03 03 0D18")),
                .advertisement(hex("06 09 48524D2D37  03 02 0F18")),
            ]).first)
        expect(device.data.flags, equals: 6)
        expect(device.data.name, equals: "HRM-7")
        expect(device.data.services.map(\.uint16), equals: [0x180D, 0x180F])
    }

    /// The Device Name as it was read over a connection, also of one that outlives the capture.
    @Test func theNameOfAConnection() {
        let read: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 05 0300 4F6E65"),
        ]
        expect(devices(read).map(\.connectedName), equals: ["One"])
        expect(devices(read + [.disconnected()]).map(\.connectedName), equals: ["One"])
        expect(devices(read).map(\.isConnected), equals: [true])
        expect(devices(read + [.disconnected()]).map(\.isConnected), equals: [false])
    }

    /// Remote Name Request Complete: status 0, the address, "Phone" and a NUL. Core Specification, Vol 4, Part E, 7.7.7.
    @Test func theNameThatWasAskedForBeforeAConnection() {
        let name = hex("00 \(Address.phone) 50686F6E65 00")
        let devices = devices([
            Packet(.packet(.event), .rx, [0x07, UInt8(name.count)] + name),
            .event("03 0B 00 0B00 \(Address.phone) 01 00"),
        ])
        expect(devices.map(\.connectedName), equals: ["Phone"])
    }

    /// Two responses of one phone: Inquiry Result with RSSI, and Extended Inquiry Result with its name. 7.7.33 and 7.7.38.
    @Test func aDeviceThatAnswersAnInquiry() throws {
        let devices = devices([
            .event("22 0F 01 \(Address.phone) 01 00 0C025A 3412 C4"),
            .event("2F 16 01 \(Address.phone) 01 00 0C025A 3412 BA 06 09 50686F6E65"),
        ])
        let device = try #require(devices.first)
        expect(devices.count, equals: 1)
        expect(device.address.description, equals: "00:1A:7D:DA:71:13")
        #expect(device.inquiryResponses == 2 && device.advertisements == 0)
        expect(device.rssi, equals: -70 ... -60)
        expect(device.data.name, equals: "Phone")
    }

    // MARK: Links without a recorded beginning

    private func model(_ packets: [Packet]) -> DevicesModel {
        document(of: packets, as: RecordMaker(step: 1_000_000)) { _ in DeviceCollector() }
    }

    @Test func aLinkWithoutABeginningIsADeviceWithoutAnAddress() throws {
        let read: [Packet] = [
            .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 05 0300 4F6E65"),
        ]
        let open = try #require(model(read).devicesWithoutAddress.first)
        #expect(open.name == "One" && open.handle == 0x40 && open.isConnected && open.firstFrame == 1)
        let ended = try #require(model(read + [.disconnected()]).devicesWithoutAddress.first)
        #expect(ended.name == "One" && !ended.isConnected)
        #expect(model(read).devices.isEmpty)
    }

    @Test func aLinkWithoutABeginningIsTheDevicesThatIdentifiesItself() {
        // Identity Information and Identity Address Information of the peer. Vol 3, Part H, 3.6.4 and 3.6.5.
        let model = model([
            .att(.rx, "1B 1900 01"), .frame(.rx, channel: 6, hex("08 9B7D390A A6101034 05ADC857 A33402EC")),
            .frame(.rx, channel: 6, hex("09 01 \(Address.strap)")),
        ])
        #expect(model.devicesWithoutAddress.isEmpty)
        expect(model.devices.map(\.address.description), equals: ["F2:F2:F2:F2:F2:F2"])
        expect(model.devices.map(\.connections), equals: [1])
        expect(model.devices.map(\.firstFrame), equals: [1])
    }

    // MARK: Gone

    /// LE Set Scan Enable with Filter_Duplicates: each device is reported once. Vol 4, Part E, 7.8.11.
    @Test func aFilteredScanDoesNotSayThatADeviceIsGone() {
        func gone(_ scan: String) -> [Bool] {
            devices([
                .command(scan).at(microseconds: 0), Packet.advertisement().at(microseconds: 1_000_000),
                Packet.advertisement(of: Address.probe).at(microseconds: 60_000_000),
            ]).map(\.isGone)
        }
        expect(gone("0C20 02 01 00"), equals: [true, false])
        expect(gone("0C20 02 01 01"), equals: [false, false])
        // LE Set Extended Scan Enable, without end. 7.8.65.
        expect(gone("4220 06 01 01 0000 0000"), equals: [false, false])
    }

    @Test func aDeviceIsNotGoneWhereNothingWasScanned() {
        // The capture continues with a connection: nobody would have heard it advertise.
        let devices = devices([
            Packet.advertisement(of: Address.probe).at(microseconds: 1_000_000), .connected(),
            Packet.att(.rx, "1B 1900 01").at(microseconds: 60_000_000),
        ])
        expect(devices.map(\.isGone), equals: [false, false])
    }

    // MARK: Addresses

    /// 10 s without a sign, where the capture continues; a connected device is present.
    @Test func aDeviceIsGoneAfterTenSeconds() {
        func gone(_ silence: Int, _ packets: Packet...) -> [Bool] {
            devices(
                packets.map { $0.at(microseconds: 1_000_000) } + [
                    Packet.advertisement(of: Address.probe).at(microseconds: 1_000_000 + silence)
                ]
            ).map(\.isGone)
        }
        expect(gone(10_000_000, .advertisement()), equals: [false, false])
        expect(gone(10_000_001, .advertisement()), equals: [true, false])
        expect(gone(60_000_000, .connected()), equals: [false, false])
        expect(gone(60_000_000, .connected(), .disconnected()), equals: [true, false])
    }

    /// ah of the Core Specification, Vol 3, Part H, D.7: key EC0234A3 57C8AD05 341010A6 0A397D9B, prand 708194, hash 0DFBAA. The key
    /// comes in a pairing, after what was seen of the private address.
    @Test func aPrivateAddressIsThatOfItsDevice() throws {
        let address = "AAFB0D948170"
        let devices = devices([
            .advertisement(of: address, rssi: -50), .advertisement(hex("06 09 48524D2D37"), rssi: -70),
            .connected(address), .frame(.rx, channel: 6, hex("08 9B7D390A A6101034 05ADC857 A33402EC")),
            .frame(.rx, channel: 6, hex("09 01 \(Address.strap)")),
        ])
        expect(devices.count, equals: 1)
        let device = try #require(devices.first)
        expect(device.address.description, equals: "F2:F2:F2:F2:F2:F2")
        expect(device.privateAddresses.map(\.description), equals: ["70:81:94:0D:FB:AA"])
        expect(device.rssi, equals: -70 ... -50)
        expect(device.advertisements, equals: 2)
        expect(device.connections, equals: 1)
        expect(device.data.name, equals: "HRM-7")
        expect(device.firstFrame, equals: 1)
    }
}

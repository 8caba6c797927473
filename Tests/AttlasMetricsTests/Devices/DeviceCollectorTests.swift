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
        #expect(
            devices.map(\.address.description) == ["E6:0A:33:7C:90:15", "F2:F2:F2:F2:F2:F2", "00:1A:7D:DA:71:13"])
        #expect(devices.map(\.advertisements) == [1, 2, 0])
        #expect(devices.map(\.connections) == [0, 0, 1])
        #expect(devices.map(\.firstFrame) == [1, 2, 3])
        #expect(devices.map(\.lastFrame) == [1, 4, 3])
    }

    @Test func thePublicAndTheRandomAddressOfTheSameOctetsAreTwoDevices() {
        #expect(devices([.advertisement(), .advertisement(random: false)]).count == 2)
    }

    @Test func signalsHaveARange() {
        let devices = devices([-60, -48, -90, -50].map { Packet.advertisement(rssi: $0) })
        #expect(devices.map(\.rssi) == [-90 ... -48])
    }

    @Test func oneThatCanBeConnectedOnceIsConnectable() {
        #expect(devices([.advertisement(type: 3)]).map(\.isConnectable) == [false])
        #expect(
            devices([.advertisement(type: 3), .advertisement(type: 0), .advertisement(type: 3)])
                .map(\.isConnectable) == [true])
    }

    @Test func whatWasAdvertisedIsPutTogether() throws {
        let device = try #require(
            devices([
                .advertisement(hex("02 01 06  03 03 0D18")),
                .advertisement(hex("06 09 48524D2D37  03 02 0F18")),
            ]).first)
        #expect(device.data.flags == 6)
        #expect(device.data.name == "HRM-7")
        #expect(device.data.services.map(\.uint16) == [0x180D, 0x180F])
    }

    /// The Device Name as it was read over a connection is known when that ends.
    @Test func theNameOfAConnection() {
        let read: [Packet] = [
            .connected(), .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 05 0300 4F6E65"),
        ]
        #expect(devices(read).map(\.connectedName) == [nil])
        #expect(devices(read + [.disconnected()]).map(\.connectedName) == ["One"])
    }

    /// 10 s without a sign, where the capture goes on; who is connected is there.
    @Test func aDeviceIsGoneAfterTenSeconds() {
        func gone(_ silence: Int, _ packets: Packet...) -> [Bool] {
            devices(
                packets.map { $0.at(microseconds: 1_000_000) } + [
                    Packet.advertisement(of: Address.probe).at(microseconds: 1_000_000 + silence)
                ]
            ).map(\.isGone)
        }
        #expect(gone(10_000_000, .advertisement()) == [false, false])
        #expect(gone(10_000_001, .advertisement()) == [true, false])
        #expect(gone(60_000_000, .connected()) == [false, false])
        #expect(gone(60_000_000, .connected(), .disconnected()) == [true, false])
    }

    /// ah of the Core Specification, Vol 3, Part H, D.7: key EC0234A3 57C8AD05 341010A6 0A397D9B, prand 708194, hash 0DFBAA. The key
    /// comes in a pairing, behind what was seen of the private address.
    @Test func aPrivateAddressIsThatOfItsDevice() throws {
        let address = "AAFB0D948170"
        let devices = devices([
            .advertisement(of: address, rssi: -50), .advertisement(hex("06 09 48524D2D37"), rssi: -70),
            .connected(address), .frame(.rx, channel: 6, hex("08 9B7D390A A6101034 05ADC857 A33402EC")),
            .frame(.rx, channel: 6, hex("09 01 \(Address.strap)")),
        ])
        #expect(devices.count == 1)
        let device = try #require(devices.first)
        #expect(device.address.description == "F2:F2:F2:F2:F2:F2")
        #expect(device.privateAddresses.map(\.description) == ["70:81:94:0D:FB:AA"])
        #expect(device.rssi == -70 ... -50)
        #expect(device.advertisements == 2)
        #expect(device.connections == 1)
        #expect(device.data.name == "HRM-7")
        #expect(device.firstFrame == 1)
    }
}

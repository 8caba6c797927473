import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct LEConnectionEventsTests {
    static let peer = BluetoothAddress(0xC0DE_0102_0304, isRandom: true)
    /// Interval 48.75 ms, latency 4, timeout 5 s, 50 ppm.
    static let parameters = hex("27 00 04 00 F4 01 05")

    @Test func connectionComplete() throws {
        let octets = hex("01 00 40 F0 01 01 04 03 02 01 DE C0") + Self.parameters
        let event = try LEConnectionCompleteEvent(octets.wire)
        expect(event.subeventCode, equals: .connectionComplete)
        #expect(event.status.isSuccess == true)
        expect(event.connectionHandle, equals: 0x0040)
        expect(event.role, equals: 1)
        #expect(event.isCentral == false)
        expect(event.peerAddressType, equals: 1)
        expect(event.peerAddress, equals: Self.peer)
        #expect(event.localResolvablePrivateAddress == nil)
        #expect(event.peerResolvablePrivateAddress == nil)
        expectConnectionParameters(event)
        #expect(failure([]) { _ = try LEConnectionCompleteEvent($0) }?.need == 1)
        for length in 1..<octets.count {
            let error = failure(Array(octets.prefix(length))) { _ = try LEConnectionCompleteEvent($0) }
            expect(error?.need, equals: 19)
            expect(error?.have, equals: length)
        }
    }

    @Test(arguments: [("0A", "", 31), ("29", "07 34 12", 34)])
    func enhancedConnectionComplete(subevent: String, end: String, need: Int) throws {
        var octets = hex(subevent) + hex("00 40 F0 00 03 04 03 02 01 DE C0  01 02 03 04 05 46  11 12 13 14 15 56")
        octets += Self.parameters + hex(end)
        let event = try LEConnectionCompleteEvent(octets.wire)
        expect(event.connectionHandle, equals: 0x0040)
        #expect(event.isCentral == true)
        expect(event.peerAddressType, equals: 3)
        expect(event.peerAddress, equals: Self.peer)
        expect(event.localResolvablePrivateAddress, equals: BluetoothAddress(0x4605_0403_0201, isRandom: true))
        expect(event.peerResolvablePrivateAddress, equals: BluetoothAddress(0x5615_1413_1211, isRandom: true))
        expect(event.peerResolvablePrivateAddress?.kind, equals: .resolvable)
        expect(event.advertisingHandle, equals: need == 34 ? 0x07 : nil)
        expect(event.syncHandle, equals: need == 34 ? 0x1234 : nil)
        expectConnectionParameters(event)
        for length in 1..<octets.count {
            let error = failure(Array(octets.prefix(length))) { _ = try LEConnectionCompleteEvent($0) }
            expect(error?.need, equals: need)
            expect(error?.have, equals: length)
        }
    }

    @Test func noResolvablePrivateAddress() throws {
        let octets = hex("0A 00 40 00 00 00 04 03 02 01 DE C0  00 00 00 00 00 00  00 00 00 00 00 00") + Self.parameters
        let event = try LEConnectionCompleteEvent(octets.wire)
        #expect(event.localResolvablePrivateAddress == nil)
        #expect(event.peerResolvablePrivateAddress == nil)
    }

    @Test(arguments: [(0x00, false), (0x01, true), (0x02, false), (0x03, true)])
    func peerAddressTypes(type: UInt8, isRandom: Bool) throws {
        let octets = hex("01 00 40 00 00") + [type] + hex("04 03 02 01 DE C0") + Self.parameters
        try expect(LEConnectionCompleteEvent(octets.wire).peerAddress.isRandom, equals: isRandom)
    }

    private func expectConnectionParameters(_ event: LEConnectionCompleteEvent) {
        expect(event.connectionInterval, equals: 39)
        expect(event.peripheralLatency, equals: 4)
        expect(event.supervisionTimeout, equals: 500)
        expect(event.centralClockAccuracy, equals: 5)
    }

    @Test func connectionUpdateComplete() throws {
        let octets = hex("03 00 40 F0 06 00 04 00 F4 01")
        let event = try LEConnectionUpdateCompleteEvent(octets.wire)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x0040)
        expect(event.connectionInterval, equals: 6)
        expect(event.peripheralLatency, equals: 4)
        expect(event.supervisionTimeout, equals: 500)
        expectParameters(10, of: octets) { _ = try LEConnectionUpdateCompleteEvent($0) }
    }

    @Test func dataLengthChange() throws {
        let octets = hex("07 40 F0 FB 00 48 08 1B 00 48 01")
        let event = try LEDataLengthChangeEvent(octets.wire)
        expect(event.connectionHandle, equals: 0x0040)
        expect(event.maxTXOctets, equals: 251)
        expect(event.maxTXTime, equals: 2120)
        expect(event.maxRXOctets, equals: 27)
        expect(event.maxRXTime, equals: 328)
        expectParameters(11, of: octets) { _ = try LEDataLengthChangeEvent($0) }
    }

    @Test func phyUpdateComplete() throws {
        let octets = hex("0C 00 40 F0 02 03")
        let event = try LEPHYUpdateCompleteEvent(octets.wire)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x0040)
        expect(event.txPHY.name, equals: "LE 2M")
        expect(event.rxPHY.name, equals: "LE Coded")
        expect(LEPHY(rawValue: 0x01).name, equals: "LE 1M")
        #expect(LEPHY(rawValue: 0x00).name == nil)
        expectParameters(6, of: octets) { _ = try LEPHYUpdateCompleteEvent($0) }
    }

    @Test func csConfigComplete() throws {
        // Configuration 2, created; modes 2 and 1, 2 to 8 main mode steps, none repeated, 3 of mode 0; reflector, a sounding
        // sequence of 96 bits; then the PHY, channels and times.
        let octets = hex("2F 00 40 F0 02 01 02 01 02 08 00 03 01 02 01 FCFFFF7FFCFFFFFFFF1F 01 00 00 02 00 0A 14 3C 0A")
        let event = try LECSConfigCompleteEvent(octets.wire)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x0040)
        expect(event.configID, equals: 2)
        expect(event.action, equals: 1)
        expect(event.mainModeType, equals: 2)
        expect(event.subModeType, equals: 1)
        expect(event.role, equals: 1)
        expect(event.rttType, equals: 2)
        expectParameters(34, of: octets) { _ = try LECSConfigCompleteEvent($0) }
    }
}

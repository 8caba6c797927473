import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Who a peer is, and what is remembered of it.
@Suite struct PeerTests {
    /// Find Information: 0x0011 is a Client Characteristic Configuration.
    let discovery: [Packet] = [.att(.tx, "04 1100 1100"), .att(.rx, "05 01 1100 0229")]

    @Test func anotherDeviceOnAHandleInheritsNothing() {
        let recorder = decode(
            [.connected()] + discovery + [.disconnected(), .connected(Address.probe), .att(.tx, "0A 1100")])
        expect(recorder.lines("att").last, equals: "att 6 tx 0A peer connection 2 0011")
    }

    @Test func aDeviceThatReturnsHasItsTableRemembered() {
        let recorder = decode(
            [.connected()] + discovery + [
                .disconnected(), .connected(Address.probe), .disconnected(), .connected(), .att(.tx, "0A 1100"),
            ])
        expect(recorder.lines("att").last, equals: "att 8 tx 0A peer connection 3 0011 2902 remembered")
    }

    @Test func aDeviceIsKnownOnAnyHandleAndController() {
        let recorder = decode(
            [.connected()] + discovery + [
                .disconnected(), .connected(handle: 0x55, controller: 1),
                .att(.tx, "0A 1100", handle: 0x55, controller: 1),
            ])
        expect(recorder.lines("att").last, equals: "att 6 tx 0A peer connection 2 0011 2902 remembered")
    }

    @Test func thePublicAndTheRandomAddressOfTheSameOctetsAreTwoDevices() {
        let recorder = decode(
            [.connected()] + discovery + [.disconnected(), .connected(random: false), .att(.tx, "0A 1100")])
        expect(recorder.lines("att").last, equals: "att 6 tx 0A peer connection 2 0011")
    }

    @Test func whatIsSeenAgainIsDiscovered() {
        let recorder = decode(
            [.connected()] + discovery + [.disconnected(), .connected()] + discovery + [.att(.tx, "0A 1100")])
        expect(recorder.lines("att").last, equals: "att 8 tx 0A peer connection 2 0011 2902 discovery")
    }

    @Test func theAdvertisedNameIsThePeersName() {
        var trace = Trace()
        // ADV_IND of the strap: Flags, Complete Local Name "HRM-7"; then of the probe, Shortened Local Name "Oven".
        _ = decode(
            [
                .event("3E 16 02 01 00 01 F2F2F2F2F2F2 0A 020106 06 09 48524D2D37 C8"),
                .event("3E 12 02 01 00 01 15907C330AE6 06 05 08 4F76656E C8"),
                .connected(), .connected(Address.probe, handle: 0x41),
                // A shortened name does not replace the whole one; a whole one replaces a shortened.
                .event("3E 0F 02 01 00 01 F2F2F2F2F2F2 03 02 08 48 C8"),
                .event("3E 18 02 01 00 01 15907C330AE6 0C 0B 09 4F76656E2050726F6265 C8"),
            ], with: &trace)
        expect(trace.peers.map(\.name), equals: ["HRM-7", "Oven Probe"])
    }

    @Test func theDeviceNameThatWasReadIsThePeersName() {
        var trace = Trace()
        // Read By Type of Device Name: handle 0x0003, "T3" with a zero after it.
        _ = decode([.connected(), .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 05 0300 543300")], with: &trace)
        expect(trace.peers.map(\.name), equals: ["T3"])
    }

    @Test func aNameThatIsNotTextIsNoName() {
        var trace = Trace()
        _ = decode([.connected(), .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 04 0300 C3C3")], with: &trace)
        expect(trace.peers.map(\.name), equals: [nil])
    }

    @Test func theDeviceNameOfTheHostIsNotThePeers() {
        var trace = Trace()
        _ = decode([.connected(), .att(.rx, "08 0100 FFFF 002A"), .att(.tx, "09 04 0300 4D65")], with: &trace)
        expect(trace.peers.map(\.name), equals: [nil])
    }

    @Test func aNameThatFillsThePDUDoesNotReplaceAWholeOne() {
        var trace = Trace()
        // At MTU 23 a Read Response holds 22 octets: the first ones of a longer name.
        _ = decode(
            [
                .event("3E 13 02 01 00 01 F2F2F2F2F2F2 07 06 09 48524D2D37 C8"), .connected(),
                .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 07 0300 4F6C642D37"),
                .att(.tx, "0A 0300"), .att(.rx, "0B 41424344454647484950515253545556575859606162"),
            ], with: &trace)
        expect(trace.peers.map(\.name), equals: ["Old-7"])
    }
}

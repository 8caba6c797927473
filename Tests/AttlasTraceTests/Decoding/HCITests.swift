import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// HCI packets that are not what their length says, and what is neither ATT nor a connection.
@Suite struct HCIFaultTests {
    @Test func parametersThatEndEarlyAreAFault() {
        let recorder = decode([.event("3E 13 01 00 4000 00"), .event("FF 05 0102"), .command("0604 03 4000")])
        expect(
            recorder.lines("fault"),
            equals: [
                "fault 1 hci: LE Connection Complete incomplete, need 19 have 5 by HCI length",
                "fault 2 hci: HCI parameters incomplete, need 5 have 2 by HCI length",
                "fault 3 hci: Disconnect incomplete, need 3 have 2 by HCI length",
            ])
    }

    @Test func parametersThatTheCaptureCutAreNotMalformed() {
        var packet = Packet.event("3E 13 01 00 4000 00")
        packet.missing = 14
        var vendor = Packet.event("FF 05 0102")
        vendor.missing = 3
        expect(
            decode([packet, vendor]).lines("fault"),
            equals: [
                "fault 1 hci: LE Connection Complete incomplete, need 19 have 5 by captured length",
                "fault 2 hci: HCI parameters incomplete, need 5 have 2 by captured length",
            ])
    }

    @Test func octetsBehindTheParametersAreAFault() {
        let recorder = decode([.event("05 04 00 4000 13 EE"), .command("030C 00 EE")])
        expect(
            recorder.lines("fault"),
            equals: [
                "fault 1 hci: octets after the HCI parameters, need 4 have 5 by HCI length",
                "fault 2 hci: octets after the HCI parameters, need 0 have 1 by HCI length",
            ])
    }

    @Test func fewerReportsThanAnnouncedAreAFault() {
        let recorder = decode([.event("3E 13 02 02 00 01 F2F2F2F2F2F2 07 06 09 48524D2D37 C8")])
        expect(
            recorder.lines(),
            equals: [
                "advertising 1 F2:F2:F2:F2:F2:F2 HRM-7",
                "fault 1 hci: fewer advertising reports than announced, need 2 have 1 by HCI length",
            ])
    }

    /// Commands and events, without what there is most of: Number Of Completed Packets and L2CAP frames.
    @Test func controlIsHadWithoutPackets() {
        struct Sink: EventSink {
            var frames: [Int] = []
            var wantsPackets: Bool { false }
            var wantsControl: Bool { true }

            mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
                switch event.detail {
                case .command, .hciEvent, .l2cap: frames.append(event.frame)
                default: break
                }
            }
        }
        var sink = SinkPair(first: Sink(), second: Sink())
        var trace = Trace()
        trace.decode(
            [
                .connected(), .att(.tx, "0A 0300"), .event("13 05 01 4000 0100"), .command("0604 03 4000 13"),
                .event("0F 04 00 01 0604"),
            ], into: &sink)
        expect(sink.first.frames, equals: [1, 4, 5])
    }

    @Test func otherPacketsAreNamedAndMeasured() {
        let recorder = decode([
            Packet(.packet(.synchronous), .rx, hex("4500 03 010203")),
            Packet(.packet(.isochronous), .rx, hex("4600 0300 010203")),
            Packet(.unknownPacket(type: 0xFD), .rx, hex("0102")),
            Packet(.monitor(opcode: 12), .unknown, hex("4869")),
        ])
        expect(
            recorder.lines(),
            equals: [
                "data 1 type 3 handle 0045 length 6", "data 2 type 5 handle 0046 length 7",
                "data 3 type 253 handle - length 2", "monitor 4 12 length 2",
            ])
    }

    @Test func aStepOfTheClockIsTold() {
        let recorder = decode([
            .disconnected().at(microseconds: 5_000_000), .disconnected().at(microseconds: 4_500_000),
            .disconnected().at(microseconds: 3_000_000),
            .disconnected().at(microseconds: 90_000_000_000),
        ])
        expect(
            recorder.lines(),
            equals: [
                "connection 1 1 0040 presumed LE",
                "connection 1 1 0040 ended by peer: Remote User Terminated Connection", "clock 3 -1500000",
                "clock 4 89997000000",
            ])
    }
}

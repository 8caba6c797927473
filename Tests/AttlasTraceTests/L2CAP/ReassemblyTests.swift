import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// L2CAP frames out of ACL fragments. Core Specification, Vol 3, Part A, 7.2.1; Vol 4, Part E, 5.4.2.
@Suite struct ReassemblyTests {
    /// A notification of 0x0019 with 12 octets: L2CAP length 15, ATT channel.
    let notification = "0F00 0400 1B 1900 0102030405060708090A0B0C"

    @Test func aFrameInOnePacketIsOneFrame() {
        let recorder = decode([.connected(), .start(.rx, notification)])
        expect(
            recorder.lines("l2cap", "att", "fault"),
            equals: [
                "l2cap 2 rx channel 0004 1B19000102030405060708090A0B0C", "att 2 rx 1B peer 0019",
            ])
    }

    @Test func threeFragmentsAreOneFrame() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 0102"), .more(.rx, "030405060708"), .more(.rx, "090A0B0C"),
        ])
        expect(
            recorder.lines("l2cap", "att", "fault"),
            equals: [
                "l2cap 4 rx channel 0004 1B19000102030405060708090A0B0C frames=2,3,4",
                "att 4 rx 1B peer 0019 frames=2,3,4",
            ])
    }

    @Test(arguments: 1...3) func theHeaderItselfMayBeSplit(after octets: Int) {
        let all = hex(notification)
        let recorder = decode([
            .connected(),
            .fragment(.rx, boundary: 0b10, Array(all.prefix(octets))),
            .fragment(.rx, boundary: 0b01, Array(all.dropFirst(octets))),
        ])
        expect(recorder.lines("att", "fault"), equals: ["att 3 rx 1B peer 0019 frames=2,3"])
    }

    @Test func theHeaderMayComeOctetByOctet() {
        let all = hex("0000 0400")
        let recorder = decode(
            [.connected(), .fragment(.rx, boundary: 0b10, [all[0]])]
                + all.dropFirst().map { .fragment(.rx, boundary: 0b01, [$0]) }
                + [.att(.rx, "1B 1900 01")])
        // An empty frame is a frame; that ATT cannot use it is another matter.
        expect(
            recorder.lines("l2cap", "att", "fault"),
            equals: [
                "l2cap 5 rx channel 0004  frames=2,3,4,5",
                "fault 5 att: ATT PDU without an opcode, need 1 have 0 by L2CAP length frames=2,3,4,5",
                "l2cap 6 rx channel 0004 1B190001", "att 6 rx 1B peer 0019",
            ])
    }

    @Test func fragmentsOfTwoLinksDoNotMix() {
        let recorder = decode([
            .connected(), .connected(Address.probe, handle: 0x41),
            .start(.rx, "0700 0400 1B 1900", handle: 0x40),
            .start(.rx, "0700 0400 1B 2000 AA", handle: 0x41),
            .more(.rx, "01", handle: 0x40),
            .more(.rx, "BBCC", handle: 0x41),
            .more(.rx, "020304", handle: 0x40),
            .more(.rx, "DD", handle: 0x41),
        ])
        expect(
            recorder.lines("l2cap", "fault"),
            equals: [
                "l2cap 7 rx channel 0004 1B190001020304 frames=3,5,7",
                "l2cap 8 rx channel 0004 1B2000AABBCCDD frames=4,6,8",
            ])
    }

    @Test func fragmentsOfTwoDirectionsDoNotMix() {
        let recorder = decode([
            .connected(),
            .start(.tx, "0700 0400 52 1900 01"), .start(.rx, "0700 0400 1B 2000 AA"),
            .more(.tx, "02"), .more(.rx, "BBCCDD"), .more(.tx, "0304"),
        ])
        expect(
            recorder.lines("l2cap", "fault"),
            equals: [
                "l2cap 5 rx channel 0004 1B2000AABBCCDD frames=3,5",
                "l2cap 6 tx channel 0004 52190001020304 frames=2,4,6",
            ])
    }

    @Test func fragmentsOfTwoControllersWithTheSameHandleDoNotMix() {
        let recorder = decode([
            .connected(), .connected(Address.probe, controller: 1),
            .start(.rx, "0700 0400 1B 1900 01"), .start(.rx, "0700 0400 1B 2000 AA", controller: 1),
            .more(.rx, "BBCCDD", controller: 1), .more(.rx, "020304"),
        ])
        expect(
            recorder.lines("l2cap", "fault"),
            equals: [
                "l2cap 5 rx channel 0004 1B2000AABBCCDD frames=4,5",
                "l2cap 6 rx channel 0004 1B190001020304 frames=3,6",
            ])
    }

    @Test func aWholeFrameOnOneLinkStandsBetweenFragmentsOfAnother() {
        let recorder = decode([
            .connected(), .connected(Address.probe, handle: 0x41),
            .start(.rx, "0700 0400 1B 1900"), .att(.rx, "1B 2000 01", handle: 0x41), .more(.rx, "01020304"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 4 rx 1B peer connection 2 0020", "att 5 rx 1B peer 0019 frames=3,5",
            ])
    }

    @Test func aNewFrameBeforeTheLastWasWholeIsAFaultAndDecodes() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 0102"), .att(.rx, "1B 2000 01"), .more(.rx, "0304"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 3 l2cap: a new frame began before this one was whole, need 19 have 9 by L2CAP length frames=2",
                "att 3 rx 1B peer 0020",
                "fault 4 l2cap: continuation of a frame whose beginning was not captured, need 1 have 0 by ACL length",
            ])
    }

    @Test func aContinuationWithoutABeginningIsAFault() {
        let recorder = decode([.connected(), .more(.rx, "0102"), .att(.rx, "1B 1900 01")])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 2 l2cap: continuation of a frame whose beginning was not captured, need 1 have 0 by ACL length",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func excessOctetsInTheLastFragmentAreAFaultAndTheFrameDecodes() {
        let recorder = decode([.connected(), .start(.rx, "0400 0400 1B 19"), .more(.rx, "0001 EEEE")])
        expect(
            recorder.lines("l2cap", "att", "fault"),
            equals: [
                "fault 3 l2cap: octets after the end of the L2CAP frame, need 4 have 6 by L2CAP length",
                "l2cap 3 rx channel 0004 1B190001 frames=2,3",
                "att 3 rx 1B peer 0019 frames=2,3",
            ])
    }

    @Test func anEmptyFragmentChangesNothing() {
        let recorder = decode([
            .connected(), .start(.rx, ""), .more(.rx, ""), .more(.rx, "0400 0400"), .more(.rx, ""),
            .more(.rx, "1B190001"),
        ])
        expect(recorder.lines("att", "fault"), equals: ["att 6 rx 1B peer 0019 frames=4,6"])
    }

    @Test func aFrameThatIsNotWholeWhenTheLinkEndsIsAFault() {
        let recorder = decode([.connected(), .start(.rx, "0700 0400 1B 1900"), .disconnected()])
        expect(
            recorder.lines("fault", "connection").dropFirst(),
            equals: [
                "fault 3 l2cap: connection ended before this frame was whole, need 11 have 7 by L2CAP length frames=2",
                "connection 3 1 0040 ended by peer: \(HCIErrorCode(rawValue: 0x13).name)",
            ])
    }

    @Test func aFrameThatIsNotWholeWhenTheCaptureEndsIsAFault() {
        let recorder = decode([.connected(), .start(.tx, "07"), .start(.rx, "0700 0400 1B 1900")], finish: true)
        expect(
            recorder.lines("fault"),
            equals: [
                "fault 3 l2cap: capture ended before this frame was whole, need 4 have 1 by L2CAP length frames=2",
                "fault 3 l2cap: capture ended before this frame was whole, need 11 have 7 by L2CAP length frames=3",
            ])
    }

    @Test func anSDUThatIsNotWholeWhenTheLinkOrTheCaptureEndsIsAFault() {
        // LE Credit Based Connection on SPSM 0x0080, from 0x0040 to 0x0041; then one of 9 octets of an SDU of 16.
        let begun: [Packet] = [
            .connected(), .frame(.tx, channel: 5, hex("14 01 0A00 8000 4000 6400 6400 0100")),
            .frame(.rx, channel: 5, hex("15 01 0A00 4100 6400 6400 0100 0000")),
            .frame(.tx, channel: 0x41, hex("1000 AAAAAAAAAAAAAAAAAA")), .frame(.tx, channel: 0x41, hex("")),
        ]
        expect(
            decode(begun + [.disconnected()]).lines("fault"),
            equals: [
                "fault 6 l2cap: connection ended before this SDU was whole, need 16 have 9 by SDU length frames=4"
            ])
        expect(
            decode(begun, finish: true).lines("fault"),
            equals: [
                "fault 5 l2cap: capture ended before this SDU was whole, need 16 have 9 by SDU length frames=4"
            ])
    }
}

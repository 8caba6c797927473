import AttlasWire
import Testing

@testable import AttlasTrace

/// L2CAP frames out of ACL fragments. Core Specification, Vol 3, Part A, 7.2.1; Vol 4, Part E, 5.4.2.
@Suite struct ReassemblyTests {
    /// A notification of 0x0019 with 12 octets: L2CAP length 15, ATT channel.
    let notification = "0F00 0400 1B 1900 0102030405060708090A0B0C"

    @Test func aFrameInOnePacketIsOneFrame() {
        let recorder = decode([.connected(), .start(.rx, notification)])
        #expect(
            recorder.lines("l2cap", "att", "fault") == [
                "l2cap 2 rx channel 0004 1B19000102030405060708090A0B0C", "att 2 rx 1B peer 0019",
            ])
    }

    @Test func threeFragmentsAreOneFrame() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 0102"), .more(.rx, "030405060708"), .more(.rx, "090A0B0C"),
        ])
        #expect(
            recorder.lines("l2cap", "att", "fault") == [
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
        #expect(recorder.lines("att", "fault") == ["att 3 rx 1B peer 0019 frames=2,3"])
    }

    @Test func theHeaderMayComeOctetByOctet() {
        let all = hex("0000 0400")
        let recorder = decode(
            [.connected(), .fragment(.rx, boundary: 0b10, [all[0]])]
                + all.dropFirst().map { .fragment(.rx, boundary: 0b01, [$0]) }
                + [.att(.rx, "1B 1900 01")])
        // An empty frame is a frame; that ATT cannot use it is another matter.
        #expect(
            recorder.lines("l2cap", "att", "fault") == [
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
        #expect(
            recorder.lines("l2cap", "fault") == [
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
        #expect(
            recorder.lines("l2cap", "fault") == [
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
        #expect(
            recorder.lines("l2cap", "fault") == [
                "l2cap 5 rx channel 0004 1B2000AABBCCDD frames=4,5",
                "l2cap 6 rx channel 0004 1B190001020304 frames=3,6",
            ])
    }

    @Test func aWholeFrameOnOneLinkStandsBetweenFragmentsOfAnother() {
        let recorder = decode([
            .connected(), .connected(Address.probe, handle: 0x41),
            .start(.rx, "0700 0400 1B 1900"), .att(.rx, "1B 2000 01", handle: 0x41), .more(.rx, "01020304"),
        ])
        #expect(
            recorder.lines("att", "fault") == [
                "att 4 rx 1B peer connection 2 0020", "att 5 rx 1B peer 0019 frames=3,5",
            ])
    }

    @Test func aNewFrameBeforeTheLastWasWholeIsAFaultAndDecodes() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 0102"), .att(.rx, "1B 2000 01"), .more(.rx, "0304"),
        ])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 3 l2cap: a new frame began before this one was whole, need 19 have 9 by L2CAP length frames=2",
                "att 3 rx 1B peer 0020",
                "fault 4 l2cap: continuation of a frame whose beginning was not captured, need 1 have 0 by ACL length",
            ])
    }

    @Test func aContinuationWithoutABeginningIsAFault() {
        let recorder = decode([.connected(), .more(.rx, "0102"), .att(.rx, "1B 1900 01")])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 2 l2cap: continuation of a frame whose beginning was not captured, need 1 have 0 by ACL length",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func excessOctetsInTheLastFragmentAreAFaultAndTheFrameDecodes() {
        let recorder = decode([.connected(), .start(.rx, "0400 0400 1B 19"), .more(.rx, "0001 EEEE")])
        #expect(
            recorder.lines("l2cap", "att", "fault") == [
                "fault 3 l2cap: octets behind the end of the L2CAP frame, need 4 have 6 by L2CAP length",
                "l2cap 3 rx channel 0004 1B190001 frames=2,3",
                "att 3 rx 1B peer 0019 frames=2,3",
            ])
    }

    @Test func anEmptyFragmentChangesNothing() {
        let recorder = decode([
            .connected(), .start(.rx, ""), .more(.rx, ""), .more(.rx, "0400 0400"), .more(.rx, ""),
            .more(.rx, "1B190001"),
        ])
        #expect(recorder.lines("att", "fault") == ["att 6 rx 1B peer 0019 frames=4,6"])
    }

    @Test func aFrameThatIsNotWholeWhenTheLinkEndsIsAFault() {
        let recorder = decode([.connected(), .start(.rx, "0700 0400 1B 1900"), .disconnected()])
        #expect(
            recorder.lines("fault", "connection").dropFirst() == [
                "fault 3 l2cap: connection ended before this frame was whole, need 11 have 7 by L2CAP length frames=2",
                "connection 3 1 0040 ended by peer: \(HCIErrorCode(rawValue: 0x13).name)",
            ])
    }

    @Test func aFrameThatIsNotWholeWhenTheCaptureEndsIsAFault() {
        let recorder = decode([.connected(), .start(.tx, "07"), .start(.rx, "0700 0400 1B 1900")], finish: true)
        #expect(
            recorder.lines("fault") == [
                "fault 3 l2cap: capture ended before this frame was whole, need 4 have 1 by L2CAP length frames=2",
                "fault 3 l2cap: capture ended before this frame was whole, need 11 have 7 by L2CAP length frames=3",
            ])
    }
}

/// Lengths that contradict each other, and the fault that says which one set the end.
@Suite struct LyingLengthTests {
    @Test func anACLHeaderThatAnnouncesMoreThanTheRecordHoldsIsAFault() {
        // Data Total Length 16, 8 octets there, and the frame in them is whole.
        let recorder = decode([.connected(), .acl(.rx, "4020 1000 0400 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        #expect(
            recorder.lines("l2cap", "att", "fault") == [
                "fault 2 acl: record ends before the length in the ACL header, need 16 have 8 by ACL length",
                "fault 2 l2cap: octets behind the end of the L2CAP frame, need 4 have 12 by L2CAP length",
                "l2cap 2 rx channel 0004 1B190001", "att 2 rx 1B peer 0019",
                "l2cap 3 rx channel 0004 1B190002", "att 3 rx 1B peer 0019",
            ])
    }

    @Test func whatIsThereOfAFrameThatTheRecordEndsInIsDecoded() {
        // ACL and L2CAP lengths agree on 8 octets of payload; the record holds 4 and does not say that it was cut.
        let recorder = decode([.connected(), .acl(.rx, "4020 0C00 0800 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 2 acl: record ends before the length in the ACL header, need 12 have 8 by ACL length",
                "att 2 rx 1B peer 0019 ! att: PDU not captured to its end, need 8 have 4 by captured length",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func anACLHeaderThatAnnouncesLessThanTheRecordHoldsSetsTheEnd() {
        // Data Total Length 7 for a frame of 8 octets: the last octet is not data.
        let recorder = decode([.connected(), .acl(.rx, "4020 0700 0400 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 2 acl: octets behind the ACL data, need 7 have 8 by ACL length",
                "fault 3 l2cap: a new frame began before this one was whole, need 8 have 7 by L2CAP length frames=2",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func anL2CAPLengthThatIsTooSmallSetsTheEnd() {
        let recorder = decode([.connected(), .start(.rx, "0400 0400 1B 1900 01 0203")])
        #expect(
            recorder.lines("l2cap", "att", "fault") == [
                "fault 2 l2cap: octets behind the end of the L2CAP frame, need 4 have 6 by L2CAP length",
                "l2cap 2 rx channel 0004 1B190001", "att 2 rx 1B peer 0019",
            ])
    }

    @Test func anL2CAPLengthThatIsTooLargeWaitsForMoreThatNeverComes() {
        let recorder = decode([.connected(), .start(.rx, "FFFF 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 3 l2cap: a new frame began before this one was whole, need 65539 have 8 by L2CAP length frames=2",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func anACLHeaderThatIsNotWholeIsAFault() {
        let recorder = decode([.acl(.rx, "402003"), .acl(.rx, "40", missing: 20), .acl(.rx, "")])
        #expect(
            recorder.lines("data", "fault") == [
                "fault 1 acl: ACL header incomplete, need 4 have 3 by captured length",
                "fault 2 acl: ACL header incomplete, need 4 have 1 by captured length",
                "fault 3 acl: ACL header incomplete, need 4 have 0 by captured length",
            ])
    }
}

/// A capture that keeps less than whole packets: what is there is decoded, and nothing is called malformed.
@Suite struct CutRecordTests {
    @Test func aWholePDUThatWasCutIsDecodedAsFarAsItGoes() {
        let recorder = decode([.connected(), .start(.rx, "0F00 0400 1B 1900 0102", missing: 10)])
        #expect(
            recorder.lines("att", "fault") == [
                "att 2 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 5 by captured length"
            ])
    }

    @Test func aPDUCutBeforeItsHandleIsNotMalformed() {
        let recorder = decode([.connected(), .start(.tx, "0300 0400 0A 19", missing: 1)])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 2 att: Read Request incomplete, need 3 have 2 by captured length"
            ])
    }

    @Test func aPDUCutBeforeItsOpcodeIsNotMalformed() {
        let recorder = decode([.connected(), .start(.tx, "0300 0400", missing: 3)])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 2 att: ATT PDU without an opcode, need 1 have 0 by captured length"
            ])
    }

    @Test func aFirstFragmentThatWasCutKeepsItsPlace() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 01", missing: 5), .more(.rx, "0708090A0B0C"),
            .att(.rx, "1B 1900 02"),
        ])
        #expect(
            recorder.lines("att", "fault") == [
                "att 3 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 4 by captured length frames=2,3",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test func aMiddleFragmentThatWasCutKeepsItsPlace() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 01"), .more(.rx, "02", missing: 4), .more(.rx, "0708090A0B0C"),
        ])
        #expect(
            recorder.lines("l2cap", "att", "fault") == [
                "l2cap 4 rx channel 0004 1B19000102 frames=2,3,4",
                "att 4 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 5 by captured length frames=2,3,4",
            ])
    }

    @Test func aLastFragmentThatWasCutEndsTheFrame() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 01"), .more(.rx, "0203", missing: 9), .att(.rx, "1B 1900 02"),
        ])
        #expect(
            recorder.lines("att", "fault") == [
                "att 3 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 6 by captured length frames=2,3",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test func aHeaderThatWasCutIsAFault() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 04", missing: 16), .more(.rx, "0203"), .att(.rx, "1B 1900 02"),
        ])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 2 l2cap: L2CAP header incomplete, need 4 have 3 by captured length",
                "fault 3 l2cap: continuation of a frame whose beginning was not captured, need 1 have 0 by ACL length",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test(arguments: ["0F", "0F00", "0F0004"]) func aSplitHeaderWhoseRestWasCutIsAFault(beginning: String) {
        let recorder = decode([
            .connected(), .start(.rx, beginning), .more(.rx, "", missing: 18), .att(.rx, "1B 1900 02"),
        ])
        #expect(
            recorder.lines("att", "fault") == [
                "fault 3 l2cap: L2CAP header incomplete, need 4 have \(beginning.count / 2) by captured length",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test func aListThatWasCutGivesTheItemsThatAreWhole() {
        // Find Information: two of three descriptors are there, and half of the third.
        let recorder = decode([
            .connected(), .att(.tx, "04 0100 FFFF"),
            .att(.rx, "05 01 1000 0229 1100 0129 12", missing: 3),
            .att(.tx, "0A 1000"), .att(.tx, "0A 1200"),
        ])
        #expect(
            recorder.lines("att", "fault") == [
                "att 2 tx 04 peer",
                "att 3 rx 05 peer answers 2 after 1000 ! att: PDU not captured to its end, need 14 have 11 by captured length",
                "att 4 tx 0A peer 0010 2902 discovery", "att 5 tx 0A peer 0012",
            ])
    }

    @Test func aSignallingCommandThatWasCutIsNotMalformed() {
        // Connection Parameter Update Request: 8 octets announced, 2 captured; then one whose frame is too short for it.
        let recorder = decode([
            .connected(), .frame(.rx, channel: 5, hex("12 01 0800 1800"), missing: 6),
            .frame(.rx, channel: 5, hex("12 02 0800 1800")),
        ])
        #expect(
            recorder.lines("signal", "fault") == [
                "signal 2 rx Connection Parameter Update Request",
                "fault 2 l2cap: signalling command incomplete, need 8 have 2 by captured length",
                "signal 3 rx Connection Parameter Update Request",
                "fault 3 l2cap: signalling command incomplete, need 8 have 2 by L2CAP length",
            ])
    }
}

/// LINKTYPE_BLUETOOTH_HCI_H4 (187) does not record who sent a packet.
@Suite struct UnknownDirectionTests {
    @Test func theBoundaryFlagOfAnLELinkTellsWhoSentAFrame() {
        let recorder = decode(
            [
                .connected(),
                .att(.tx, "0A 1900"), .att(.rx, "0A 0300"), .att(.rx, "0B 57"), .att(.tx, "0B 58"),
            ], undirected: true)
        #expect(
            recorder.lines("att", "fault") == [
                "att 2 ?? 0A peer 0019", "att 3 ?? 0A local 0003",
                "att 4 ?? 0B peer 0019 answers 2 after 2000", "att 5 ?? 0B local 0003 answers 3 after 2000",
            ])
    }

    @Test func aRequestSeenBeforeTheFlagsToldTheSidesIsThePeers() {
        let recorder = decode([.connected(), .att(.rx, "0A 0300"), .att(.tx, "0B 58")], undirected: true)
        #expect(recorder.lines("att", "fault").last == "att 3 ?? 0B local 0003 answers 2 after 1000")
    }

    @Test func withAHostThatBeginsAllAsFlushableRequestsAndResponsesStillMatch() {
        let recorder = decode([.connected(), .att(.rx, "0A 1900"), .att(.rx, "0B 57")], undirected: true)
        #expect(
            recorder.lines("att", "fault") == [
                "att 2 ?? 0A peer 0019", "att 3 ?? 0B peer 0019 answers 2 after 1000",
            ])
    }

    @Test func fragmentsBelongToTheSideThatBeganAFrame() {
        let recorder = decode(
            [
                .connected(), .start(.tx, "0700 0400 52 1900 01"), .more(.tx, "020304"),
                .start(.rx, "0700 0400 1B 1900 01"), .more(.rx, "020304"),
            ], undirected: true)
        #expect(
            recorder.lines("att", "fault") == [
                "att 3 ?? 52 peer 0019 frames=2,3", "att 5 ?? 1B peer 0019 frames=4,5",
            ])
    }
}

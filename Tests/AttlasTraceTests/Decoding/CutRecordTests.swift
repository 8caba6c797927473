import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// A capture that keeps less than whole packets: what is present is decoded, and nothing is called malformed.
@Suite struct CutRecordTests {
    @Test func aWholePDUThatWasCutIsDecodedAsFarAsItGoes() {
        let recorder = decode([.connected(), .start(.rx, "0F00 0400 1B 1900 0102", missing: 10)])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 2 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 5 by captured length"
            ])
    }

    @Test func aPDUCutBeforeItsHandleIsNotMalformed() {
        let recorder = decode([.connected(), .start(.tx, "0300 0400 0A 19", missing: 1)])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 2 att: Read Request incomplete, need 3 have 2 by captured length"
            ])
    }

    @Test func aPDUCutBeforeItsOpcodeIsNotMalformed() {
        let recorder = decode([.connected(), .start(.tx, "0300 0400", missing: 3)])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 2 att: ATT PDU without an opcode, need 1 have 0 by captured length"
            ])
    }

    @Test func aFirstFragmentThatWasCutKeepsItsPlace() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 01", missing: 5), .more(.rx, "0708090A0B0C"),
            .att(.rx, "1B 1900 02"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 3 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 4 by captured length frames=2,3",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test func aMiddleFragmentThatWasCutKeepsItsPlace() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 01"), .more(.rx, "02", missing: 4), .more(.rx, "0708090A0B0C"),
        ])
        expect(
            recorder.lines("l2cap", "att", "fault"),
            equals: [
                "l2cap 4 rx channel 0004 1B19000102 frames=2,3,4",
                "att 4 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 5 by captured length frames=2,3,4",
            ])
    }

    @Test func aLastFragmentThatWasCutEndsTheFrame() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 0400 1B 1900 01"), .more(.rx, "0203", missing: 9), .att(.rx, "1B 1900 02"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 3 rx 1B peer 0019 ! att: PDU not captured to its end, need 15 have 6 by captured length frames=2,3",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test func aHeaderThatWasCutIsAFault() {
        let recorder = decode([
            .connected(), .start(.rx, "0F00 04", missing: 16), .more(.rx, "0203"), .att(.rx, "1B 1900 02"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 2 l2cap: L2CAP header incomplete, need 4 have 3 by captured length",
                "fault 3 l2cap: continuation of a frame whose beginning was not captured, need 1 have 0 by ACL length",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test(arguments: ["0F", "0F00", "0F0004"]) func aSplitHeaderWhoseRestWasCutIsAFault(beginning: String) {
        let recorder = decode([
            .connected(), .start(.rx, beginning), .more(.rx, "", missing: 18), .att(.rx, "1B 1900 02"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 3 l2cap: L2CAP header incomplete, need 4 have \(beginning.count / 2) by captured length",
                "att 4 rx 1B peer 0019",
            ])
    }

    @Test func aListThatWasCutGivesTheItemsThatAreWhole() {
        // Find Information: two of three descriptors are present, and half of the third.
        let recorder = decode([
            .connected(), .att(.tx, "04 0100 FFFF"),
            .att(.rx, "05 01 1000 0229 1100 0129 12", missing: 3),
            .att(.tx, "0A 1000"), .att(.tx, "0A 1200"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
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
        expect(
            recorder.lines("signal", "fault"),
            equals: [
                "signal 2 rx Connection Parameter Update Request",
                "fault 2 l2cap: signalling command incomplete, need 8 have 2 by captured length",
                "signal 3 rx Connection Parameter Update Request",
                "fault 3 l2cap: signalling command incomplete, need 8 have 2 by L2CAP length",
            ])
    }
}

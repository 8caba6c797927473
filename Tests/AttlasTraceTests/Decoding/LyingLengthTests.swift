import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Lengths that contradict each other, and the fault that says which one set the end.
@Suite struct LyingLengthTests {
    @Test func anACLHeaderThatAnnouncesMoreThanTheRecordHoldsIsAFault() {
        // Data Total Length 16, 8 octets there, and the frame in them is whole.
        let recorder = decode([.connected(), .acl(.rx, "4020 1000 0400 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        expect(
            recorder.lines("l2cap", "att", "fault"),
            equals: [
                "fault 2 acl: record ends before the length in the ACL header, need 16 have 8 by ACL length",
                "fault 2 l2cap: octets after the end of the L2CAP frame, need 4 have 12 by L2CAP length",
                "l2cap 2 rx channel 0004 1B190001", "att 2 rx 1B peer 0019",
                "l2cap 3 rx channel 0004 1B190002", "att 3 rx 1B peer 0019",
            ])
    }

    @Test func whatIsThereOfAFrameThatTheRecordEndsInIsDecoded() {
        // ACL and L2CAP lengths agree on 8 octets of payload; the record holds 4 and does not say that it was cut.
        let recorder = decode([.connected(), .acl(.rx, "4020 0C00 0800 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 2 acl: record ends before the length in the ACL header, need 12 have 8 by ACL length",
                "att 2 rx 1B peer 0019 ! att: PDU not captured to its end, need 8 have 4 by captured length",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func anACLHeaderThatAnnouncesLessThanTheRecordHoldsSetsTheEnd() {
        // Data Total Length 7 for a frame of 8 octets: the last octet is not data.
        let recorder = decode([.connected(), .acl(.rx, "4020 0700 0400 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 2 acl: octets after the ACL data, need 7 have 8 by ACL length",
                "fault 3 l2cap: a new frame began before this one was whole, need 8 have 7 by L2CAP length frames=2",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func anL2CAPLengthThatIsTooSmallSetsTheEnd() {
        let recorder = decode([.connected(), .start(.rx, "0400 0400 1B 1900 01 0203")])
        expect(
            recorder.lines("l2cap", "att", "fault"),
            equals: [
                "fault 2 l2cap: octets after the end of the L2CAP frame, need 4 have 6 by L2CAP length",
                "l2cap 2 rx channel 0004 1B190001", "att 2 rx 1B peer 0019",
            ])
    }

    @Test func anL2CAPLengthThatIsTooLargeWaitsForMoreThatNeverComes() {
        let recorder = decode([.connected(), .start(.rx, "FFFF 0400 1B 1900 01"), .att(.rx, "1B 1900 02")])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 3 l2cap: a new frame began before this one was whole, need 65539 have 8 by L2CAP length frames=2",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func aSignallingCommandTooShortForItsParametersIsAFault() {
        // Flow Control Credit Indication: a channel and credits, of which the length lets one octet be.
        let recorder = decode([.connected(), .frame(.rx, channel: 5, hex("16 01 0100 40")), .att(.rx, "1B 1900 02")])
        expect(
            recorder.lines("signal", "att", "fault"),
            equals: [
                "signal 2 rx Flow Control Credit Indication",
                "fault 2 l2cap: Flow Control Credit Indication incomplete, need 4 have 1 by signalling command length",
                "att 3 rx 1B peer 0019",
            ])
    }

    @Test func anACLHeaderThatIsNotWholeIsAFault() {
        let recorder = decode([.acl(.rx, "402003"), .acl(.rx, "40", missing: 20), .acl(.rx, "")])
        expect(
            recorder.lines("data", "fault"),
            equals: [
                "fault 1 acl: ACL header incomplete, need 4 have 3 by captured length",
                "fault 2 acl: ACL header incomplete, need 4 have 1 by captured length",
                "fault 3 acl: ACL header incomplete, need 4 have 0 by captured length",
            ])
    }
}

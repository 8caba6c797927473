import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Which response answers which request. Core Specification, Vol 3, Part F, 3.3.2 and 3.4.1.
@Suite struct ExchangeTests {
    @Test func aResponseAnswersTheRequestOfTheOtherSide() {
        let recorder = decode([
            .connected(), .att(.tx, "0A 1900").at(microseconds: 2_000_000),
            .att(.rx, "0B 57").at(microseconds: 2_048_123),
        ])
        expect(recorder.lines("att"), equals: ["att 2 tx 0A peer 0019", "att 3 rx 0B peer 0019 answers 2 after 48123"])
    }

    @Test func aResponseBeforeItsRequestByTheClockHasNoRoundTripTime() {
        let recorder = decode([
            .connected(), .att(.tx, "0A 1900").at(microseconds: 2_000_000),
            .att(.rx, "0B 57").at(microseconds: 1_999_999),
        ])
        expect(recorder.lines("att").last, equals: "att 3 rx 0B peer 0019 answers 2 after -")
    }

    @Test func aResponseAtTheTimeOfItsRequestTookNoTime() {
        // Some logs have milliseconds only: all packets of one have the same time, and their order is that of the file.
        let recorder = decode([
            .connected().at(microseconds: 2_000_000), .att(.tx, "0A 1900").at(microseconds: 2_000_000),
            .att(.rx, "0B 57").at(microseconds: 2_000_000),
            .att(.tx, "0A 1B00").at(microseconds: 2_000_000), .att(.rx, "0B 58").at(microseconds: 2_000_000),
        ])
        expect(
            recorder.lines("att", "clock"),
            equals: [
                "att 2 tx 0A peer 0019", "att 3 rx 0B peer 0019 answers 2 after 0",
                "att 4 tx 0A peer 001B", "att 5 rx 0B peer 001B answers 4 after 0",
            ])
    }

    @Test func aClockThatWasNotSetHasRoundTripsAcross1970() {
        // From 1969-12-31 23:59:59.500000 to 1970-01-01 00:00:00.250000.
        let recorder = decode([
            .connected().at(microseconds: -600_000), .att(.tx, "0A 1900").at(microseconds: -500_000),
            .att(.rx, "0B 57").at(microseconds: 250_000),
            .att(.tx, "0A 1900").at(microseconds: -31_000_000), .att(.rx, "0B 57").at(microseconds: -30_900_000),
        ])
        expect(
            recorder.lines("att", "clock"),
            equals: [
                "att 2 tx 0A peer 0019", "att 3 rx 0B peer 0019 answers 2 after 750000", "clock 4 -31250000",
                "att 4 tx 0A peer 0019", "att 5 rx 0B peer 0019 answers 4 after 100000",
            ])
    }

    /// 24 h between a Read Request and its response are a jump of the clock, not a round trip.
    @Test func aRoundTripSpansNoJumpOfTheClock() {
        let recorder = decode([
            .connected().at(microseconds: 0), .att(.tx, "0A 1900").at(microseconds: 1_000),
            .att(.rx, "0B 57").at(microseconds: 86_400_002_000),
            .att(.tx, "0A 1900").at(microseconds: 86_400_003_000), .att(.rx, "0B 57").at(microseconds: 86_400_004_000),
        ])
        expect(
            recorder.lines("att", "clock"),
            equals: [
                "att 2 tx 0A peer 0019", "clock 3 86400001000", "att 3 rx 0B peer 0019 answers 2 after -",
                "att 4 tx 0A peer 0019", "att 5 rx 0B peer 0019 answers 4 after 1000",
            ])
    }

    // MARK: One direction only

    @Test func responsesWithoutAnyRequestNameNothing() {
        // What a log holds that kept the received packets only. Without the request nobody knows what the lists are of, and
        // the notification at the end is of a handle that nothing explains.
        let recorder = decode([
            .connected(), .att(.rx, "11 06 0E00 1500 0D18"), .att(.rx, "09 07 0F00 10 1000 372A"), .att(.rx, "13"),
            .att(.rx, "0B 57"), .att(.rx, "01 0A 1900 0A"), .att(.rx, "1B 1000 0048"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 2 rx 11 peer", "att 3 rx 09 peer", "att 4 rx 13 peer", "att 5 rx 0B peer", "att 6 rx 01 peer 0019",
                "att 7 rx 1B peer 0010",
            ])
    }

    @Test func requestsWithoutAnyResponseStandForThemselves() {
        // What was sent only: each request takes the place of the one before, and nothing is taken to have been written.
        let recorder = decode([
            .connected(), .att(.tx, "02 0502"), .att(.tx, "10 0100 FFFF 0028"), .att(.tx, "12 1100 0100"),
            .att(.tx, "16 1900 0000 AA"), .att(.tx, "18 01"), .att(.tx, "0A 1900"), .att(.tx, "1E"),
        ])
        expect(
            recorder.lines("att", "mtu", "subscription", "assembled", "fault"),
            equals: [
                "att 2 tx 02 peer", "att 3 tx 10 peer", "att 4 tx 12 peer 0011", "att 5 tx 16 peer 0019",
                "att 6 tx 18 peer", "att 7 tx 0A peer 0019", "att 8 tx 1E peer",
            ])
    }

    @Test func bothSidesMayBeClientAndServerAtOnce() {
        // 0x0010 is read on both servers; the answers cross.
        let recorder = decode([
            .connected(), .att(.tx, "0A 1000"), .att(.rx, "0A 1000"), .att(.tx, "0B AA"), .att(.rx, "0B BB"),
            .att(.tx, "1B 1000 01"), .att(.rx, "1B 1000 02"), .att(.rx, "52 1000 03"), .att(.tx, "52 1000 04"),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 tx 0A peer 0010", "att 3 rx 0A local 0010", "att 4 tx 0B local 0010 answers 3 after 1000",
                "att 5 rx 0B peer 0010 answers 2 after 3000", "att 6 tx 1B local 0010", "att 7 rx 1B peer 0010",
                "att 8 rx 52 local 0010", "att 9 tx 52 peer 0010",
            ])
    }

    @Test func theTwoServersOfALinkAreTwoTables() {
        // The host discovers that the peer's 0x0010 is a Heart Rate Measurement, the peer that the host's is a Current Time.
        let recorder = decode([
            .connected(),
            .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "08 0100 FFFF 0328"),
            .att(.tx, "09 07 0F00 02 1000 2B2A"), .att(.rx, "09 07 0F00 10 1000 372A"),
            .att(.tx, "1B 1000 01"), .att(.rx, "1B 1000 02"),
        ])
        expect(
            recorder.lines("att").suffix(2),
            equals: [
                "att 6 tx 1B local 0010 2A2B discovery", "att 7 rx 1B peer 0010 2A37 discovery",
            ])
    }

    @Test func anErrorAnswersTheRequestItNames() {
        let recorder = decode([
            .connected(), .att(.tx, "0A 1900"), .att(.rx, "01 12 1900 03"), .att(.rx, "01 0A 1900 05"),
            .att(.rx, "0B 57"),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 tx 0A peer 0019", "att 3 rx 01 peer 0019", "att 4 rx 01 peer 0019 answers 2 after 2000",
                "att 5 rx 0B peer",
            ])
    }

    @Test func anErrorWithoutAHandleIsAboutTheRequests() {
        let recorder = decode([.connected(), .att(.tx, "0A 1900"), .att(.rx, "01 0A 0000 0E")])
        expect(recorder.lines("att").last, equals: "att 3 rx 01 peer 0019 answers 2 after 1000")
    }

    @Test func aResponseWithoutARequestAnswersNothing() {
        let recorder = decode([
            .connected(), .att(.rx, "0B 57"), .att(.tx, "0A 1900"), .att(.rx, "13"), .att(.rx, "0B 57"),
            .att(.rx, "0B 58"),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 rx 0B peer", "att 3 tx 0A peer 0019", "att 4 rx 13 peer",
                "att 5 rx 0B peer 0019 answers 3 after 2000", "att 6 rx 0B peer",
            ])
    }

    @Test func anIndicationIsConfirmedByTheOtherSide() {
        let recorder = decode([
            .connected(), .att(.rx, "1D 1900 01"), .att(.tx, "1D 2000 01"), .att(.rx, "1E"), .att(.tx, "1E"),
            .att(.tx, "1E"),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 rx 1D peer 0019", "att 3 tx 1D local 0020", "att 4 rx 1E local 0020 answers 3 after 1000",
                "att 5 tx 1E peer 0019 answers 2 after 3000", "att 6 tx 1E peer",
            ])
    }

    @Test func notificationsIndicationsAndCommandsMayComeBetweenRequestAndResponse() {
        let recorder = decode([
            .connected(), .att(.tx, "0A 1900"), .att(.rx, "1B 1000 01"), .att(.tx, "52 1500 01"),
            .att(.rx, "1D 1600 01"),
            .att(.tx, "1E"), .att(.rx, "0B 57"),
        ])
        expect(
            recorder.lines("att").suffix(2),
            equals: [
                "att 6 tx 1E peer 0016 answers 5 after 1000", "att 7 rx 0B peer 0019 answers 2 after 5000",
            ])
    }

    @Test func aRequestThatCannotBeReadTakesThePlaceOfTheOneBefore() {
        // The first read is never answered; the second was cut; the answer is the second's.
        let recorder = decode([
            .connected(), .att(.tx, "0A 1900"), .frame(.tx, channel: 4, hex("0A"), missing: 2), .att(.rx, "0B 57"),
        ])
        expect(recorder.lines("att").last, equals: "att 4 rx 0B peer")
    }

    @Test func anOpcodeThatIsNotDefinedIsAFaultOfThePDU() {
        let recorder = decode([.connected(), .att(.rx, "3F 0102")])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 2 rx 3F local ! att: opcode that the specification does not define, need 0 have 3 by L2CAP length"
            ])
    }

    @Test func octetsBehindAPDUOfFixedLengthAreAFault() {
        let recorder = decode([.connected(), .att(.tx, "0A 1900 EE"), .att(.rx, "01 0A 1900 05 EEEE")])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 tx 0A peer 0019 ! att: octets after the end of the PDU, need 3 have 4 by L2CAP length",
                "att 3 rx 01 peer 0019 answers 2 after 1000 ! att: octets after the end of the PDU, need 5 have 7 by L2CAP length",
            ])
    }

    @Test func aListThatDoesNotEndEvenIsAFaultAndItsWholeItemsAreLearned() {
        let recorder = decode([
            .connected(), .att(.tx, "04 1000 FFFF"), .att(.rx, "05 01 1000 0229 11"), .att(.tx, "0A 1000"),
        ])
        expect(
            recorder.lines("att").suffix(2),
            equals: [
                "att 3 rx 05 peer answers 2 after 1000 ! att: last item of the list incomplete, need 4 have 1 by L2CAP length",
                "att 4 tx 0A peer 0010 2902 discovery",
            ])
    }

    /// Every PDU of Vol 3, Part F, 3.4, in its order, as a client (tx) and a server (rx) send them.
    @Test func everyPDUOfTheProtocolIsToldWithWhatItIsAbout() {
        let recorder = decode([
            .connected(),
            .att(.tx, "02 1700"), .att(.rx, "03 1700"),
            .att(.tx, "04 0100 FFFF"), .att(.rx, "05 01 0100 0028"),
            .att(.tx, "06 0100 FFFF 0028 0D18"), .att(.rx, "07 0100 0900"),
            .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 04 0300 5433"),
            .att(.tx, "0A 1900"), .att(.rx, "0B 57"),
            .att(.tx, "0C 1900 0000"), .att(.rx, "0D 57"),
            .att(.tx, "0E 1900 1A00"), .att(.rx, "0F 57 0100"),
            .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0900 0018"),
            .att(.tx, "20 1900 1A00"), .att(.rx, "21 0100 57 0200 0100"),
            .att(.tx, "12 1A00 0100"), .att(.rx, "13"),
            .att(.tx, "52 1900 01"),
            .att(.tx, "D2 1900 01 00000000 1122334455667788"),
            .att(.tx, "16 1900 0000 AA"), .att(.rx, "17 1900 0000 AA"),
            .att(.tx, "18 00"), .att(.rx, "19"),
            .att(.rx, "1B 1800 01"), .att(.rx, "1D 1800 01"), .att(.tx, "1E"),
            .att(.rx, "23 1800 0100 01 1900 0200 0203"),
            .att(.tx, "0A FF00"), .att(.rx, "01 0A FF00 01"),
        ])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 2 tx 02 peer", "att 3 rx 03 peer answers 2 after 1000",
                "att 4 tx 04 peer", "att 5 rx 05 peer answers 4 after 1000",
                "att 6 tx 06 peer", "att 7 rx 07 peer answers 6 after 1000",
                "att 8 tx 08 peer", "att 9 rx 09 peer answers 8 after 1000",
                "att 10 tx 0A peer 0019", "att 11 rx 0B peer 0019 answers 10 after 1000",
                "att 12 tx 0C peer 0019", "att 13 rx 0D peer 0019 answers 12 after 1000",
                "att 14 tx 0E peer", "att 15 rx 0F peer answers 14 after 1000",
                "att 16 tx 10 peer", "att 17 rx 11 peer answers 16 after 1000",
                "att 18 tx 20 peer", "att 19 rx 21 peer answers 18 after 1000",
                "att 20 tx 12 peer 001A", "att 21 rx 13 peer 001A answers 20 after 1000",
                "att 22 tx 52 peer 0019", "att 23 tx D2 peer 0019",
                "att 24 tx 16 peer 0019", "att 25 rx 17 peer 0019 answers 24 after 1000",
                "att 26 tx 18 peer", "att 27 rx 19 peer answers 26 after 1000",
                "att 28 rx 1B peer 0018", "att 29 rx 1D peer 0018", "att 30 tx 1E peer 0018 answers 29 after 1000",
                "att 31 rx 23 peer", "att 32 tx 0A peer 00FF", "att 33 rx 01 peer 00FF answers 32 after 1000",
            ])
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Values written in parts. Core Specification, Vol 3, Part F, 3.4.6; Part G, 4.9.4 and 4.9.5.
@Suite struct PreparedWriteTests {
    func assembled(_ packets: [Packet]) -> [String] {
        decode([.connected()] + packets).lines("assembled")
    }

    /// A Prepare Write Request and the response that repeats it.
    func prepare(_ part: String) -> [Packet] { [.att(.tx, "16" + part), .att(.rx, "17" + part)] }
    let execute: [Packet] = [.att(.tx, "18 01"), .att(.rx, "19")]

    @Test func executeJoinsTheParts() {
        let value = assembled(prepare("1900 0000 A0A1A2") + prepare("1900 0300 A3A4") + execute)
        expect(value, equals: ["assembled 7 prepared write complete peer 0019 unknown @0 A0A1A2A3A4 of 3,5,7"])
    }

    @Test func nothingIsWrittenBeforeTheServerSaysSo() {
        expect(assembled(prepare("1900 0000 A0A1A2") + [.att(.tx, "18 01")]), equals: [])
    }

    @Test func aQueueMayHoldSeveralAttributes() {
        let value = assembled(
            prepare("1900 0000 A0A1") + prepare("2000 0000 B0") + prepare("1900 0200 A2") + execute)
        expect(
            value,
            equals: [
                "assembled 9 prepared write complete peer 0019 unknown @0 A0A1A2 of 3,7,9",
                "assembled 9 prepared write complete peer 0020 unknown @0 B0 of 5,9",
            ])
    }

    @Test func ofPartsThatOverlapTheLaterOneCounts() {
        let value = assembled(
            prepare("1900 0000 A0A1A2A3") + prepare("1900 0200 B2B3B4") + prepare("1900 0000 C0") + execute)
        expect(value, equals: ["assembled 9 prepared write complete peer 0019 unknown @0 C0A1B2B3B4 of 3,5,7,9"])
    }

    @Test func thePartsMayComeInAnyOrder() {
        let value = assembled(prepare("1900 0200 A2A3") + prepare("1900 0000 A0A1") + execute)
        expect(value, equals: ["assembled 7 prepared write complete peer 0019 unknown @0 A0A1A2A3 of 3,5,7"])
    }

    @Test func aGapPartsAValueInTwo() {
        let value = assembled(prepare("1900 0000 A0A1") + prepare("1900 0800 A8A9") + execute)
        expect(
            value,
            equals: [
                "assembled 7 prepared write complete peer 0019 unknown @0 A0A1 of 3,7",
                "assembled 7 prepared write complete peer 0019 unknown @8 A8A9 of 5,7",
            ])
    }

    @Test func aWriteMayBeginInTheMiddleOfAValue() {
        expect(
            assembled(prepare("1900 0400 A4A5") + execute),
            equals: [
                "assembled 5 prepared write complete peer 0019 unknown @4 A4A5 of 3,5"
            ])
    }

    @Test func flagsOfZeroCancel() {
        let value = assembled(prepare("1900 0000 A0A1") + [.att(.tx, "18 00"), .att(.rx, "19")] + execute)
        expect(value, equals: ["assembled 5 prepared write cancelled peer 0019 unknown @0 A0A1 of 3,5"])
    }

    @Test func anErrorToExecuteRefusesAll() {
        let value = assembled(
            prepare("1900 0000 A0A1") + [.att(.tx, "18 01"), .att(.rx, "01 18 1900 07")] + execute)
        expect(value, equals: ["assembled 5 prepared write refused peer 0019 unknown @0 A0A1 of 3,5"])
    }

    @Test func anErrorToPrepareLeavesWhatWasPreparedBefore() {
        let value = assembled(
            prepare("1900 0000 A0A1") + [.att(.tx, "16 1900 0200 A2"), .att(.rx, "01 16 1900 09")] + execute)
        expect(value, equals: ["assembled 7 prepared write complete peer 0019 unknown @0 A0A1 of 3,7"])
    }

    @Test func whatTheServerRepeatsIsWhatItQueued() {
        let value = assembled([.att(.tx, "16 1900 0000 A0A1"), .att(.rx, "17 1900 0000 A0FF")] + execute)
        expect(value, equals: ["assembled 5 prepared write complete peer 0019 unknown @0 A0FF of 3,5"])
    }

    @Test func executingNothingWritesNothing() {
        expect(assembled(execute), equals: [])
    }

    @Test func bothSidesHaveAQueue() {
        let value = assembled(
            prepare("1900 0000 A0") + [
                .att(.rx, "16 1900 0000 B0"), .att(.tx, "17 1900 0000 B0"), .att(.rx, "18 01"), .att(.tx, "19"),
            ] + execute)
        expect(
            value,
            equals: [
                "assembled 7 prepared write complete local 0019 unknown @0 B0 of 5,7",
                "assembled 9 prepared write complete peer 0019 unknown @0 A0 of 3,9",
            ])
    }

    @Test func aPreparedWriteThatWasCutLeavesAGap() {
        let value = assembled(
            prepare("1900 0000 A0A1") + [
                .frame(.tx, channel: 4, hex("16 1900 0200 A2"), missing: 1),
                .frame(.rx, channel: 4, hex("17 1900 0200 A2"), missing: 1),
            ] + prepare("1900 0400 A4") + execute)
        expect(
            value,
            equals: [
                "assembled 9 prepared write complete peer 0019 unknown @0 A0A1A2 of 3,5,9",
                "assembled 9 prepared write complete peer 0019 unknown @4 A4 of 7,9",
            ])
    }

    @Test func aQueueBeyondAllReasonIsToldOnceAndKeptWithinBounds() {
        let part = "1900 0000" + String(repeating: "AA", count: 500)
        let recorder = decode([.connected()] + (0..<60).flatMap { _ in prepare(part) })
        expect(recorder.lines("fault").count, equals: 1)
        #expect(recorder.lines("fault")[0].contains("more prepared writes than attlas keeps"))
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// LINKTYPE_BLUETOOTH_HCI_H4 (187) does not record who sent a packet.
@Suite struct UnknownDirectionTests {
    @Test func theBoundaryFlagOfAnLELinkTellsWhoSentAFrame() {
        let recorder = decode(
            [
                .connected(),
                .att(.tx, "0A 1900"), .att(.rx, "0A 0300"), .att(.rx, "0B 57"), .att(.tx, "0B 58"),
            ], undirected: true)
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 2 ?? 0A peer 0019", "att 3 ?? 0A local 0003",
                "att 4 ?? 0B peer 0019 answers 2 after 2000", "att 5 ?? 0B local 0003 answers 3 after 2000",
            ])
    }

    @Test func aRequestSeenBeforeTheFlagsToldTheSidesIsThePeers() {
        let recorder = decode([.connected(), .att(.rx, "0A 0300"), .att(.tx, "0B 58")], undirected: true)
        expect(recorder.lines("att", "fault").last, equals: "att 3 ?? 0B local 0003 answers 2 after 1000")
    }

    @Test func withAHostThatBeginsAllAsFlushableRequestsAndResponsesStillMatch() {
        let recorder = decode([.connected(), .att(.rx, "0A 1900"), .att(.rx, "0B 57")], undirected: true)
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 2 ?? 0A peer 0019", "att 3 ?? 0B peer 0019 answers 2 after 1000",
            ])
    }

    @Test func fragmentsBelongToTheSideThatBeganAFrame() {
        let recorder = decode(
            [
                .connected(), .start(.tx, "0700 0400 52 1900 01"), .more(.tx, "020304"),
                .start(.rx, "0700 0400 1B 1900 01"), .more(.rx, "020304"),
            ], undirected: true)
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 3 ?? 52 peer 0019 frames=2,3", "att 5 ?? 1B peer 0019 frames=4,5",
            ])
    }
}

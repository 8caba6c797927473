import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// A log made with a filter holds one direction only.
@Suite struct RecordedSidesTests {
    private func onlySide(_ packets: [Packet]) -> Direction? { decoded([.connected()] + packets).onlySide }

    private func decoded(_ packets: [Packet]) -> (onlySide: Direction?, hasBothSides: Bool) {
        var trace = Trace()
        _ = decode(packets, with: &trace)
        return (trace.onlySide, trace.hasBothSides)
    }

    @Test func requestsWithoutAnyAnswerAreOneSide() {
        expect(onlySide((0..<8).map { _ in .att(.tx, "0A 1900") }), equals: .tx)
        expect(onlySide((0..<8).map { _ in .att(.rx, "0A 1900") }), equals: .rx)
    }

    @Test func answersWithoutAnyRequestAreOneSide() {
        expect(onlySide((0..<8).map { _ in .att(.rx, "0B 57") }), equals: .rx)
    }

    @Test func aFewRequestsMayBeUnanswered() {
        #expect(onlySide((0..<7).map { _ in .att(.tx, "0A 1900") }) == nil)
    }

    @Test func oneNotificationIsTheOtherSide() {
        #expect(onlySide((0..<8).map { _ in .att(.tx, "0A 1900") } + [.att(.rx, "1B 1900 01")]) == nil)
    }

    /// A server that only notifies needs nothing of the other side.
    @Test func notificationsAloneProveNothing() {
        #expect(onlySide((0..<100).map { _ in .att(.rx, "1B 1900 01") }) == nil)
    }

    /// Two PDUs are enough where no packet of any type is of the other side; one may wait for its answer, or answer an earlier request.
    @Test func aLogOfOneDirection() {
        expect(decoded([.att(.tx, "0A 1900"), .att(.tx, "0A 1A00")]).onlySide, equals: .tx)
        expect(decoded([.connected(), .att(.rx, "0B 57"), .att(.rx, "01 0A 1A00 02")]).onlySide, equals: .rx)
        for single in [Packet.att(.tx, "0A 1900"), .att(.rx, "0B 57")] {
            let trace = decoded([single])
            #expect(trace.onlySide == nil && !trace.hasBothSides)
        }
    }

    /// Nothing follows from the absence of a packet where all are of one side, or where several on a connection lack their answers.
    @Test func bothSides() {
        let unanswered: [Packet] = [.connected(), .att(.tx, "0A 1900")]
        #expect(decoded(unanswered).hasBothSides)
        #expect(decoded(unanswered + [.att(.tx, "0A 1A00")]).onlySide == nil)
        #expect(!decoded(unanswered + [.att(.tx, "0A 1A00")]).hasBothSides)
        // The second one is on another connection; and the peer sends SMP.
        #expect(decoded(unanswered + [.disconnected(), .connected(), .att(.tx, "0A 1A00")]).hasBothSides)
        #expect(decoded(unanswered + [.att(.tx, "0A 1A00"), .start(.rx, "0200 0600 0B01")]).hasBothSides)
        #expect(!decoded([.connected(), .att(.rx, "1B 1900 01"), .disconnected()]).hasBothSides)
        // A command of the host.
        #expect(decoded([.command("030C00"), .connected(), .att(.rx, "1D 1900 01"), .disconnected()]).hasBothSides)
    }
}

import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// A log made with a filter holds one direction only.
@Suite struct RecordedSidesTests {
    private func onlySide(_ packets: [Packet]) -> Direction? {
        var trace = Trace()
        _ = decode([.connected()] + packets, with: &trace)
        return trace.onlySide
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
}

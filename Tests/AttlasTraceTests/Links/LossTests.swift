import AttlasTestSupport
import Testing

@testable import AttlasTrace

/// A loss concerns all connections of a controller, and each finds out about it with its next PDU.
@Suite struct LossTests {
    private func request(_ handle: Int, controller: UInt16 = 0, losing lost: UInt32 = 0) -> Packet {
        Packet(
            .packet(.acl), .tx, little(handle) + hex("0700 0300 0400 0A 0300"), controller: controller, lost: lost)
    }

    private func answer(_ handle: Int, controller: UInt16 = 0, losing lost: UInt32 = 0) -> Packet {
        Packet(
            .packet(.acl), .rx, little(handle | 0x2000) + hex("0600 0200 0400 0B 55"), controller: controller,
            lost: lost)
    }

    @Test func aLossVisitsNoConnection() {
        var feeder = Feeder()
        for number in 1...500 {
            feeder.connect(handle: number, number: number)
            feeder.feed(request(number))
        }
        for _ in 0..<1_000 { feeder.feed(answer(1, losing: 1)) }
        expect(feeder.trace.losses.count, equals: 1_000)
        expect(feeder.trace.connections[0].losses, equals: 1_000)
        #expect(feeder.trace.connections[0].bearer.transmitted.pending.request == nil)
        for slot in 1..<500 {
            expect(feeder.trace.connections[slot].losses, equals: 0)
            #expect(feeder.trace.connections[slot].bearer.transmitted.pending.request != nil)
        }
        // The answer is the first that it hears of since then.
        feeder.feed(answer(2))
        expect(feeder.trace.connections[1].losses, equals: 1_000)
        #expect(feeder.trace.connections[1].bearer.transmitted.pending.request == nil)
    }

    @Test func anAnswerAfterALossOnAnotherConnectionAnswersNothing() {
        let recorder = decode([
            .connected(), .att(.tx, "0A 1900"), .event("0F 04 00 01 00 00").losing(1), .att(.rx, "0B 57"),
            .att(.tx, "0A 1A00"), .att(.rx, "0B 58"),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 tx 0A peer 0019", "att 4 rx 0B peer", "att 5 tx 0A peer 001A",
                "att 6 rx 0B peer 001A answers 5 after 1000",
            ])
    }

    @Test func aLossOfOneControllerIsNoneOfAnother() {
        var feeder = Feeder()
        for controller in 0...1 as ClosedRange<UInt16> {
            feeder.connect(handle: 1, number: 1, controller: controller)
            feeder.feed(request(1, controller: controller))
        }
        feeder.feed(answer(9, controller: 0, losing: 1))
        // PDUs of the other side: both connections hear of the loss.
        for controller in 0...1 as ClosedRange<UInt16> {
            feeder.feed(Packet(.packet(.acl), .rx, hex("0120 0800 0400 0400 1B 0300 55"), controller: controller))
        }
        #expect(feeder.trace.connections[0].bearer.transmitted.pending.request == nil)
        #expect(feeder.trace.connections[1].bearer.transmitted.pending.request != nil)
    }

    /// A connection that begins after a loss has lost nothing.
    @Test func aNewConnectionKnowsOfAllLosses() {
        var feeder = Feeder()
        feeder.feed(answer(9, losing: 1))
        feeder.connect(handle: 1, number: 1)
        expect(feeder.trace.connections[0].losses, equals: 1)
        expect(feeder.trace.connections[0].ownLosses, equals: 1)
    }
}

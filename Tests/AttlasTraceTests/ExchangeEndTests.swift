import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

/// How requests and indications end without their answers. Core Specification, Vol 3, Part F, 3.3; Documentation/procedures.md.
@Suite struct ExchangeEndTests {
    /// `request frame: outcome` of each, and `unexpected frame`.
    private struct Ends: EventSink {
        var lines: [String] = []

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            switch event.detail {
            case .exchange(let end):
                let outcome =
                    switch end.outcome {
                    case .unanswered: end.isTimedOut ? "timed out" : "unanswered"
                    case .open: "open"
                    case .overlapped(let next): "overlapped by \(next.frame)"
                    case .doubtful(let doubt): "doubtful, \(doubt.rawValue)"
                    }
                lines.append("\(end.asked.frame) \(end.server.rawValue): \(outcome)")
            case .att(let operation):
                if operation.unexpected != nil { lines.append("\(event.frame): unexpected") }
                if let request = operation.request, request.isLate { lines.append("\(request.frame): late") }
            default: break
            }
        }
    }

    private func ends(_ packets: [Packet]) -> [String] {
        var trace = Trace()
        var ends = Ends()
        trace.decode(packets, as: RecordMaker(), into: &ends)
        trace.finish(into: &ends)
        return ends.lines
    }

    private static let read = Packet.att(.tx, "0A 0300")
    private static let response = Packet.att(.rx, "0B AA")

    private func at(_ milliseconds: Double, _ packet: Packet) -> Packet { packet.at(milliseconds: milliseconds) }

    @Test func anAnswerIsNoEnd() {
        expect(ends([.connected(), Self.read, Self.response, .disconnected()]), equals: [])
    }

    /// The transaction has to be complete within 30 s. 3.3.3
    @Test(arguments: [(30_100.0, ["2: late"]), (30_099.999, [])]) func thirtySecondsAreTooLate(
        _ time: Double, _ lines: [String]
    ) {
        let packets = [at(0, .connected()), at(100, Self.read), at(time, Self.response), at(40_000, .disconnected())]
        expect(ends(packets), equals: lines)
    }

    @Test func theConnectionEndsFirst() {
        let packets = [at(0, .connected()), at(100, Self.read), at(200, .att(.rx, "1D 0500 AA"))]
        expect(ends(packets + [at(29_000, .disconnected())]), equals: ["2 peer: unanswered", "3 peer: unanswered"])
        expect(ends(packets + [at(30_200, .disconnected())]), equals: ["2 peer: timed out", "3 peer: timed out"])
    }

    /// The end of the capture is not that of the connection.
    @Test func theCaptureEndsFirst() {
        let packets = [at(0, .connected()), at(100, Self.read)]
        expect(ends(packets + [at(30_099, .att(.rx, "1B 0500 AA"))]), equals: ["2 peer: open"])
        expect(ends(packets + [at(30_100, .att(.rx, "1B 0500 AA"))]), equals: ["2 peer: timed out"])
        // Without events of HCI, what another connection does is no sign of life.
        let other = [at(100, Self.read), at(40_000, .att(.rx, "1B 0500 AA", handle: 0x41))]
        expect(ends(other), equals: ["1 peer: open"])
    }

    /// One request at a time, and one indication. 3.3.2
    @Test func twoAtOnce() {
        let second = Packet.att(.tx, "0A 0500")
        expect(
            ends([.connected(), Self.read, second, Self.response, Self.response, .disconnected()]),
            equals: ["2 peer: overlapped by 3"])
        expect(
            ends([.connected(), Self.read, second, Self.response, Self.response, Self.response, .disconnected()]),
            equals: ["2 peer: overlapped by 3", "6: unexpected"])
        // Requests of the two sides, and an indication, are separate.
        expect(
            ends([
                .connected(), Self.read, .att(.rx, "0A 0300"), .att(.rx, "1D 0500 AA"), Self.response,
                .att(.tx, "0B AA"), .att(.tx, "1E"), .disconnected(),
            ]), equals: [])
    }

    /// It may have been the response: a Read By Type Response of two octets.
    @Test func anUnreadableAnswer() {
        expect(
            ends([.connected(), Self.read, .att(.rx, "09 02"), .disconnected()]),
            equals: ["2 peer: doubtful, unreadable"])
        // The other side's has nothing to do with it.
        expect(ends([.connected(), Self.read, .att(.tx, "09 02"), .disconnected()]), equals: ["2 peer: unanswered"])
        // After 30 s it is too late for any answer.
        let late = [
            at(0, .connected()), at(100, Self.read), at(30_100, .att(.rx, "09 02")), at(31_000, .disconnected()),
        ]
        expect(ends(late), equals: ["2 peer: timed out"])
    }

    /// A frame whose beginning was not captured may have been anything of its sender.
    @Test func anUnreadableFrame() {
        let packets = [.connected(), Self.read, Packet.more(.rx, "AABB"), .disconnected()]
        expect(ends(packets), equals: ["2 peer: doubtful, unreadable"])
        expect(ends([.connected(), Self.read, .more(.tx, "AABB"), .disconnected()]), equals: ["2 peer: unanswered"])
    }

    @Test func recordsAreLost() {
        expect(
            ends([.connected(), Self.read, .att(.rx, "1B 0500 AA").losing(1), .disconnected()]),
            equals: ["2 peer: doubtful, missing"])
        // What was asked in the gap may be answered, once.
        expect(
            ends([
                .connected(), .att(.rx, "1B 0500 AA").losing(1), Self.response, Self.response, .disconnected(),
            ]), equals: ["4: unexpected"])
    }

    /// A connection that began before the capture: one answer may come.
    @Test func theBeginningIsNotCaptured() {
        expect(ends([Self.response, Self.response]), equals: ["2: unexpected"])
        // Nothing is open before a request that was answered.
        expect(ends([Self.read, Self.response, Self.response]), equals: ["3: unexpected"])
    }

    /// Error Response for another request, and a response to another one. 3.4.1.1
    @Test func anotherAnswer() {
        expect(
            ends([.connected(), Self.read, .att(.rx, "13"), .disconnected()]),
            equals: ["3: unexpected", "2 peer: doubtful, otherAnswer"])
    }

    /// A log without directions, in which both sides' requests look like one's. The flags of the packets say nothing.
    @Test func withoutDirections() {
        var trace = Trace()
        var sink = Ends()
        let packets = ["0A 0300", "0A 0500", "0B AA"].map { pdu in
            Packet.fragment(.rx, boundary: 0b10, [3 - (pdu.count == 5 ? 1 : 0), 0, 4, 0] + hex(pdu))
        }
        trace.decode(packets, as: RecordMaker(undirected: true), into: &sink)
        trace.finish(into: &sink)
        expect(sink.lines, equals: ["1 peer: doubtful, direction"])
    }
}

import AttlasLint
import AttlasTestSupport
import AttlasWire
import Testing

/// Answers of `why`, on conversations from the specification: Core Specification, Vol 3, Part F, 3.4 and Part G, 3.3.
@Suite struct WhyTests {
    /// Heart Rate with Heart Rate Measurement (notify) at 0x0012 and its Client Characteristic Configuration at 0x0013.
    private static let discovery: [Packet] = [
        .connected(),
        .att(.tx, "10 0100 FFFF 0028"),
        .att(.rx, "11 06 1000 1300 0D18"),
        .att(.tx, "08 1000 1300 0328"),
        .att(.rx, "09 07 1100 10 1200 372A"),
        .att(.tx, "04 1300 1300"),
        .att(.rx, "05 01 1300 0229"),
    ]

    private func answer(
        _ packets: [Packet], to subject: String? = "Heart Rate Measurement"
    ) throws -> (answer: WhyModel.Answer, text: String) {
        let model = document(of: packets) { WhyCollector(subject, values: $0) }
        let answer = try #require(model.answers.first)
        return (answer, answer.sentences.map(\.text).joined(separator: "\n"))
    }

    /// The write of 0x0001 is refused with Insufficient Authentication (0x05).
    @Test func aRefusedConfiguration() throws {
        let (answer, text) = try answer(
            Self.discovery + [.att(.tx, "12 1300 0100"), .att(.rx, "01 12 1300 05"), .disconnected(reason: 0x13)])
        #expect(text.contains("It was discovered in frame 5, on connection 1: it declares notify."))
        #expect(
            text.contains(
                "The peer refused once what was asked of its Client Characteristic Configuration, first in frame 9."))
        #expect(text.contains("No notification and no indication of it came."))
        #expect(answer.sentences.contains { $0.frame == 9 })
        #expect(!answer.advice.isEmpty)
    }

    @Test func nobodySubscribed() throws {
        let (answer, text) = try answer(
            Self.discovery + [.att(.tx, "0A 1200"), .att(.rx, "0B 0048"), .disconnected(reason: 0x13)])
        #expect(text.contains("Nobody subscribed to it in this capture."))
        #expect(text.contains("It was read once."))
        #expect(answer.advice.contains { $0.contains("0x0001") && $0.contains("0x0013") } || !answer.findings.isEmpty)
    }

    /// Three notifications, then 20 s of silence until the supervision time-out (0x08).
    @Test func subscribedThenSilent() throws {
        let values = (0..<3).map { Packet.att(.rx, "1B 1200 0048").at(milliseconds: Double(1_000 + $0 * 1_000)) }
        let (answer, text) = try answer(
            Self.discovery + [.att(.tx, "12 1300 0100"), .att(.rx, "13")] + values
                + [.disconnected(reason: 0x08).at(milliseconds: 23_000)])
        #expect(text.contains("the host subscribed to notifications, and the peer accepted that in frame 9."))
        #expect(text.contains("3 notifications came from frame 10 to frame 12, 1.0 a second, the longest pause 1.0 s."))
        #expect(text.contains("Connection 1 ended in frame 13, 20.0 s after that: Connection Timeout (0x08)."))
        #expect(answer.untold.isEmpty)
    }

    /// By its UUID, by the name of the peer, and not at all.
    @Test func subjects() throws {
        #expect(try answer(Self.discovery, to: "2A37").answer.handle == 0x0012)
        #expect(try answer(Self.discovery, to: "heart rate measurement").answer.handle == 0x0012)
        let peer = try answer(Self.discovery, to: nil)
        #expect(peer.answer.characteristic == nil)
        #expect(
            peer.text.contains(
                "1 service and 1 characteristic are known, from the frames 3 to 7; none of them are subscribed to."))
        let none = document(of: Self.discovery) { WhyCollector("Battery Level", values: $0) }
        #expect(none.answers.isEmpty)
        #expect(none.known.contains("Heart Rate Measurement"))
    }

    /// Without its beginning, what was subscribed to before is unknown.
    @Test func aConnectionWithoutItsBeginning() throws {
        let (answer, _) = try answer(Array(Self.discovery.dropFirst()))
        #expect(answer.untold.contains { $0.contains("was made before the capture began") })
    }
}

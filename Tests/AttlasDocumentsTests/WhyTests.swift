import AttlasDocuments
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
        _ packets: [Packet], to subject: String = "Heart Rate Measurement"
    ) throws -> (answer: WhyModel.Answer, text: String) {
        let model = document(of: packets) { WhyCollector(subject, values: $0) }
        let answer = try #require(model.answers.first)
        return (answer, answer.sentences.map(\.text).joined(separator: "\n"))
    }

    /// Service Changed of all handles, and then Battery with Battery Level at the same handles: each has its own story.
    @Test func aCharacteristicOfAFormerTable() throws {
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0118 1000 1300 0D18"),
            .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 20 0300 052A 1100 10 1200 372A"),
            .att(.tx, "12 1300 0100"), .att(.rx, "01 12 1300 05"), .att(.rx, "1D 0300 1000 FFFF"), .att(.tx, "1E"),
            .att(.tx, "10 1000 FFFF 0028"), .att(.rx, "11 06 1000 1300 0F18"),
            .att(.tx, "08 1000 1300 0328"), .att(.rx, "09 07 1100 10 1200 192A"),
            .att(.rx, "1B 1200 5A"), .disconnected(reason: 0x13),
        ]
        let former = try answer(packets)
        #expect(former.text.contains("Discovered in frame 5 (connection 1)"))
        #expect(former.text.contains("The table that has it held until frame 8, then Service Changed."))
        #expect(former.text.contains("No values came."))
        let now = try answer(packets, to: "Battery Level")
        #expect(now.text.contains("Discovered in frame 13 (connection 1)"))
        #expect(now.text.contains("one notification came in frame 14"))
        #expect(now.answer.sentences.allSatisfy { $0.incident != .subscriptionRefused })
    }

    /// The write of 0x0001 is refused with Insufficient Authentication (0x05).
    @Test func aRefusedConfiguration() throws {
        let (answer, text) = try answer(
            Self.discovery + [.att(.tx, "12 1300 0100"), .att(.rx, "01 12 1300 05"), .disconnected(reason: 0x13)])
        #expect(text.contains("Discovered in frame 5 (connection 1): it declares notify."))
        #expect(text.contains("No values came."))
        #expect(answer.sentences.contains { $0.frame == 9 && $0.incident == .subscriptionRefused })
        #expect(!answer.advice.isEmpty)
    }

    /// A Write Command of a descriptor (Vol 3, Part G, 4.12.3) breaks nothing here: the values come.
    @Test(arguments: [(3, ["gatt/descriptor-by-command"]), (WhyCollector.lintLimit + 1, nil)])
    func theRulesAreNamedWhereNothingBroke(_ values: Int, _ rules: [String]?) {
        let packets =
            Self.discovery + [.att(.tx, "52 1300 0100")] + Array(repeating: .att(.rx, "1B 1200 0048"), count: values)
        let model = document(of: packets) { WhyCollector(nil, values: $0) }
        #expect(model.incidents.numbered.isEmpty)
        expect(model.findings?.map(\.rule.id), equals: rules)
    }

    @Test func nobodySubscribed() throws {
        let (answer, text) = try answer(
            Self.discovery + [.att(.tx, "0A 1200"), .att(.rx, "0B 0048"), .disconnected(reason: 0x13)])
        #expect(text.contains("Nobody subscribed to it in this capture."))
        #expect(text.contains("It was read once."))
        #expect(answer.advice.contains { $0.contains("0x0001") && $0.contains("0x0013") } || !answer.findings.isEmpty)
    }

    /// Three notifications, then 20 s of silence until the supervision timeout (0x08).
    @Test func subscribedThenSilent() throws {
        let values = (0..<3).map { Packet.att(.rx, "1B 1200 0048").at(milliseconds: Double(1_000 + $0 * 1_000)) }
        let (answer, text) = try answer(
            Self.discovery + [.att(.tx, "12 1300 0100"), .att(.rx, "13")] + values
                + [.disconnected(reason: 0x08).at(milliseconds: 23_000)])
        #expect(text.contains("the host subscribed to notifications; accepted in frame 9."))
        #expect(text.contains("3 notifications came from frame 10 to frame 12, 1.0 a second, longest gap 1.0 s."))
        #expect(text.contains("Connection 1 ended in frame 13, 20.0 s after that: Connection Timeout (0x08)."))
        #expect(answer.untold.isEmpty)
    }

    /// By its UUID, by the name of the peer, and not at all.
    @Test func subjects() throws {
        try expect(answer(Self.discovery, to: "2A37").answer.handle, equals: 0x0012)
        try expect(answer(Self.discovery, to: "heart rate measurement").answer.handle, equals: 0x0012)
        try expect(answer(Self.discovery, to: "2A3").answer.handle, equals: 0x0012)
        try expect(answer(Self.discovery, to: "heart rate m").answer.handle, equals: 0x0012)
        let peer = try answer(Self.discovery, to: "F2:F2")
        #expect(peer.answer.characteristic == nil)
        #expect(
            peer.text.contains(
                "Known: 1 service and 1 characteristic (frames 3–7); no subscription, and no values came."))
        #expect(document(of: Self.discovery) { WhyCollector(nil, values: $0) }.answers.isEmpty)
        let none = document(of: Self.discovery) { WhyCollector("Battery Level", values: $0) }
        #expect(none.answers.isEmpty)
        #expect(none.known.contains("Heart Rate Measurement"))
    }

    /// Without its beginning, what was subscribed to before is unknown.
    @Test func aConnectionWithoutItsBeginning() throws {
        let (answer, _) = try answer(Array(Self.discovery.dropFirst()))
        #expect(answer.untold.contains { $0.contains("was made before the capture began") })
    }

    /// What was refused is no reason to try it again, and properties alone are none to try anything.
    @Test func adviceFollowsFromWhatHappened() throws {
        let refused = try answer(
            Self.discovery + [.att(.tx, "0A 1200"), .att(.rx, "01 0A 1200 05"), .disconnected(reason: 0x13)]
        ).answer
        expect(refused.advice.first, equals: "Pair first, then repeat the request.")
        #expect(!refused.advice.contains { $0.contains("Read it") })
    }

    /// A connection without any ATT PDU, after one with it: both are told.
    @Test func aConnectionWithoutATT() throws {
        let (_, text) = try answer(
            Self.discovery + [.disconnected(), .connected(), .disconnected(reason: 0x16)], to: "F2:F2:F2")
        #expect(text.contains("Connection 2 began in frame 9."))
        #expect(
            text.contains("Connection 2 ended in frame 10: Connection Terminated By Local Host (0x16), by the host."))
    }

    /// Devices without an address are one each, each with its own connection.
    @Test func devicesWithoutAnAddress() {
        let packets = [0x40, 0x41].flatMap { handle in
            [
                Packet.att(.tx, "08 0100 FFFF 0328", handle: handle),
                .att(.rx, "09 07 1100 02 1200 192A", handle: handle),
            ]
        }
        let model = document(of: packets) { WhyCollector("2A19", values: $0) }
        expect(model.answers.map { $0.sentences.first?.frame }, equals: [2, 4])
        #expect(model.answers.map(\.untold).allSatisfy { $0.first?.hasPrefix("Connection ") == true })
    }

    /// Eight connections: the ones on which nothing happened are one sentence, which names a way to see them.
    @Test func manyConnections() throws {
        let packets = (0..<8).flatMap { index -> [Packet] in
            [
                Packet.connected().at(milliseconds: Double(30_000 * index + 1_000)),
                .disconnected(reason: index == 6 ? 0x08 : 0x13),
            ]
        }
        let (answer, text) = try answer(packets, to: "F2")
        #expect(
            text.contains(
                "Connections 1 to 6, 6 with this device: nothing broke (attlas show --filter 'connection == 1' shows one)."
            ))
        #expect(answer.sentences.contains { $0.frame == 14 && $0.incident == .linkLost })
        #expect(text.contains("Connection 8 began in frame 15."))
    }
}

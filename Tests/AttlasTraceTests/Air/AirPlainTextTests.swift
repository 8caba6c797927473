import AttlasTestSupport
import Testing

@testable import AttlasTrace

/// Links that were captured as plain text although encryption began, and links that were really encrypted.
@Suite struct AirPlainTextTests {
    private let air = Air()
    private let made = "connection 1 1 12345678 made 66:55:44:33:22:11 LE central 24/0/72"
    private let began = "connection 4 1 12345678 encryption true Success"

    /// LL_ENC_REQ, LL_ENC_RSP and LL_START_ENC_REQ: frames 1 to 4. Core Specification, Vol 6, Part B, 5.1.3.1.
    private var start: [Packet] {
        [
            air.connect(),
            air.control(.tx, sn: 0, nesn: 0, "03 9078563412EFCDAB 7424 1302F1E0DFCEBDAC 24ABDCBA"),
            air.control(.rx, sn: 0, nesn: 1, "04 7968574635241302 BEBAAFDE"),
            air.control(.rx, sn: 1, nesn: 1, "05"),
        ]
    }

    private func decode(_ packets: [Packet], _ configure: (inout Trace) -> Void = { _ in }) -> Recorder {
        var trace = Trace()
        configure(&trace)
        return AttlasTraceTests.decode(start + packets, with: &trace)
    }

    /// LL_START_ENC_RSP with one octet has no MIC, though it is always encrypted.
    @Test func startEncryptionResponsesWithoutMIC() {
        let recorder = decode([
            air.control(.tx, sn: 1, nesn: 0, "06"), air.control(.rx, sn: 0, nesn: 0, "06"),
            air.att(.tx, sn: 0, nesn: 1, "0A 0300"), air.att(.rx, sn: 1, nesn: 1, "0B 5A"),
        ])
        expect(recorder.lines("connection"), equals: [made, began, "connection 6 1 12345678 decryption plainText"])
        expect(recorder.lines("att").count, equals: 2)
    }

    /// The first frame waits for the second, and keeps its number. A retransmission is left out once.
    @Test func framesInBothDirections() {
        let recorder = decode([
            air.att(.tx, sn: 1, nesn: 0, "0A 0300"), air.att(.tx, sn: 1, nesn: 0, "0A 0300"),
            air.att(.rx, sn: 0, nesn: 0, "0B 5A"), air.att(.tx, sn: 0, nesn: 1, "0A 0500"),
        ])
        expect(recorder.lines("connection"), equals: [made, began, "connection 5 1 12345678 decryption plainText"])
        expect(recorder.lines("att").map { $0.prefix(11) }, equals: ["att 5 tx 0A", "att 7 rx 0B", "att 8 tx 0A"])
        expect(recorder.lines("air").filter { $0.hasSuffix("retransmission") }.count, equals: 1)
    }

    /// A frame in two fragments, and LL_LENGTH_REQ between: nothing of it is lost, though none of it settles the question.
    @Test func fragmentsAndControlPDUs() {
        let recorder = decode([
            air.data(.tx, 2, sn: 1, nesn: 0, hex("0300 0400 0A")),
            air.control(.rx, sn: 0, nesn: 0, "14 FB00 4808 FB00 4808"),
            air.data(.tx, 1, sn: 0, nesn: 1, hex("0300")),
            air.att(.rx, sn: 1, nesn: 1, "0B 5A"),
            air.att(.tx, sn: 1, nesn: 0, "0A 0500"),
        ])
        expect(recorder.lines("connection"), equals: [made, began, "connection 5 1 12345678 decryption plainText"])
        expect(recorder.lines("att").map { $0.prefix(11) }, equals: ["att 7 tx 0A", "att 8 rx 0B", "att 9 tx 0A"])
        #expect(recorder.lines("air").contains { $0.contains("LL_LENGTH_REQ") })
        #expect(recorder.lines("fault").isEmpty)
    }

    /// A packet between the two fragments was missed: they do not become one frame.
    @Test func aHoleInAFragmentedFrame() {
        let recorder = decode([
            air.data(.tx, 2, sn: 1, nesn: 0, hex("0300 0400 0A")),
            air.data(.tx, 1, sn: 1, nesn: 0, hex("0500")),
            air.att(.rx, sn: 0, nesn: 0, "0B 5A"),
            air.att(.tx, sn: 0, nesn: 1, "0A 0500"),
        ])
        expect(recorder.lines("att").map { $0.prefix(11) }, equals: ["att 7 rx 0B", "att 8 tx 0A"])
        #expect(recorder.lines("fault").contains { $0.contains("a packet of this frame was missed") })
    }

    /// One frame, and then the link ends.
    @Test func oneFrameBeforeTheEnd() {
        let recorder = decode([air.att(.tx, sn: 1, nesn: 0, "0A 0300"), air.control(.tx, sn: 0, nesn: 0, "02 13")])
        expect(recorder.lines("att").map { $0.prefix(11) }, equals: ["att 5 tx 0A"])
        expect(recorder.lines("connection").dropLast().last, equals: "connection 5 1 12345678 decryption plainText")
    }

    /// Ciphertext after plain text stays encrypted.
    @Test func ciphertextAmongPlainText() {
        let recorder = decode([
            air.att(.tx, sn: 1, nesn: 0, "0A 0300"), air.att(.rx, sn: 0, nesn: 0, "0B 5A"),
            air.data(.tx, 2, sn: 0, nesn: 1, hex("7A70D664 15226DF2 6B17839A")),
            air.control(.rx, sn: 1, nesn: 1, "A3 4C13A415"),
            air.att(.tx, sn: 1, nesn: 0, "0A 0500"),
        ])
        expect(recorder.lines("att").map { $0.prefix(11) }, equals: ["att 5 tx 0A", "att 6 rx 0B", "att 9 tx 0A"])
        expect(recorder.lines("air").filter { $0.hasSuffix(" encrypted") }.count, equals: 2)
        #expect(recorder.lines("fault").isEmpty)
    }

    // MARK: Really encrypted

    /// The Core Specification's sample data, Vol 6, Part C, 1, and a fragment that continues nothing.
    @Test func ciphertext() {
        let recorder = decode([
            air.control(.tx, sn: 1, nesn: 0, "9F CDA7F448"), air.control(.rx, sn: 0, nesn: 0, "A3 4C13A415"),
            air.data(
                .tx, 2, sn: 0, nesn: 1,
                hex("7A70D664 15226DF2 6B17839A 06040559 6BD6564F 796B5B9C E6FF32 F75A6D33")),
            air.data(.rx, 1, sn: 1, nesn: 1, hex("F38881E7 BD94C9C3")),
        ])
        expect(recorder.lines("connection"), equals: [made, began, "connection 5 1 12345678 decryption noKey"])
        #expect(recorder.lines("att", "l2cap", "fault").isEmpty)
        #expect(recorder.lines("air").suffix(4).allSatisfy { $0.hasSuffix(" encrypted") })
    }

    /// What looks like a frame once is ciphertext where ciphertext follows.
    @Test func oneFrameByChance() {
        let recorder = decode([
            air.att(.tx, sn: 1, nesn: 0, "0A 0300"),
            air.data(.rx, 2, sn: 0, nesn: 0, hex("7A70D664 15226DF2 6B17839A")),
            air.att(.tx, sn: 0, nesn: 1, "0A 0500"),
            air.data(.rx, 2, sn: 1, nesn: 1, hex("F38881E7 BD94C9C3 69B9A668")),
        ])
        expect(recorder.lines("connection"), equals: [made, began, "connection 5 1 12345678 decryption noKey"])
        #expect(recorder.lines("att", "l2cap", "fault").isEmpty)
        expect(recorder.lines("air").filter { $0.hasSuffix(" encrypted") }.count, equals: 4)
    }

    /// Fragments that may be plain text without end: no more than the limit is held back.
    @Test func whatIsHeldBackIsBounded() {
        let recorder = decode(
            [air.data(.tx, 2, sn: 1, nesn: 0, hex("FF00 0400 0A"))]
                + (0..<AirEncryption.heldLimit).map {
                    air.data(.tx, 1, sn: $0 & 1, nesn: 0, little($0))
                })
        expect(recorder.lines("air").filter { $0.hasSuffix(" encrypted") }.count, equals: AirEncryption.heldLimit + 1)
        #expect(recorder.lines("att", "l2cap").isEmpty)
    }
}

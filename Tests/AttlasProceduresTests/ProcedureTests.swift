import AttlasCapture
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasProcedures

/// Documentation/procedures.md.
@Suite struct ProcedureTests {
    private struct Followed: EventSink {
        var follower: ProcedureFollower
        var lines: [String] = []
        var wantsPackets: Bool { false }
        var wantsControl: Bool { true }

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            follower.receive(event, in: trace)
            take()
        }

        mutating func take() {
            while let procedure = follower.next() { lines.append(Self.line(procedure)) }
        }

        /// `discovery 2–9 done, 4 steps`
        private static func line(_ procedure: Procedure) -> String {
            let began = procedure.beganFrame.map { "\($0)" } ?? ""
            let ended = procedure.ended.map { "\($0.frame)" } ?? ""
            var line = "\(procedure.kind.rawValue) \(began)–\(ended) \(procedure.outcome.word)"
            if case .refused(let refusal) = procedure.outcome { line += " \(refusal.code)" }
            if procedure.steps > 1 { line += ", \(procedure.steps) steps" }
            if let duration = procedure.duration { line += ", \(duration / 1_000_000) ms" }
            return line
        }
    }

    /// A packet every 10 ms, after the setup of a connection.
    private func lines(_ packets: [Packet], withExchanges: Bool = true, isOpen: Bool = true) -> [String] {
        var all = [Packet.connected()] + packets + (isOpen ? [] : [.disconnected()])
        var time = 0
        for index in all.indices {
            time += all[index].time.map { Int($0.microseconds(since: .epoch)) } ?? 10_000
            all[index] = all[index].at(microseconds: time)
        }
        var sink = Followed(follower: ProcedureFollower(withExchanges: withExchanges))
        var trace = Trace()
        trace.decode(all, into: &sink)
        trace.finish(into: &sink)
        sink.follower.finish(in: trace)
        sink.take()
        return sink.lines.filter { !$0.hasPrefix("connection attempt") }
    }

    @Test func exchanges() {
        expect(lines([.att(.tx, "0A0300"), .att(.rx, "0BAA")]), equals: ["exchange 2–3 done, 10 ms"])
        expect(lines([.att(.tx, "0A0300"), .att(.rx, "010A03000A")]), equals: ["exchange 2–3 refused 10, 10 ms"])
        expect(lines([.att(.rx, "1D0300AA"), .att(.tx, "1E")]), equals: ["exchange 2–3 done, 10 ms"])
        expect(lines([.att(.tx, "0A0300")]), equals: ["exchange 2– open"])
        expect(lines([.att(.tx, "0A0300")], isOpen: false), equals: ["exchange 2–3 unanswered, 10 ms"])
        expect(
            lines([.att(.tx, "0A0300"), .att(.rx, "0BAA").at(milliseconds: 30_000)]),
            equals: [
                "exchange 2–3 late, 30000 ms"
            ])
        #expect(lines([.att(.tx, "0A0300"), .att(.rx, "0BAA")], withExchanges: false).isEmpty)
    }

    @Test func exchangeOfTheMTU() {
        expect(lines([.att(.tx, "02F700"), .att(.rx, "03B900")]), equals: ["MTU exchange 2–3 done, 10 ms"])
    }

    /// Vol 3, Part G, 4.4.1, 4.6.1: until Attribute Not Found.
    @Test func discovery() {
        let packets: [Packet] = [
            .att(.tx, "100100FFFF0028"), .att(.rx, "1106 0100 0500 0018"),
            .att(.tx, "100600FFFF0028"), .att(.rx, "0110 0600 0A"),
            .att(.tx, "08010005000328"), .att(.rx, "0907 0200 02 0300 002A"),
        ]
        expect(lines(packets), equals: ["discovery 2–7 done, 3 steps, 50 ms"])
        // Reads between the searches are none of it.
        expect(
            lines(Array(packets[..<4]) + [.att(.tx, "0A0300"), .att(.rx, "0BAA")] + packets[4...]),
            equals: [
                "exchange 6–7 done, 10 ms", "discovery 2–9 done, 3 steps, 70 ms",
            ])
        // A search after 5 s belongs to another discovery.
        let late = [packets[2].at(milliseconds: 5_000), packets[3]]
        expect(
            lines(Array(packets[..<2]) + late),
            equals: [
                "discovery 2–3 done, 10 ms", "discovery 4–5 done, 10 ms",
            ])
        expect(lines(Array(packets[..<3]), isOpen: false), equals: ["discovery 2–5 unanswered, 2 steps, 30 ms"])
        // By the type of a value, it is a read.
        expect(lines([.att(.tx, "080100FFFF002A"), .att(.rx, "0903 0300 41")]), equals: ["exchange 2–3 done, 10 ms"])
    }

    /// Vol 3, Part G, 4.8.3: with an MTU of 23, a Read Response of 22 octets may continue.
    @Test func longReads() {
        let full = String(repeating: "AA", count: 22)
        let first: [Packet] = [.att(.tx, "0A0300"), .att(.rx, "0B" + full)]
        expect(
            lines(first + [.att(.tx, "0C03001600"), .att(.rx, "0DBB")]), equals: ["long read 2–5 done, 2 steps, 30 ms"])
        expect(
            lines(first + [.att(.tx, "0C03001600"), .att(.rx, "010C030007")]),
            equals: [
                "long read 2–5 done, 2 steps, 30 ms"
            ])
        expect(
            lines(first + [.att(.tx, "0C03001600"), .att(.rx, "010C03000E")]),
            equals: [
                "long read 2–5 refused 14, 2 steps, 30 ms"
            ])
        // Nobody reads on.
        expect(
            lines(first + [.att(.tx, "0A0500"), .att(.rx, "0BCC")]),
            equals: [
                "exchange 2–3 done, 10 ms", "exchange 4–5 done, 10 ms",
            ])
        expect(lines(first, isOpen: false), equals: ["exchange 2–3 done, 10 ms"])
    }

    /// Vol 3, Part G, 4.9.4; Part F, 3.4.6.3.
    @Test func longWrites() {
        let prepared: [Packet] = [
            .att(.tx, "16 0300 0000 AABB"), .att(.rx, "17 0300 0000 AABB"),
            .att(.tx, "16 0300 0200 CC"), .att(.rx, "17 0300 0200 CC"),
        ]
        expect(lines(prepared + [.att(.tx, "1801"), .att(.rx, "19")]), equals: ["long write 2–7 done, 3 steps, 50 ms"])
        expect(
            lines(prepared + [.att(.tx, "1800"), .att(.rx, "19")]), equals: ["long write 2–7 cancelled, 3 steps, 50 ms"]
        )
        expect(
            lines(prepared + [.att(.tx, "1801"), .att(.rx, "0118030007")]),
            equals: [
                "long write 2–7 refused 7, 3 steps, 50 ms"
            ])
        expect(lines(prepared, isOpen: false), equals: ["long write 2–6 interrupted, 2 steps, 40 ms"])
        expect(lines(prepared), equals: ["long write 2– open, 2 steps"])
        #expect(
            lines(prepared + [Packet.att(.tx, "0A0500").losing(1)]).contains("long write 2– doubtful, 2 steps"))
    }

    /// Vol 3, Part G, 4.12.3.
    @Test func subscriptions() {
        let descriptor: [Packet] = [.att(.tx, "0404000400"), .att(.rx, "05 01 0400 0229")]
        let discovered = "discovery 2–3 done, 10 ms"
        expect(
            lines(descriptor + [.att(.tx, "1204000100"), .att(.rx, "13")]),
            equals: [
                "subscription 4–5 done, 10 ms", discovered,
            ])
        expect(
            lines(descriptor + [.att(.tx, "1204000100"), .att(.rx, "0112040005")]),
            equals: [
                "subscription 4–5 refused 5, 10 ms", discovered,
            ])
    }

    /// Vol 3, Part H, 2.1: from Pairing Request to encryption.
    @Test func pairing() {
        let request = Packet.frame(.tx, channel: 6, hex("01 03 00 01 10 00 01"))
        let response = Packet.frame(.rx, channel: 6, hex("02 03 00 01 10 00 01"))
        let failed = Packet.frame(.rx, channel: 6, hex("05 04"))
        // LE Enable Encryption of handle 0x0040, its Command Status, and Encryption Change.
        let enable = Packet.command(
            "19 20 1C 40 00 0000000000000000 0000 000102030405060708090A0B0C0D0E0F")
        let status = Packet.event("0F 04 00 01 19 20")
        let encrypted = Packet.event("08 04 00 40 00 01")
        expect(
            lines([request, response, enable, status, encrypted]),
            equals: [
                "encryption 4–6 done, 20 ms", "pairing 2–6 done, 2 steps, 40 ms",
            ])
        expect(lines([request, response, failed]), equals: ["pairing 2–4 refused 4, 2 steps, 20 ms"])
        expect(lines([request], isOpen: false), equals: ["pairing 2–3 interrupted, 10 ms"])
        expect(lines([request]), equals: ["pairing 2– open"])
        expect(lines([enable, status, .event("08 04 06 40 00 00")]), equals: ["encryption 2–4 refused 6, 20 ms"])
        // Command Status: Unknown Connection Identifier.
        expect(lines([enable, .event("0F 04 02 01 19 20")]), equals: ["encryption 2–3 refused 2, 10 ms"])
    }

    /// Vol 3, Part A, 4.20 and 4.21; Vol 4, Part E, 7.7.65.3.
    @Test func updatesOfParameters() {
        let request = Packet.frame(.rx, channel: 5, hex("12 01 0800 0600 0C00 0000 F401"))
        let accepted = Packet.frame(.tx, channel: 5, hex("13 01 0200 0000"))
        let rejected = Packet.frame(.tx, channel: 5, hex("13 01 0200 0100"))
        let updated = Packet.event("3E 0A 03 00 40 00 06 00 00 00 F4 01")
        expect(lines([request, accepted, updated]), equals: ["parameter update 2–4 done, 20 ms"])
        expect(lines([request, rejected]), equals: ["parameter update 2–3 refused 1, 10 ms"])
        expect(lines([request, accepted], isOpen: false), equals: ["parameter update 2–4 interrupted, 20 ms"])
        // The capture has only the end.
        expect(lines([updated]), equals: ["parameter update –2 done"])
        // By the host, and refused by the peer's controller: Unsupported Remote Feature.
        let command = Packet.command("13 20 0E 40 00 06 00 0C 00 00 00 F4 01 00 00 00 00")
        expect(
            lines([command, .event("0F 04 00 01 13 20"), .event("3E 0A 03 1A 40 00 18 00 00 00 48 00")]),
            equals: [
                "parameter update 2–4 refused 26, 20 ms"
            ])
    }

    /// Vol 3, Part A, 4.22 and 4.23: LE_PSM 0x0080, CID 0x0040, MTU 64, MPS 64, 1 credit; then 0x0004, no resources.
    @Test func channels() {
        func request(_ direction: Direction, _ identifier: String) -> Packet {
            .frame(direction, channel: 5, hex("14 \(identifier) 0A00 8000 4000 4000 4000 0100"))
        }
        let made = Packet.frame(.rx, channel: 5, hex("15 01 0A00 4000 4000 4000 0100 0000"))
        let refused = Packet.frame(.tx, channel: 5, hex("15 01 0A00 0000 0000 0000 0000 0400"))
        expect(
            lines([request(.tx, "01"), request(.rx, "01"), request(.tx, "02"), made, refused]),
            equals: [
                "L2CAP channel 2–5 done, 30 ms", "L2CAP channel 3–6 refused 4, 30 ms", "L2CAP channel 4– open",
            ])
    }

    /// Vol 4, Part E, 7.8.21 and 7.7.65.4; 7.8.49 and 7.7.65.12.
    @Test func proceduresOfTheLinkLayer() {
        expect(
            lines([
                .command("16 20 02 40 00"), .event("0F 04 00 01 16 20"),
                .event("3E 0C 04 00 40 00 0100000000000000"),
                .command("32 20 07 40 00 00 02 02 00 00"), .event("0F 04 00 01 32 20"),
            ]), equals: ["feature exchange 2–4 done, 20 ms", "PHY update 5– open"])
    }

    /// Vol 4, Part E, 7.8.12 and 7.7.65.1.
    @Test func attempts() {
        var sink = Followed(follower: ProcedureFollower(withExchanges: true))
        var trace = Trace()
        let create = Packet.command("0D 20 19 6000 3000 00 01 F2F2F2F2F2F2 00 1800 2800 0000 4800 0000 0000")
        // Unknown Connection Identifier: cancelled; Connection Failed to be Established.
        let cancelled = Packet.event("3E 13 01 02 0000 00 01 F2F2F2F2F2F2 0000 0000 0000 00")
        let failed = Packet.event("3E 13 01 3E 0000 00 01 F2F2F2F2F2F2 0000 0000 0000 00")
        let packets = [create, cancelled, create, failed, create, .connected(), create]
        trace.decode(packets.enumerated().map { $1.at(milliseconds: Double($0) * 10) }, into: &sink)
        trace.finish(into: &sink)
        sink.follower.finish(in: trace)
        sink.take()
        expect(
            sink.lines,
            equals: [
                "connection attempt 1–2 cancelled, 10 ms", "connection attempt 3–4 refused 62, 10 ms",
                "connection attempt 5–6 done, 10 ms", "connection attempt 7– open",
            ])
    }

    /// What is missing of another controller is no reason to doubt.
    @Test func lossesOfAnotherController() {
        var other = Packet.event("0E 04 01 01 0C 00", controller: 1).losing(1)
        let request = Packet.frame(.tx, channel: 6, hex("01 03 00 01 10 00 01"))
        expect(lines([request, other], isOpen: false), equals: ["pairing 2–4 interrupted, 20 ms"])
        other.controller = 0
        expect(lines([request, other], isOpen: false), equals: ["pairing 2–4 doubtful, 20 ms"])
    }

    /// What runs is bounded.
    @Test func isBounded() {
        var packets: [Packet] = []
        for number in 0..<200 {
            packets.append(.frame(.rx, channel: 5, hex("12") + [UInt8(number + 1)] + hex("0800 0600 0C00 0000 F401")))
            packets.append(.att(number % 2 == 0 ? .tx : .rx, "16 0300 0000 AABB"))
        }
        #expect(lines(packets).count < 450)
    }
}

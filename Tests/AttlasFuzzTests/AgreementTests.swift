import AttlasCapture
import AttlasConversation
import AttlasFilter
import AttlasFuzz
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasProcedures
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Foundation
import Testing

/// `why`, `lint`, `stats` and `show` say the same of each request and indication: Documentation/procedures.md.
@Suite struct AgreementTests {
    /// What a conversation has, as a document counts it, or as it was made.
    struct Counts: Equatable {
        var asked = 0
        /// Of them, in time or not.
        var answered = 0
        var late = 0
        /// Without those that timed out.
        var unanswered = 0
        var timedOut = 0
        var open = 0
        var overlapped = 0
        /// Doubtful and overlapped.
        var unknown = 0
        var unexpected = 0
        var updatesUnanswered = 0
    }

    // MARK: By the documents

    private static func byStatistics(_ packets: [Packet]) -> Counts {
        let model = document(of: packets) { SelectedStatistics(selection: Selection(), values: $0) }
        var counts = Counts()
        for row in model.groups(by: .connection).flatMap(\.exchanges) {
            counts.answered += row.roundTrips.count + row.untimed
            counts.unanswered += row.unanswered
            counts.timedOut += row.timedOut
            counts.open += row.open
            counts.overlapped += row.overlapping
            counts.unknown += row.answerMissed
        }
        return counts
    }

    private static func byLint(_ packets: [Packet]) -> Counts {
        let model = document(of: packets) { LintCollector(values: $0) }
        func count(_ rules: String...) -> Int {
            model.findings.filter { rules.contains($0.rule.id) }.reduce(0) { $0 + $1.count }
        }
        var counts = Counts()
        counts.unanswered = count("att/unanswered-request", "att/unconfirmed-indication")
        counts.timedOut = count("att/transaction-timeout")
        counts.overlapped = count("att/request-overlap", "att/indication-overlap")
        counts.unexpected = count("att/unexpected-response", "att/wrong-response", "att/unexpected-confirmation")
        counts.updatesUnanswered = count("link/update-unanswered")
        return counts
    }

    private static func byIncidents(_ packets: [Packet]) -> Counts {
        let model = document(of: packets) { IncidentCollector(values: $0) }
        func count(_ kinds: Incident.Kind...) -> Int {
            model.incidents.filter { kinds.contains($0.kind) }.reduce(0) { $0 + $1.count }
        }
        var counts = Counts()
        counts.unanswered = count(.requestUnanswered, .indicationUnconfirmed)
        counts.open = count(.endsInTheMiddle)
        counts.unexpected = count(.unrequestedResponse)
        counts.updatesUnanswered = count(.updateUnanswered)
        return counts
    }

    private static func byConversation(_ packets: [Packet]) throws -> Counts {
        var counts = Counts()
        let text = printedLines(of: packets) { ConversationJSON(values: $0, showsHCI: false, file: nil) }
        for line in text.split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard object["type"] as? String == "att" else { continue }
            let method = object["method"] as? String ?? ""
            if method.hasSuffix("Request") || method == "Handle Value Indication" { counts.asked += 1 }
            guard object["request_frame"] != nil else { continue }
            counts.answered += 1
            if let time = object["rtt_us"] as? Double, time >= 30_000_000 { counts.late += 1 }
        }
        return counts
    }

    private struct Followed: EventSink {
        var follower = ProcedureFollower(withExchanges: true)
        var counts = Counts()
        var wantsPackets: Bool { false }
        var wantsControl: Bool { true }

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            follower.receive(event, in: trace)
            take()
        }

        /// Each exchange is a step of one procedure.
        mutating func take() {
            while let procedure = follower.next() {
                if procedure.opcode == nil {
                    if procedure.kind == .parameterUpdate, procedure.outcome == .unanswered {
                        counts.updatesUnanswered += 1
                    }
                } else {
                    counts.asked += procedure.steps
                    if procedure.outcome == .open, procedure.ended == nil { counts.open += 1 }
                }
            }
        }
    }

    private static func byProcedures(_ packets: [Packet]) -> Counts {
        var trace = Trace()
        var sink = Followed()
        trace.decode(packets, into: &sink)
        trace.finish(into: &sink)
        sink.follower.finish(in: trace)
        sink.take()
        // The other side may have answered.
        if !trace.hasBothSides { sink.counts.updatesUnanswered = 0 }
        return sink.counts
    }

    /// The documents agree, and with `known`, if there is one.
    private func compare(_ packets: [Packet], known: Counts? = nil, _ what: Comment) throws {
        let (statistics, lint) = (Self.byStatistics(packets), Self.byLint(packets))
        let (incidents, conversation) = (Self.byIncidents(packets), try Self.byConversation(packets))
        expect(statistics.answered, equals: conversation.answered, what)
        let timedOutUnanswered = statistics.timedOut - conversation.late
        expect(statistics.timedOut, equals: lint.timedOut, what)
        expect(statistics.unanswered, equals: lint.unanswered + timedOutUnanswered, what)
        expect(statistics.overlapped, equals: lint.overlapped, what)
        expect(statistics.open, equals: incidents.open, what)
        expect(lint.unexpected, equals: incidents.unexpected, what)
        expect(lint.updatesUnanswered, equals: incidents.updatesUnanswered, what)
        // Those that waited for less than a second are no incident.
        #expect(incidents.unanswered <= lint.timedOut + lint.unanswered, what)
        #expect(incidents.unanswered >= lint.timedOut, what)
        let procedures = Self.byProcedures(packets)
        expect(procedures.asked, equals: conversation.asked, what)
        expect(procedures.updatesUnanswered, equals: lint.updatesUnanswered, what)
        let ended = statistics.answered + statistics.unanswered + statistics.open + statistics.unknown
        expect(ended, equals: conversation.asked, what)
        guard let known else { return }
        expect(conversation.asked, equals: known.asked, what)
        expect(conversation.answered, equals: known.answered, what)
        expect(conversation.late, equals: known.late, what)
        expect(lint.unanswered, equals: known.unanswered, what)
        expect(timedOutUnanswered, equals: known.timedOut, what)
        expect(statistics.open, equals: known.open, what)
        expect(statistics.overlapped, equals: known.overlapped, what)
        expect(statistics.unknown, equals: known.unknown, what)
        expect(lint.unexpected, equals: known.unexpected, what)
    }

    // MARK: Conversations

    /// One after another: what happens to each request is known when it is made.
    private struct Episodes {
        var random: SeededGenerator
        var packets: [Packet] = []
        var known = Counts()
        /// Microseconds.
        var time = 0
        let handle: Int
        let controller: UInt16

        mutating func put(_ packet: Packet, after microseconds: Int) {
            time += microseconds
            packets.append(packet.at(microseconds: time))
        }

        mutating func put(_ direction: Direction, _ pdu: String, after microseconds: Int, missing: Int = 0) {
            put(.att(direction, pdu, handle: handle, missing: missing, controller: controller), after: microseconds)
        }

        /// Read Request and its response; Handle Value Indication and its confirmation.
        private static let pairs = [
            ("0A 0300", "0B AA"), ("12 0300 01", "13"), ("0A 0300", "01 0A 0300 05"), ("1D 0300 AA", "1E"),
        ]

        mutating func add() {
            let asker: Direction = random.pick(in: 0..<2) == 0 ? .tx : .rx
            let other: Direction = asker == .tx ? .rx : .tx
            let (request, answer) = Self.pairs[random.pick(in: 0..<Self.pairs.count)]
            let isIndication = request.hasPrefix("1D")
            func ask(_ episodes: inout Episodes, after microseconds: Int = 100_000) {
                episodes.put(asker, request, after: microseconds)
                episodes.known.asked += 1
            }
            switch random.pick(in: 0..<8) {
            case 0, 1:
                ask(&self)
                put(other, answer, after: random.pick(in: 1..<29_999_999))
                known.answered += 1
            case 2:
                // Within 30 s is 29.999999 s.
                ask(&self)
                put(other, answer, after: 29_999_999)
                known.answered += 1
            case 3:
                ask(&self)
                put(other, answer, after: 30_000_000 + random.pick(in: 0..<2) * random.pick(in: 0..<10_000_000))
                known.answered += 1
                known.late += 1
            case 4:
                // The later of two is taken to be answered; the answer to the first is excused.
                ask(&self)
                ask(&self, after: random.pick(in: 1..<29_000_000))
                put(other, answer, after: 1_000)
                put(other, answer, after: 1_000)
                known.answered += 1
                known.overlapped += 1
                known.unknown += 1
            case 5 where !isIndication:
                // A Read By Type Response of two octets.
                ask(&self)
                put(other, "09 02", after: random.pick(in: 1..<29_000_000))
                known.unknown += 1
            case 6 where !isIndication:
                ask(&self)
                put(
                    Packet.att(asker, "1B 0300 AA", handle: handle, controller: controller).losing(3),
                    after: random.pick(in: 1..<29_000_000))
                known.unknown += 1
                // What comes after the loss may answer what was lost, until something is answered.
                for _ in 0..<2 {
                    put(asker, "0A 0300", after: 1_000)
                    put(other, "0B AA", after: 1_000)
                    put(other, "0A 0300", after: 1_000)
                    put(asker, "0B AA", after: 1_000)
                    put(asker, "1D 0300 AA", after: 1_000)
                    put(other, "1E", after: 1_000)
                    put(other, "1D 0300 AA", after: 1_000)
                    put(asker, "1E", after: 1_000)
                }
                known.asked += 8
                known.answered += 8
            default:
                put(asker, isIndication ? "52 0300 AA" : "1B 0300 AA", after: 1_000)
            }
        }
    }

    private func sequential(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var episodes = Episodes(random: SeededGenerator(seed: seed &+ 1), handle: 0x40, controller: 0)
        episodes.put(.connected(handle: 0x40), after: 0)
        // Both directions are in the log.
        episodes.put(.tx, "52 0300 01", after: 0)
        episodes.put(.rx, "1B 0300 01", after: 0)
        for _ in 0..<random.pick(in: 1..<8) { episodes.add() }
        switch random.pick(in: 0..<4) {
        case 0: episodes.put(.disconnected(handle: 0x40), after: 1_000)
        case 1:
            episodes.put(.tx, "0A 0300", after: 1_000)
            episodes.put(.disconnected(handle: 0x40), after: 5_000_000)
            episodes.known.asked += 1
            episodes.known.unanswered += 1
        case 2:
            episodes.put(.rx, "1D 0300 AA", after: 1_000)
            episodes.put(.disconnected(handle: 0x40), after: 30_000_000)
            episodes.known.asked += 1
            episodes.known.timedOut += 1
        default:
            episodes.put(.tx, "0A 0300", after: 1_000)
            episodes.put(.rx, "1B 0300 AA", after: 29_999_999)
            episodes.known.asked += 1
            episodes.known.open += 1
        }
        try compare(episodes.packets, known: episodes.known, "sequential, seed \(seed)")
    }

    /// Anything at any time, on two connections at once.
    private func disorderly(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pdus = [
            "0A 0300", "0A 0500", "0B AA", "0B", "12 0300 01", "13", "01 0A 0300 05", "01 12 0300 03",
            "08 0100 FFFF 0028",
            "09 04 0300 AABB", "09 02", "1B 0300 AA", "1D 0300 AA", "1E", "52 0300 AA", "02 1700", "03 1700", "0A",
            "55 00",
        ]
        var packets = [Packet.connected(handle: 0x40).at(microseconds: 0)]
        var time = 0
        var handles = [0x40]
        if random.pick(in: 0..<2) == 0 {
            packets.append(.connected(Address.probe, handle: 0x41).at(microseconds: 10))
            handles.append(0x41)
        }
        for _ in 0..<random.pick(in: 2..<40) {
            time += [1_000, 20_000, 500_000, 3_000_000, 29_999_000, 30_000_000][random.pick(in: 0..<6)]
            let handle = handles[random.pick(in: 0..<handles.count)]
            let direction: Direction = random.pick(in: 0..<2) == 0 ? .tx : .rx
            var packet: Packet
            switch random.pick(in: 0..<30) {
            case 0: packet = .start(direction, "0500 0400 0B", handle: handle)
            case 1: packet = .more(direction, "AABB", handle: handle)
            case 2: packet = .att(direction, "12 0300 01", handle: handle, missing: 3)
            case 3: packet = .frame(.rx, channel: 5, hex("12 01 0800 0600 0600 0000 C800"), handle: handle)
            case 4: packet = .frame(.tx, channel: 5, hex("13 01 0200 0000"), handle: handle)
            default: packet = .att(direction, pdus[random.pick(in: 0..<pdus.count)], handle: handle)
            }
            if random.pick(in: 0..<25) == 0 { packet = packet.losing(2) }
            packets.append(packet.at(microseconds: time))
        }
        for handle in handles where random.pick(in: 0..<3) > 0 {
            time += [1_000, 2_000_000, 31_000_000][random.pick(in: 0..<3)]
            packets.append(
                .disconnected(handle: handle, reason: random.pick(in: 0..<2) == 0 ? 0x13 : 0x16).at(microseconds: time))
        }
        try compare(packets, "disorderly, seed \(seed)")
    }

    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["ATTLAS_FUZZ_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...(.max >> 1))
    }

    @Test func theyAgree() throws { try agree(times: 200) }

    func agree(times: Int) throws {
        let seed = Self.seed
        for number in 0..<times / 2 {
            try sequential(seed: seed &+ UInt64(number))
            try disorderly(seed: seed &+ UInt64(number))
        }
    }
}

/// The same, ten thousand times.
@Suite struct AgreementLongTests {
    @Test func theyAgree() throws { try AgreementTests().agree(times: 10_000) }
}

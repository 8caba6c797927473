import AttlasCapture
import AttlasIncidents
import AttlasTestSupport
import AttlasTrace
import Foundation
import Testing

@Suite struct IncidentTests {
    static let stories =
        linkStories + securityStories + requestStories + valueStories + qualityStories + firmwareStories + hostStories

    @Test(arguments: stories) func isFound(_ story: IncidentStory) throws {
        let conversation = Conversation(story.has)
        let model = document(of: conversation.packets) { IncidentCollector(values: $0) }
        #expect(model.met.missing(story.kind.requires) == nil)
        let found = model.incidents.filter { $0.kind == story.kind }
        expect(found.flatMap(\.occurrences).sorted(), equals: conversation.marked)
        #expect(found.allSatisfy { $0.weight == story.weight && $0.cause.certainty == story.certainty })
        for incident in found {
            #expect(!incident.what.isEmpty && !incident.next.isEmpty && !incident.title.isEmpty)
            #expect(incident.frames == incident.frames.sorted() && incident.frames.contains(incident.frame))
            #expect(incident.frames.allSatisfy { $0 > 0 && $0 <= conversation.packets.count })
        }
    }

    /// Nothing of the kind, and nothing else that a user would notice.
    @Test(arguments: stories) func isNotInvented(_ story: IncidentStory) {
        for undirected in [false, true] {
            let found = Conversation(story.lacks).incidents(undirected: undirected)
            #expect(!found.contains { $0.kind == story.kind && $0.weight == story.weight })
            #expect(!found.contains { $0.weight == .broke && $0.kind != .linkLost })
        }
    }

    @Test func everyKindHasAStory() {
        let told = Set(Self.stories.map(\.kind))
        expect(told, equals: Set(Incident.Kind.allCases))
    }

    /// Octets that were changed at random trap nothing, and make no more incidents than are kept.
    @Test func damagedConversations() {
        var generator = SplitMix64(seed: 20)
        for story in Self.stories {
            for _ in 0..<20 { _ = Conversation(story.has).damaged(by: &generator).incidents() }
        }
    }

    /// Three occurrences of one incident are one thing.
    @Test func headlines() {
        func headline(_ script: String) -> String {
            document(of: Conversation(script).packets) { IncidentCollector(values: $0) }.headline
        }
        let lost = String(repeating: "connect\nwait 5000\ndisconnect 08\n", count: 3)
        expect(headline(lost), equals: "1 thing broke")
        let ignored = "command 14 0C 00\nconnect\nsmp < 0B 01\nwait 9000\ndisconnect 16"
        expect(headline(ignored), equals: "Nothing broke; 1 thing was slow or repeated")
        expect(headline("connect\ndisconnect 13"), equals: "Nothing broke")
    }

    /// HCI_Disconnect, and no packet of the peer after it: the host wanted the end. Without the command the link was lost.
    @Test(arguments: ["08", "22"]) func anEndThatTheHostAskedForIsNoLoss(reason: String) {
        let lost = Conversation("connect\n> 0A 1500\n< 0B 01\nwait 900\ndisconnect \(reason)").incidents()
        expect(lost.map(\.weight), equals: [.broke])
        let asked = Conversation(
            "connect\n> 0A 1500\n< 0B 01\ncommand 06 04 03 4000 13\nwait 900\ndisconnect \(reason)"
        ).incidents()
        #expect(asked.map(\.weight) == [.noted] && asked[0].title == "no answer while the host disconnected")
        // Command Status: Command Disallowed.
        let refused = Conversation(
            "connect\n> 0A 1500\n< 0B 01\ncommand 06 04 03 4000 13\nevent 0F 04 0C 01 06 04\nwait 900\ndisconnect \(reason)"
        ).incidents()
        #expect(refused.contains { $0.weight == .broke && $0.title.hasPrefix("connection lost") })
    }

    /// A peer that advertises after its last PDU has left; one that answers afterwards accepts several connections.
    @Test func aPeerThatAdvertisesHasLeft() throws {
        let script = "connect\n> 0A 1500\n< 0B 01\nwait 2000\nadvertise F2F2F2F2F2F2\n"
        let end = "wait 3000\nadvertise F2F2F2F2F2F2\nwait 1000\ndisconnect 08"
        let lost = try #require(Conversation(script + end).incidents().first)
        #expect(lost.kind == .linkLost && lost.cause.certainty == .likely)
        #expect(lost.cause.text.hasPrefix("The device advertised again 4.0 s before (frame 4): it had left"))
        let other = try #require(Conversation(script + "> 0A 1500\n< 0B 01\n" + end).incidents().first)
        #expect(other.kind == .linkLost && other.cause.certainty == .unknown)
    }

    // MARK: Courses

    /// Read refused with Insufficient Authentication, no pairing, closed 0.4 s later: one incident with three steps.
    @Test func oneCourse() throws {
        let incidents = Conversation(
            heartRate + "> 0A 1500\n< 01 0A 1500 05\nwait 400\ndisconnect 16"
        ).incidents()
        let incident = try #require(incidents.first)
        expect(incidents.count, equals: 1)
        #expect(incident.kind == .requestRefused && incident.weight == .broke && incident.cause.certainty == .proved)
        expect(incident.steps.map(\.frame), equals: [8, 9, 10])
        expect(incident.title, equals: "Body Sensor Location cannot be read: Insufficient Authentication")
    }

    /// Control Point Not Supported for 2, and a response for 1; and for 2 again.
    @Test func anotherValueIsAnotherRequest() throws {
        func incident(_ later: String) throws -> Incident {
            try #require(
                Conversation(heartRate + "> 12 1500 02\n< 01 12 1500 80\n> 12 1500 \(later)\n< 13\ndisconnect")
                    .incidents().first)
        }
        let (other, same) = (try incident("01"), try incident("02"))
        #expect(other.weight == .hindered && other.steps.map(\.text).contains("the server accepted another value"))
        #expect(!other.title.hasSuffix("accepted later") && same.title.hasSuffix(", accepted later"))
    }

    /// Refused, paired and asked again: what a phone does every time.
    @Test func refusedThenPaired() throws {
        let incidents = Conversation(
            heartRate + "> 0A 1500\n< 01 0A 1500 05\n" + pairing + confirm
                + "smp < 04 202122232425262728292A2B2C2D2E2F\nencrypt\n> 0A 1500\n< 0B 01\ndisconnect"
        ).incidents()
        let incident = try #require(incidents.first)
        #expect(incidents.count == 1 && incident.weight == .noted)
        expect(incident.steps.compactMap(\.frame), equals: [8, 9, 10, 16, 18])
    }

    /// Refused for lack of security; then pairing failed, which is a consequence.
    @Test func pairingFollowsTheRefusal() throws {
        let incidents = Conversation(
            heartRate + "> 0A 1500\n< 01 0A 1500 05\n" + pairing + "smp < 05 05\nwait 100\ndisconnect 05"
        ).incidents()
        let failed = try #require(incidents.first { $0.kind == .pairingFailed })
        expect(failed.follows, equals: 9)
        expect(failed.frames.last, equals: 13)
        #expect(!incidents.contains { $0.kind == .endedWithError })
    }

    /// Equal ones are one, in the order of their frames, over all connections.
    @Test func equalIncidents() throws {
        let incidents = Conversation(repeated("connect\nwait 800\ndisconnect 08", 3)).incidents()
        let lost = try #require(incidents.first)
        expect(incidents.count, equals: 1)
        #expect(lost.count == 3 && lost.occurrences == [2, 4, 6] && lost.headline == "connection lost 3 times")
    }

    /// A refusal like an earlier one is only counted, unless it turned out otherwise.
    @Test func refusalsOfSeveralConnections() throws {
        let refused = "> 12 1500 02\n< 01 12 1500 80\n"
        let incidents = Conversation(
            heartRate + refused + "> 12 1500 01\n< 13\ndisconnect\n" + heartRate + refused + "disconnect\n"
                + heartRate + refused + "> 12 1500 01\n< 13\ndisconnect"
        ).incidents()
        #expect(incidents.map(\.weight) == [.broke, .hindered] && incidents.map(\.count) == [1, 2])
        for incident in incidents {
            expect(incident.title, equals: "write to Body Sensor Location refused: Control Point Not Supported")
            #expect(incident.what.hasPrefix("Write Request of Body Sensor Location by the host: refused with "))
            #expect(incident.steps.first?.text == "Write Request by the host" && !incident.next.isEmpty)
        }
        expect(incidents[1].steps.last?.text, equals: "the server accepted another value")
    }

    /// Devices without an address are one each.
    @Test func unknownDevices() {
        let packets: [Packet] = [
            .att(.tx, "0A 1500", handle: 0x40), .att(.rx, "01 0A 1500 02", handle: 0x40),
            .att(.tx, "0A 1500", handle: 0x41), .att(.rx, "01 0A 1500 02", handle: 0x41),
        ]
        let incidents = document(of: packets) { IncidentCollector(values: $0) }.incidents
        expect(incidents.map(\.place.connection), equals: [1, 2])
    }

    /// A timeout of 420 ms and an effective interval of 150 ms: three missed packets end the link.
    @Test func aTimeoutThatIsTooShort() throws {
        // LE Connection Complete: interval 30 ms, latency 4, timeout 420 ms.
        let made = "event 3E 13 01 00 4000 00 01 F2F2F2F2F2F2 1800 0400 2A00 00\n"
        let lost = try #require(Conversation(made + "wait 1000\ndisconnect 08").incidents().first)
        expect(lost.what, equals: "Connection lost: nothing heard for 420 ms (supervision timeout).")
        expect(lost.cause.certainty, equals: .likely)
        #expect(lost.cause.text.contains("420 ms is only 2.8 times"))
    }

    /// Read RSSI: −92 dBm shortly before the end.
    @Test func aWeakSignal() throws {
        let read = "command 05 14 02 4000\nevent 0E 07 01 05 14 00 4000 "
        let lost = try #require(
            Conversation("connect\n\(read)C3\nwait 20000\n\(read)A4\nwait 1000\ndisconnect 08").incidents().first)
        expect(lost.cause.certainty, equals: .likely)
        expect(lost.cause.text, equals: "Out of range or interference: the last RSSI is -92 dBm.")
        #expect(lost.before?.contains("RSSI went from -61 to -92 dBm") == true)
    }

    /// An answer that comes after 31 s is as good as none.
    @Test func anAnswerThatIsLate() throws {
        let late = try #require(
            Conversation(heartRate + "> 0A 1500\nwait 31000\n< 0B 01\ndisconnect").incidents().first)
        #expect(late.kind == .requestUnanswered && late.weight == .broke && late.frames == [8, 9])
    }

    // MARK: What is not there

    /// Records were lost between the request and the end: the answer may have been in them.
    @Test func afterALoss() {
        let incidents = Conversation(heartRate + "> 0A 1500\nlose\nwait 31000\ndisconnect 16").incidents()
        expect(incidents.map(\.kind), equals: [.recordsLost])
    }

    /// Both sides ask at once; the MTU is exchanged both ways.
    @Test func crossedRequests() {
        let incidents = Conversation(
            heartRate + "> 02 F700\n< 02 F700\n< 03 F700\n> 03 F700\n> 0A 1500\n< 0A 0300\n> 0B 41\n< 0B 01\ndisconnect"
        ).incidents()
        #expect(incidents.isEmpty)
    }

    /// The connection is older than the capture and outlives it.
    @Test func theMiddle() {
        let incidents = Conversation("< 0B 01\n> 0A 1500\n< 0B 01\nwait 60000\n> 0A 1500").incidents()
        #expect(!incidents.contains { $0.weight > .noted })
    }

    /// More different incidents than are kept: they are counted.
    @Test func theLimit() {
        let errors = (0..<1_200).flatMap { number -> [Packet] in
            let handle = String(format: "%02X%02X", number & 0xFF, 1 + number >> 8)
            return [.att(.tx, "0A \(handle)"), .att(.rx, "01 0A \(handle) 02")]
        }
        let model = document(of: [.connected()] + errors) { IncidentCollector(values: $0) }
        expect(model.incidents.count, equals: 1_024)
        expect(model.leftOut, equals: 176)
    }
}

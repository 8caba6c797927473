import AttlasDefinitions
import AttlasFilter
import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

@testable import AttlasReport

/// Multiple Handle Value Notifications and Read Multiple Variable Responses carry the values of several attributes: every
/// output has each of them. Core Specification, Vol 3, Part F, 3.4.4.12 and 3.4.7.4.
@Suite struct SeveralValuesTests {
    /// Battery Level at handle 3, and Body Sensor Location at handle 5, of one service.
    private static let discovery: [(Direction, String)] = [
        (.tx, "10 0100 FFFF 0028"), (.rx, "11 06 0100 0500 0F18"),
        (.tx, "08 0100 0500 0328"), (.rx, "09 07 0200 12 0300 192A 0400 12 0500 382A"),
    ]
    private static let notified = discovery + [(.rx, "23 0300 0100 5A 0500 0100 01")]
    private static let read = discovery + [(.tx, "20 0300 0500"), (.rx, "21 0100 5A 0100 01")]

    @Test(arguments: [notified, read])
    func theLineHasThem(pdus: [(Direction, String)]) throws {
        let text = Talking.show(nil, pdus) { ConversationText(values: $0, options: .init()) }
        let line = try #require(text.split(separator: "\n").last)
        #expect(line.contains("Battery Level: 90 %, Battery › Body Sensor Location: Chest"))
    }

    @Test func aRowOfATableHasEach() {
        let table = Talking.show(nil, Self.read) { ConversationCSV(values: $0, file: nil, hasHeader: false) }
        let rows = table.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let last = rows.suffix(2)
        #expect(last.map { $0[5] } == Array(repeating: "Read Multiple Variable Response", count: 2))
        #expect(last.map { $0[7] } == ["Battery Level", "Body Sensor Location"])
        #expect(last.map { $0[9] } == ["0x0003", "0x0005"])
        #expect(last.map { $0[10] } == ["0x5a", "0x01"])
        #expect(last.map { $0[11] } == ["90 %", "Chest"])
        // What the operation has once counts once. A second a PDU, and none between the request and its response.
        #expect(last.map { $0[12] } == ["1000000", ""])
    }

    @Test func theTreeCountsAndShowsThem() throws {
        let notified = Talking.document(nil, Self.notified) { TreeCollector(values: $0) }
        let activities = try #require(notified.peers.first).activities
        #expect(activities[3]?.notifications == 1)
        #expect(activities[3]?.lastValue == [0x5A])
        #expect(activities[5]?.notifications == 1)
        let read = Talking.document(nil, Self.read) { TreeCollector(values: $0) }
        #expect(read.peers.first?.activities[5]?.reads == 1)
        #expect(read.peers.first?.activities[5]?.lastValue == [0x01])
    }

    /// The values of a Read Multiple Response have no lengths: where one ends is not known.
    @Test func whatCannotBeTakenApartIsCountedOnly() throws {
        let tree = Talking.document(nil, Self.discovery + [(.tx, "0E 0300 0500"), (.rx, "0F 5A 01")]) {
            TreeCollector(values: $0)
        }
        let activities = try #require(tree.peers.first).activities
        #expect(activities[3]?.reads == 1)
        #expect(activities[3]?.lastValue == nil)
    }

    @Test func theScreenShowsThem() {
        let screen = PlayedScreen(library: .shipped)
        screen.talk(Self.notified)
        #expect(screen.rows(120, 30).row("Battery Level")?.contains("90 %") == true)
        #expect(screen.rows(120, 30).row("Body Sensor Location")?.contains("Chest") == true)
    }

    /// Mesh Proxy Data Out: the first and the last segment. Mesh Protocol 1.1, 6.3.1.
    @Test func aMessageInPartsIsKeptWhole() throws {
        let pdus: [(Direction, String)] = [
            (.tx, "10 0100 FFFF 0028"), (.rx, "11 06 0100 0400 2818"),
            (.tx, "08 0100 0400 0328"), (.rx, "09 07 0200 10 0300 DE2A"),
            (.rx, "1B 0300 40 10 11 12"), (.rx, "1B 0300 C0 13 14"),
        ]
        let whole = Talking.document(nil, pdus) { TreeCollector(values: $0) }
        var text = TreeText(whole, width: nil, isColoured: false)
        text.write(file: nil)
        #expect(text.line.text.string.contains("Data 11 12 13 14"))
        // The next message has begun: the last whole one stays.
        let begun = Talking.document(nil, pdus + [(.rx, "1B 0300 40 10 21 22")]) { TreeCollector(values: $0) }
        var next = TreeText(begun, width: nil, isColoured: false)
        next.write(file: nil)
        #expect(next.line.text.string.contains("Data 11 12 13 14"))
        #expect(next.line.text.string.contains("3 notifications"))
        let screen = PlayedScreen(library: .shipped)
        screen.talk(pdus)
        #expect(screen.rows(300, 30).row("Mesh Proxy Data Out")?.contains("Data 11 12 13 14") == true)
    }

    @Test func eachInterpreterFollowsEveryEventOnce() {
        // Two outputs of one conversation: neither takes the second segment for a new message.
        let pdus: [(Direction, String)] = [
            (.tx, "10 0100 FFFF 0028"), (.rx, "11 06 0100 0400 2818"),
            (.tx, "08 0100 0400 0328"), (.rx, "09 07 0200 10 0300 DE2A"),
            (.rx, "1B 0300 40 10 11 12"), (.rx, "1B 0300 C0 13 14"),
        ]
        let text = Talking.show(nil, pdus) { values in
            TwoTexts(
                first: ConversationText(values: values, options: .init()),
                second: ConversationText(values: values, options: .init()))
        }
        #expect(text.components("Data 11 12 13 14") == 2)
        #expect(!text.contains("a new message began"))
    }
}

private struct TwoTexts: LineSink {
    var first: ConversationText
    var second: ConversationText

    var lines: TextBuffer {
        get {
            var both = first.lines
            both.append(contentsOf: second.lines)
            return both
        }
        set {}
    }

    func separateGroups() {}

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        first.receive(event, in: trace)
        second.receive(event, in: trace)
    }
}

extension String {
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}

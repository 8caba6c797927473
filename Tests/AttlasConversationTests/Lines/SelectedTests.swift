import AttlasDefinitions
import AttlasFilter
import AttlasLint
import AttlasTestSupport
import AttlasTrace
import Testing

@testable import AttlasConversation
@testable import AttlasText

/// The lines of what is looked for, and those around them. The heart rate's two errors are its frames 136 and 162, far from each
/// other.
@Suite struct SelectedTests {
    @Test func withoutAFilterErrorsHaveContext() throws {
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") { $0.context = 1 }
        expect(lines.count, equals: 7)
        #expect(lines[1].contains("Insufficient Authentication (0x05)"))
        expect(lines[3], equals: "--")
        #expect(lines[5].contains("Control Point Not Supported (0x80)"))
    }

    @Test func withoutLinesOnlyTheMatchesAreLeft() throws {
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") { $0.context = 0 }
        expect(lines.count, equals: 3)
        expect(lines[1], equals: "--")
    }

    @Test func aFilterHasContext() throws {
        // 153, 156, 159, 162 and 168, 171: a notification or two between the first four, five between those and the last.
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") {
            $0.context = 2
            $0.filter = try Filter("char == 2A39 and frame > 78", library: .withExamples)
        }
        // 151 to 164, then 166 to 173.
        expect(lines.count { $0.contains("Heart Rate Control Point") }, equals: 6)
        expect(lines.count, equals: 20)
        expect(lines[12], equals: "--")
    }

    @Test func groupsThatTouchAreOne() throws {
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") {
            $0.context = 3
            $0.filter = try Filter("char == 2A39 and frame > 78", library: .withExamples)
        }
        #expect(!lines.contains("--"))
    }

    @Test func theOtherOptionsSayWhichConversation() throws {
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") {
            $0.context = 1
            $0.characteristic = "Heart Rate Control Point"
        }
        // The error, the request before it and the request after it, and no notification between them.
        expect(lines.count, equals: 3)
        #expect(lines.allSatisfy { $0.contains("Heart Rate Control Point") })
    }

    @Test func linesOfJSONHaveNothingBetweenThem() throws {
        var selection = Selection()
        selection.context = 1
        let lines = try printedLines(ofCapture: "heart-rate.btsnoop", selection) {
            ConversationJSON(values: $0, showsHCI: false, file: nil)
        }.split(separator: "\n")
        expect(lines.count, equals: 6)
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }

    @Test func anMTUInForceGoesWithItsResponse() throws {
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") {
            $0.filter = try Filter("method == \"Exchange MTU Response\"", library: .withExamples)
        }
        expect(lines.count, equals: 1)
        #expect(lines.first?.contains("185, in force 185") == true)
    }

    // MARK: The waiting lines

    @Test func whatWaitsIsBoundedInLinesAndInOctets() {
        var sink = BareLines()
        var context = ContextLines(limit: 3)
        func note(_ text: String, isMatch: Bool = false) {
            let start = sink.lines.count
            sink.lines.append(string: text)
            context.note(from: start, isMatch: isMatch, in: &sink)
        }
        for number in 0..<100 { note("\(number)\n") }
        note("match\n", isMatch: true)
        expect(sink.lines.string, equals: "97\n98\n99\nmatch\n")

        sink.lines.removeAll()
        context = ContextLines(limit: 1_000)
        let long = String(repeating: "x", count: 100_000)
        for _ in 0..<1_000 { note(long) }
        note("match", isMatch: true)
        #expect(sink.lines.count <= ContextLines.octetLimit + 5)
        #expect(sink.lines.count > ContextLines.octetLimit - 100_000)
    }

    // MARK: What was shown

    @Test func theTotalsAreThoseOfTheSelection() throws {
        var selection = Selection()
        selection.characteristic = "Battery Level"
        selection.frames = 100...120
        let selected = try decoded(capture: "heart-rate.btsnoop") { values in
            Selected(sink: ConversationText(values: values, options: .init()), selection: selection, values: values)
        }
        // The Read Request of frame 113 and its response in frame 115.
        expect(selected.totals?.operations, equals: 2)
        #expect(!selected.foundNothing)
    }

    @Test func aSelectionOfEverythingHasNoTotals() throws {
        let selected = try decoded(capture: "heart-rate.btsnoop") { values in
            Selected(sink: ConversationText(values: values, options: .init()), selection: Selection(), values: values)
        }
        #expect(selected.totals == nil && !selected.foundNothing)
    }

    @Test func aSelectionOfWhatIsNotThereFindsNothing() throws {
        var selection = Selection()
        selection.peer = "HRN-7"
        let selected = try decoded(capture: "heart-rate.btsnoop") { values in
            Selected(sink: ConversationText(values: values, options: .init()), selection: selection, values: values)
        }
        #expect(selected.foundNothing)
    }

    /// Frames 1 to 10 are commands and their events, which only `--hci` shows.
    @Test(arguments: [false, true]) func packetsAreFoundWhereTheyAreShown(showsHCI: Bool) throws {
        var selection = Selection()
        selection.frames = 1...10
        let selected = try decoded(capture: "heart-rate.btsnoop") { values in
            Selected(
                sink: ConversationJSON(values: values, showsHCI: showsHCI, file: nil), selection: selection,
                values: values)
        }
        expect(selected.foundNothing, equals: !showsHCI)
        expect(selected.sink.lines.count > 0, equals: showsHCI)
    }

    /// The finding on frame 13 is about a characteristic that the lines learn of only then: two UUIDs of vendors, the second discovered
    /// after the first was used. Vol 3, Part G, 4.6.1.
    @Test func aFindingThatTheLinesReachBeforeItsUUID() {
        let uuid = "9ECADC240EE5A9E093F3A3B5"
        let packets = Conversation(
            """
            connect
            > 10 0100 FFFF 0028
            < 11 14 0B00 2000 \(uuid) 01FF0155
            > 08 0B00 2000 0328
            < 09 15 0C00 08 0D00 \(uuid) 02FF0155
            > 12 0D00 0100
            < 13
            wait 3000
            > 12 0D00 0100
            < 13
            wait 3000
            > 12 0D00 0100
            < 13
            wait 3000
            > 12 0D00 0100
            < 13
            > 08 0E00 2000 0328
            < 09 15 0E00 10 0F00 \(uuid) 03FF0155
            > 04 1000 2000
            < 05 01 1000 0229
            wait 15000
            disconnect
            """
        ).packets
        let found = document(of: packets) { LintCollector(values: $0) }.findings
        let lines = decoded(packets) { values in
            Selected(
                sink: ConversationJSON(values: values, showsHCI: false, file: nil), selection: Selection(),
                values: values, findings: FindingLines(found))
        }.sink.lines.string.split(separator: "\n")
        let finding = lines.firstIndex { $0.contains(#""rule":"gatt/never-subscribed""#) }
        let discovery = lines.firstIndex { $0.contains("5501FF03") && $0.contains(#""type":"att""#) }
        guard let finding, let discovery else { return #expect(Bool(false), "no finding") }
        #expect(finding < discovery)
        #expect(lines[finding].contains(#""characteristic":{"uuid":"5501FF03-B5A3-F393-E0A9-E50E24DCCA9E"}"#))
    }

    /// A read that needs encryption (Vol 3, Part F, 3.4.1.1), twice: one line, and both are reported.
    @Test func anIncidentThatHappensAgainIsOnlyReported() {
        final class Kept { var frames: [Int] = [] }
        let kept = Kept()
        let refused: [Packet] = [.att(.tx, "0A 1000"), .att(.rx, "01 0A 1000 0F")]
        let selected = decoded([.connected()] + refused + refused) { values in
            Selected(
                sink: ConversationText(values: values, options: .init()), selection: Selection(), values: values,
                writesIncidents: true, onIncident: { kept.frames.append($0.frame) })
        }
        let text = String(decoding: selected.sink.lines.bytes, as: UTF8.self)
        expect(text.matches(of: #/incident · /#).count, equals: 1)
        expect(kept.frames, equals: [3, 5])
    }

    // MARK: Times and frames

    /// Frame 115 lies 1.801808 s after the first record (Captures/heart-rate.md), whatever is selected.
    @Test func timesCountFromTheFirstRecord() throws {
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") { $0.frames = 115...115 }
        #expect(lines.first?.hasPrefix("    1.801808  ← HRM-7") == true)
    }

    @Test func aTimeCanBeTypedBack() throws {
        let lines = try printedText(ofCapture: "heart-rate.btsnoop") {
            $0.from = .sinceStart(1_801_808_000)
            $0.to = .sinceStart(1_801_808_000)
        }
        expect(lines.count, equals: 1)
    }

    @Test func linesBeginWithTheirFrames() throws {
        var options = ConversationText.Options()
        options.showsFrames = true
        let lines = try printedText(ofCapture: "heart-rate.btsnoop", options: options) { $0.frames = 113...115 }
        expect(lines.map { String($0.prefix(25)) }, equals: ["    113     1.712056  → H", "    115     1.801808  ← H"])
    }

    @Test func onlyAWideLineHasRoomForFrames() {
        #expect(ConversationText.Options.hasRoomForFrames(width: nil))
        #expect(ConversationText.Options.hasRoomForFrames(width: 128))
        #expect(!ConversationText.Options.hasRoomForFrames(width: 127))
    }
}

/// Lines that a test writes itself.
private struct BareLines: LineSink {
    var lines = TextBuffer()

    mutating func separateGroups() {}
    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
}

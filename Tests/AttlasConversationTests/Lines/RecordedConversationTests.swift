import AttlasFilter
import AttlasInput
import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

@testable import AttlasConversation

/// Every capture of the project, shown as it was when somebody compared it with the page that tells its story.
@Suite struct RecordedConversationTests {
    @Test func capturesAreThere() {
        #expect(Repository.captureNames.count >= 15)
    }

    @Test(arguments: Repository.captureNames)
    func isShown(_ name: String) throws {
        try expect(try conversation(name), equalsFile: "\(name).show.txt")
    }

    /// `1 octets`: of all outputs that are kept.
    @Test func oneThingIsNoPlural() throws {
        for name in Repository.captureNames {
            for kind in ["show", "tree", "stats", "lint", "devices"] {
                let text = try Repository.text("Captures/expected/\(name).\(kind).txt")
                let wrong = text.matches(of: /(?:^|[^\d.,:×\/])\b1 [a-z]{3,}s\b/).map { String($0.0) }
                expect(wrong, equals: [], "\(name).\(kind).txt")
            }
        }
    }

    @Test(arguments: [80, 100, 119, 120, 160])
    func noLinePassesTheEdgeOfATerminal(width: Int) throws {
        var options = ConversationText.Options()
        options.width = width
        for name in Repository.captureNames {
            for line in try conversation(name, options).split(separator: "\n") { #expect(line.count <= width) }
        }
    }

    @Test func aNarrowTerminalStillShowsWhatWasSaid() throws {
        var options = ConversationText.Options()
        options.width = 80
        let output = try conversation("heart-rate.btsnoop", options)
        #expect(output.contains("Heart Rate Measurem… 72 bpm\n"))
        #expect(output.contains("Battery Level        87 % 89.8 ms\n"))
    }

    @Test(arguments: Repository.captureNames)
    func isShownAsJSON(_ name: String) throws {
        try expect(try lines(of: name, showsHCI: false), equalsFile: "\(name).show.ndjson")
    }

    /// With the layers below, and named as one of several captures: pairing, and enhanced bearers.
    @Test(arguments: ["pairing.btsnoop", "eatt.btsnoop"])
    func packetsAreShownAsJSON(_ name: String) throws {
        try expect(try lines(of: name, showsHCI: true), equalsFile: "\(name).show-hci.ndjson")
    }

    private func conversation(_ name: String, _ options: ConversationText.Options = .init()) throws -> String {
        var reader = try CaptureReader(capture: name)
        let shown = Interpreted(library: .withExamples) { values in
            Selected(
                sink: ConversationText(values: values, options: options), selection: Selection(), values: values)
        }
        var sink = SinkPair(first: shown, second: ConversationTotals())
        var trace = Trace()
        let extent = try trace.decode(&reader, into: &sink)
        var info = reader.info
        info.file = name
        sink.first.sink.sink.end(
            ShownTotals(all: sink.second, selected: sink.first.sink.totals),
            CaptureIntegrity(extent, info, in: trace), info, in: trace)
        return sink.first.sink.sink.lines.string
    }

    private func lines(of name: String, showsHCI: Bool) throws -> String {
        var reader = try CaptureReader(capture: name)
        var sink = Interpreted(library: .withExamples) {
            ConversationJSON(values: $0, showsHCI: showsHCI, file: showsHCI ? name : nil)
        }
        var trace = Trace()
        let extent = try trace.decode(&reader, into: &sink)
        trace.finish(into: &sink)
        sink.sink.begin(reader.info)
        sink.sink.end(CaptureIntegrity(extent, reader.info, in: trace), reader.info)
        return sink.sink.lines.string
    }
}

import AttlasDefinitions
import AttlasFilter
import AttlasInput
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues
import Foundation
import Testing

@testable import AttlasReport

/// Every capture of the project, shown as it was when somebody read it beside the page that tells its story.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test` writes the expected output anew; read the difference before you commit it.
@Suite struct RecordedConversationTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Captures")

    static let captures: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".btsnoop") || $0.hasSuffix(".pcap") || $0.hasSuffix(".pcapng") }.sorted()
    }()

    @Test func capturesAreThere() {
        #expect(Self.captures.count >= 15)
    }

    @Test(arguments: captures)
    func isShown(_ name: String) throws {
        try expect(try conversation(name), equals: "\(name).show.txt")
    }

    @Test(arguments: [80, 100, 119, 120, 160])
    func noLinePassesTheEdgeOfATerminal(width: Int) throws {
        var options = ConversationText.Options()
        options.width = width
        for name in Self.captures {
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

    @Test(arguments: captures)
    func hasTree(_ name: String) throws {
        try expect(try tree(name), equals: "\(name).tree.txt")
    }

    /// What `attlas lint` says of each capture was read beside its page, and is true.
    @Test(arguments: captures)
    func hasFindings(_ name: String) throws {
        try expect(try findings(name), equals: "\(name).lint.txt")
    }

    private func findings(_ name: String) throws -> String {
        let model = try document(name) { LintCollector(values: $0) }
        var text = LintText(model, width: nil, isColoured: false)
        text.write(file: nil)
        return text.line.text.string
    }

    private func conversation(_ name: String, _ options: ConversationText.Options = .init()) throws -> String {
        var reader = try CaptureReader(path: Self.folder.appendingPathComponent(name).path)
        let shown = Interpreted(library: .withExamples) { values in
            Selected(
                sink: ConversationText(values: values, options: options), selection: Selection(), values: values)
        }
        var sink = Both(first: shown, second: ConversationTotals())
        var trace = Trace()
        var extent = CaptureExtent()
        while let record = try reader.next() {
            extent.note(record)
            trace.decode(record, into: &sink)
        }
        var info = reader.info
        info.file = name
        sink.first.sink.sink.end(sink.second, extent, info, in: trace)
        return sink.first.sink.sink.line.text.string
    }

    private func tree(_ name: String) throws -> String {
        let model = try document(name) { TreeCollector(values: $0) }
        var text = TreeText(model, width: nil, isColoured: false)
        text.write(file: nil)
        return text.line.text.string
    }

    private func document<Collector: DocumentCollector>(
        _ name: String, _ makeCollector: (ValueInterpreter) -> Collector
    ) throws -> Collector.Document {
        var reader = try CaptureReader(path: Self.folder.appendingPathComponent(name).path)
        var collector = Interpreted(library: .withExamples, makeCollector)
        var trace = Trace()
        var extent = CaptureExtent()
        while let record = try reader.next() {
            extent.note(record)
            trace.decode(record, into: &collector)
        }
        trace.finish(into: &collector)
        return collector.finish(in: trace, extent)
    }

    private func expect(_ output: String, equals file: String) throws {
        let url = Self.folder.appendingPathComponent("expected").appendingPathComponent(file)
        if ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil {
            try output.write(to: url, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: url, encoding: .utf8)
        for (number, (got, wanted)) in zip(output.split(separator: "\n"), expected.split(separator: "\n")).enumerated()
        where got != wanted {
            Issue.record("\(file), line \(number + 1) of those not empty:\n  got    \(got)\n  wanted \(wanted)")
            return
        }
        #expect(output == expected)
    }
}

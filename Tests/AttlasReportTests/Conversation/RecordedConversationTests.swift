import AttlasDefinitions
import AttlasFilter
import AttlasInput
import AttlasLint
import AttlasMetrics
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Foundation
import Testing

@testable import AttlasReport

/// Every capture of the project, shown as it was when somebody read it beside the page that tells its story.
///
/// `ATTLAS_UPDATE_EXPECTED=1 swift test` writes the expected output anew; read the difference before you commit it.
@Suite struct RecordedConversationTests {
    @Test func capturesAreThere() {
        #expect(Repository.captureNames.count >= 15)
    }

    @Test(arguments: Repository.captureNames)
    func isShown(_ name: String) throws {
        try expect(try conversation(name), equals: "\(name).show.txt")
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
    func hasTree(_ name: String) throws {
        try expect(try tree(name), equals: "\(name).tree.txt")
    }

    /// What `attlas lint` says of each capture was read beside its page, and is true.
    @Test(arguments: Repository.captureNames)
    func hasFindings(_ name: String) throws {
        try expect(try findings(name), equals: "\(name).lint.txt")
    }

    private func findings(_ name: String) throws -> String {
        let model = try document(ofCapture: name) { LintCollector(values: $0) }
        var text = LintText(model, width: nil, isColoured: false)
        text.write(file: nil)
        return text.line.text.string
    }

    private func conversation(_ name: String, _ options: ConversationText.Options = .init()) throws -> String {
        var reader = try CaptureReader(capture: name)
        let shown = Interpreted(library: .withExamples) { values in
            Selected(
                sink: ConversationText(values: values, options: options), selection: Selection(), values: values)
        }
        var sink = Both(first: shown, second: ConversationTotals())
        var trace = Trace()
        let extent = try trace.decode(&reader, into: &sink)
        var info = reader.info
        info.file = name
        sink.first.sink.sink.end(sink.second, extent, info, in: trace)
        return sink.first.sink.sink.line.text.string
    }

    private func tree(_ name: String) throws -> String {
        let model = try document(ofCapture: name) { TreeCollector(values: $0) }
        var text = TreeText(model, width: nil, isColoured: false)
        text.write(file: nil)
        return text.line.text.string
    }

    private func expect(_ output: String, equals file: String) throws {
        let url = Repository.captures.appending(path: "expected/\(file)")
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

// A test of a capture also reads it: one import for both.
@_exported import Attlas
import AttlasCheck
import AttlasConversation
import AttlasFilter
import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues
import Testing
import XCTest

/// Tests a capture, in a test of Swift Testing or of XCTest:
///
/// ```swift
/// @Test func subscribes() throws {
///     try expect(Capture("run.btsnoop")) {
///         After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
///         Never(.incident)
///         NoFindings(.warning)
///     }
/// }
/// ```
/// An expectation that is not met is a failure of the test at its line, with the lines of the conversation; the others are still checked. So is one that
/// names something that does not exist, or that the capture has no evidence for.
/// - Throws: `CaptureError` if the capture cannot be read to its end, and what `checks` throws.
public func expect(
    _ capture: Capture, @CaptureExpectationBuilder _ checks: () throws -> [CaptureCheck]
) throws {
    let checks = try checks().enumerated().map { index, check in
        do throws(ExpectationMistake) {
            return (check, try check.expectations(capture.library, id: "expectation-\(index + 1)"))
        } catch {
            check.place.fail(error.description)
            return (check, [])
        }
    }
    let model = capture.document { CheckCollector(checks.flatMap(\.1), isStrict: false, values: $0) }
    for (check, expectations) in checks {
        let failures = check.failures(expectations.map(\.rule), in: model)
        guard !failures.isEmpty else { continue }
        let items = failures.map { "✗ \($0.text)\($0.frame.map { " · frame \($0)" } ?? "")" }
        let lines = capture.lines(around: failures.compactMap(\.frame))
        check.place.fail(
            (["\(capture.name) is not as expected:"] + items + (lines.isEmpty ? [] : [lines])).joined(separator: "\n"))
    }
    if let error = capture.error { throw error }
}

extension CaptureCheck {
    /// What is not as expected; the frame is nil for what the capture does not show.
    fileprivate func failures(_ rules: [LintRule], in model: LintModel) -> [(frame: Int?, text: String)] {
        if case .findings(let severity) = kind {
            let least = LintRule.Severity(severity)
            return model.findings.filter { !$0.rule.isExpectation && $0.rule.severity >= least }
                .map { ($0.frame, "\(Capture.Finding($0))") }
        }
        return rules.flatMap { rule in
            model.findings.filter { $0.rule.id == rule.id }.map { ($0.frame, "\(rule.title): \($0.sentence)") }
                + model.unchecked.filter { $0.rules.contains(rule.id) }
                .map { (nil, "\(rule.title): Could not be checked: \($0.reason).") }
        }
    }
}

extension CaptureCheck.Place {
    /// Fails the test that runs.
    fileprivate func fail(_ text: String) {
        guard Test.current != nil else { return XCTFail(text, file: filePath, line: line) }
        Issue.record(
            Comment(rawValue: text),
            sourceLocation: SourceLocation(
                fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    }
}

extension LintRule {
    fileprivate var isExpectation: Bool { id.hasPrefix("expect/") }
}

extension Capture {
    /// Frames whose lines are printed.
    private static let frameLimit = 8
    /// Lines before and after each.
    private static let contextLines = 3

    /// What `attlas show` prints of the conversation around these frames.
    fileprivate func lines(around frames: [Int]) -> String {
        let frames = Set(frames).sorted().prefix(Self.frameLimit)
        var selection = Selection()
        selection.context = Self.contextLines
        let terms = frames.map { "frame == \($0)" }.joined(separator: " or ")
        guard !frames.isEmpty, let filter = try? Filter(terms, library: library) else { return "" }
        selection.filter = filter
        return document { ShownLines(selection, values: $0) }.text
    }
}

private struct ShownLines: DocumentCollector {
    struct Text: CaptureDocument {
        let text: String
        let integrity: CaptureIntegrity
    }

    private var selected: Selected<ConversationText>

    init(_ selection: Selection, values: ValueInterpreter) {
        var options = ConversationText.Options()
        options.showsFrames = true
        selected = Selected(
            sink: ConversationText(values: values, options: options), selection: selection, values: values)
    }

    var wantsPackets: Bool { selected.wantsPackets }
    var wantsControl: Bool { selected.wantsControl }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) { selected.receive(event, in: trace) }

    mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> Text {
        let lines = selected.sink.lines.text
        return Text(text: lines.hasSuffix("\n") ? String(lines.dropLast()) : lines, integrity: integrity)
    }
}

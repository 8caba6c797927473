// A test of a capture also reads it: one import for both.
@_exported import Attlas
import AttlasCheck
import AttlasConversation
import AttlasFilter
import AttlasLint
import AttlasText
import AttlasTrace
import AttlasValues

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
/// - Throws: `ExpectationFailure` with the lines of the conversation, if something is not as expected, if the capture has no evidence for it, or if
///   the capture cannot be read to its end. `ExpectationMistake` if a name does not exist.
public func expect(
    _ capture: Capture, @CaptureExpectationBuilder _ checks: () throws -> [CaptureCheck]
) throws {
    let checks = try checks()
    let expectations = try CaptureCheck.expectations(checks, capture.library)
    let model = capture.document { CheckCollector(expectations, isStrict: false, values: $0) }
    if let error = capture.error { throw error }
    var failures = model.findings.filter { $0.rule.isExpectation }.map {
        ExpectationFailure.Item(frame: $0.frame, text: "\($0.rule.title): \($0.sentence)")
    }
    for unchecked in model.unchecked {
        for rule in model.rules where rule.isExpectation && unchecked.rules.contains(rule.id) {
            failures.append(.init(frame: nil, text: "\(rule.title): Could not be checked: \(unchecked.reason)."))
        }
    }
    for case .findings(let severity) in checks.map(\.kind) {
        let least = LintRule.Severity(severity)
        for finding in model.findings where !finding.rule.isExpectation && finding.rule.severity >= least {
            failures.append(.init(frame: finding.frame, text: "\(Capture.Finding(finding))"))
        }
    }
    guard !failures.isEmpty else { return }
    throw ExpectationFailure(capture.name, failures, lines: capture.lines(around: failures.compactMap(\.frame)))
}

/// A capture is not as expected.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    struct Item {
        /// nil for what the capture does not show.
        let frame: Int?
        let text: String
    }

    /// The frames that show it.
    public let frames: [Int]
    /// What is not as expected, and the lines of the conversation around it, with the numbers of their frames.
    public let description: String

    init(_ name: String, _ items: [Item], lines: String) {
        frames = items.compactMap(\.frame)
        let list = items.map { "✗ \($0.text)\($0.frame.map { " · frame \($0)" } ?? "")" }
        description = (["\(name) is not as expected:"] + list + (lines.isEmpty ? [] : [lines])).joined(separator: "\n")
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

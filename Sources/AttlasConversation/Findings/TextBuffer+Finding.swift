import AttlasLint
import AttlasText

extension TextBuffer {
    /// `warning att/reserved-error-code: Error code 0x20. 2 times, last in frame 13.`
    package mutating func append(_ finding: LintFinding) {
        append("\(own: finding.rule.severity.rawValue) \(own: finding.rule.id): ")
        append(sentenceOf: finding)
    }

    /// `Error code 0x20. 2 times, last in frame 13.`
    package mutating func append(sentenceOf finding: LintFinding) {
        append(display: finding.sentence)
        guard finding.count > 1 else { return }
        append(" \(finding.count) times, last in frame \(finding.lastFrame).")
    }
}

extension LintRule.Severity {
    package var style: TextStyle { self == .info ? .faint : .bad }
}

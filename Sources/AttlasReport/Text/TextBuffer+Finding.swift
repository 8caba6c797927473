import AttlasLint

extension TextBuffer {
    /// `warning att/reserved-error-code: Error code 0x20. 2 times, last in frame 13.`
    mutating func append(_ finding: LintFinding) {
        append(string: finding.rule.severity.rawValue)
        append(" ")
        append(string: finding.rule.id)
        append(": ")
        append(sentenceOf: finding)
    }

    /// `Error code 0x20. 2 times, last in frame 13.`
    mutating func append(sentenceOf finding: LintFinding) {
        append(display: finding.sentence)
        guard finding.count > 1 else { return }
        append(" ")
        append(decimal: finding.count)
        append(" times, last in frame ")
        append(decimal: finding.lastFrame)
        append(".")
    }
}

extension LintRule.Severity {
    var style: TextStyle { self == .info ? .faint : .bad }
}

import AttlasLint

extension TextBuffer {
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

import AttlasLint

/// The findings of all captures as a table of GitHub Flavored Markdown each, for a summary or a comment.
public struct LintMarkdown {
    private var text = TextBuffer()
    private let reports: [LintReport]

    public init(_ reports: [LintReport]) {
        self.reports = reports
    }

    public mutating func write(into output: inout Output) {
        for (index, report) in reports.enumerated() {
            if index > 0 { text.append("\n") }
            write(report)
        }
        output.write(&text)
    }

    private mutating func write(_ report: LintReport) {
        let model = report.model
        text.append("## ")
        append(code: report.file, isCell: false)
        text.append("\n\n")
        text.append(string: model.counts)
        text.append("\n")
        let findings = [report].mostSevereFirst.map(\.finding)
        if !findings.isEmpty { text.append("\n| severity | frame | rule | finding | where |\n|---|--:|---|---|---|\n") }
        for finding in findings { write(finding, model) }
        let more = model.leftOut.values.reduce(0, +)
        for sentence in model.integrity.sentences.map(\.what) + (more > 0 ? ["\(more) more findings"] : []) {
            text.append("\n- ")
            append(sentence)
            text.append("\n")
        }
    }

    private mutating func write(_ finding: LintFinding, _ model: LintModel) {
        text.append("| ")
        text.append(string: finding.rule.severity.rawValue)
        text.append(" | ")
        text.append(decimal: finding.frame)
        text.append(" | ")
        append(code: finding.rule.id, isCell: true)
        text.append(" | ")
        var piece = TextBuffer()
        piece.append(sentenceOf: finding)
        append(piece.text)
        text.append(" | ")
        piece.removeAll()
        piece.append(finding.place, in: model)
        append(code: piece.text, isCell: true)
        text.append(" |\n")
    }

    /// Text in which nothing is markup: a backslash takes the meaning of any punctuation. CommonMark 0.31, 2.4.
    private mutating func append(_ foreign: String) {
        var escaped = TextBuffer()
        escaped.append(display: foreign)
        for octet in escaped.bytes {
            if "\\`*_{}[]<>()#+-!|~&:@".utf8.contains(octet) { text.append("\\") }
            text.append(byte: octet)
        }
    }

    /// In a code span nothing is markup, and nothing is a mention of somebody. Its fence is longer than any in the text; the cell
    /// of a table needs its bars escaped all the same.
    private mutating func append(code foreign: String, isCell: Bool) {
        guard !foreign.isEmpty else { return }
        var escaped = TextBuffer()
        escaped.append(display: foreign)
        var (longest, current) = (0, 0)
        for octet in escaped.bytes {
            current = octet == UInt8(ascii: "`") ? current + 1 : 0
            longest = max(longest, current)
        }
        let fence = longest + 1
        text.append(repeating: UInt8(ascii: "`"), count: fence)
        if longest > 0 { text.append(" ") }
        for octet in escaped.bytes {
            if isCell, octet == UInt8(ascii: "|") { text.append("\\") }
            text.append(byte: octet)
        }
        if longest > 0 { text.append(" ") }
        text.append(repeating: UInt8(ascii: "`"), count: fence)
    }
}

import AttlasConversation
import AttlasLint
import AttlasText

/// The findings of all captures as a table of GitHub Flavored Markdown each, for a summary or a comment.
package struct LintMarkdown {
    private var text = TextBuffer()
    private let reports: [LintReport]

    package init(_ reports: [LintReport]) {
        self.reports = reports
    }

    package mutating func write(into output: inout Output) {
        for (index, report) in reports.enumerated() {
            if index > 0 { text.append("\n") }
            write(report)
        }
        output.write(&text)
    }

    private mutating func write(_ report: LintReport) {
        let model = report.model
        text.append("## ")
        text.append(markdownCode: report.file, isCell: false)
        text.append("\n")
        if let damage = model.integrity.damage {
            text.append("\n")
            text.append(markdown: "\(damage.what).")
            text.append("\n")
        }
        text.append("\n\(own: model.counts)\n")
        let findings = [report].mostSevereFirst.map(\.finding)
        if !findings.isEmpty { text.append("\n| severity | frame | rule | finding | where |\n|---|--:|---|---|---|\n") }
        for finding in findings { write(finding, model) }
        let more = model.leftOut.values.reduce(0, +)
        for sentence in model.integrity.otherSentences.map(\.what) + (more > 0 ? ["\(more) more findings"] : []) {
            text.append("\n- ")
            text.append(markdown: sentence)
            text.append("\n")
        }
    }

    private mutating func write(_ finding: LintFinding, _ model: LintModel) {
        text.append("| \(own: finding.rule.severity.rawValue) | \(finding.frame) | ")
        text.append(markdownCode: finding.rule.id, isCell: true)
        text.append(" | ")
        var piece = TextBuffer()
        piece.append(sentenceOf: finding)
        text.append(markdown: piece.text)
        text.append(" | ")
        piece.removeAll()
        piece.append(finding.place, in: model)
        text.append(markdownCode: piece.text, isCell: true)
        text.append(" |\n")
    }
}

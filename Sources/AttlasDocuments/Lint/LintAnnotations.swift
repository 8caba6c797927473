import AttlasLint
import AttlasText

/// The findings of all captures as workflow commands, of which GitHub Actions makes annotations: a line each.
package struct LintAnnotations {
    private var text = TextBuffer()
    private let reports: [LintReport]

    package init(_ reports: [LintReport]) {
        self.reports = reports
    }

    package mutating func write(into output: inout Output) {
        // GitHub shows the first ten of each kind in a step.
        for (report, finding) in reports.mostSevereFirst {
            text.append("::")
            text.append(finding.rule.severity.command)
            text.append(" file=")
            append(report.file, isProperty: true)
            text.append(",line=\(max(1, finding.frame)),title=")
            append("\(finding.rule.id): \(finding.rule.title)", isProperty: true)
            text.append("::")
            append(TextBuffer(finding, in: report.model).text, isProperty: false)
            text.append("\n")
        }
        output.write(&text)
    }

    private mutating func append(_ value: String, isProperty: Bool) {
        var escaped = TextBuffer()
        escaped.append(display: value)
        for octet in escaped.bytes {
            switch octet {
            case UInt8(ascii: "%"): text.append("%25")
            case UInt8(ascii: ":") where isProperty: text.append("%3A")
            case UInt8(ascii: ",") where isProperty: text.append("%2C")
            default: text.append(byte: octet)
            }
        }
    }
}

extension LintRule.Severity {
    fileprivate var command: StaticString {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "notice"
        }
    }
}

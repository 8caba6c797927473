import AttlasLint
import AttlasText

/// The findings of all captures as a report for GitLab's Code Quality.
package struct LintCodeQuality {
    private var json = JSONWriter()
    private let reports: [LintReport]

    package init(_ reports: [LintReport]) {
        self.reports = reports
    }

    package mutating func write(into output: inout Output) {
        json.beginArray()
        // GitLab shows one of each fingerprint.
        for (report, finding) in reports.mostSevereFirst {
            json.beginObject()
            json.member("description", TextBuffer(finding, in: report.model).text)
            json.member("check_name", finding.rule.id)
            json.member("fingerprint", finding.fingerprint)
            json.member("severity", finding.rule.severity.word)
            json.object("location") { json in
                json.member("path", report.file)
                json.object("lines") { $0.member("begin", max(1, finding.frame)) }
            }
            json.endObject()
        }
        json.endArray()
        json.endLine()
        output.write(&json.text)
    }
}

extension LintRule.Severity {
    fileprivate var word: String {
        switch self {
        case .error: "major"
        case .warning: "minor"
        case .info: "info"
        }
    }
}

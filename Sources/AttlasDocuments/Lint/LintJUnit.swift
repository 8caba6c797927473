import AttlasLint
import AttlasText

/// The findings of all captures in JUnit's XML: a suite for each capture, a test case for each rule.
package struct LintJUnit {
    private var text = TextBuffer()
    private let reports: [LintReport]
    private let least: LintRule.Severity

    /// - Parameter least: The severity from which a finding is a failure. A lesser one is output of its test case.
    package init(_ reports: [LintReport], failingFrom least: LintRule.Severity) {
        self.reports = reports
        self.least = least
    }

    private struct Case {
        let rule: LintRule
        let failures: [LintFinding]
        let others: [LintFinding]
        /// Why it was not applied.
        let skipped: String?

        init(_ rule: LintRule, in model: LintModel, failingFrom least: LintRule.Severity) {
            self.rule = rule
            let findings = model.findings.filter { $0.rule.id == rule.id }
            failures = findings.filter { $0.rule.severity >= least }
            others = findings.filter { $0.rule.severity < least }
            let known = model.suppressed.first { $0.rule == rule.id }?.reason
            let missing =
                model.unchecked.first { $0.rules.contains(rule.id) }?.reason
                ?? (model.silent.contains(rule.id) ? "needs \(rule.needs)" : nil)
            skipped = findings.isEmpty ? known ?? missing : nil
        }
    }

    package mutating func write(into output: inout Output) {
        let suites = reports.map { report in
            report.model.rules.map { Case($0, in: report.model, failingFrom: least) }
        }
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attlas\"")
        writeCounts(of: Array(suites.joined()))
        for (report, cases) in zip(reports, suites) {
            text.append("  <testsuite")
            write("name", report.file)
            writeCounts(of: cases)
            for item in cases { write(item, in: report) }
            let missing = report.model.integrity.sentences.map(\.what)
            if !missing.isEmpty { write("    ", "system-err", missing) }
            text.append("  </testsuite>\n")
        }
        text.append("</testsuites>\n")
        output.write(&text)
    }

    private mutating func writeCounts(of cases: [Case]) {
        write("tests", "\(cases.count)")
        write("failures", "\(cases.count { !$0.failures.isEmpty })")
        write("errors", "0")
        write("skipped", "\(cases.count { $0.skipped != nil })")
        text.append(">\n")
    }

    private mutating func write(_ item: Case, in report: LintReport) {
        text.append("    <testcase")
        write("classname", report.file)
        write("name", item.rule.id)
        text.append(">\n")
        if let reason = item.skipped {
            text.append("      <skipped")
            write("message", reason)
            text.append("/>\n")
        }
        func lines(_ findings: [LintFinding]) -> [String] {
            findings.map { "frame \($0.frame): \(TextBuffer($0, in: report.model).text)" }
        }
        if let first = item.failures.first {
            text.append("      <failure")
            write("type", first.rule.severity.rawValue)
            write("message", item.rule.title)
            text.append(">")
            writeLines(lines(item.failures) + item.rule.help)
            text.append("</failure>\n")
        }
        if !item.others.isEmpty { write("      ", "system-out", lines(item.others)) }
        text.append("    </testcase>\n")
    }

    private mutating func write(_ attribute: StaticString, _ value: String) {
        text.append(" ")
        text.append(attribute)
        text.append("=\"")
        text.append(xml: value)
        text.append("\"")
    }

    private mutating func write(_ indent: StaticString, _ element: StaticString, _ lines: [String]) {
        text.append(indent)
        text.append("<")
        text.append(element)
        text.append(">")
        writeLines(lines)
        text.append("</")
        text.append(element)
        text.append(">\n")
    }

    private mutating func writeLines(_ lines: [String]) {
        for (index, line) in lines.enumerated() {
            if index > 0 { text.append("\n") }
            text.append(xml: line)
        }
    }
}

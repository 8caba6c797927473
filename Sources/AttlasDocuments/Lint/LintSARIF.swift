import AttlasLint
import AttlasText

/// The findings of all captures as one log in SARIF 2.1.0, with what GitHub's code scanning needs of it.
package struct LintSARIF {
    /// Results that code scanning takes.
    static let limit = 25_000

    private var json = JSONWriter()
    private let reports: [LintReport]
    private let version: String

    /// - Parameter version: of attlas.
    package init(_ reports: [LintReport], version: String) {
        self.reports = reports
        self.version = version
    }

    package mutating func write(into output: inout Output) {
        let rules = reports.rules
        let places = Dictionary(uniqueKeysWithValues: zip(rules.map(\.id), rules.indices))
        let findings = reports.mostSevereFirst
        json.beginObject()
        json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        json.member("version", "2.1.0")
        json.key("runs")
        json.beginArray()
        json.beginObject()
        json.key("tool")
        json.beginObject()
        json.key("driver")
        json.beginObject()
        json.member("name", "attlas")
        json.member("semanticVersion", version)
        json.key("rules")
        json.beginArray()
        for rule in rules { write(rule) }
        json.endArray()
        json.endObject()
        json.endObject()
        writeInvocation(leftOut: findings.count - min(findings.count, Self.limit))
        json.key("results")
        json.beginArray()
        for (report, finding) in findings.prefix(Self.limit) {
            write(finding, in: report, ruleIndex: places[finding.rule.id])
        }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ rule: LintRule) {
        json.beginObject()
        json.member("id", rule.id)
        write("shortDescription", rule.title)
        write("fullDescription", rule.explanation.isEmpty ? rule.title : rule.explanation)
        write("help", rule.help.joined(separator: "\n"))
        json.key("defaultConfiguration")
        json.beginObject()
        json.member("level", rule.severity.level)
        json.endObject()
        json.endObject()
    }

    /// What is missing from the captures, and from this document.
    private mutating func writeInvocation(leftOut: Int) {
        json.key("invocations")
        json.beginArray()
        json.beginObject()
        json.member("executionSuccessful", reports.allSatisfy { $0.model.integrity.error == nil })
        json.key("toolExecutionNotifications")
        json.beginArray()
        for report in reports {
            var sentences = report.model.integrity.sentences.map(\.what)
            let more = report.model.leftOut.values.reduce(0, +)
            if more > 0 { sentences.append("\(more) more findings were counted and not kept") }
            for sentence in sentences { writeNotification(sentence, in: report) }
        }
        if leftOut > 0 { writeNotification("\(leftOut) findings above \(Self.limit) were left out", in: nil) }
        json.endArray()
        json.endObject()
        json.endArray()
    }

    private mutating func writeNotification(_ sentence: String, in report: LintReport?) {
        json.beginObject()
        json.member("level", "warning")
        write("message", sentence)
        if let report {
            writeLocation(report) { _ in }
        }
        json.endObject()
    }

    private mutating func write(_ finding: LintFinding, in report: LintReport, ruleIndex: Int?) {
        json.beginObject()
        json.member("ruleId", finding.rule.id)
        json.member("ruleIndex", ruleIndex)
        json.member("level", finding.rule.severity.level)
        write("message", TextBuffer(finding, in: report.model).text)
        writeLocation(report) { json in
            json.key("region")
            json.beginObject()
            json.member("startLine", max(1, finding.frame))
            json.member("byteOffset", report.offsets[finding.frame])
            json.endObject()
        }
        json.key("partialFingerprints")
        json.beginObject()
        json.member("primaryLocationLineHash", finding.fingerprint)
        json.endObject()
        json.endObject()
    }

    private mutating func writeLocation(_ report: LintReport, _ region: (inout JSONWriter) -> Void) {
        json.key("locations")
        json.beginArray()
        json.beginObject()
        json.key("physicalLocation")
        json.beginObject()
        json.key("artifactLocation")
        json.beginObject()
        json.key("uri")
        json.value { text in
            text.append("\"")
            text.append(uri: report.file)
            text.append("\"")
        }
        json.endObject()
        region(&json)
        json.endObject()
        json.endObject()
        json.endArray()
    }

    /// A message in which nothing is a link or a place holder: SARIF 2.1.0, 3.11.5 and 3.11.6.
    private mutating func write(_ key: StaticString, _ message: String) {
        json.key(key)
        json.beginObject()
        json.member(
            "text", message.replacing("](", with: "] (").replacing("{", with: "{{").replacing("}", with: "}}"))
        json.endObject()
    }
}

extension LintRule.Severity {
    fileprivate var level: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }
}

extension TextBuffer {
    /// A path as a relative reference, or as a file: URI when it is absolute. RFC 3986, 4.1.
    fileprivate mutating func append(uri path: String) {
        if path.hasPrefix("/") { append("file://") }
        for octet in path.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                append(byte: octet)
            default:
                append("%")
                append(hex: octet, digits: 2, uppercase: true)
            }
        }
    }
}

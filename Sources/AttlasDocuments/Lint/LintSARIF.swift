import AttlasLint
import AttlasText

/// The findings of all captures as one log in SARIF 2.1.0, with the properties that GitHub's code scanning needs.
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
        json.objects("runs", CollectionOfOne(())) { json, _ in
            json.object("tool") { json in
                json.object("driver") { json in
                    json.member("name", "attlas")
                    json.member("semanticVersion", version)
                    json.objects("rules", rules) { $0.write($1) }
                }
            }
            json.writeInvocation(of: reports, leftOut: findings.count - min(findings.count, Self.limit))
            json.objects("results", findings.prefix(Self.limit)) { json, entry in
                json.write(entry.finding, in: entry.report, ruleIndex: places[entry.finding.rule.id])
            }
        }
        json.endDocument(into: &output)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ rule: LintRule) {
        member("id", rule.id)
        write("shortDescription", rule.title)
        write("fullDescription", rule.explanation.isEmpty ? rule.title : rule.explanation)
        write("help", rule.help.joined(separator: "\n"))
        object("defaultConfiguration") { $0.member("level", rule.severity.level) }
    }

    /// Writes data missing from the captures, and from this document.
    fileprivate mutating func writeInvocation(of reports: [LintReport], leftOut: Int) {
        objects("invocations", CollectionOfOne(())) { json, _ in
            json.member("executionSuccessful", reports.allSatisfy { $0.model.integrity.error == nil })
            var notes: [(sentence: String, report: LintReport?)] = []
            for report in reports {
                notes += report.model.integrity.sentences.map { ($0.what, report) }
                let more = report.model.leftOut.values.reduce(0, +)
                if more > 0 { notes.append(("\(more) more findings were counted and not kept", report)) }
            }
            if leftOut > 0 { notes.append(("\(leftOut) findings above \(LintSARIF.limit) were left out", nil)) }
            json.objects("toolExecutionNotifications", notes) { json, note in
                json.member("level", "warning")
                json.write("message", note.sentence)
                if let report = note.report { json.writeLocation(report) { _ in } }
            }
        }
    }

    fileprivate mutating func write(_ finding: LintFinding, in report: LintReport, ruleIndex: Int?) {
        member("ruleId", finding.rule.id)
        member("ruleIndex", ruleIndex)
        member("level", finding.rule.severity.level)
        write("message", TextBuffer(finding, in: report.model).text)
        writeLocation(report) { json in
            json.object("region") { json in
                json.member("startLine", max(1, finding.frame))
                json.member("byteOffset", report.offsets[finding.frame])
            }
        }
        object("partialFingerprints") { $0.member("primaryLocationLineHash", finding.fingerprint) }
    }

    private mutating func writeLocation(_ report: LintReport, _ region: (inout JSONWriter) -> Void) {
        objects("locations", CollectionOfOne(report.file)) { json, file in
            json.object("physicalLocation") { json in
                json.object("artifactLocation") { json in
                    json.key("uri")
                    json.value { $0.append("\"\({ $0.append(uri: file) })\"") }
                }
                region(&json)
            }
        }
    }

    /// A message in which nothing is a link or a place holder: SARIF 2.1.0, 3.11.5 and 3.11.6.
    private mutating func write(_ key: StaticString, _ message: String) {
        let text = message.replacing("](", with: "] (").replacing("{", with: "{{").replacing("}", with: "}}")
        object(key) { $0.member("text", text) }
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

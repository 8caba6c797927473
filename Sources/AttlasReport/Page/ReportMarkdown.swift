import AttlasLint
import AttlasMetrics

/// A report as GitHub Flavored Markdown, short enough for a ticket: summary, findings, connections and tables.
public struct ReportMarkdown {
    /// Octets, so that no more characters than these.
    public static let limit = 65_536
    /// Octets for the last sentence.
    private static let reserve = 120

    private var text = TextBuffer()
    private var line = TextBuffer()
    private var leftOut = 0
    private let options: ReportOptions

    public init(_ options: ReportOptions) {
        self.options = options
    }

    public mutating func write(_ reports: [(file: String, model: ReportModel)], into output: inout Output) {
        let title = options.title
        put { line in
            line.append("# ")
            line.append(markdown: title)
        }
        for (file, model) in reports { write(model, file: file) }
        put { line in
            line.append("\nMade by attlas ")
            line.append(AttlasVersion.text)
        }
        if leftOut > 0 { text.append(string: "\n\(leftOut) lines more do not fit into \(Self.limit) characters.\n") }
        output.write(&text)
    }

    /// A line, or nothing if it does not fit any more.
    private mutating func put(_ write: (inout TextBuffer) -> Void) {
        line.removeAll()
        write(&line)
        line.append("\n")
        if leftOut > 0 || text.count + line.count + Self.reserve > Self.limit {
            leftOut += 1
        } else {
            text.append(contentsOf: line)
        }
    }

    private mutating func write(_ model: ReportModel, file: String) {
        let summary = ReportSummary(model: model)
        put { line in
            line.append("\n## ")
            line.append(markdownCode: file, isCell: false)
            line.append("\n")
        }
        for sentence in summary.sentences { put { $0.append(item: sentence) } }
        put { $0.append("\n| | |\n|---|---|") }
        for (name, text) in summary.facts(file: file) { put { $0.append(row: [name, text]) } }
        let limits = summary.limits
        if !limits.isEmpty { put { $0.append("\n**What this capture cannot tell**\n") } }
        for limit in limits { put { $0.append(item: limit) } }
        writeFindings(model)
        writeConnections(model)
        writeTables(model)
    }

    private mutating func writeFindings(_ model: ReportModel) {
        let findings = [LintReport(file: "", model.lint)].mostSevereFirst.map(\.finding)
        guard !findings.isEmpty else { return }
        put { $0.append("\n### Findings\n\n| severity | frame | rule | finding | where |\n|---|--:|---|---|---|") }
        for finding in findings {
            var place = TextBuffer()
            place.append(finding.place, in: model.lint)
            var sentence = TextBuffer()
            if options.showsValues || !finding.rule.id.hasPrefix("value/") { sentence.append(sentenceOf: finding) }
            put {
                $0.append(row: [
                    finding.rule.severity.rawValue, "\(finding.frame)", finding.rule.id, sentence.text, place.text,
                ])
            }
        }
    }

    private mutating func writeConnections(_ model: ReportModel) {
        guard !model.connections.isEmpty else { return }
        put { $0.append("\n### Connections\n\n| connection | peer | begin | end |\n|--:|---|---|---|") }
        for life in model.connections {
            var begin = TextBuffer()
            begin.append(secondsOf: model.offset(of: life.begun.time))
            begin.append(" s, frame ")
            begin.append(decimal: life.begun.frame)
            var end = TextBuffer()
            if let known = life.end {
                end.append(known, of: life)
                end.append(", frame ")
                end.append(decimal: known.moment.frame)
            } else {
                end.append("open at the end of the capture")
            }
            put { $0.append(row: ["\(life.number)", life.title, begin.text, end.text]) }
        }
    }

    private mutating func writeTables(_ model: ReportModel) {
        // Of all connections together.
        guard let group = model.statistics.groups(by: .characteristic).first else { return }
        func name(_ key: RowKey) -> String {
            var name = TextBuffer()
            name.append(key, model.names)
            return name.text
        }
        func duration(_ microseconds: Int?) -> String {
            guard let microseconds else { return "" }
            var text = TextBuffer()
            text.append(duration: Int64(microseconds) * 1_000)
            return text.text
        }
        if !group.exchanges.isEmpty {
            put {
                $0.append(
                    "\n### Round trips\n\n| request | count | p50 | p90 | p99 | max | unanswered |\n|---|--:|--:|--:|--:|--:|--:|"
                )
            }
        }
        for row in group.exchanges {
            let times = row.roundTrips
            let figures = [times.percentile(50), times.percentile(90), times.percentile(99), times.maximum].map(
                duration)
            put { $0.append(row: [name(row.key), "\(times.count)"] + figures + ["\(row.unanswered)"]) }
        }
        if !group.values.isEmpty {
            put {
                $0.append(
                    "\n### Values\n\n| PDU | count | octets | rate | gap p50 | gap max |\n|---|--:|--:|--:|--:|--:|")
            }
        }
        for row in group.values {
            var rate = TextBuffer()
            if let perSecond = row.perSecond { rate.append(rate: perSecond, "/s") }
            put {
                $0.append(row: [
                    name(row.key), "\(row.count)", "\(row.octets.value)", rate.text, duration(row.gaps.percentile(50)),
                    duration(row.gaps.maximum),
                ])
            }
        }
    }
}

extension TextBuffer {
    fileprivate mutating func append(item foreign: String) {
        append("- ")
        append(markdown: foreign)
    }

    fileprivate mutating func append(row cells: [String]) {
        for cell in cells {
            append("| ")
            append(markdown: cell)
            append(" ")
        }
        append("|")
    }
}

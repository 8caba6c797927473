import AttlasConversation
import AttlasDocuments
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasValues

/// A report as GitHub Flavored Markdown, short enough for a ticket: summary, findings, connections and tables.
package struct ReportMarkdown {
    /// Octets, so that no more characters than these.
    static let limit = 65_536
    /// Octets for the last sentence.
    private static let reserve = 120

    private var text = TextBuffer()
    private var line = TextBuffer()
    private var leftOut = 0
    private let options: ReportOptions

    private let values: ValueInterpreter

    package init(_ options: ReportOptions, values: ValueInterpreter) {
        self.options = options
        self.values = values
    }

    package mutating func write(_ reports: [ReportComparison.Capture], into output: inout Output) {
        putTitle()
        for (file, model) in reports { write(model, file: file) }
        end(into: &output)
    }

    package mutating func write(_ comparison: ReportComparison, into output: inout Output) {
        putTitle()
        write(comparison)
        write(comparison.first.model, file: comparison.first.file)
        write(comparison.second.model, file: comparison.second.file)
        end(into: &output)
    }

    private mutating func putTitle() {
        let title = options.title
        put { line in
            line.append("# ")
            line.append(markdown: title)
        }
    }

    private mutating func end(into output: inout Output) {
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
        for sentence in summary.headlines {
            put { $0.append(markdown: sentence) }
            put { _ in }
        }
        let incidents = summary.numberedIncidents
        for (index, incident) in incidents.enumerated() {
            var head = TextBuffer("\({ $0.append(lineOf: incident, model.incidents) })")
            head.append(clock: incident.time, model.incidents.integrity)
            put { line in
                line.append("\(index + 1). **")
                line.append(markdown: head.text)
                line.append("**")
                if incident.weight != .broke { line.append(" (\(own: incident.weight.rawValue))") }
                for sentence in incident.sentences {
                    line.append("<br>")
                    line.append(markdown: sentence)
                }
            }
        }
        let further = summary.further(model.incidents.numbered, than: incidents)
        if let further { put { $0.append(markdown: further) } }
        if !incidents.isEmpty { put { _ in } }
        for sentence in summary.sentences { put { $0.append(item: sentence) } }
        put { $0.append("\n| | |\n|---|---|") }
        for (name, text) in summary.facts(file: file) { put { $0.append(row: [name, text]) } }
        let limits = summary.limits
        if !limits.isEmpty { put { $0.append("\n**What this capture cannot tell**\n") } }
        for limit in limits {
            put { $0.append(item: limit.details.map { "\(limit.text). \($0)" } ?? limit.text) }
        }
        writeFindings(model)
        writeConnections(model)
        writeTables(model)
    }

    private mutating func writeFindings(_ model: ReportModel) {
        let findings = [LintReport(file: "", model.lint)].mostSevereFirst.map(\.finding)
        put(
            "Findings", ["severity", "#frame", "rule", "finding", "where"],
            findings.map { finding in
                let isShown = options.showsValues || !finding.rule.id.hasPrefix("value/")
                return [
                    finding.rule.severity.rawValue, "\(finding.frame)", finding.rule.id,
                    Self.text { if isShown { $0.append(sentenceOf: finding) } },
                    Self.text { $0.append(finding.place, in: model.lint) },
                ]
            })
    }

    private mutating func writeConnections(_ model: ReportModel) {
        put(
            "Connections", ["#connection", "peer", "begin", "end"],
            model.connections.map { life in
                let begin = TextBuffer(
                    "\(secondsOf: model.offset(of: life.begun.time)) s, frame \(life.begun.frame)")
                let end = life.end.map { end in TextBuffer("\({ $0.append(end, of: life) }), frame \(end.moment.frame)")
                }
                return [
                    "\(life.number)", model.title(of: life), begin.text, end?.text ?? "open at the end of the capture",
                ]
            })
    }

    private mutating func writeTables(_ model: ReportModel) {
        // Figures of all connections together.
        guard let group = model.statistics.groups(by: .characteristic).first else { return }
        let procedures = FigureColumn<ProcedureRow>.all.filter(\.markdown.one)
        put(
            "Procedures", ["procedure"] + procedures.map { "#\($0.title.lowercased())" } + ["not done"],
            group.procedures.map { row in
                [row.kind.rawValue] + procedures.map { Self.text($0.figure(row)) } + [row.outcomes.text]
            })
        let exchanges = FigureColumn<ExchangeRow>.all.filter(\.markdown.one)
        put(
            "Round trips", ["request"] + exchanges.map { "#\($0.title.lowercased())" } + ["#unanswered"],
            group.exchanges.map { row in
                [Self.text { $0.append(row.key, model.names) }] + exchanges.map { Self.text($0.figure(row)) }
                    + ["\(row.unanswered)"]
            })
        let values = FigureColumn<ValueRow>.all.filter(\.markdown.one)
        put(
            "Values", ["PDU"] + values.map { "#\($0.title.lowercased())" },
            group.values.map { row in
                [Self.text { $0.append(row.key, model.names) }] + values.map { Self.text($0.figure(row)) }
            })
    }

    /// A table below a heading, or nothing without rows.
    ///
    /// - Parameter columns: those with # before their title are of figures.
    private mutating func put(_ title: String, _ columns: [String], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        let titles = columns.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
        let columns = columns.map { $0.hasPrefix("#") ? "--:|" : "---|" }
        put {
            $0.append(string: "\n### \(title)\n\n| \(titles.joined(separator: " | ")) |\n|\(columns.joined())")
        }
        for row in rows { put { $0.append(row: row) } }
    }

    private static func text(_ figure: Figure) -> String { text { $0.append(figure) } }

    private static func text(_ write: (inout TextBuffer) -> Void) -> String {
        var text = TextBuffer()
        write(&text)
        return text.text
    }

    // MARK: Two captures

    private mutating func write(_ comparison: ReportComparison) {
        put { $0.append("\n## A and B compared\n") }
        for sentence in comparison.sentences(values, showsValues: options.showsValues) {
            put { $0.append(item: sentence) }
        }
        put { $0.append("\n| | A | B |\n|---|---|---|") }
        for (name, first, second) in comparison.facts { put { $0.append(row: [name, first, second]) } }
        put(
            "Incidents of both", ["incident", "change", "#A", "#B"],
            comparison.difference.incidents.map { pair in
                [pair.words, pair.change.rawValue, "\(pair.first?.count ?? 0)", "\(pair.second?.count ?? 0)"]
            })
        put(
            "Findings of both", ["severity", "rule", "change", "where", "#A", "#B"],
            comparison.findings.compactMap { pair in
                guard let (finding, model) = comparison.words(of: pair) else { return nil }
                return [
                    finding.rule.severity.rawValue, finding.rule.id, pair.change.rawValue,
                    Self.text { $0.append(finding.place, in: model) }, "\(pair.firstCount)", "\(pair.secondCount)",
                ]
            })
        writeTables(comparison.difference)
    }

    private mutating func writeTables(_ difference: CaptureDifference) {
        let values = values
        let changes = difference.servers.flatMap(\.changes)
        put(
            "Changes of the GATT trees",
            ["attribute", "change", "handle A", "B", "properties A", "B"],
            changes.map { change in
                let attributes = [change.first, change.second]
                return [Self.text { $0.append(change.path, values) }, change.word]
                    + attributes.map { attribute in
                        Self.text { if let attribute { $0.append("\(hex: attribute.handle)") } }
                    }
                    + attributes.map { attribute in
                        Self.text { if let properties = attribute?.properties { $0.append(properties) } }
                    }
            })
        put("Procedures of both", "procedure", difference.procedures, FigureColumn.all, \.rawValue)
        put("Round trips of both", "request", difference.exchanges, FigureColumn.all) { $0.words(values) }
        put("Values of both", "PDU", difference.values, FigureColumn.all) { $0.words(values) }
        guard options.showsValues else { return }
        put(
            "Fields in other ranges", ["field", "A", "B"],
            difference.fields.map { field in
                ["\(values.name(field.key.uuid, .characteristic)) › \(field.key.field)"]
                    + [field.first, field.second].map { range in Self.text { $0.append(range, field.key.unit) } }
            })
    }
}

extension ReportMarkdown {
    private mutating func put<Key, Row: SampledRow>(
        _ title: String, _ subject: String, _ pairs: [CaptureDifference.Pair<Key, Row>],
        _ columns: [FigureColumn<Row>], _ words: (Key) -> String
    ) {
        let columns = columns.filter(\.markdown.two)
        put(
            title,
            [subject]
                + columns.flatMap { ["#\($0.title.lowercased()) A", "#B"] + ($0.hasChange ? ["#change"] : []) },
            pairs.map { pair in
                [words(pair.key)]
                    + columns.flatMap { column in
                        pair.figures(column).map(Self.text) + (column.hasChange ? [pair.change(column).text] : [])
                    }
            })
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

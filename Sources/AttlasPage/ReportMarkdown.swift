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
        put { $0.append(markdown: "\(model.incidents.headline).") }
        put { _ in }
        for (index, incident) in summary.incidents.enumerated() {
            var head = TextBuffer()
            head.append(headOf: incident, model.incidents)
            head.append(string: " · \(incident.frameWords(3)). \(incident.what)")
            put { line in
                line.append("\(index + 1). ")
                line.append(markdown: head.text)
            }
        }
        if let further = summary.furtherIncidents { put { $0.append(markdown: further) } }
        if !summary.incidents.isEmpty { put { _ in } }
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
            begin.append("\(secondsOf: model.offset(of: life.begun.time)) s, frame \(life.begun.frame)")
            var end = TextBuffer()
            if let known = life.end {
                end.append(known, of: life)
                end.append(", frame \(known.moment.frame)")
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
                Self.duration)
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
                    name(row.key), "\(row.count)", "\(row.octets.value)", rate.text,
                    Self.duration(row.gaps.percentile(50)),
                    Self.duration(row.gaps.maximum),
                ])
            }
        }
    }

    private static func duration(_ microseconds: Int?) -> String {
        text { if let microseconds { $0.append(duration: Int64(microseconds) * 1_000) } }
    }

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
        if !comparison.difference.incidents.isEmpty {
            put { $0.append("\n### Incidents of both\n\n| incident | change | A | B |\n|---|---|--:|--:|") }
        }
        for pair in comparison.difference.incidents {
            put {
                $0.append(row: [
                    pair.words, pair.change.rawValue, "\(pair.first?.count ?? 0)", "\(pair.second?.count ?? 0)",
                ])
            }
        }
        if !comparison.findings.isEmpty {
            put {
                $0.append(
                    "\n### Findings of both\n\n| severity | rule | change | where | A | B |\n|---|---|---|---|--:|--:|")
            }
        }
        for pair in comparison.findings {
            guard let (finding, model) = comparison.words(of: pair) else { continue }
            put {
                $0.append(row: [
                    finding.rule.severity.rawValue, finding.rule.id, pair.change.rawValue,
                    Self.text { $0.append(finding.place, in: model) }, "\(pair.firstCount)", "\(pair.secondCount)",
                ])
            }
        }
        writeTables(comparison.difference)
    }

    private mutating func writeTables(_ difference: CaptureDifference) {
        let values = values
        let changes = difference.servers.flatMap(\.changes)
        if !changes.isEmpty {
            put {
                $0.append(
                    "\n### Changes of the GATT trees\n\n| attribute | change | handle A | B | properties A | B |\n|---|---|---|---|---|---|"
                )
            }
        }
        for change in changes {
            let attributes = [change.first, change.second]
            put {
                $0.append(
                    row: [Self.text { $0.append(change.path, values) }, change.word]
                        + attributes.map { attribute in
                            Self.text { if let attribute { $0.append("\(hex: attribute.handle)") } }
                        }
                        + attributes.map { attribute in
                            Self.text { if let properties = attribute?.properties { $0.append(properties) } }
                        })
            }
        }
        if !difference.exchanges.isEmpty {
            put {
                $0.append(
                    "\n### Round trips of both\n\n| request | count A | B | p50 A | B | change | p99 A | B |\n|---|--:|--:|--:|--:|--:|--:|--:|"
                )
            }
        }
        for pair in difference.exchanges {
            let times = [pair.first?.roundTrips, pair.second?.roundTrips]
            let medians = times.map { $0?.percentile(50) }
            put {
                $0.append(
                    row: [pair.key.words(values)] + times.map { "\($0?.count ?? 0)" } + medians.map(Self.duration)
                        + [Self.text { $0.append(changeFrom: medians[0], to: medians[1]) }]
                        + times.map { Self.duration($0?.percentile(99)) })
            }
        }
        if !difference.values.isEmpty {
            put {
                $0.append(
                    "\n### Values of both\n\n| PDU | count A | B | rate A | B | gap p50 A | B |\n|---|--:|--:|--:|--:|--:|--:|"
                )
            }
        }
        for pair in difference.values {
            let rows = [pair.first, pair.second]
            put {
                $0.append(
                    row: [pair.key.words(values)] + rows.map { "\($0?.count ?? 0)" }
                        + rows.map { row in Self.text { if let rate = row?.perSecond { $0.append(rate: rate, "/s") } } }
                        + rows.map { Self.duration($0?.gaps.percentile(50)) })
            }
        }
        guard options.showsValues, !difference.fields.isEmpty else { return }
        put { $0.append("\n### Fields in other ranges\n\n| field | A | B |\n|---|---|---|") }
        for field in difference.fields {
            put {
                $0.append(
                    row: ["\(values.name(field.key.uuid, .characteristic)) › \(field.key.field)"]
                        + [field.first, field.second].map { range in Self.text { $0.append(range, field.key.unit) } })
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

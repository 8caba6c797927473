import AttlasConversation
import AttlasDocuments
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText

/// Problems, their consequences, and the extent of the capture.
extension ReportPage {
    /// Findings of one rule that are written out.
    private static let findingLimit = 50

    /// The first screen: the headline, and the timeline below it.
    mutating func writeSummary(_ model: ReportModel) {
        beginPart("summary", isHeard: true)
        for sentence in ReportSummary(model: model).headlines { html.element("p", "headline") { $0.put(sentence) } }
        if let reason = model.whyNothing { putNote("Nothing was selected: \(reason)") }
        if !options.showsValues {
            putNote("This report was made without values. Names, addresses, UUIDs, times and lengths are in it.")
        }
        endPart()
    }

    /// Writes the incidents; those that were slow or only noted are folded.
    mutating func writeIncidents(_ model: ReportModel) {
        beginPart("incidents")
        var number = 1
        for weight in Incident.Weight.allCases.reversed() {
            let stories = stories.filter { $0.incident.weight == weight }
            guard !stories.isEmpty else { continue }
            if weight != .broke {
                html.markup("<details class=\"folded\"><summary>")
                html.put(
                    "\(counted(stories.count, "thing")) \(stories.count == 1 ? "was" : "were") "
                        + (weight == .hindered ? "slow or repeated" : "noted"))
                html.markup("</summary>")
            }
            html.markup("<ol class=\"places\"")
            html.attribute("start", "\(number)")
            html.markup(">")
            for story in stories { write(story, model) }
            html.markup(weight == .broke ? "</ol>" : "</ol></details>")
            number += stories.count
        }
        if stories.isEmpty { html.element("p", "No incident.") }
        let further = ReportSummary(model: model).further(model.incidents.incidents, than: stories.map(\.incident))
        if let further { html.element("p", further) }
        endPart()
    }

    /// Writes the extent of the capture, and its limits.
    mutating func writeCapture(_ model: ReportModel, file: String) {
        let summary = ReportSummary(model: model)
        beginPart("capture")
        for sentence in summary.sentences { html.element("p", sentence) }
        html.markup("<dl class=\"facts\">")
        for (name, text) in summary.facts(file: file) {
            // As a SHA-256.
            html.markup(text.utf8.count > 48 ? "<div class=\"wide\">" : "<div>")
            html.element("dt", name)
            html.element("dd", text)
            html.markup("</div>")
        }
        html.markup("</dl>\n")
        let limits = summary.limits
        if !limits.isEmpty {
            html.markup("<div class=\"limits\"><h4>What this capture cannot tell</h4><ul>")
            for limit in limits {
                guard let details = limit.details else {
                    html.element("li", limit.text)
                    continue
                }
                html.markup("<li><details>")
                html.element("summary", limit.text)
                html.element("p", details)
                html.markup("</details></li>")
            }
            html.markup("</ul></div>\n")
        }
        endPart()
    }

    private mutating func write(_ story: Story, _ model: ReportModel) {
        let incident = story.incident
        html.markup("<li")
        html.attribute("id", "c\(capture)-\(story.id)")
        html.markup("><strong>")
        html.put { $0.append(headOf: incident, model.incidents) }
        html.markup("</strong> · frame")
        html.markup(incident.count == 1 ? " " : "s ")
        for (index, frame) in incident.occurrences.prefix(Self.findingLimit).enumerated() {
            if index > 0 { html.markup(", ") }
            putFrame(frame)
        }
        if incident.count > Self.findingLimit { html.markup(" and more") }
        html.put { $0.append(clock: incident.time, model.incidents.integrity) }
        for text in incident.sentences {
            html.markup("<br>")
            html.put(text)
        }
        for finding in story.findings {
            html.markup("<br><span class=\"faint\">")
            html.put("\(finding.rule.title) (\(finding.rule.id)): ")
            putSentence(of: finding)
            html.put(" \(finding.rule.section)")
            html.markup("</span>")
        }
        html.markup("</li>\n")
    }

    mutating func writeFindings(_ model: ReportModel) {
        beginPart("findings")
        html.element("p", model.lint.counts)
        let told = model.lint.findings.count { isTold($0) }
        if told > 0 {
            putNote("\(counted(told, "finding")) of them \(told == 1 ? "is" : "are") told above, with what went wrong.")
        }
        if told < model.lint.findings.count { putRangeNote(of: "li", " findings on this page are in the range.") }
        for severity in LintRule.Severity.allCases.reversed() {
            for rule in model.lint.rules where rule.severity == severity {
                let found = model.lint.findings.filter { $0.rule.id == rule.id && !isTold($0) }
                if !found.isEmpty { write(rule, found, model) }
            }
        }
        for sentence in model.lint.suppressedSentences { putNote(sentence) }
        endPart()
    }

    private mutating func putSentence(of finding: LintFinding) {
        html.put { piece in
            if options.showsValues || !finding.rule.id.hasPrefix("value/") {
                piece.append(sentenceOf: finding)
            } else {
                piece.append("Its value is left out.")
            }
        }
    }

    mutating func putBadge(_ word: String) {
        html.markup("<span class=\"badge ")
        html.put(word)
        html.markup("\">")
        html.put(word)
        html.markup("</span> ")
    }

    private mutating func write(_ rule: LintRule, _ found: [LintFinding], _ model: ReportModel) {
        html.markup("<article class=\"finding\"><h4>")
        putBadge(rule.severity.rawValue)
        html.put(rule.title)
        html.markup(" <code>")
        html.put(rule.id)
        html.markup("</code></h4><ul class=\"places\">")
        for finding in found.prefix(Self.findingLimit) {
            html.markup("<li")
            putTime(model.offset(of: finding.time))
            html.markup(">frame ")
            putFrame(finding.frame)
            html.markup(" · ")
            let time = { (html: inout HTMLWriter) in
                html.put { $0.append(secondsOf: model.offset(of: finding.time)) }
                html.markup(" s")
            }
            // To its place on the timeline.
            if marked.contains(finding.frame) {
                putLink("c\(capture)-m\(finding.frame)", time)
            } else {
                time(&html)
            }
            html.markup(" · ")
            putSentence(of: finding)
            html.markup(" <span class=\"faint\">")
            html.put { $0.append(finding.place, in: model.lint) }
            html.markup("</span></li>")
        }
        html.markup("</ul>")
        let rest = found.count - min(found.count, Self.findingLimit) + (model.lint.leftOut[rule.id] ?? 0)
        if rest > 0 { putNote("and \(rest) more") }
        html.markup("<dl class=\"why\">")
        for (name, text) in [("Why", rule.explanation), ("Specification", rule.section), ("What to do", rule.advice)]
        where !text.isEmpty {
            html.element("dt", name)
            html.element("dd", text)
        }
        html.markup("</dl></article>\n")
    }
}

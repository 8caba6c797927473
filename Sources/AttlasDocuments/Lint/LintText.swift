import AttlasCapture
import AttlasConversation
import AttlasLint
import AttlasText
import AttlasWire

/// The findings of a capture, rule by rule, the most severe first: where, what happened, why it matters, what to do.
package struct LintText {
    package var line: LineWriter
    private var piece = TextBuffer()
    private let model: LintModel

    /// Findings of one rule that are written out.
    private static let most = 20
    /// Rules of one reason that are named; `--json` names all.
    private static let mostUnchecked = 4

    package init(_ model: LintModel, width: Int?, isColoured: Bool) {
        self.model = model
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// An empty line before the next capture.
    package mutating func separate() {
        line.endLine()
    }

    /// - Parameter file: named where there are several.
    package mutating func write(file: String?, into output: inout Output) {
        write(file: file)
        output.write(&line.text)
    }

    mutating func write(file: String?) {
        if let file {
            line.putFolded("\(display: file)", .name, margin: 0)
            line.endLine()
        }
        line.putDamage(model.integrity)
        let findings = Dictionary(grouping: model.findings, by: \.rule.id)
        for severity in LintRule.Severity.allCases.reversed() {
            for rule in model.rules where rule.severity == severity {
                guard let found = findings[rule.id] else { continue }
                write(rule, found, leftOut: model.leftOut[rule.id] ?? 0)
            }
        }
        summarize()
        for sentence in model.suppressedSentences { line.putFolded(sentence) }
        writeUnchecked()
        line.putPart(model.integrity)
        if !model.silent.isEmpty {
            line.putFolded("Silent because of that, in whole or after a gap: \(model.silent.joined(separator: ", ")).")
        }
    }

    /// How much "nothing found" means.
    private mutating func writeUnchecked() {
        guard !model.unchecked.isEmpty else { return }
        line.putFolded("\(model.checkedCount) of \(model.rules.count) rules could be checked. The others could not:")
        for unchecked in model.unchecked {
            let rest = unchecked.rules.count - Self.mostUnchecked
            line.putFolded(
                "· \(unchecked.reason): \(unchecked.rules.prefix(Self.mostUnchecked).joined(separator: ", "))"
                    + (rest > 0 ? " and \(rest) more" : ""))
        }
    }

    private mutating func write(_ rule: LintRule, _ found: [LintFinding], leftOut: Int) {
        line.put(rule.severity.mark, rule.severity.style)
        line.advance(to: 2)
        line.put(TextBuffer(rule.severity.rawValue), rule.severity.style)
        line.advance(to: 10)
        line.put(TextBuffer(rule.id), .name)
        line.put(" · ")
        line.putFolded(TextBuffer(rule.title), margin: 10)
        for finding in found.prefix(Self.most) { write(finding) }
        let rest = found.count - min(found.count, Self.most) + leftOut
        if rest > 0 {
            line.advance(to: 4)
            line.putFolded("and \(rest) more", .faint, margin: 4)
        }
        line.put("why", rule.explanation)
        line.put("spec", rule.section)
        line.put("do", rule.advice)
        line.endLine()
    }

    private mutating func write(_ finding: LintFinding) {
        line.advance(to: 4)
        line.put("frame \(finding.frame)", .faint)
        line.advance(to: 18)
        piece.removeAll()
        piece.append(sentenceOf: finding)
        line.putFolded(piece, margin: 18)
        piece.removeAll()
        piece.append(finding.place, in: model)
        if let clock = model.integrity.clock(of: finding.time) { piece.append(part: "\(own: clock)") }
        if piece.count > 0 { put(.faint, at: 18) }
        guard let incident = model.incident(of: finding) else { return }
        piece = TextBuffer("what broke: \(display: incident.headline) · \(own: incident.frameWords(1))")
        put(incident.weight.style, at: 18)
    }

    /// One finding with its reason, its section and its advice.
    package mutating func writeAlone(_ finding: LintFinding) { write(finding.rule, [finding], leftOut: 0) }

    private mutating func summarize() {
        piece = TextBuffer("\(own: model.counts)")
        put(model.findings.isEmpty ? .good : .plain, at: 0)
        guard let broken = model.incidents?.summary(of: .broke) else { return }
        line.putFolded("What broke (attlas why has the causes): \(broken)", .bad)
    }

    // MARK: Lines

    private mutating func put(_ style: LineWriter.Style, at column: Int) {
        line.advance(to: column)
        line.putFolded(piece, style, margin: column)
    }
}

extension LintRule.Severity {
    package var mark: StaticString {
        switch self {
        case .error: "✗"
        case .warning: "!"
        case .info: "·"
        }
    }
}

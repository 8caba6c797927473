import AttlasConversation
import AttlasLint
import AttlasText

extension PacketLayers {
    /// Adds a rule's finding about the packet: what happened, why it matters, what to do.
    mutating func add(_ finding: LintFinding) {
        add(0, finding.rule.id, style: .bad) { $0.append(string: finding.rule.title) }
        addText(finding.sentence, "what")
        if finding.count > 1 {
            add(1, "times") {
                $0.append("\(finding.count), last in frame \(finding.lastFrame)")
            }
        }
        addText(finding.rule.explanation, "why")
        addText(finding.rule.section, "spec")
        addText(finding.rule.advice, "do")
    }

    /// A sentence in several rows.
    private mutating func addText(_ text: String, _ name: String) {
        var row = ""
        var name = name
        for word in text.split(separator: " ") {
            if row.count + word.count > 60 {
                add(1, name) { $0.append(display: row) }
                (row, name) = ("", "    ")
            }
            row += row.isEmpty ? "\(word)" : " \(word)"
        }
        add(1, name) { $0.append(display: row) }
    }
}

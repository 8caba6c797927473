import AttlasLint
import AttlasText

/// Every rule: its findings, and the data that it needs in the capture.
package struct LintRulesText {
    fileprivate var line: LineWriter

    package init(width: Int?, isColoured: Bool) {
        line = LineWriter(width: width, isColoured: isColoured)
    }

    package mutating func write(_ rules: [LintRule], into output: inout Output) {
        for rule in rules {
            line.put(TextBuffer(rule.id), .name)
            line.advance(to: 34)
            line.put(TextBuffer(rule.severity.rawValue), .faint)
            line.advance(to: 42)
            line.putFolded(TextBuffer(rule.title), margin: 42)
            line.put("needs", rule.needs)
        }
        output.write(&line.text)
    }
}

extension LintRulesText {
    /// All that is known of rules.
    package mutating func explain(_ rules: [LintRule], into output: inout Output) {
        for rule in rules {
            line.put(TextBuffer(rule.id), .name)
            line.put(" · ")
            line.put(TextBuffer(rule.severity.rawValue), .faint)
            line.put(" · ")
            line.putFolded(TextBuffer(rule.title), margin: 2)
            line.put("why", rule.explanation)
            line.put("needs", rule.needs)
            line.put("spec", rule.section)
            line.put("do", rule.advice)
        }
        output.write(&line.text)
    }
}

extension LineWriter {
    /// A sentence over as many lines as it takes.
    mutating func put(_ label: StaticString, _ sentence: String) {
        let room = max(20, (width ?? 120) - 12)
        var piece = TextBuffer()
        var isFirst = true
        var words = sentence.split(separator: " ")[...]
        while !words.isEmpty {
            piece.removeAll()
            while let word = words.first, piece.count == 0 || piece.columns + 1 + word.count <= room {
                if piece.count > 0 { piece.append(" ") }
                piece.append(display: String(word))
                words.removeFirst()
            }
            advance(to: 4)
            if isFirst { put(label, .faint) }
            isFirst = false
            advance(to: 10)
            put(piece, .faint)
            endLine()
        }
    }
}

import AttlasCapture
import AttlasLint
import AttlasTrace
import AttlasWire

/// The findings of a capture, rule by rule, the most severe first: where, what happened, why it matters, what to do.
public struct LintText {
    var line: LineWriter
    private var piece = TextBuffer()
    private var values: ValueReader

    /// Findings of one rule that are written out.
    private static let most = 20

    public init(values: ValueReader, width: Int?, isColoured: Bool) {
        self.values = values
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// An empty line before the next capture.
    public mutating func separate() {
        line.endLine()
    }

    /// - Parameter file: named where there are several.
    public mutating func write(
        _ findings: LintFindings, _ trace: borrowing Trace, file: String?, into output: inout Output
    ) {
        write(findings, trace, file: file)
        output.write(&line.text)
    }

    mutating func write(_ findings: LintFindings, _ trace: borrowing Trace, file: String?) {
        if let file {
            piece.removeAll()
            piece.append(display: file)
            put(.name, at: 0)
            line.endLine()
        }
        let sorted = findings.sorted
        for severity in LintRule.Severity.allCases.reversed() {
            for rule in LintRule.all where rule.severity == severity {
                let found = sorted.filter { $0.rule.id == rule.id }
                guard !found.isEmpty else { continue }
                write(rule, found, leftOut: findings.leftOut[rule.id] ?? 0, in: trace)
            }
        }
        summarize(sorted)
    }

    private mutating func write(_ rule: LintRule, _ found: [LintFinding], leftOut: Int, in trace: borrowing Trace) {
        line.put(TextBuffer(rule.severity.mark), rule.severity == .info ? .faint : .bad)
        line.advance(to: 2)
        line.put(TextBuffer(rule.severity.rawValue), rule.severity == .info ? .faint : .bad)
        line.advance(to: 10)
        line.put(TextBuffer(rule.id), .name)
        line.put(" · ")
        line.put(TextBuffer(rule.title))
        line.endLine()
        for finding in found.prefix(Self.most) { write(finding, in: trace) }
        let rest = found.count - min(found.count, Self.most) + leftOut
        if rest > 0 {
            piece.removeAll()
            piece.append("and ")
            piece.append(decimal: rest)
            piece.append(" more")
            put(.faint, at: 4)
        }
        put("why", rule.explanation)
        put("spec", rule.section)
        put("do", rule.advice)
        line.endLine()
    }

    private mutating func write(_ finding: LintFinding, in trace: borrowing Trace) {
        piece.removeAll()
        piece.append("frame ")
        piece.append(decimal: finding.frame)
        line.advance(to: 4)
        line.put(piece, .faint)
        line.advance(to: 18)
        piece.removeAll()
        piece.append(display: finding.sentence)
        if finding.count > 1 {
            piece.append(" ")
            piece.append(decimal: finding.count)
            piece.append(" times, last in frame ")
            piece.append(decimal: finding.lastFrame)
            piece.append(".")
        }
        line.put(piece)
        line.endLine()
        piece.removeAll()
        appendPlace(of: finding.subject, in: trace)
        if piece.count > 0 { put(.faint, at: 18) }
    }

    /// `HRM-7 · Heart Rate › Heart Rate Measurement`
    private mutating func appendPlace(of subject: LintFinding.Subject, in trace: borrowing Trace) {
        switch subject.party {
        case .host: piece.append("by the host · ")
        case .peer: piece.append("by the peer · ")
        case .central: piece.append("by the central · ")
        case .peripheral: piece.append("by the peripheral · ")
        case nil: break
        }
        if let peer = subject.peer {
            if let name = trace.name(of: peer) {
                piece.append(display: name)
            } else {
                piece.append(peer)
            }
        } else if let connection = subject.connection {
            piece.append("connection ")
            piece.append(decimal: connection)
        }
        if let attribute = subject.attribute {
            let isHeard = subject.party == .central || subject.party == .peripheral
            piece.append(subject.server != .local ? " · " : isHeard ? " · the central's " : " · this host's ")
            if let service = attribute.service {
                piece.append(display: values.name(service, .service, in: trace))
                piece.append(" › ")
            }
            if let characteristic = attribute.characteristic {
                piece.append(display: values.name(characteristic, .characteristic, in: trace))
            }
            if attribute.role != .value {
                if attribute.characteristic != nil { piece.append(" › ") }
                piece.append(display: values.name(attribute.type, .descriptor, in: trace))
            }
        } else if let handle = subject.handle, handle != 0 {
            piece.append(" · 0x")
            piece.append(hex: handle, digits: 4, uppercase: true)
        }
    }

    private mutating func summarize(_ findings: [LintFinding]) {
        piece.removeAll()
        if findings.isEmpty {
            piece.append("Nothing found.")
            return put(.good, at: 0)
        }
        for severity in LintRule.Severity.allCases.reversed() {
            let count = findings.count { $0.rule.severity == severity }
            guard count > 0 else { continue }
            if piece.count > 0 { piece.append(" · ") }
            piece.append(decimal: count)
            piece.append(" ")
            piece.append(string: severity.rawValue)
            if count > 1, severity != .info { piece.append("s") }
        }
        put(.plain, at: 0)
    }

    // MARK: Lines

    private mutating func put(_ style: LineWriter.Style, at column: Int) {
        line.advance(to: column)
        line.put(piece, style)
        line.endLine()
    }

    /// A sentence over as many lines as it takes.
    private mutating func put(_ label: StaticString, _ sentence: String) {
        let room = max(20, (line.width ?? 120) - 12)
        var isFirst = true
        var words = sentence.split(separator: " ")[...]
        while !words.isEmpty {
            piece.removeAll()
            while let word = words.first, piece.count == 0 || piece.columns + 1 + word.count <= room {
                if piece.count > 0 { piece.append(" ") }
                piece.append(display: String(word))
                words.removeFirst()
            }
            line.advance(to: 4)
            if isFirst { line.put(label, .faint) }
            isFirst = false
            line.advance(to: 10)
            line.put(piece, .faint)
            line.endLine()
        }
    }

    // MARK: Rules

    /// Every rule: what it finds, and what must be in the capture for it to speak.
    public mutating func write(_ rules: [LintRule], into output: inout Output) {
        for rule in rules {
            line.put(TextBuffer(rule.id), .name)
            line.advance(to: 34)
            line.put(TextBuffer(rule.severity.rawValue), .faint)
            line.advance(to: 42)
            line.put(TextBuffer(rule.title))
            line.endLine()
            put("needs", rule.needs)
        }
        output.write(&line.text)
    }
}

extension LintRule.Severity {
    fileprivate var mark: String {
        switch self {
        case .error: "✗"
        case .warning: "!"
        case .info: "·"
        }
    }
}

extension TextBuffer {
    fileprivate init(_ text: String) {
        self.init()
        append(string: text)
    }
}

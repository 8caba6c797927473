import AttlasConversation
import AttlasIncidents
import AttlasLint
import AttlasText
import AttlasWire

/// The incidents, the most important first; or the story of a characteristic or a peer, with the incidents in their places.
package struct WhyText {
    private var line: LineWriter
    private var piece = TextBuffer()
    private let model: WhyModel

    /// Incidents of one weight that are written out; `--json` has all.
    private static let most = 20
    private static let mostFindings = 3

    package init(_ model: WhyModel, width: Int?, isColoured: Bool) {
        self.model = model
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// - Parameter file: named where there are several.
    package mutating func write(file: String?, into output: inout Output) {
        write(file: file)
        output.write(&line.text)
    }

    mutating func write(file: String?) {
        if let file {
            line.put("\(display: file)", .name)
            line.endLine()
        }
        line.putDamage(model.integrity)
        if model.subject == nil {
            writeIncidents()
        } else {
            for (index, answer) in model.answers.enumerated() {
                if index > 0 { line.endLine() }
                write(answer)
            }
            if model.answers.isEmpty { refuse() }
        }
        line.putPart(model.integrity)
    }

    // MARK: Incidents

    private mutating func writeIncidents() {
        writeHead()
        if model.incidents.numbered.isEmpty { writeFindings() }
        var number = 0
        for weight in IncidentsModel.numberedWeights {
            let incidents = model.incidents.incidents(of: weight)
            guard !incidents.isEmpty else { continue }
            if weight == .hindered { writeHeading("Hindered") }
            for incident in incidents.prefix(Self.most) {
                number += 1
                line.endLine()
                line.put(incident, number, model.incidents)
            }
            number += max(0, incidents.count - Self.most)
            writeRest(incidents.count - Self.most)
        }
        let noted = model.incidents.incidents(of: .noted)
        let closings = model.incidents.closings.sentence
        if !noted.isEmpty || closings != nil { writeHeading("Noted") }
        if let closings { line.putFolded(closings, indent: 3) }
        for incident in noted.prefix(Self.most) { line.put(incident, nil, model.incidents) }
        writeRest(noted.count - Self.most)
        if model.incidents.leftOut > 0 {
            line.putFolded(
                "\(model.incidents.leftOut) further incidents were counted only: see Documentation/limits.md.")
        }
        if !model.incidents.numbered.isEmpty, model.incidents.incidents(of: .broke).isEmpty {
            line.endLine()
            writeFindings()
        }
    }

    /// `4 things broke on 2 devices (29317 records, 1 h 44 min)`
    private mutating func writeHead() {
        piece = TextBuffer("\(own: model.incidents.headline) (\(model.integrity.extent.records, "record")")
        if let duration = model.integrity.duration { piece.append(", \(duration: duration)") }
        piece.append(")")
        line.putFolded(piece, model.incidents.incidents(of: .broke).isEmpty ? .good : .bad, margin: 2)
        for sentence in model.incidents.hidden { line.putFolded(sentence, .faint) }
    }

    /// `attlas lint finds 1 error and 2 warnings:` and the first ones.
    private mutating func writeFindings() {
        guard model.integrity.extent.records > 0 else { return }
        guard let findings = model.findings else {
            return line.putFolded("attlas lint checks the conversation against the specification.")
        }
        guard !findings.isEmpty else {
            let others = model.incidents.incidents.isEmpty ? "no error and no warning" : "no other error or warning"
            return line.putFolded("attlas lint finds \(others).")
        }
        let counts = [LintRule.Severity.error, .warning].compactMap { severity -> String? in
            let count = findings.count { $0.rule.severity == severity }
            return count == 0 ? nil : counted(count, severity.rawValue)
        }
        let isMore = findings.count > Self.mostFindings
        line.putFolded("attlas lint finds \(counts.joined(separator: " and "))\(isMore ? ", such as" : ""):")
        for finding in findings.prefix(Self.mostFindings) {
            line.putFolded(
                "\(finding.rule.title) · frame \(finding.frame)\(finding.count > 1 ? ", \(finding.count) times" : "")",
                indent: 3)
        }
    }

    private mutating func writeHeading(_ text: StaticString) {
        line.endLine()
        line.put(text, .name)
        line.endLine()
    }

    private mutating func writeRest(_ count: Int) {
        if count > 0 { line.putFolded("… and \(count) more: --json lists them", indent: 2) }
    }

    // MARK: Stories

    /// `HRM-7 (C4:64:E3:01:02:03, public) · Heart Rate › Heart Rate Measurement · handle 0x0012`
    private mutating func write(_ answer: WhyModel.Answer) {
        piece.removeAll()
        if answer.server == .local {
            piece.append("this host")
        } else {
            piece.append(name: answer.name, answer.address)
        }
        if let characteristic = answer.characteristic {
            piece.append(" · ")
            if let service = answer.service { piece.append("\(display: model.names.name(service, .service)) › ") }
            piece.append(display: model.names.name(characteristic, .characteristic))
        }
        if let handle = answer.handle { piece.append(" · handle \(hex: handle)") }
        line.putFolded(piece, .name, margin: 2)
        for sentence in answer.sentences {
            guard sentence.incident != nil, let frame = sentence.frame else {
                line.putFolded(sentence.text, .plain, indent: 2)
                continue
            }
            line.putFolded("✗ frame \(frame): \(sentence.text)", .bad, indent: 2)
        }
        for finding in answer.findings {
            piece.removeAll()
            piece.append(sentenceOf: finding)
            line.putFolded("\(finding.rule.id), frame \(finding.frame): \(piece.text)", .faint, indent: 2)
        }
        for advice in answer.advice { line.putFolded("Try: \(advice)", .good, indent: 2) }
        for untold in answer.untold { line.putFolded("Not in the capture: \(untold)", .faint, indent: 2) }
    }

    private mutating func refuse() {
        guard let subject = model.subject else { return }
        line.putFolded("No characteristic and no peer of this capture is called “\(subject)”.", .plain)
        let most = 20
        var known = model.known.prefix(most).joined(separator: ", ")
        if model.known.count > most { known += ", and \(model.known.count - most) more" }
        line.putFolded(
            known.isEmpty ? "It has none: attlas devices lists what was heard." : "It has: \(known).", .plain)
    }
}

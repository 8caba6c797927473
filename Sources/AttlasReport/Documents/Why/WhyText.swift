import AttlasLint
import AttlasWire

/// Answers in words: what the capture shows, sentence by sentence, what to try, and what it does not show.
public struct WhyText {
    private var line: LineWriter
    private var piece = TextBuffer()
    private let model: WhyModel

    public init(_ model: WhyModel, width: Int?, isColoured: Bool) {
        self.model = model
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// - Parameter file: named where there are several.
    public mutating func write(file: String?, into output: inout Output) {
        write(file: file)
        output.write(&line.text)
    }

    mutating func write(file: String?) {
        if let file {
            piece.removeAll()
            piece.append(display: file)
            line.put(piece, .name)
            line.endLine()
        }
        for (index, answer) in model.answers.enumerated() {
            if index > 0 { line.endLine() }
            write(answer)
        }
        if model.answers.isEmpty { refuse() }
        line.putPart(model.integrity)
    }

    /// `HRM-7 (C4:64:E3:01:02:03, public) · Heart Rate › Heart Rate Measurement · handle 0x0012`
    private mutating func write(_ answer: WhyModel.Answer) {
        piece.removeAll()
        if answer.server == .local {
            piece.append("this host")
        } else if let name = answer.name {
            piece.append(display: name)
            if let address = answer.address {
                piece.append(" (")
                piece.append(address)
                piece.append(")")
            }
        } else if let address = answer.address {
            piece.append(address)
        } else {
            piece.append("a peer without a known address")
        }
        if let characteristic = answer.characteristic {
            piece.append(" · ")
            if let service = answer.service {
                piece.append(display: model.names.name(service, .service))
                piece.append(" › ")
            }
            piece.append(display: model.names.name(characteristic, .characteristic))
        }
        if let handle = answer.handle {
            piece.append(" · handle 0x")
            piece.append(hex: handle, digits: 4, uppercase: true)
        }
        line.putFolded(piece, .name, margin: 2)
        for sentence in answer.sentences { line.putFolded(sentence.text, .plain, indent: 2) }
        for finding in answer.findings {
            piece.removeAll()
            piece.append(sentenceOf: finding)
            line.putFolded(
                "\(finding.rule.id), frame \(finding.frame): \(String(decoding: piece.bytes, as: UTF8.self))", .bad,
                indent: 2)
        }
        for advice in answer.advice { line.putFolded("Try: \(advice)", .good, indent: 2) }
        for untold in answer.untold { line.putFolded("Not in the capture: \(untold)", .faint, indent: 2) }
    }

    private mutating func refuse() {
        guard let subject = model.subject else {
            line.put("No peer is in this capture.")
            return line.endLine()
        }
        line.putFolded("No characteristic and no peer of this capture is called “\(subject)”.", .plain)
        let most = 20
        var known = model.known.prefix(most).joined(separator: ", ")
        if model.known.count > most { known += ", and \(model.known.count - most) more" }
        line.putFolded(known.isEmpty ? "It has none." : "It has: \(known).", .plain)
    }
}

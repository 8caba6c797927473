import AttlasInference
import AttlasText
import AttlasWire

/// Proposed layouts: definition files of the requested characteristics, or a list of all with the number of claims.
package struct InferenceText {
    private var line: LineWriter
    private let model: InferenceModel

    package init(_ model: InferenceModel, width: Int?, isColoured: Bool) {
        self.model = model
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// - Parameter file: named where there are several.
    package mutating func write(file: String?, into output: inout Output) {
        if let file {
            line.put(model.subject == nil ? "\(display: file)" : "# \(display: file)", .name)
            line.endLine()
        }
        // A definition cannot describe a channel.
        let isList = model.subject == nil || model.characteristics.contains { $0.values.source.list == .channels }
        if isList { writeList() } else { writeDrafts() }
        if let sentence = model.marksSentence {
            line.putFolded("\(own: isList ? "" : "# ")\(own: sentence)", .faint, margin: 2)
        }
        output.write(&line.text)
    }

    private mutating func writeDrafts() {
        guard !model.characteristics.isEmpty else { return }
        for text in DraftFile(model.characteristics).text.split(separator: "\n") {
            let isComment = text.drop { $0 == " " }.hasPrefix("#")
            line.putWhole(TextBuffer("\(display: String(text))"), isComment ? .faint : .plain)
            line.endLine()
        }
    }

    private mutating func writeList() {
        line.putDamage(model.integrity)
        for characteristic in model.characteristics {
            let values = characteristic.values
            if case .characteristic(_, let handle) = values.source { line.put(TextBuffer("\(hex: handle)"), .faint) }
            line.advance(to: 8)
            line.put(TextBuffer("\(display: values.title)"), .name)
            if values.source.isAdvertised { line.put(TextBuffer("\({ $0.append(placeOf: values) })"), .faint) }
            line.endLine()
            for (direction, layout) in characteristic.layouts {
                line.advance(to: 8)
                line.putFolded("\({ $0.append(direction, layout) })", margin: 10)
                if let framing = layout.messages?.framing {
                    line.advance(to: 10)
                    line.putFolded("\(own: framing.sentence)", .faint, margin: 12)
                }
                if let dialect = layout.dialect {
                    line.advance(to: 10)
                    line.putFolded(
                        "\(own: dialect.dialect.rawValue): \(own: dialect.evidence.text)", .faint, margin: 12)
                }
                for doubt in (layout.messages?.framing.doubts ?? []) + layout.doubts {
                    line.advance(to: 10)
                    line.putFolded("doubt: \(own: doubt)", .faint, margin: 12)
                }
                for relation in layout.relations {
                    line.advance(to: 10)
                    line.putFolded("\(display: relation.sentence): \(own: relation.evidence.text)", .faint, margin: 12)
                }
                for claim in Self.claims(of: layout) {
                    line.advance(to: 10)
                    line.putFolded("\(own: claim)", .faint, margin: 12)
                }
            }
        }
        if model.characteristics.isEmpty { line.putFolded("No characteristic of a vendor has enough values.", .plain) }
        if model.tooFew > 0 {
            line.putFolded(
                "\(model.tooFew, "characteristic") with fewer than \(InferenceLimits.fewest) values not listed", .faint,
                margin: 2)
        }
        line.putLeftOut(characteristics: model.notExamined, values: model.leftOut)
        line.putPart(model.integrity)
    }

    /// Lines of the list; a claim of several groups is one of them.
    private static let mostClaims = 6

    private static func claims(of layout: InferredLayout) -> [String] {
        var claims: [String] = []
        for field in layout.groups.flatMap(\.claims) {
            switch field.kind {
            case .constant, .opcode: continue
            default: break
            }
            let place = field.place < 0 ? "\(-field.place) before the end" : "\(field.place)"
            let octets = field.width == 1 ? "octet \(place)" : "\(field.width) octets at \(place)"
            let claim = "\(octets): \(field.sentence)"
            if !claims.contains(claim) { claims.append(claim) }
        }
        let more = claims.count - mostClaims
        return more > 1 ? claims.prefix(mostClaims) + ["… and \(more) more"] : claims
    }
}

extension TextBuffer {
    /// `214 values received, 200 distinct, 12 octets; 3 layouts by octet 0`
    fileprivate mutating func append(_ direction: ValueDirection, _ layout: InferredLayout) {
        if let messages = layout.messages {
            append("\(layout.count, "message") in \(messages.valueCount, "value") ")
        } else {
            append("\(layout.count, "value") ")
        }
        append("\(own: direction.rawValue), \(layout.distinct) distinct, ")
        append(
            layout.lengths.count > 1
                ? "\(layout.lengths.lowerBound) to \(layout.lengths.upperBound) octets"
                : "\(layout.lengths.lowerBound, "octet")")
        if let first = layout.groups.first, layout.groups.count > 1 {
            switch first.selector {
            case .opcode(_, let place): append("; \(layout.groups.count) layouts by octet \(place)")
            case .length: append("; \(layout.groups.count) lengths")
            case .all: break
            }
        }
        if !layout.hasClaims { append("; nothing to claim") }
    }
}

extension LineWriter {
    /// Writes the number of characteristics and values over the limits.
    mutating func putLeftOut(characteristics: Int, values: Int) {
        if characteristics > 0 {
            putFolded(
                "\(characteristics, "characteristic") with fewer values not examined: see Documentation/limits.md.",
                margin: 2)
        }
        if values > 0 {
            putFolded("\(values, "value") over the limit left out: see Documentation/limits.md.", margin: 2)
        }
    }
}

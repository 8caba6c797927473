import AttlasMetrics
import AttlasText
import AttlasWire

/// The score of definitions for a capture: a block for each definition.
package struct DefinitionScoreText {
    private var line: LineWriter
    private let model: DefinitionScore

    package init(_ model: DefinitionScore, width: Int?, isColoured: Bool) {
        self.model = model
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// - Parameter file: named where there are several.
    package mutating func write(file: String?, into output: inout Output) {
        if let file {
            line.put("\(display: file)", .name)
            line.endLine()
        }
        line.putDamage(model.integrity)
        let unused = model.definitions.filter { !$0.isUsed && $0.problems.isEmpty }
        for definition in model.definitions where definition.isUsed || !definition.problems.isEmpty {
            write(definition)
        }
        if !unused.isEmpty {
            line.putFolded("No values of: \(display: unused.map(\.name).joined(separator: ", "))", .faint, margin: 2)
        }
        line.putPart(model.integrity)
        output.write(&line.text)
    }

    private mutating func write(_ definition: DefinitionScore.Definition) {
        line.put(TextBuffer("\(display: definition.name)"), .name)
        line.put(TextBuffer("  \(definition.uuid)"), .faint)
        line.endLine()
        if definition.isUsed {
            line.advance(to: 2)
            line.putFolded("\({ $0.append(countsOf: definition) })", margin: 4)
        }
        for problem in definition.problems {
            line.advance(to: 2)
            line.putFolded(
                "\(problem.values, "value"): \(display: problem.text) (\({ $0.append(framesOf: problem) }))", margin: 4)
        }
        if definition.more > 0 {
            line.advance(to: 2)
            line.putFolded("\(definition.more, "more problem") not listed", .faint, margin: 4)
        }
    }
}

extension TextBuffer {
    /// `19 values, 98 % of their octets explained, 18 without problems, 2 values not whole in the capture`
    fileprivate mutating func append(countsOf definition: DefinitionScore.Definition) {
        append("\(definition.values, "value")")
        if definition.octets > 0 {
            append(", \(100 * definition.explained / definition.octets) % of their octets explained")
        }
        append(", \(definition.whole) without problems")
        if definition.parts > 0 { append(", \(definition.parts, "part") of messages") }
        if definition.partial > 0 { append(", \(definition.partial, "value") not whole in the capture") }
    }

    /// `frames 4, 9, 13, …`
    fileprivate mutating func append(framesOf problem: DefinitionScore.Problem) {
        append(problem.frames.count == 1 ? "frame " : "frames ")
        for (index, frame) in problem.frames.enumerated() {
            if index > 0 { append(", ") }
            append(decimal: frame)
        }
        if problem.values > problem.frames.count { append(", …") }
    }
}

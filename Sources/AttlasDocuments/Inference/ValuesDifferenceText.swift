import AttlasInference
import AttlasText
import AttlasWire

/// Which values only one of two captures has, and which octets have other ranges.
package struct ValuesDifferenceText {
    private var line: LineWriter
    private let difference: ValuesDifference

    /// The number of values listed per capture.
    private static let most = 20

    package init(_ difference: ValuesDifference, width: Int?, isColoured: Bool) {
        self.difference = difference
        line = LineWriter(width: width, isColoured: isColoured)
    }

    package mutating func write(into output: inout Output) {
        for direction in difference.directions {
            line.putFolded("\(display: direction.name) · \(own: direction.direction.rawValue)", .name, margin: 2)
            line.putFolded(
                "distinct values: \(direction.common) in both, \(direction.onlyFirst.count) only in A, \(direction.onlySecond.count) only in B",
                indent: 2)
            write(direction.onlyFirst, "A")
            write(direction.onlySecond, "B")
            for range in direction.ranges {
                let values = if case .all = range.selector { "" } else { " of \(range.selector.sentence)" }
                line.advance(to: 2)
                line.putFolded(
                    "octet \(range.place)\(own: values): \(own: InferredField.hex(range.first)) in A, \(own: InferredField.hex(range.second)) in B",
                    margin: 4)
            }
        }
        output.write(&line.text)
    }

    private mutating func write(_ values: [ValuesModel.Distinct], _ name: StaticString) {
        for value in values.prefix(Self.most) {
            line.advance(to: 2)
            line.put(name, .name)
            line.put(TextBuffer("\(value.count) ×"), before: 12)
            line.advance(to: 14)
            line.put(TextBuffer("\({ $0.append(spacedHexOf: Bytes(value.octets.span)) })"))
            line.endLine()
        }
        if values.count > Self.most {
            line.putFolded("… and \(values.count - Self.most) more: attlas values --json lists them", indent: 2)
        }
    }
}

import AttlasInference
import AttlasWire

/// Which values only one of two captures has, and which octets have other ranges.
package struct ValuesDifferenceText {
    private var line: LineWriter
    private let difference: ValuesDifference

    /// Values that are listed of each capture.
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
                let kind =
                    switch range.selector {
                    case .all: ""
                    case .length(let length): " of values of \(length) octets"
                    case .opcode(let octet, let place):
                        " of values with octet \(place) = 0x\(InferredField.hex([octet]))"
                    }
                line.advance(to: 2)
                line.putFolded(
                    "octet \(range.place)\(own: kind): \(own: Self.text(of: range.first)) in A, \(own: Self.text(of: range.second)) in B",
                    margin: 4)
            }
        }
        output.write(&line.text)
    }

    private mutating func write(_ values: [ValuesModel.Distinct], _ name: StaticString) {
        for value in values.prefix(Self.most) {
            line.advance(to: 2)
            line.put(TextBuffer("\(own: "\(name)")"), .name)
            line.put(TextBuffer("\(value.count) ×"), before: 12)
            line.advance(to: 14)
            line.put(TextBuffer("\({ $0.append(spacedHexOf: Bytes(value.octets.span)) })"))
            line.endLine()
        }
        if values.count > Self.most {
            line.putFolded("… and \(values.count - Self.most) more: attlas values --json lists them", indent: 2)
        }
    }

    private static func text(of range: ClosedRange<UInt8>) -> String {
        range.count == 1
            ? InferredField.hex([range.lowerBound])
            : "\(InferredField.hex([range.lowerBound]))–\(InferredField.hex([range.upperBound]))"
    }
}

import AttlasInference
import AttlasText
import AttlasWire

/// Distinct values of characteristics, and a line with statistics for each octet.
package struct ValuesText {
    private var line: LineWriter
    private let model: ValuesModel

    package init(_ model: ValuesModel, width: Int?, isColoured: Bool) {
        self.model = model
        line = LineWriter(width: width, isColoured: isColoured)
    }

    /// Distinct values that are listed; `--json` has all.
    private static let most = 20
    package enum Listing: Sendable, Equatable {
        /// Distinct ones, and statistics of their octets.
        case distinct
        /// All in their order, with `··` for octets that are as in the value before.
        case changes
        /// … as in the value of this frame.
        case against(frame: Int)
    }

    package var listing = Listing.distinct

    /// - Parameter file: named where there are several.
    package mutating func write(file: String?, into output: inout Output) {
        if let file {
            line.put("\(display: file)", .name)
            line.endLine()
        }
        line.putDamage(model.integrity)
        for (index, characteristic) in model.characteristics.enumerated() {
            if index > 0 { line.endLine() }
            write(characteristic)
        }
        line.putLeftOut(characteristics: model.notExamined, values: model.leftOut)
        line.putPart(model.integrity)
        output.write(&line.text)
    }

    /// Lines about one of its characteristics.
    package mutating func lines(of characteristic: ValuesModel.Characteristic) -> [Substring] {
        line.text.removeAll()
        write(characteristic)
        return line.text.text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private mutating func write(_ characteristic: ValuesModel.Characteristic) {
        let values = characteristic.values
        line.putFolded(
            "\(display: values.title)\({ $0.append(placeOf: values) })", .name, margin: 2)
        if values.withheld > 0 {
            line.putFolded("\(values.withheld, "value") withheld: may hold keys", .faint, margin: 2)
        }
        if values.partial > 0 { line.putFolded("\(values.partial, "value") left out: not whole", .faint, margin: 2) }
        for direction in characteristic.directions { write(direction, of: values) }
    }

    private mutating func writeChanges(_ series: AttlasInference.ValueSeries, against value: ArraySlice<UInt8>) {
        var before = value
        for index in 0..<series.count {
            let value = series[index]
            line.put(TextBuffer("\(series.frames[index])"), before: 9)
            let seconds = Double(series.times[index] - series.times[0]) / 1e9
            line.put(TextBuffer("\({ $0.append(tenths: UInt64(max(0, seconds * 10))) }) s"), before: 21, .faint)
            line.advance(to: 23)
            // A value of another length may be another message; a requested one is compared nevertheless.
            let isAlike = value.count == before.count || listing != .changes
            let texts = value.enumerated().map { place, octet in
                isAlike && before.dropFirst(place).first == octet ? "··" : InferredField.hex([octet])
            }
            line.putWhole(TextBuffer("\(own: value.isEmpty ? "(empty)" : texts.joined(separator: " "))"), .plain)
            line.endLine()
            if listing == .changes { before = value }
        }
    }

    private mutating func write(_ direction: ValuesModel.Direction, of values: CharacteristicValues) {
        line.endLine()
        line.putFolded(
            "\(direction.count, "value") \(own: direction.direction.rawValue), \(direction.distinct.count) distinct",
            .name, margin: 2)
        if let series = values.series[direction.direction], listing != .distinct {
            guard case .against(let frame) = listing else { return writeChanges(series, against: []) }
            // A written value may be compared with received ones.
            let base = values.series.values.lazy.compactMap { series in
                series.frames.firstIndex(of: frame).map { series[$0] }
            }.first
            if let base { writeChanges(series, against: base) }
            return
        }
        for value in direction.distinct.prefix(Self.most) {
            line.put(TextBuffer("\(value.count) ×"), before: 9)
            line.put(TextBuffer("\(value.octets.count, "octet")"), before: 21, .faint)
            line.advance(to: 23)
            if !value.octets.isEmpty { line.put(TextBuffer("\({ $0.append(spacedHexOf: Bytes(value.octets.span)) })")) }
            line.endLine()
        }
        let more = direction.distinct.count - Self.most
        if more > 0 { line.putFolded("… and \(more) more: attlas values --json lists them", indent: 2) }
        for relation in direction.relations {
            line.advance(to: 2)
            line.putFolded("\(own: relation.sentence): \(own: relation.evidence.text)", margin: 4)
        }
        for group in direction.groups where !group.columns.isEmpty { write(group) }
    }

    private mutating func write(_ group: ValuesModel.Group) {
        line.endLine()
        switch group.selector {
        case .all: line.put("  all values", .faint)
        case .opcode(let octet, let place):
            line.put("  \(group.count, "value") with octet \(place) = \(hex: octet, digits: 2)", .faint)
        case .length(let length): line.put("  \(group.count, "value") of \(length, "octet")", .faint)
        }
        line.endLine()
        line.putHeading("octet", before: 7)
        line.putHeading("range", before: 16)
        line.putHeading("distinct", before: 26)
        line.putHeading("changes", before: 35)
        line.putHeading("bits", before: 41)
        line.advance(to: 43)
        line.put("00 … FF", .faint)
        line.endLine()
        for (place, entry) in group.columns.enumerated() { write(entry.column, entry.field, at: place) }
    }

    private mutating func write(_ column: Column, _ field: InferredField?, at place: Int) {
        line.put(TextBuffer("\(place)"), before: 7)
        if let range = column.range { line.put(TextBuffer("\(own: InferredField.hex(range))"), before: 16) }
        line.put(TextBuffer("\(column.distinct)"), before: 26)
        line.put(TextBuffer("\(column.changes)"), before: 35)
        line.put(TextBuffer("\({ $0.append(tenths: UInt64((column.entropy * 10).rounded())) })"), before: 41)
        line.advance(to: 43)
        line.put(TextBuffer("\(own: Self.heat(column))"))
        if let field {
            line.advance(to: 77)
            line.put(TextBuffer("\(own: line.isShort(from: 77) ? field.word : field.sentence)"), .faint)
        }
        line.endLine()
    }

    /// How frequent octets are, in 32 steps of 8 octets each.
    private static func heat(_ column: Column) -> String {
        let steps = stride(from: 0, to: 256, by: 8).map { first in column.counts[first..<first + 8].reduce(0, +) }
        let greatest = steps.max() ?? 0
        let shades: [Character] = ["░", "▒", "▓", "█"]
        return String(
            steps.map { count in
                count == 0 || greatest == 0 ? "·" : shades[min(3, (4 * count - 1) / greatest)]
            })
    }
}

extension TextBuffer {
    /// ` · handle 0x0010`, or ` · manufacturer data of 0x0499 · 3 devices`
    package mutating func append(placeOf values: CharacteristicValues) {
        if case .characteristic(_, let handle) = values.source {
            append(" · handle \(hex: handle)")
        } else if values.source.isAdvertised {
            append("\(own: values.name == nil ? "" : " · \(values.source.description)") · \(values.devices, "device")")
        }
    }
}

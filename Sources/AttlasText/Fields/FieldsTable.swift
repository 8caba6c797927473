import AttlasDissection
import AttlasValues
import AttlasWire

extension TextBuffer {
    /// A line per field: offset, octets, name, value. Fields of a structure are indented.
    package mutating func append(tableOf dissection: Dissection, of dissector: Dissector, value: ShownOctets) {
        var rows: [[TextBuffer]] = []
        func octets(_ range: Range<Int>) -> TextBuffer {
            guard let bytes = value.bytes else { return TextBuffer() }
            return .octets(bytes.slice(range))
        }
        for index in 0..<dissection.count { append(rowsOf: index, dissection, dissector, value, to: &rows) }
        if !dissection.unexplained.isEmpty {
            let place = dissection.unexplained
            rows.append([.offset(place.lowerBound), octets(place), TextBuffer("unexplained"), TextBuffer()])
        }
        if let fault = dissection.fault {
            rows.append([
                .offset(fault.offset), octets(fault.offset..<max(fault.offset, fault.have)),
                TextBuffer("✗ \(display: dissector.fields[fault.field].name)"),
                TextBuffer("\(fault.reason.text): needs \(fault.need) octets, has \(fault.have)"),
            ])
        }
        append(rows: rows)
    }

    private mutating func append(
        rowsOf index: Int, _ dissection: Dissection, _ dissector: Dissector, _ value: ShownOctets,
        to rows: inout [[TextBuffer]]
    ) {
        let field = dissection[index]
        var name = TextBuffer()
        name.append(repeating: UInt8(ascii: " "), count: Int(field.depth) * 2)
        var shown = TextBuffer()
        guard field.field != DissectedField.unexplainedOctets else {
            name.append("unexplained")
            return rows.append([
                .offset(Int(field.offset)), .octets(value.octets(of: field, by: dissector)), name, shown,
            ])
        }
        let definition = dissector.fields[Int(field.field)]
        name.append(display: definition.name)
        let isStructure = definition.type == .structure
        if isStructure {
            if let summary = dissector.summary(ofStructure: field) {
                shown.append(summary.pieces, index, dissection, dissector, value)
            }
        } else {
            shown.append(valueOf: field, in: value, of: dissector, format: .withUnit, limit: 64)
            if field.hasWrongCheck {
                shown.append(" ✗ ")
                shown.append(display: definition.contradiction)
            }
            if field.isOutOfRange {
                shown.append(" ✗")
                shown.append(outsideRangeOf: definition)
            }
        }
        let octets = isStructure ? TextBuffer() : .octets(value.octets(of: field, by: dissector))
        rows.append([.offset(Int(field.offset)), octets, name, shown])
        for bits in definition.bits {
            var name = TextBuffer()
            name.append(repeating: UInt8(ascii: " "), count: Int(field.depth) * 2 + 2)
            name.append(display: bits.name)
            var shown = TextBuffer()
            let number = bits.value(in: field.raw)
            if let label = bits.label(of: number) {
                shown.append(display: label)
            } else if bits.isFlag {
                shown.append(number == 0 ? "–" : "set")
            } else {
                shown.append(decimal: number)
                if dissector.isUndefined(bits, number) { shown.append(" (undefined)") }
            }
            rows.append([TextBuffer(), TextBuffer(), name, shown])
        }
    }

    /// Columns as wide as their widest cell; the last one is not filled up.
    package mutating func append(rows: [[TextBuffer]]) {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.columns)
            }
        }
        for row in rows {
            let last = row.lastIndex { $0.count > 0 } ?? 0
            for (column, cell) in row.enumerated() where column <= last {
                append(contentsOf: cell)
                if column < last { append(repeating: UInt8(ascii: " "), count: widths[column] - cell.columns + 2) }
            }
            append("\n")
        }
    }

    private static func offset(_ offset: Int) -> TextBuffer { TextBuffer("\(offset)") }

    private static func octets(_ octets: Bytes) -> TextBuffer {
        var cell = TextBuffer()
        cell.append(spacedHexOf: octets.prefix(16))
        if octets.count > 16 { cell.append(" …") }
        return cell
    }
}

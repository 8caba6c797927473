import AttlasDissection
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Some fields of the values as a table over time: a row for each value that has one of them, under a row of names.
///
/// A cell holds the scaled number with all its digits; for a value that is not a number ("value is not known", NaN) its words, for text the
/// text, for octets hexadecimal digits after 0x. A field that occurs several times gives a row for each; fields that occur once are in the
/// first of them only, so that nothing counts twice. A long read gives a row for its first part, as far as that goes, and one for the whole
/// value.
public struct FieldSeries: LineSink {
    private var csv = CSVWriter()
    private var values: ValueInterpreter
    private var fields: FieldFinder
    private let file: String?
    package let names: [String]
    /// Rows so far.
    package private(set) var rows = 0
    /// For each field, the cells of the value that is being read.
    private var columns: [[Cell]]

    private struct Cell {
        let origin: CSVWriter.Origin
        let text: TextBuffer
    }

    /// - Parameters:
    ///   - names: of fields, or of bits with a name, in any letter case.
    ///   - file: the capture's name in a separate column, when there are several.
    ///   - hasHeader: false for all captures but the first of a table.
    package init(names: [String], values: ValueInterpreter, file: String?, hasHeader: Bool) {
        self.values = values
        self.file = file
        self.names = names
        fields = FieldFinder(names: names, values: values)
        columns = names.map { _ in [] }
        guard hasHeader else { return }
        if file != nil { csv.string("file") }
        for name in ["frame", "time", "peer", "characteristic"] + names { csv.string(name) }
        csv.endLine()
    }

    /// Finished rows.
    public var lines: TextBuffer {
        @inline(__always) _read { yield csv.text }
        @inline(__always) _modify { yield &csv.text }
    }

    /// Nothing: rows have no groups.
    public func separateGroups() {}

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        fields.beginEvent()
        event.forEachAttribute(in: trace) { value in
            read(value, in: trace)
            writeRows(value.attribute, event, in: trace)
            return true
        }
    }

    private mutating func read(_ value: borrowing AttributeValue, in trace: borrowing Trace) {
        for slot in columns.indices {
            columns[slot].removeAll()
            fields.forEach(slot, value, in: trace) { record, target, dissector, octets in
                if let cell = Self.cell(record, target, dissector, octets) { columns[slot].append(cell) }
                return true
            }
        }
    }

    private mutating func writeRows(
        _ attribute: AttributeInfo?, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        for row in 0..<(columns.map(\.count).max() ?? 0) {
            rows += 1
            if let file { csv.string(file) }
            csv.begin(event, in: trace)
            csv.writePeer(of: event, in: trace)
            if let characteristic = attribute?.characteristic {
                let name = values.knownName(characteristic, .characteristic, in: trace)
                csv.string(name ?? trace.uuids[characteristic].description)
            } else {
                csv.empty()
            }
            for column in columns {
                if row < column.count {
                    csv.write(column[row].origin) { $0.append(contentsOf: column[row].text) }
                } else {
                    csv.empty()
                }
            }
            csv.endLine()
        }
    }

    /// nil for a structure, which has no value.
    private static func cell(
        _ record: DissectedField, _ target: FieldTarget, _ dissector: Dissector, _ value: ShownOctets
    ) -> Cell? {
        var text = TextBuffer()
        if let bits = target.bits {
            text.append(decimal: bits.value(in: record.raw))
            return Cell(origin: .own, text: text)
        }
        if let special = dissector.label(of: record.special, field: record) {
            text.append(display: special)
            return Cell(origin: .foreign, text: text)
        }
        if let number = dissector.number(of: record) {
            text.append(number: number)
            return Cell(origin: .own, text: text)
        }
        let definition = dissector.fields[target.index]
        let octets = definition.content(of: value.octets(of: record, by: dissector))
        switch definition.type {
        case .structure: return nil
        case .secret: text.append("withheld")
        case .utf8, .utf8z: text.append(display: octets)
        case .uuid, .uuid16: text.append(string: BluetoothUUID(octets)?.description ?? "")
        case .address: text.append(BluetoothAddress(UInt64(bitPattern: record.raw), isRandom: false))
        default:
            text.append("0x")
            text.append(hexOf: octets)
        }
        return Cell(origin: .foreign, text: text)
    }
}

import AttlasDissection
import AttlasText
import AttlasValues
import AttlasWire

/// A name that nothing has, and the nearest one that something has.
public struct UnknownName: Error, Sendable, CustomStringConvertible {
    public let description: String
}

/// One field of a value, as its definition reads it.
public struct Field: Sendable, Hashable, CustomStringConvertible {
    /// Name in the definition.
    public let name: String
    /// The names from the outermost structure to the field, with / between.
    public let path: String
    /// The number, scaled and in its unit; nil for texts, octets, and special values such as "not available".
    public let number: Double?
    /// The same, if it is a whole number: exact where `number`, which has 53 bits, is rounded.
    public let integer: Int128?
    /// Unit of the number.
    public let unit: String?
    /// The field without its unit, as `attlas show` prints it: `72`, `Chest`, `"HRM-7"`.
    public let text: String
    /// The octets of the value that it is in.
    public let octets: Range<Int>

    /// `Heart Rate Measurement Value: 72 bpm`
    public var description: String {
        "\(name): \(text)\(unit.map { $0.hasPrefix("/") || $0 == "°" ? $0 : " \($0)" } ?? "")"
    }
}

/// The fields of a value, in their order; those of structures follow each other, and named bits follow their field.
public struct Fields: RandomAccessCollection, Sendable, CustomStringConvertible {
    private let fields: [Field]
    private let names: [String]
    /// Name of the characteristic; nil without a definition.
    public let definition: String?
    /// The fields on one line, with what is wrong with the value, as `attlas show` prints it.
    public let description: String
    /// Octets at the end that the definition does not explain.
    public let unexplained: Range<Int>
    /// Whether bits are set that the definition does not name.
    public let hasReservedBits: Bool

    public var startIndex: Int { 0 }
    public var endIndex: Int { fields.count }
    /// The field at a position.
    public subscript(index: Int) -> Field { fields[index] }

    /// The field of this name or path, the first one if it is repeated; nil if the value does not have it.
    /// - Throws: when the definition has no such field. The error names the nearest one.
    public subscript(name: String) -> Field? {
        get throws(UnknownName) { try all(name).first }
    }

    /// Each field of this name or path: of one that is repeated, all.
    /// - Throws: as the subscript.
    public func all(_ name: String) throws(UnknownName) -> [Field] {
        let wanted = FoldedText(name)
        let found = fields.filter { FoldedText($0.name) == wanted || FoldedText($0.path) == wanted }
        guard found.isEmpty else { return found }
        guard let definition else {
            throw UnknownName(description: "\"\(name)\" is not a field: no definition reads the value")
        }
        guard names.contains(where: { FoldedText($0) == wanted }) else {
            throw UnknownName(
                description: "\"\(name)\" is not a field of \(definition)"
                    + NearestWord.suggestion(for: name, among: names))
        }
        return []
    }

    /// No fields.
    init(octets: ShownOctets) {
        var text = TextBuffer()
        text.append(octets, limit: .max)
        (fields, names, definition, unexplained, hasReservedBits) = ([], [], nil, 0..<octets.count, false)
        description = text.text
    }

    init(
        _ dissection: Dissection, of dissector: AttlasDissection.Dissector, _ octets: ShownOctets, isPartial: Bool
    ) {
        var fields: [Field] = []
        var path: [String] = []
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets else { continue }
            let definition = dissector.fields[Int(record.field)]
            path.removeLast(Swift.max(0, path.count - Int(record.depth)))
            guard definition.type != .structure else {
                path.append(definition.name)
                continue
            }
            let number = definition.type == .secret ? nil : dissector.number(of: record)
            var text = TextBuffer()
            text.append(valueOf: record, in: octets, of: dissector)
            fields.append(
                Field(
                    name: definition.name, path: (path + [definition.name]).joined(separator: "/"),
                    number: number?.double, integer: number?.integer, unit: definition.unit,
                    text: text.text, octets: record.range))
            for bits in definition.bits {
                let number = bits.value(in: record.raw)
                fields.append(
                    Field(
                        name: bits.name, path: (path + [definition.name, bits.name]).joined(separator: "/"),
                        number: Double(number), integer: Int128(number), unit: nil,
                        text: bits.label(of: number) ?? "\(number)",
                        octets: record.range))
            }
        }
        self.fields = fields
        names = dissector.fields.flatMap { [$0.name] + $0.bits.map(\.name) }
        definition = dissector.name
        unexplained = dissection.unexplained
        hasReservedBits = dissection.hasReservedBits
        var text = TextBuffer()
        text.append(summaryOf: dissection, of: dissector, value: octets, isPartial: isPartial)
        description = text.text
    }
}

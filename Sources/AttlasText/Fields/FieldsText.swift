import AttlasDissection
import AttlasValues
import AttlasWire

/// A dissected value in one line.
extension TextBuffer {
    /// The definition's own summary, or its fields in a row: "72 bpm · contact · 120 kJ". A fault, reserved bits and octets without an
    /// explanation are reported after it. A partial value may end anywhere: that is not a fault.
    package mutating func append(
        summaryOf dissection: Dissection, of dissector: Dissector, value: ShownOctets, isPartial: Bool = false
    ) {
        let start = count
        if dissection.fault == nil, let summary = dissector.summary(of: dissection) {
            append(summary.pieces, nil, dissection, dissector, value)
        } else if dissector.hasKeys {
            append(reportOf: dissection, dissector, value)
        } else {
            append(fieldsIn: nil, dissection, dissector, value)
        }
        if let fault = dissection.fault, !isPartial {
            separate(from: start)
            append("✗ ")
            append(fault, of: dissector)
        }
        if dissection.hasReservedBits {
            separate(from: start)
            append("reserved bits set")
        }
        if dissection.hasWrongCheck, !isPartial { append(wrongChecksOf: dissection, dissector, from: start) }
        if dissection.hasOutOfRange, !isPartial { append(outOfRangeIn: dissection, dissector, from: start) }
        if !dissection.unexplained.isEmpty {
            separate(from: start)
            append("unexplained ")
            guard let octets = value.bytes else { return append("withheld") }
            append(spacedHexOf: octets.slice(dissection.unexplained).prefix(Self.longestValue))
            if dissection.unexplained.count > Self.longestValue { append(" …") }
        }
    }

    /// `Blue: the value ends within the field, needs 5 octets, has 4`
    package mutating func append(_ fault: DissectionFault, of dissector: Dissector) {
        append(display: dissector.fields[fault.field].name)
        append(": ")
        append(fault.reason.text)
        append(", needs ")
        append(decimal: fault.need)
        append(" octets, has ")
        append(decimal: fault.have)
    }

    /// Maximum length of octets and strings in one line.
    private static let longestValue = 32
    /// Maximum number of a value's fields in a line, and of rounds of a repeated field.
    private static let mostFields = 12

    private mutating func append(wrongChecksOf dissection: Dissection, _ dissector: Dissector, from start: Int) {
        for index in 0..<dissection.count where dissection[index].hasWrongCheck {
            separate(from: start)
            append("✗ ")
            append(display: dissector.fields[Int(dissection[index].field)].contradiction)
        }
    }

    /// A field once, however often it is repeated.
    private mutating func append(outOfRangeIn dissection: Dissection, _ dissector: Dissector, from start: Int) {
        var named: [UInt16] = []
        for index in 0..<dissection.count where dissection[index].isOutOfRange {
            let field = dissection[index].field
            guard !named.contains(field), named.count < Self.mostFields else { continue }
            named.append(field)
            separate(from: start)
            append("✗ ")
            append(display: dissector.fields[Int(field)].name)
            append(outsideRangeOf: dissector.fields[Int(field)])
        }
    }

    private mutating func separate(from start: Int) {
        if count > start { append(" · ") }
    }

    // MARK: Reports

    /// `Left Shift, A pressed · X 5`: keys and lamps that are on, then fields other than padding.
    private mutating func append(reportOf dissection: Dissection, _ dissector: Dissector, _ value: ShownOctets) {
        let start = count
        append(.key, "pressed", from: start, dissection, dissector, value)
        append(.lamp, "on", from: start, dissection, dissector, value)
        dissection.forEachGroup(in: 0..<dissection.count, of: dissector) { group in
            guard !group.isUnexplained, dissector.fields[Int(group.field)].role == .plain else { return }
            separate(from: start)
            append(group, isAlone: false, dissection, dissector, value)
        }
        guard count == start else { return }
        append(dissector.fields.contains { $0.role == .key } ? "nothing pressed" : "nothing on")
    }

    private mutating func append(
        _ role: FieldRole, _ word: StaticString, from start: Int, _ dissection: Dissection, _ dissector: Dissector,
        _ value: ShownOctets
    ) {
        let before = count
        for index in 0..<dissection.count {
            let field = dissection[index]
            guard field.field != DissectedField.unexplainedOctets, field.raw != 0 else { continue }
            let definition = dissector.fields[Int(field.field)]
            guard definition.role == role else { continue }
            if count > before { append(", ") } else { separate(from: start) }
            if case .none = definition.labels {
                append(display: definition.name)
            } else {
                append(valueOf: field, in: value, of: dissector)
            }
        }
        guard count > before else { return }
        append(" ")
        append(word)
    }

    // MARK: Without a summary

    private mutating func append(
        fieldsIn record: Int?, _ dissection: Dissection, _ dissector: Dissector, _ value: ShownOctets
    ) {
        let range = dissection.content(ofRecord: record)
        let start = count
        let isPacket = dissector.kind.space.isPacket
        let limit = isPacket ? .max : Self.mostFields
        var shown = 0
        dissection.forEachGroup(in: range, of: dissector) { group in
            shown += 1
            guard shown <= limit else { return }
            let before = count
            separate(from: start)
            let content = count
            let isAlone = !isPacket && group.first == range.lowerBound && group.end == range.upperBound
            append(group, isAlone: isAlone, dissection, dissector, value)
            if count == content { truncate(to: before) }
        }
        guard shown > limit else { return }
        separate(from: start)
        append("…")
    }

    private mutating func append(
        _ group: Dissection.Group, isAlone: Bool, _ dissection: Dissection, _ dissector: Dissector, _ value: ShownOctets
    ) {
        guard !group.isUnexplained else {
            append("unexplained ")
            return append(valuesOf: group, format: nil, dissection, dissector, value)
        }
        let definition = dissector.fields[Int(group.field)]
        // A checksum and a constant are shown only if they are wrong, after the fields.
        if definition.isGiven, dissection[group.first].special == .none { return }
        // A packet is shown in full; a value as a person reads it.
        let isOfValue = !dissector.kind.space.isPacket
        if isOfValue, !definition.bits.isEmpty, dissection[group.first].special == .none {
            let raw = dissection[group.first].raw
            // Bits that only announce fields are redundant next to those fields.
            return append(bits: definition, raw: raw, hiding: isAlone ? 0 : definition.layoutBits, dissector)
        }
        // A label is clear next to others as well, but its field may not be.
        if !isAlone {
            append(display: definition.name)
            append(" ")
        }
        append(valuesOf: group, format: .withUnit, dissection, dissector, value)
    }

    private mutating func append(
        bits definition: FieldDescription, raw: Int64, hiding hidden: UInt64, _ dissector: Dissector
    ) {
        let start = count
        for bits in definition.bits where bits.mask & hidden == 0 {
            let bitValue = bits.value(in: raw)
            if bits.isFlag {
                guard bitValue != 0 else { continue }
                if count > start { append(", ") }
                append(display: bits.name)
            } else {
                if count > start { append(", ") }
                append(display: bits.name)
                append(" ")
                append(labelOf: bits, value: bitValue, dissector)
            }
        }
        if count == start, hidden == 0 { append("none") }
    }

    private mutating func append(labelOf bits: BitField, value: Int64, _ dissector: Dissector) {
        if let label = bits.label(of: value) { return append(display: label) }
        append(decimal: value)
        if dissector.isUndefined(bits, value) { append(" (undefined)") }
    }

    private mutating func append(
        valuesOf group: Dissection.Group, format: SummaryTemplate.Format?, _ dissection: Dissection,
        _ dissector: Dissector, _ value: ShownOctets
    ) {
        let isStructure = !group.isUnexplained && dissector.fields[Int(group.field)].type == .structure
        var shown = 0
        dissection.forEachRecord(of: group) { record in
            shown += 1
            guard shown <= Self.mostFields else { return }
            if shown > 1 { append(", ") }
            let field = dissection[record]
            if !isStructure {
                let definition = group.isUnexplained ? nil : dissector.fields[Int(group.field)]
                if let definition, !definition.bits.isEmpty, field.special == .none, format?.isHexadecimal != true {
                    append(bits: definition, raw: field.raw, hiding: 0, dissector)
                } else {
                    // Comments are read as a whole.
                    let isText = definition.map { [.utf8, .utf8z].contains($0.type) } ?? false
                    let limit = isText && dissector.kind.space.isPacket ? .max : Self.longestValue
                    append(valueOf: field, in: value, of: dissector, format: format, limit: limit)
                }
            } else if let summary = dissector.summary(ofStructure: field) {
                append(summary.pieces, record, dissection, dissector, value)
            } else {
                append("(")
                append(fieldsIn: record, dissection, dissector, value)
                append(")")
            }
        }
        guard shown > Self.mostFields else { return }
        append(", … ")
        append(decimal: shown)
        append(" in all")
    }

    // MARK: With a summary

    mutating func append(
        _ pieces: [SummaryTemplate.Piece], _ record: Int?, _ dissection: Dissection, _ dissector: Dissector,
        _ value: ShownOctets
    ) {
        let range = dissection.content(ofRecord: record)
        func group(_ fields: [UInt16]) -> Dissection.Group? {
            dissection.firstGroup(of: fields, in: range, of: dissector)
        }
        func raw(_ bits: SummaryTemplate.Bits) -> Int64 {
            guard let group = group(bits.fields) else { return 0 }
            return bits.bits.value(in: dissection[group.first].raw)
        }
        for piece in pieces {
            switch piece {
            case .text(let text): append(display: text)
            case .value(let fields, let format):
                if let group = group(fields) {
                    append(valuesOf: group, format: format, dissection, dissector, value)
                }
            case .bits(let bits):
                append(labelOf: bits.bits, value: raw(bits), dissector)
            case .ifPresent(let fields, let then, let otherwise):
                append(group(fields) == nil ? otherwise : then, record, dissection, dissector, value)
            case .ifSet(let bits, let then, let otherwise):
                append(raw(bits) == 0 ? otherwise : then, record, dissection, dissector, value)
            }
        }
    }
}

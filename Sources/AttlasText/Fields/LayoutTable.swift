import AttlasDissection

extension TextBuffer {
    /// A definition as a table: field, type, unit and scale, condition, and the meaning of its numbers.
    package mutating func append(layoutOf definition: AttributeDefinition) {
        append(display: "\(definition.uuid)  \(definition.name) (\(definition.kind))")
        append("\n")
        for note in Self.notes(of: definition) {
            append(display: note)
            append("\n")
        }
        for layout in definition.layouts {
            append("\n")
            if layout.operations.count < AttributeAccess.allCases.count {
                append(display: layout.operations.map(\.word).joined(separator: ", "))
                append(":\n")
            }
            var rows: [[String]] = []
            for element in layout.elements { Self.add(element, condition: nil, depth: 0, to: &rows) }
            append(rows: rows.map { row in row.map { TextBuffer("\(display: $0)") } })
        }
    }

    /// Properties that the fields do not show.
    private static func notes(of definition: AttributeDefinition) -> [String] {
        var notes: [String] = []
        switch definition.confidence {
        case .a: break
        case .b: notes.append("confidence B: known from one source")
        case .c: notes.append("confidence C: known in part")
        }
        if let sensitivity = definition.sensitivity {
            notes.append(
                "sensitive: \(sensitivity.subject.rawValue)"
                    + (sensitivity.isEncryptionDemanded ? "; the profile demands encryption" : ""))
        }
        if let assembly = definition.assembly {
            let isEach = assembly.operations.count == AttributeAccess.allCases.count
            notes.append(
                [assembly.rule == .value ? nil : "a message in parts", assembly.cipher.map(\.kind.words)]
                    .compactMap(\.self).joined(separator: ", ")
                    + (isEach ? "" : ": \(assembly.operations.map(\.word).joined(separator: ", "))"))
        }
        if let decoder = definition.decoder {
            notes.append("read by \(decoder.rawValue) when the capture shows its layout; otherwise:")
        }
        return notes
    }

    private static func add(_ element: Element, condition: String?, depth: Int, to rows: inout [[String]]) {
        switch element {
        case .field(let field): add(field, condition: condition, depth: depth, to: &rows)
        case .choice(let branches):
            for (index, branch) in branches.enumerated() {
                let own = branch.condition.map { "if \($0.text)" } ?? (index > 0 ? "otherwise" : nil)
                let joined = [condition, own].compactMap { $0 }.joined(separator: ", ")
                for element in branch.elements {
                    add(element, condition: joined.isEmpty ? nil : joined, depth: depth, to: &rows)
                }
            }
        }
    }

    private static func add(_ field: FieldDefinition, condition: String?, depth: Int, to rows: inout [[String]]) {
        let indent = String(repeating: " ", count: depth * 2)
        var type = field.computed.map { "computed: \($0.text)" } ?? field.type.description
        if field.isBigEndian { type += " big-endian" }
        if let constant = field.constant {
            type = "constant \(StartingFile.hex(constant))"
        } else if let size = field.size {
            type += " of \(size.text) octets"
        }
        if let padding = field.padding { type += ", filled with \(StartingFile.hex([padding]))" }
        if let marker = field.marker {
            type += " up to \(StartingFile.hex(marker.octets))\(marker.isOptional ? " or the end" : "")"
        }
        switch field.repetition {
        case .once: break
        case .toEnd: type += ", repeated to the end"
        case .toMarker(let octets): type += ", repeated up to \(StartingFile.hex(octets))"
        case .count(let count): type += ", \(count.text) times"
        }
        var notes: [String] = []
        if let unit = field.unit {
            let since = field.epoch.map { epoch in TextBuffer(" since \({ $0.append(epoch.start, separator: 0) })") }
            notes.append(unit + (since?.text ?? ""))
        }
        if let scale = field.scale { notes.append(scale.description) }
        if let permitted = field.permitted {
            notes.append(TextBuffer("\({ $0.append(permitted, field.scale) })").text)
        }
        if let check = field.check { notes.append("check \(check)") }
        if let condition { notes.append(condition) }
        if let outcome = field.outcome { notes.append(outcome.words) }
        if let note = field.note { notes.append(note) }
        rows.append([indent + field.name, type, notes.joined(separator: " · ")])
        for bits in field.bits {
            let place = bits.width == 1 ? "bit \(bits.first)" : "bits \(bits.first) to \(bits.last)"
            rows.append([indent + "  " + bits.name, place, bits.labels.map(\.words).joined(separator: ", ")])
        }
        if case .ranges(let labels) = field.labels {
            for label in labels { rows.append([indent + "  " + label.label, label.numbers, ""]) }
        } else if case .assigned(let table) = field.labels {
            rows.append([indent + "  (names of \(table.rawValue))", "", ""])
        }
        for special in field.specials { rows.append([indent + "  " + special.label, special.numbers, ""]) }
        for element in field.elements { add(element, condition: nil, depth: depth + 1, to: &rows) }
    }
}

extension FieldOutcome {
    /// `refuses 2..9 (harmless: 6; asked: Request Op Code)`, `restarts 5`
    fileprivate var words: String {
        var parts: [String] = []
        if !refused.isEmpty {
            let details = [harmless.isEmpty ? nil : "harmless: \(Self.words(harmless))", asked.map { "asked: \($0)" }]
                .compactMap(\.self)
            parts.append(
                "refuses \(Self.words(refused))\(details.isEmpty ? "" : " (\(details.joined(separator: "; ")))")")
        }
        if !restarts.isEmpty { parts.append("restarts \(Self.words(restarts))") }
        return parts.joined(separator: " · ")
    }

    private static func words(_ ranges: [ClosedRange<Int64>]) -> String {
        ranges.map {
            $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)"
        }.joined(separator: ", ")
    }
}

extension LabelledRange {
    fileprivate var numbers: String { first == last ? "\(first)" : "\(first)..\(last)" }
    fileprivate var words: String { "\(numbers) \(label)" }
}

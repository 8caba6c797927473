import AttlasDissection

/// Names for numbers: `values:`, `special:`, `bits:`.
enum LabelReader {
    static func ranges(_ node: YAMLNode, what: String) throws(CompileMistake) -> [LabelledRange] {
        var ranges: [LabelledRange] = []
        for (key, value) in try node.pairs(what) {
            let text = try key.text("a number or a range")
            guard let range = ScalarText.range(text) else {
                throw key.mistake("expected a number or a range such as 1..3, found \"\(text)\"")
            }
            let label = try value.text("a name")
            if let other = ranges.first(where: { $0.first <= range.upperBound && range.lowerBound <= $0.last }) {
                throw key.mistake("\(text) is already \"\(other.label)\"")
            }
            ranges.append(LabelledRange(first: range.lowerBound, last: range.upperBound, label: label))
        }
        return ranges
    }

    /// Names in the file itself, or one of the tables of assigned numbers.
    static func labels(_ node: YAMLNode) throws(CompileMistake) -> Labels {
        guard node.scalar != nil else {
            return .ranges(try ranges(node, what: "a mapping of numbers to names"))
        }
        let word = try node.text("a table")
        guard let table = AssignedNumbers.Table(rawValue: word) else {
            let tables = AssignedNumbers.Table.allCases.map(\.rawValue)
            let suggestion = NearestWord.suggestion(for: word, among: tables)
            throw node.mistake(
                "expected a mapping of numbers to names or a table of assigned numbers, found \"\(word)\""
                    + (suggestion.isEmpty ? "; the tables are " + tables.joined(separator: ", ") : suggestion))
        }
        return .assigned(table)
    }

    static func bits(_ node: YAMLNode, width: Int) throws(CompileMistake) -> [BitField] {
        var fields: [BitField] = []
        for (key, value) in try node.pairs("a mapping of bits to names") {
            let text = try key.text("a bit or a range of bits")
            guard let range = ScalarText.range(text), range.lowerBound >= 0, range.upperBound < Int64(width) else {
                throw key.mistake(
                    "expected a bit from 0 to \(width - 1) or a range such as 1..3, found \"\(text)\"")
            }
            var field = BitField(first: Int(range.lowerBound), last: Int(range.upperBound), name: "", labels: [])
            if value.scalar != nil {
                field.name = try value.text("a name")
            } else {
                let mapping = try YAMLMapping(value, what: "a bit", keys: ["name", "values"])
                field.name = try mapping.required("name", of: "a bit").text("a name")
                field.labels =
                    try mapping["values"].map { (values) throws(CompileMistake) in
                        try ranges(values, what: "a mapping of numbers to names")
                    } ?? []
            }
            if let other = fields.first(where: { $0.mask & field.mask != 0 }) {
                throw key.mistake("bit \(text) is already \"\(other.name)\"")
            }
            if fields.contains(where: { $0.name == field.name }) {
                throw value.mistake("two bits of one field have the name \"\(field.name)\"")
            }
            fields.append(field)
        }
        return fields
    }
}

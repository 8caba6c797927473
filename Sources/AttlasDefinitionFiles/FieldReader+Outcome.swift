import AttlasDissection

/// Reads `refuses:`, `harmless:`, `restarts:` and `asked:`.
extension FieldReader {
    func outcome(_ value: (String) -> YAMLNode?, of field: FieldDefinition) throws(CompileMistake) -> FieldOutcome? {
        var outcome = FieldOutcome()
        func numbers(_ key: String) throws(CompileMistake) -> [ClosedRange<Int64>] {
            guard let node = value(key) else { return [] }
            guard field.type.isInteger || field.type.isUse else { throw node.mistake("\"\(key)\" is for integers") }
            return try ranges(node, of: field)
        }
        outcome.refused = try numbers("refuses")
        outcome.harmless = try numbers("harmless")
        outcome.restarts = try numbers("restarts")
        if let node = value("harmless") {
            for range in outcome.harmless where !outcome.refused.contains(where: { $0.contains(range) }) {
                throw node.mistake("\"harmless\" has \(range.lowerBound), which \"refuses\" does not have")
            }
        }
        if let node = value("asked") {
            guard !outcome.refused.isEmpty else { throw node.mistake("\"asked\" is for a field with \"refuses\"") }
            outcome.asked = try node.text("the name of an earlier field")
        }
        return outcome == FieldOutcome() ? nil : outcome
    }

    /// `2..5`, or `[2..5, 7]`.
    private func ranges(_ node: YAMLNode, of field: FieldDefinition) throws(CompileMistake) -> [ClosedRange<Int64>] {
        let items = node.scalar == nil ? try node.list("a number, a range or a list of them") : [node]
        var ranges: [ClosedRange<Int64>] = []
        for item in items {
            let text = try item.text("a number or a range")
            guard let range = ScalarText.range(text) else {
                throw item.mistake("expected a number or a range such as 1..3, found \"\(text)\"")
            }
            if let other = ranges.first(where: { $0.overlaps(range) }) {
                throw item.mistake("\(max(range.lowerBound, other.lowerBound)) is given twice")
            }
            try checkRange(range, of: field.type, item)
            try checkNames(of: range, field, item)
            ranges.append(range)
        }
        return ranges
    }

    /// A number that `values` does not have is a slip.
    private func checkNames(
        of range: ClosedRange<Int64>, _ field: FieldDefinition, _ node: YAMLNode
    ) throws(CompileMistake) {
        guard case .ranges(let labels) = field.labels else { return }
        for bound in [range.lowerBound, range.upperBound]
        where !(labels + field.specials).contains(where: { $0.contains(bound) }) {
            throw node.mistake("\(bound) has no name in \"values\"")
        }
    }
}

extension FieldType {
    fileprivate var isUse: Bool { if case .use = self { true } else { false } }
}

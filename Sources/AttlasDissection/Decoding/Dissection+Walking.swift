extension Dissection {
    /// The records of one field among its neighbours: one, or a row of them when the field is repeated.
    public struct Group: BitwiseCopyable, Sendable {
        /// Index of the first record.
        public var first: Int
        /// Their number, without the records inside them.
        public var count: Int
        /// Index into `Dissector.fields`, or `unexplainedOctets`.
        public var field: UInt16
        /// The record after the last one and everything inside it.
        public var end: Int

        /// Takes indexes of records; they are not checked.
        public init(first: Int, count: Int, field: UInt16, end: Int) {
            self.first = first
            self.count = count
            self.field = field
            self.end = end
        }

        /// Whether no definition explains the octets.
        public var isUnexplained: Bool { field == DissectedField.unexplainedOctets }
    }

    /// The record after `index` and everything inside it.
    public func end(ofRecord index: Int) -> Int {
        let depth = self[index].depth
        var end = index + 1
        while end < count, self[end].depth > depth { end += 1 }
        return end
    }

    /// The records inside `index`; all of them for nil.
    public func content(ofRecord index: Int?) -> Range<Int> {
        index.map { $0 + 1..<end(ofRecord: $0) } ?? 0..<count
    }

    /// The field that begins at the record `index`, and its neighbours up to `limit` that repeat it.
    func group(at index: Int, before limit: Int, of dissector: Dissector) -> Group {
        let field = self[index].field
        var group = Group(first: index, count: 1, field: field, end: end(ofRecord: index))
        guard !group.isUnexplained, dissector.fields[Int(field)].isRepeated else { return group }
        while group.end < limit, self[group.end].field == field {
            group.count += 1
            group.end = end(ofRecord: group.end)
        }
        return group
    }

    /// Calls `body` with each field in a range of siblings, repeated ones together.
    public func forEachGroup(in range: Range<Int>, of dissector: Dissector, _ body: (Group) -> Void) {
        var index = range.lowerBound
        while index < range.upperBound {
            let group = group(at: index, before: range.upperBound, of: dissector)
            body(group)
            index = group.end
        }
    }

    /// The first of some fields in a range of siblings.
    public func firstGroup(of fields: [UInt16], in range: Range<Int>, of dissector: Dissector) -> Group? {
        var index = range.lowerBound
        while index < range.upperBound {
            if fields.contains(self[index].field) { return group(at: index, before: range.upperBound, of: dissector) }
            index = end(ofRecord: index)
        }
        return nil
    }

    /// Calls `body` with the index of each record of a group.
    public func forEachRecord(of group: Group, _ body: (Int) -> Void) {
        var index = group.first
        while index < group.end {
            body(index)
            index = end(ofRecord: index)
        }
    }

    /// The integer of a field or of some of its bits by name: "Field", "Flag" or "Field.Flag". Fields of structures count, too; for a
    /// repeated field, the first one.
    public func integer(named name: String, of dissector: Dissector) -> Int64? {
        for index in 0..<count {
            let record = self[index]
            guard record.field != DissectedField.unexplainedOctets else { continue }
            let field = dissector.fields[Int(record.field)]
            if field.name == name, field.type.isInteger { return record.raw }
            for bits in field.bits where bits.name == name || "\(field.name).\(bits.name)" == name {
                return bits.value(in: record.raw)
            }
        }
        return nil
    }
}

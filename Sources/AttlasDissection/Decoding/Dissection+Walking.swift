extension Dissection {
    /// The records of one field among its neighbours: one, or a row of them when the field is repeated.
    public struct Group: Sendable {
        /// Indices of the records, without what stands inside them.
        public var records: [Int]
        public var field: UInt16

        public init(records: [Int], field: UInt16) {
            self.records = records
            self.field = field
        }
    }

    /// The record after `index` and everything inside it.
    public func end(ofRecord index: Int) -> Int {
        var end = index + 1
        while end < count, self[end].depth > self[index].depth { end += 1 }
        return end
    }

    /// The records inside `index`; all of them for nil.
    public func content(ofRecord index: Int?) -> Range<Int> {
        index.map { $0 + 1..<end(ofRecord: $0) } ?? 0..<count
    }

    /// The fields in a range of siblings, repeated ones together.
    public func groups(in range: Range<Int>, of dissector: Dissector) -> [Group] {
        var groups: [Group] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let field = self[index].field
            let isRepeated = field != DissectedField.unexplainedOctets && dissector.fields[Int(field)].isRepeated
            if isRepeated, groups.last?.field == field {
                groups[groups.count - 1].records.append(index)
            } else {
                groups.append(Group(records: [index], field: field))
            }
            index = end(ofRecord: index)
        }
        return groups
    }
}

extension CheckedFields {
    /// The octets from one to the other, of the records before the checksum's; nil if one was not read.
    func range(in records: Span<DissectedField>, before end: Int) -> Range<Int>? {
        var upper: Int?
        for index in (0..<end).reversed() {
            let record = records[index]
            if upper == nil, let last = last.first(where: { $0.field == record.field }) {
                upper = max(record.range.lowerBound, record.range.upperBound - last.marker)
            }
            if let upper, first.contains(record.field), record.range.lowerBound <= upper {
                return record.range.lowerBound..<upper
            }
        }
        return nil
    }
}

extension FieldDescription {
    /// The octets that the checksum at a record covers, if it names their fields and they were read.
    public func checkedOctets(of dissection: Dissection, at index: Int) -> Range<Int>? {
        checked?.range(in: dissection.records.span, before: index)
    }
}

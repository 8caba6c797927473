/// Different texts in the order in which they were first there: the dictionary of a column.
struct WordList {
    /// Where each ends in `octets`, after where the first begins.
    private(set) var offsets: [Int32] = [0]
    private(set) var octets: [UInt8] = []
    private var positions: [ArraySlice<UInt8>: Int32] = [:]
    /// Rows that follow one another often have the same.
    private var last: Int32?

    var count: Int { offsets.count - 1 }

    subscript(_ index: Int32) -> ArraySlice<UInt8> {
        octets[Int(offsets[Int(index)])..<Int(offsets[Int(index) + 1])]
    }

    mutating func index(of text: ArraySlice<UInt8>) -> Int32 {
        if let last, self[last] == text { return last }
        let index = positions[text] ?? add(text)
        last = index
        return index
    }

    private mutating func add(_ text: ArraySlice<UInt8>) -> Int32 {
        let index = Int32(truncatingIfNeeded: count)
        octets.append(contentsOf: text)
        offsets.append(Int32(truncatingIfNeeded: octets.count))
        positions[ArraySlice(Array(text))] = index
        return index
    }
}

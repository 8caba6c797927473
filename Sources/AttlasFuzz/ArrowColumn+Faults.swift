import AttlasColumns
import AttlasTables

extension ArrowColumn {
    /// The reason why it is invalid; nil if all is within bounds.
    func fault(rows: Int) -> String? {
        if nullCount > 0, validity.count != (rows + 7) / 8 { return "bits for other rows" }
        switch kind {
        case .integer, .real, .time, .duration: return numbers.count == rows ? nil : "\(numbers.count) numbers"
        case .boolean: return bits.count == (rows + 7) / 8 ? nil : "\(bits.count) octets of bits"
        case .text, .octets: return Self.fault(of: offsets, in: octets, count: rows)
        case .word:
            guard indices.count == rows else { return "\(indices.count) words" }
            // Where there is nothing, the index is not read, and there may be no word.
            for (row, index) in indices.enumerated() where !(0..<words.count ~= Int(index)) {
                let isMissing = nullCount > 0 && validity[row >> 3] >> UInt8(row & 7) & 1 == 0
                guard isMissing, index == 0 else { return "the word \(index) of \(words.count)" }
            }
            return Self.fault(of: words.offsets, in: words.octets, count: words.count)
        }
    }

    private static func fault(of offsets: [Int32], in octets: [UInt8], count: Int) -> String? {
        guard offsets.count == count + 1, offsets.first == 0, Int(offsets.last ?? -1) == octets.count else {
            return "offsets of other texts"
        }
        return zip(offsets, offsets.dropFirst()).allSatisfy(<=) ? nil : "offsets that go back"
    }
}

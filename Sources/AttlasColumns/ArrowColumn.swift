import AttlasTables
import AttlasWire

/// The values of one column of a batch.
package struct ArrowColumn: Sendable {
    package let kind: TableColumn.Kind
    package private(set) var nullCount = 0
    /// A bit for each row; set where there is a value.
    package private(set) var validity: [UInt8] = []
    /// Integers, times, durations, and the patterns of real numbers.
    package private(set) var numbers: [Int64] = []
    /// A bit for each row.
    package private(set) var bits: [UInt8] = []
    /// For texts and octets: the start of the first in `octets`, then the end of each.
    package private(set) var offsets: [Int32] = [0]
    package private(set) var octets: [UInt8] = []
    /// For words: the position of each in `words`.
    package private(set) var indices: [Int32] = []
    package private(set) var words = WordList()

    /// - Parameter former: the column of the batch before it. This one is likely to become as long, and its words begin with the same ones:
    ///   a word has one position in all batches, unless there are more words than can be kept.
    init(_ kind: TableColumn.Kind, as former: ArrowColumn? = nil) {
        self.kind = kind
        guard let former else { return }
        if former.words.canGoOn { words = former.words }
        validity.reserveCapacity(former.validity.count)
        numbers.reserveCapacity(former.numbers.count)
        bits.reserveCapacity(former.bits.count)
        offsets.reserveCapacity(former.offsets.count)
        octets.reserveCapacity(former.octets.count)
        indices.reserveCapacity(former.indices.count)
    }

    // MARK: Cells

    /// The cell of a text: where it ends. The text itself is in the column at once.
    mutating func cell(of text: ArraySlice<UInt8>) -> Int64 {
        guard kind != .word else { return Int64(words.index(of: text)) }
        octets.append(contentsOf: text)
        return Int64(octets.count)
    }

    mutating func cell(of bytes: Bytes) -> Int64 {
        bytes.append(to: &octets)
        return Int64(octets.count)
    }

    /// The cell of a word that comes again with this number.
    mutating func cell(of text: ArraySlice<UInt8>, as number: Int) -> Int64 {
        let index = words.index(of: text)
        words.know(number, as: index)
        return Int64(index)
    }

    @inline(__always)
    func cell(ofKnown number: Int) -> Int64? { words.index(ofKnown: number).map { Int64($0) } }

    // MARK: Rows

    /// Adds the cells of some rows, after a number of rows that is a multiple of eight.
    ///
    /// - Parameters:
    ///   - cells: row by row.
    ///   - column: which of a row.
    ///   - missing: of each row, a bit for each column that has nothing.
    ///   - incomplete: a bit for each column that has nothing in some of the rows.
    ///   - absent: a bit for each column that has nothing in any of them.
    mutating func append(
        _ cells: Span<Int64>, column: Int, of width: Int, missing: Span<UInt64>, incomplete: UInt64, absent: UInt64
    ) {
        let rows = missing.count
        guard absent >> UInt64(column) & 1 == 0 else { return appendNothing(rows) }
        validity.append(contentsOf: repeatElement(0xFF, count: (rows + 7) / 8))
        if incomplete >> UInt64(column) & 1 != 0 { noteMissing(missing, column) }
        var place = column
        switch kind {
        case .integer, .time, .duration, .real:
            let first = numbers.count
            numbers.append(contentsOf: repeatElement(0, count: rows))
            var room = numbers.mutableSpan
            for row in 0..<rows {
                room[first &+ row] = cells[place]
                place &+= width
            }
        case .word:
            let first = indices.count
            indices.append(contentsOf: repeatElement(0, count: rows))
            var room = indices.mutableSpan
            for row in 0..<rows {
                room[first &+ row] = Int32(truncatingIfNeeded: cells[place])
                place &+= width
            }
        case .boolean:
            let first = bits.count
            bits.append(contentsOf: repeatElement(0, count: (rows + 7) / 8))
            var room = bits.mutableSpan
            for row in 0..<rows {
                room[first &+ row >> 3] |= UInt8(truncatingIfNeeded: cells[place] & 1) << UInt8(row & 7)
                place &+= width
            }
        case .text, .octets:
            let first = offsets.count
            var end = offsets[first - 1]
            offsets.append(contentsOf: repeatElement(0, count: rows))
            var room = offsets.mutableSpan
            for row in 0..<rows {
                if missing[row] >> UInt64(column) & 1 == 0 { end = Int32(truncatingIfNeeded: cells[place]) }
                room[first &+ row] = end
                place &+= width
            }
        }
    }

    private mutating func appendNothing(_ rows: Int) {
        nullCount += rows
        validity.append(contentsOf: repeatElement(0, count: (rows + 7) / 8))
        switch kind {
        case .integer, .time, .duration, .real: numbers.append(contentsOf: repeatElement(0, count: rows))
        case .word: indices.append(contentsOf: repeatElement(0, count: rows))
        case .boolean: bits.append(contentsOf: repeatElement(0, count: (rows + 7) / 8))
        case .text, .octets: offsets.append(contentsOf: repeatElement(offsets[offsets.count - 1], count: rows))
        }
    }

    private mutating func noteMissing(_ missing: Span<UInt64>, _ column: Int) {
        let first = validity.count &- (missing.count + 7) / 8
        var nulls = 0
        var room = validity.mutableSpan
        for row in missing.indices {
            let isMissing = missing[row] >> UInt64(column) & 1
            room[first &+ row >> 3] &= ~(UInt8(truncatingIfNeeded: isMissing) << UInt8(row & 7))
            nulls &+= Int(isMissing)
        }
        nullCount += nulls
    }
}

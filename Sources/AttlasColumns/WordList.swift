import AttlasWire

/// Different texts in the order in which they were first there: the dictionary of a column, in a batch and in those that follow it.
package struct WordList: Sendable {
    /// Where each ends in `octets`, after where the first begins.
    package private(set) var offsets: [Int32] = [0]
    package private(set) var octets: [UInt8] = []
    private var positions: [ArraySlice<UInt8>: Int32] = [:]
    /// By the number with which a word comes again, its position counted from 1; 0 of one that was not there.
    private var known: [Int32] = []
    private var last: Int32?
    /// For each word, the one that followed it last. Rows often have the same words in the same order, and a comparison costs less
    /// than a lookup.
    private var following: [Int32] = []

    /// Larger numbers are not kept: they count items of a capture.
    private static let knownLimit = 1 << 17

    package var count: Int { offsets.count - 1 }

    /// Whether there are so few that the next batch may begin with them: a stream of any length takes no more memory.
    var canGoOn: Bool { count < 1 << 14 && octets.count < 1 << 20 }

    @inline(__always)
    func index(ofKnown number: Int) -> Int32? {
        let known = known.span
        guard number < known.count, known[number] > 0 else { return nil }
        return known[number] - 1
    }

    mutating func know(_ number: Int, as index: Int32) {
        guard number < Self.knownLimit else { return }
        while known.count <= number { known.append(0) }
        known[number] = index + 1
    }

    mutating func index(of text: ArraySlice<UInt8>) -> Int32 {
        let last = last ?? add(text)
        if word(last, is: text) {
            self.last = last
            return last
        }
        var index = following[Int(last)]
        if !word(index, is: text) {
            index = positions[text] ?? add(text)
            following[Int(last)] = index
        }
        self.last = index
        return index
    }

    private func word(_ index: Int32, is text: ArraySlice<UInt8>) -> Bool {
        let offsets = offsets.span
        let word = Int(offsets[Int(index)])..<Int(offsets[Int(index) + 1])
        return Bytes(octets.span.extracting(word)).isEqual(to: Bytes(text.span))
    }

    private mutating func add(_ text: ArraySlice<UInt8>) -> Int32 {
        let index = Int32(truncatingIfNeeded: count)
        octets.append(contentsOf: text)
        offsets.append(Int32(truncatingIfNeeded: octets.count))
        positions[ArraySlice(Array(text))] = index
        following.append(index)
        return index
    }
}

/// Numbers of records: a bit for each.
package struct FrameSet: Sendable {
    private var words: [UInt64] = []
    package private(set) var isEmpty = true

    package init() {}

    package mutating func insert(_ frame: Int) {
        guard frame >= 0 else { return }
        let word = frame >> 6
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(frame & 63)
        isEmpty = false
    }

    package func contains(_ frame: Int) -> Bool {
        frame >= 0 && frame >> 6 < words.count && words[frame >> 6] & 1 << UInt64(frame & 63) != 0
    }
}

/// Numbers of records: a bit for each.
public struct FrameSet: Sendable {
    private var words: [UInt64] = []
    public private(set) var isEmpty = true

    public init() {}

    public mutating func insert(_ frame: Int) {
        guard frame >= 0 else { return }
        let word = frame >> 6
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(frame & 63)
        isEmpty = false
    }

    public func contains(_ frame: Int) -> Bool {
        frame >= 0 && frame >> 6 < words.count && words[frame >> 6] & 1 << UInt64(frame & 63) != 0
    }
}

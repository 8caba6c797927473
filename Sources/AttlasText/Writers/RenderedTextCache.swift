/// Text that an output repeats, written once and kept for each key.
///
/// Subjects that share a place share it in turn.
public struct RenderedTextCache<Key: RenderedTextKey> {
    private struct Entry {
        let key: Key
        let text: [UInt8]
        let columns: Int
    }

    private var entries: [Entry] = []
    /// Number of the entry at each place, counted from 1; 0 where there is none yet.
    private var numbers = [UInt16](repeating: 0, count: 1_024)

    /// Nothing is kept.
    public init() {}

    /// Appends the text of `key` to `buffer`.
    ///
    /// - Returns: the columns that were noted with it; nil when it is not here.
    public func append(_ key: Key, to buffer: inout TextBuffer) -> Int? {
        let number = Int(numbers[key.place & (numbers.count - 1)])
        guard number > 0, entries.span[number - 1].key == key else { return nil }
        buffer.append(contentsOf: entries[number - 1].text)
        return entries[number - 1].columns
    }

    /// Keeps the text of `key`.
    public mutating func keep(_ text: ArraySlice<UInt8>, columns: Int = 0, of key: Key) {
        let place = key.place & (numbers.count - 1)
        let entry = Entry(key: key, text: Array(text), columns: columns)
        if numbers[place] > 0 {
            entries[Int(numbers[place]) - 1] = entry
        } else {
            entries.append(entry)
            numbers[place] = UInt16(entries.count)
        }
    }
}

/// All that a text is made of.
public protocol RenderedTextKey: Equatable {
    /// A number that few others have.
    var place: Int { get }
}

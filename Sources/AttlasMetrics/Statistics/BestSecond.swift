/// The most octets that came within one second: a window of 1 000 milliseconds that ends with the last one of them.
///
/// Times are counted in whole milliseconds, so that it never keeps more than 2 000 numbers: those of the second, and as many that
/// are after it.
struct BestSecond: Sendable {
    private static let window: Int64 = 1_000

    private struct Entry: Sendable {
        let millisecond: Int64
        var octets: Int
    }

    /// From `first` on, in ascending order.
    private var entries: [Entry] = []
    private var first = 0
    private var octets = 0
    private(set) var best = 0
    /// Entries there have been at once.
    private var mostEntries = 0

    /// Octets that it takes besides itself.
    var footprint: Int { Footprint.array(mostEntries, stride: MemoryLayout<Entry>.stride) }

    /// Whether the window that ends here is the best so far. A time before the one before counts as that one.
    mutating func record(_ added: Int, at nanoseconds: Int64) -> Bool {
        var millisecond = nanoseconds / 1_000_000
        if let last = entries.last { millisecond = max(millisecond, last.millisecond) }
        if let last = entries.indices.last, entries[last].millisecond == millisecond {
            entries[last].octets += added
        } else {
            entries.append(Entry(millisecond: millisecond, octets: added))
            mostEntries = max(mostEntries, entries.count)
        }
        octets += added
        while entries[first].millisecond <= millisecond - Self.window {
            octets -= entries[first].octets
            first += 1
        }
        if first >= 16, first * 2 >= entries.count {
            entries.removeSubrange(..<first)
            first = 0
        }
        guard octets > best else { return false }
        best = octets
        return true
    }

    /// Forgets the octets of the window, because the clock went another way.
    mutating func restart() {
        entries.removeAll(keepingCapacity: true)
        first = 0
        octets = 0
    }
}

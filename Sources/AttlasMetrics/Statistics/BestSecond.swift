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
    /// The times of the first entry and of the last; nothing is as early as that where there is none.
    private var oldest = Int64.min
    private var newest = Int64.min
    private var octets = 0
    private(set) var best = 0
    /// Entries there have been at once.
    private var mostEntries = 0
    /// Octets that it takes besides itself.
    private(set) var footprint = 0

    /// Whether the window that ends here is the best so far. A time before the one before counts as that one.
    ///
    /// Nearly all values come in another millisecond than the one before: the first and the last are known without the entries.
    @inline(__always)
    mutating func record(_ added: Int, at nanoseconds: Int64) -> Bool {
        let millisecond = max(nanoseconds / 1_000_000, newest)
        octets += added
        if millisecond == newest {
            entries[entries.count - 1].octets += added
        } else {
            append(Entry(millisecond: millisecond, octets: added))
        }
        guard octets > best else { return false }
        best = octets
        return true
    }

    private mutating func append(_ entry: Entry) {
        if newest == .min { oldest = entry.millisecond }
        newest = entry.millisecond
        entries.append(entry)
        if entries.count > mostEntries {
            mostEntries = entries.count
            footprint = Footprint.array(mostEntries, stride: MemoryLayout<Entry>.stride)
        }
        if oldest <= entry.millisecond - Self.window { forget(until: entry.millisecond - Self.window) }
    }

    private mutating func forget(until millisecond: Int64) {
        while entries[first].millisecond <= millisecond {
            octets -= entries[first].octets
            first += 1
        }
        oldest = entries[first].millisecond
        if first >= 16, first * 2 >= entries.count {
            entries.removeSubrange(..<first)
            first = 0
        }
    }

    /// Forgets the octets of the window, because the clock went another way.
    mutating func restart() {
        entries.removeAll(keepingCapacity: true)
        first = 0
        oldest = .min
        newest = .min
        octets = 0
    }
}

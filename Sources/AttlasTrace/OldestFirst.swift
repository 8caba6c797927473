/// Places of a table in the order in which they were noted, so that a full table finds the one to give up without
/// looking at all of them.
///
/// A place that is noted again, or given to something else, leaves its old entry. The stamp shows an outdated entry:
/// the table asks whether it is still valid.
struct OldestFirst: Sendable {
    private struct Entry: Sendable {
        let place: Int
        let stamp: Int
    }

    private var entries: [Entry] = []
    private var first = 0

    mutating func note(_ place: Int, stamp: Int, stands: (_ place: Int, _ stamp: Int) -> Bool) {
        // Outdated entries would pile up in a table that never gets full.
        if entries.count == entries.capacity {
            entries.removeSubrange(..<first)
            entries.removeAll { !stands($0.place, $0.stamp) }
            first = 0
        }
        entries.append(Entry(place: place, stamp: stamp))
    }

    /// Removes the oldest place whose entry is valid.
    mutating func removeOldest(stands: (_ place: Int, _ stamp: Int) -> Bool) -> Int? {
        while first < entries.count {
            let entry = entries[first]
            first += 1
            if stands(entry.place, entry.stamp) { return entry.place }
        }
        return nil
    }
}

/// An element of `SortedRuns`.
public protocol Keyed {
    associatedtype Key: Comparable
    var key: Key { get }
}

/// Elements sorted by their keys, of which no two are the same. They lie in runs of limited length: where one is put in, or taken
/// out, only a run moves, however many there are.
public struct SortedRuns<Element: Keyed>: Sequence {
    static var longestRun: Int { 64 }

    /// None is empty.
    private(set) var runs: [[Element]] = []
    /// Number of elements.
    public private(set) var count = 0

    var isEmpty: Bool { runs.isEmpty }
    var first: Element? { runs.first?.first }
    var last: Element? { runs.last?.last }

    public func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { runs.joined().makeIterator() }

    subscript(_ key: Element.Key) -> Element? {
        guard let element = last(notAbove: key), element.key == key else { return nil }
        return element
    }

    /// The last element whose key is not above `key`.
    func last(notAbove key: Element.Key) -> Element? {
        let run = run(of: key)
        guard run >= 0 else { return nil }
        return runs[run][runs[run].count(notAbove: key, by: \.key) - 1]
    }

    /// The first element whose key is above `key`.
    func first(above key: Element.Key) -> Element? {
        var first: Element?
        walkUp(above: key) { element in
            first = element
            return false
        }
        return first
    }

    /// Hands on the elements from the last one that is not above `key` down, as long as `goesOn` is true.
    func walkDown(from key: Element.Key, _ goesOn: (Element) -> Bool) {
        var run = run(of: key)
        var place = run < 0 ? 0 : runs[run].count(notAbove: key, by: \.key)
        while run >= 0 {
            while place > 0 {
                place -= 1
                guard goesOn(runs[run][place]) else { return }
            }
            run -= 1
            if run >= 0 { place = runs[run].count }
        }
    }

    /// The same from the first one above `key` up.
    func walkUp(above key: Element.Key, _ goesOn: (Element) -> Bool) {
        var run = run(of: key)
        var place = run < 0 ? 0 : runs[run].count(notAbove: key, by: \.key)
        run = Swift.max(0, run)
        while run < runs.count {
            while place < runs[run].count {
                guard goesOn(runs[run][place]) else { return }
                place += 1
            }
            run += 1
            place = 0
        }
    }

    /// Puts the element in its place, in which one with the same key is replaced.
    mutating func insert(_ element: Element) {
        let key = element.key
        let run = Swift.max(0, run(of: key))
        guard run < runs.count else {
            runs.append([element])
            count = 1
            return
        }
        let place = runs[run].count(notAbove: key, by: \.key)
        if place > 0, runs[run][place - 1].key == key {
            runs[run][place - 1] = element
            return
        }
        count += 1
        guard runs[run].count == Self.longestRun else { return runs[run].insert(element, at: place) }
        // Elements added in order fill their runs.
        if place == Self.longestRun, run == runs.count - 1 { return runs.append([element]) }
        let half = Self.longestRun / 2
        runs.insert(Array(runs[run][half...]), at: run + 1)
        runs[run].removeSubrange(half...)
        if place <= half {
            runs[run].insert(element, at: place)
        } else {
            runs[run + 1].insert(element, at: place - half)
        }
    }

    @discardableResult
    mutating func remove(_ key: Element.Key) -> Element? {
        let run = run(of: key)
        guard run >= 0 else { return nil }
        let place = runs[run].count(notAbove: key, by: \.key) - 1
        guard runs[run][place].key == key else { return nil }
        count -= 1
        defer { if runs[run].isEmpty { runs.remove(at: run) } }
        return runs[run].remove(at: place)
    }

    /// Removes those in the range that fulfil the condition, and looks at no other.
    @discardableResult
    mutating func remove(
        in range: ClosedRange<Element.Key>, where isRemoved: (Element) -> Bool = { _ in true }
    ) -> [Element] {
        var removed: [Element] = []
        var run = Swift.max(0, run(of: range.lowerBound))
        var hasEmptied = false
        while run < runs.count, runs[run][0].key <= range.upperBound {
            let before = removed.count
            for element in runs[run] where range.contains(element.key) && isRemoved(element) { removed.append(element) }
            if removed.count > before {
                runs[run].removeAll { range.contains($0.key) && isRemoved($0) }
                hasEmptied = hasEmptied || runs[run].isEmpty
            }
            run += 1
        }
        if hasEmptied { runs.removeAll(where: \.isEmpty) }
        count -= removed.count
        return removed
    }

    /// The last run that does not begin above `key`; -1 if they all do.
    private func run(of key: Element.Key) -> Int {
        runs.count(notAbove: key) { $0[0].key } - 1
    }
}

extension SortedRuns: Sendable where Element: Sendable {}

extension Array {
    /// How many elements are not above `key`, in an array sorted by that key.
    package func count<Key: Comparable>(notAbove key: Key, by keyOf: (Element) -> Key) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if keyOf(self[middle]) <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

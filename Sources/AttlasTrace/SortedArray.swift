extension Array {
    /// The last element whose key is not above `key`, in an array sorted by that key.
    func last<Key: Comparable>(notAbove key: Key, by keyPath: (Element) -> Key) -> Element? {
        let index = firstIndex(above: key, by: keyPath)
        return index == 0 ? nil : self[index - 1]
    }

    /// Replaces the element with the same key, or puts the new one in its place.
    mutating func insertSorted<Key: Comparable>(_ element: Element, by keyPath: (Element) -> Key) {
        let key = keyPath(element)
        let index = firstIndex(above: key, by: keyPath)
        if index > 0, keyPath(self[index - 1]) == key {
            self[index - 1] = element
        } else {
            insert(element, at: index)
        }
    }

    /// Removes the element with this key, if there is one.
    mutating func removeSorted<Key: Comparable>(_ key: Key, by keyPath: (Element) -> Key) {
        let index = firstIndex(above: key, by: keyPath)
        if index > 0, keyPath(self[index - 1]) == key { remove(at: index - 1) }
    }

    func firstIndex<Key: Comparable>(above key: Key, by keyPath: (Element) -> Key) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if keyPath(self[middle]) <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

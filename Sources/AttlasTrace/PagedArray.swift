/// An array whose copies share unchanged storage: a change copies eight elements, not all of them.
public struct PagedArray<Element>: RandomAccessCollection {
    private var pages: [[Element]] = []
    /// Number of elements.
    public private(set) var count = 0

    /// An empty array.
    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// Element at an index below `count`.
    public subscript(index: Int) -> Element {
        @inline(__always) _read { yield pages[index >> 3][index & 7] }
        @inline(__always) _modify { yield &pages[index >> 3][index & 7] }
    }

    /// Adds an element at the end.
    public mutating func append(_ element: Element) {
        if count & 7 == 0 {
            var page: [Element] = []
            page.reserveCapacity(8)
            pages.append(page)
        }
        pages[count >> 3].append(element)
        count += 1
    }
}

extension PagedArray: Sendable where Element: Sendable {}

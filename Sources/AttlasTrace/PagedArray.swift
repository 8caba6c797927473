/// An array whose copies share what has not changed since: a change copies eight elements, and not all of them.
public struct PagedArray<Element>: RandomAccessCollection {
    private var pages: [[Element]] = []
    public private(set) var count = 0

    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(index: Int) -> Element {
        _read { yield pages[index >> 3][index & 7] }
        _modify { yield &pages[index >> 3][index & 7] }
    }

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

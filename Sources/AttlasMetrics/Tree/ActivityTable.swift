import AttlasTrace
import AttlasValues
import AttlasWire

/// The activity of attributes, by the owner of their table and their handle.
package struct ActivityTable: Sendable {
    package typealias Activity = TreeCollector.Activity

    private struct Recent: Sendable {
        let owner: TableOwner
        let handle: AttributeHandle
        let index: Int
    }

    private var activities = PagedArray<Activity>()
    private var indexes: [TableOwner: [AttributeHandle: Int]] = [:]
    /// Left free when activities were joined, and empty.
    private var free: [Int] = []
    /// Asked for last, by a few bits of the handle and the owner: two look-ups by hashes take ten times as long.
    private var recent = [Recent?](repeating: nil, count: 64)

    /// Attributes with an activity.
    var count: Int { activities.count - free.count }

    package func count(of owner: TableOwner) -> Int { indexes[owner]?.count ?? 0 }

    package func handles(of owner: TableOwner) -> some Sequence<AttributeHandle> { (indexes[owner] ?? [:]).keys }

    package subscript(owner: TableOwner, handle: AttributeHandle) -> Activity? {
        indexes[owner]?[handle].map { activities[$0] }
    }

    /// All of one owner; nil if there is none.
    subscript(owner: TableOwner) -> [AttributeHandle: Activity]? {
        indexes[owner]?.mapValues { activities[$0] }
    }

    /// Changes an activity in its place, a new one if there is none yet.
    ///
    /// - Returns: nil, if there is none and `limit` are kept.
    @inline(__always)
    mutating func change<Result>(
        _ owner: TableOwner, _ handle: AttributeHandle, limit: Int, _ change: (inout Activity) -> Result
    ) -> Result? {
        let number =
            switch owner {
            case .peer(let index): index
            case .local(let index): ~index
            }
        let hint = (number &* 7 &+ Int(handle)) & (recent.count - 1)
        if let known = recent[hint], known.handle == handle, known.owner == owner {
            return change(&activities[known.index])
        }
        guard let index = find(owner, handle, limit: limit) else { return nil }
        recent[hint] = Recent(owner: owner, handle: handle, index: index)
        return change(&activities[index])
    }

    @inline(never)
    private mutating func find(_ owner: TableOwner, _ handle: AttributeHandle, limit: Int) -> Int? {
        let known = indexes[owner]?[handle]
        guard known != nil || count < limit else { return nil }
        return known ?? add(owner, handle)
    }

    private mutating func add(_ owner: TableOwner, _ handle: AttributeHandle) -> Int {
        let index = free.popLast() ?? activities.count
        if index == activities.count { activities.append(Activity()) }
        indexes[owner, default: [:]][handle] = index
        return index
    }

    /// Moves one owner's activities to another.
    mutating func move(_ previous: TableOwner, to owner: TableOwner) {
        guard previous != owner, let moved = indexes.removeValue(forKey: previous) else { return }
        recent = recent.map { _ in nil }
        for (handle, index) in moved {
            if let known = indexes[owner]?[handle] {
                activities[known] = activities[known].joined(with: activities[index])
                activities[index] = Activity()
                free.append(index)
            } else {
                indexes[owner, default: [:]][handle] = index
            }
        }
    }
}

import AttlasText

/// How much there was in the last second, by the capture's clock.
struct RateMeter {
    private static let slotCount = 10
    /// Nanoseconds.
    private static let slotLength: Int64 = 100_000_000

    private var slots = [Int](repeating: 0, count: slotCount)
    /// The number of the slot that was added to last.
    private var last = Int64.min

    /// - Parameter time: Nanoseconds from any moment that stays the same.
    mutating func add(_ amount: Int, at time: Int64) {
        let slot = Self.slot(time)
        if slot != last { move(to: slot) }
        slots[Self.place(slot)] += amount
    }

    func perSecond(at time: Int64) -> Int {
        guard last != .min else { return 0 }
        let now = Self.slot(time)
        var sum = 0
        for age in 0..<Int64(Self.slotCount) {
            let slot = now &- age
            if slot <= last, slot > last &- Int64(Self.slotCount) { sum += slots[Self.place(slot)] }
        }
        return sum
    }

    /// A clock that was set back starts again.
    private mutating func move(to slot: Int64) {
        let steps = last == .min || slot < last ? Int64(Self.slotCount) : slot &- last
        if steps < 0 || steps >= Int64(Self.slotCount) {
            for index in slots.indices { slots[index] = 0 }
        } else {
            for step in 0..<steps { slots[Self.place(slot &- step)] = 0 }
        }
        last = slot
    }

    private static func slot(_ time: Int64) -> Int64 { time.flooredQuotient(slotLength) }

    private static func place(_ slot: Int64) -> Int {
        let place = Int(slot % Int64(slotCount))
        return place < 0 ? place + slotCount : place
    }
}

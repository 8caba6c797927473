import AttlasWire

/// (controller, connection handle) → slot of the live connection.
struct LinkTable: Sendable {
    private var slots: [UInt32: Int] = [:]
    /// The last look-up: most records belong to the connection of the one before.
    private var lastKey: UInt32 = .max
    private var lastSlot = 0

    static func key(_ controller: UInt16, _ handle: ConnectionHandle) -> UInt32 {
        UInt32(controller) << 16 | UInt32(handle)
    }

    var count: Int { slots.count }
    var liveSlots: some Collection<Int> { slots.values }

    mutating func slot(_ controller: UInt16, _ handle: ConnectionHandle) -> Int? {
        let key = Self.key(controller, handle)
        if key == lastKey { return lastSlot }
        guard let slot = slots[key] else { return nil }
        lastKey = key
        lastSlot = slot
        return slot
    }

    mutating func insert(_ controller: UInt16, _ handle: ConnectionHandle, slot: Int) {
        slots[Self.key(controller, handle)] = slot
        lastKey = .max
    }

    mutating func remove(_ controller: UInt16, _ handle: ConnectionHandle) {
        slots[Self.key(controller, handle)] = nil
        lastKey = .max
    }
}

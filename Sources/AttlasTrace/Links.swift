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

/// Handles with ACL traffic whose connection was never seen to be made.
///
/// Either the capture began later, or they are no connections at all: Qualcomm's controllers send debug messages as ACL
/// data on handle 0x0EDC, one in a few looking like ATT by chance. A handle counts as a connection when its first frame
/// is a well-formed one of a fixed channel, or, once it sent anything else, after three such frames in a row.
struct Strangers: Sendable {
    static let limit = 4_096

    private struct Stranger {
        var packets = 0
        var wellFormed = 0
        var needed = 1
    }

    private var seen: [UInt32: Stranger] = [:]

    /// Notes a packet and says whether the handle is to be taken for a connection from now on.
    mutating func admit(_ controller: UInt16, _ handle: ConnectionHandle, wellFormed: Bool) -> Bool {
        let key = LinkTable.key(controller, handle)
        if seen[key] == nil, seen.count >= Self.limit { return false }
        var stranger = seen[key, default: Stranger()]
        stranger.packets += 1
        stranger.wellFormed = wellFormed ? stranger.wellFormed + 1 : 0
        if !wellFormed { stranger.needed = 3 }
        let isAdmitted = stranger.wellFormed >= stranger.needed
        seen[key] = isAdmitted ? nil : stranger
        return isAdmitted
    }

    mutating func forget(_ controller: UInt16, _ handle: ConnectionHandle) {
        seen[LinkTable.key(controller, handle)] = nil
    }

    var packets: [(controller: UInt16, handle: ConnectionHandle, packets: Int)] {
        seen.sorted { $0.key < $1.key }.map { (UInt16($0.key >> 16), UInt16($0.key & 0xFFFF), $0.value.packets) }
    }
}

extension L2CAPFrame {
    /// Whether the frame is whole and makes sense on a fixed channel: what a real connection sends and debug data does not.
    var isWellFormed: Bool {
        guard missing == 0, !payload.isEmpty else { return false }
        switch channel {
        case .attribute:
            guard let definition = ATTOpcode(rawValue: payload[0]).definition else { return false }
            return definition.isFixedLength
                ? payload.count == definition.minimumLength : payload.count >= definition.minimumLength
        case .signaling, .lowEnergySignaling:
            return payload.count >= 4 && (0x01...0x1A).contains(payload[0])
                && Int(payload.uint16(at: 2)) == payload.count - 4
        case .securityManager, .securityManagerBREDR:
            return (0x01...0x0E).contains(payload[0]) && payload.count <= 65
        default: return false
        }
    }

    var transport: Connection.Transport {
        channel == .signaling || channel == .connectionless || channel == .securityManagerBREDR ? .classic : .lowEnergy
    }
}

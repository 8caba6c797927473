import AttlasCapture
import AttlasWire

/// (controller, connection handle) → slot of the live connection.
///
/// Asked for every packet, so handles are looked up in a flat table for each controller that has a connection.
struct LinkTable: Sendable {
    private struct Controller {
        let index: UInt16
        /// By handle, which has 12 bits. The slot, or `none`.
        var slots = [UInt16](repeating: none, count: 0x1000)
        var count = 0
    }

    private static let none = UInt16.max

    private var controllers: [Controller] = []
    /// Where the controller asked for last is: most captures have one.
    private var last = 0
    private(set) var count = 0

    static func key(_ controller: UInt16, _ handle: ConnectionHandle) -> UInt32 {
        UInt32(controller) << 16 | UInt32(handle)
    }

    var liveSlots: [Int] {
        controllers.flatMap { $0.slots.filter { $0 != Self.none }.map { Int($0) } }
    }

    mutating func slot(_ controller: UInt16, _ handle: ConnectionHandle) -> Int? {
        if last >= controllers.count || controllers[last].index != controller {
            guard let index = place(controller) else { return nil }
            last = index
        }
        let slot = controllers[last].slots[Int(handle)]
        return slot == Self.none ? nil : Int(slot)
    }

    private func place(_ controller: UInt16) -> Int? {
        controllers.firstIndex { $0.index == controller }
    }

    mutating func insert(_ controller: UInt16, _ handle: ConnectionHandle, slot: Int) {
        let place = place(controller) ?? controllers.endIndex
        if place == controllers.endIndex { controllers.append(Controller(index: controller)) }
        if controllers[place].slots[Int(handle)] == Self.none {
            controllers[place].count += 1
            count += 1
        }
        controllers[place].slots[Int(handle)] = UInt16(slot)
    }

    mutating func remove(_ controller: UInt16, _ handle: ConnectionHandle) {
        guard let place = place(controller), controllers[place].slots[Int(handle)] != Self.none else { return }
        controllers[place].slots[Int(handle)] = Self.none
        controllers[place].count -= 1
        count -= 1
        if controllers[place].count == 0 { controllers.remove(at: place) }
    }
}

import AttlasCapture
import AttlasWire

/// (controller, connection handle) → slot of the live connection.
///
/// Asked for every packet. A handle has 12 bits, and most captures one controller: each handle has a place, which belongs to
/// the controller that took it first; the same handle of another controller is looked for in a dictionary.
struct LinkTable: Sendable {
    private struct Place {
        var controller: UInt16 = 0
        /// `none` when there is no connection.
        var slot = none
    }

    private static let none = UInt16.max

    private var places = [Place](repeating: Place(), count: 0x1000)
    /// A key that is here has no place until it is removed.
    private var others: [UInt32: UInt16] = [:]
    private(set) var count = 0

    static func key(_ controller: UInt16, _ handle: ConnectionHandle) -> UInt32 {
        UInt32(controller) << 16 | UInt32(handle)
    }

    /// In the order of the handles.
    var liveSlots: [Int] {
        // Usual at a controller's reset: it has ended its connections before, or had none.
        guard count > 0 else { return [] }
        return places.filter { $0.slot != Self.none }.map { Int($0.slot) }
            + others.sorted { $0.key < $1.key }.map { Int($0.value) }
    }

    /// - Parameter handle: 12 bits, as everywhere here.
    @inline(__always)
    func slot(_ controller: UInt16, _ handle: ConnectionHandle) -> Int? {
        let place = places[Int(handle)]
        guard place.controller == controller else { return otherSlot(controller, handle) }
        return place.slot == Self.none ? nil : Int(place.slot)
    }

    @inline(never)
    private func otherSlot(_ controller: UInt16, _ handle: ConnectionHandle) -> Int? {
        others[Self.key(controller, handle)].map { Int($0) }
    }

    mutating func insert(_ controller: UInt16, _ handle: ConnectionHandle, slot: Int) {
        let key = Self.key(controller, handle)
        let place = places[Int(handle)]
        let isOwn = place.controller == controller
        if self.slot(controller, handle) == nil { count += 1 }
        if others[key] == nil, isOwn || place.slot == Self.none {
            places[Int(handle)] = Place(controller: controller, slot: UInt16(slot))
        } else {
            others[key] = UInt16(slot)
        }
    }

    mutating func remove(_ controller: UInt16, _ handle: ConnectionHandle) {
        guard slot(controller, handle) != nil else { return }
        count -= 1
        if others.removeValue(forKey: Self.key(controller, handle)) == nil { places[Int(handle)].slot = Self.none }
    }
}

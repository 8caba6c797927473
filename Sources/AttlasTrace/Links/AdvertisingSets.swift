import AttlasWire

/// The advertising sets of the recorded hosts, as far as periodic advertising needs them. Core Specification, Vol 4, Part E, 7.8.52 to 7.8.63.
struct AdvertisingSets: Sendable {
    /// More than any controllers offer: at this many all are forgotten.
    private static let limit = 256

    struct Key: Hashable {
        let controller: UInt16
        /// Advertising_Handle.
        let handle: UInt8
    }

    struct Parameters: Sendable {
        var sid: UInt8?
        var phy: LEPHY?
        var ownAddressType: UInt8?
        var randomAddress: BluetoothAddress?
        /// Units of 1.25 ms; nil where the controller chose from a range.
        var interval: UInt16?
    }

    /// A command that waits for its Command Complete.
    private struct Pending {
        let opcode: HCIOpcode
        let octets: [UInt8]
    }

    private var sets: [Key: Parameters] = [:]
    /// The last command of each controller.
    private var pending: [UInt16: Pending] = [:]

    subscript(_ key: Key) -> Parameters {
        get { sets[key] ?? Parameters() }
        set {
            if sets[key] == nil, sets.count >= Self.limit { sets.removeAll() }
            sets[key] = newValue
        }
    }

    mutating func pend(_ command: borrowing HCICommand, _ controller: UInt16) {
        if pending.count >= Self.limit { pending.removeAll() }
        pending[controller] = Pending(opcode: command.opcode, octets: command.bytes.copy())
    }

    /// The command that the controller completed.
    mutating func complete(_ opcode: HCIOpcode, _ controller: UInt16) -> [UInt8]? {
        guard pending[controller]?.opcode == opcode else { return nil }
        return pending.removeValue(forKey: controller)?.octets
    }

    mutating func remove(_ key: Key) { sets[key] = nil }

    mutating func forget(_ controller: UInt16) {
        sets = sets.filter { $0.key.controller != controller }
        pending[controller] = nil
    }
}

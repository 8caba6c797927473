import AttlasWire

/// Which private addresses belong to which device. Core Specification, Vol 6, Part B, 1.3.2 and 6; Vol 3, Part H, 2.4.2.
///
/// A device is identified by its identity address, or, when only its key is known, by the first private address that was
/// resolved with that.
struct IdentityTable: Sendable {
    /// More than any host is bonded with. Keys beyond it are not taken.
    static let keyLimit = 256
    /// Private addresses change every few minutes: an endless log sees any number of them. At this many all are forgotten.
    static let addressLimit = 4_096

    private struct Key: Sendable {
        let value: UInt128
        var identity: BluetoothAddress?
        var firstAddress: BluetoothAddress?

        var address: BluetoothAddress? { identity ?? firstAddress }
    }

    /// What the keys say of an address.
    private struct Resolution: Sendable {
        var key: Int?
        /// How many keys were tried.
        var tried = 0
    }

    private var keys: [Key] = []
    private var resolutions: [BluetoothAddress: Resolution] = [:]
    /// What a controller, or the device itself, said of an address.
    private var stated: [BluetoothAddress: BluetoothAddress] = [:]

    var keyCount: Int { keys.count }
    var isFull: Bool { keys.count >= Self.keyLimit }
    var addressCount: Int { resolutions.count + stated.count }

    /// Takes a key, with the identity address of its device as far as that is known. False when nothing is new.
    mutating func add(_ key: UInt128, _ identity: BluetoothAddress?) -> Bool {
        // All zero stands for no key: the device has no resolvable addresses.
        guard key != 0 else { return false }
        if let known = keys.firstIndex(where: { $0.value == key }) {
            guard let identity, keys[known].identity != identity else { return false }
            keys[known].identity = identity
            return true
        }
        guard !isFull else { return false }
        keys.append(Key(value: key, identity: identity))
        return true
    }

    /// Takes it as given that a private address is one of this device.
    mutating func state(_ address: BluetoothAddress, _ identity: BluetoothAddress) {
        guard address != identity, address.kind == .resolvable || address.kind == .nonResolvable else { return }
        if stated.count >= Self.addressLimit { stated.removeAll(keepingCapacity: true) }
        stated[address] = identity
    }

    /// The identity address of the device that uses this address now; nil if it is unknown, or is this one.
    mutating func identity(of address: BluetoothAddress) -> BluetoothAddress? {
        if keys.isEmpty && stated.isEmpty { return nil }
        if let identity = stated[address] { return identity }
        guard address.kind == .resolvable else { return nil }
        var resolution = resolutions[address] ?? Resolution()
        if resolution.key == nil, resolution.tried < keys.count {
            resolution.key = keys[resolution.tried...].firstIndex { AddressHash.resolves(address, $0.value) }
            resolution.tried = keys.count
            if resolutions.count >= Self.addressLimit { resolutions.removeAll(keepingCapacity: true) }
            resolutions[address] = resolution
        }
        guard let key = resolution.key else { return nil }
        if keys[key].firstAddress == nil { keys[key].firstAddress = address }
        return keys[key].address == address ? nil : keys[key].address
    }

    /// The same without keeping what was found.
    func lookUp(_ address: BluetoothAddress) -> BluetoothAddress? {
        var copy = self
        return copy.identity(of: address)
    }
}

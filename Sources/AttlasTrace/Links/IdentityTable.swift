import AttlasWire

/// Which private addresses belong to which device. Core Specification, Vol 6, Part B, 1.3.2 and 6; Vol 3, Part H, 2.4.2.
///
/// A device is identified by its identity address, or, when only its key is known, by the first private address that was
/// resolved with that.
struct IdentityTable: Sendable {
    /// More than any host is bonded with. Keys beyond it are not taken.
    static let keyLimit = 256
    /// Addresses kept. Private addresses change every few minutes, so their number in an endless log is unbounded. At twice this
    /// limit, the older half is forgotten.
    private let addressLimit: Int

    private struct Key: Sendable {
        let value: UInt128
        let cipher: AES128
        var identity: BluetoothAddress?
        var firstAddress: BluetoothAddress?

        var address: BluetoothAddress? { identity ?? firstAddress }

        init(_ value: UInt128, _ identity: BluetoothAddress?) {
            self.value = value
            self.identity = identity
            cipher = AES128(key: value)
        }
    }

    /// The result of resolving an address with the keys.
    private struct Resolution: Sendable {
        var key: UInt16?
        /// How many keys were tried.
        var tried: UInt16 = 0
    }

    private var keys: [Key] = []
    private var resolutions: [BluetoothAddress: Resolution] = [:]
    private var olderResolutions: [BluetoothAddress: Resolution] = [:]
    /// Identities of addresses as a controller, or the device itself, stated them.
    private var stated: [BluetoothAddress: BluetoothAddress] = [:]

    init(addressLimit: Int = 65_536) {
        self.addressLimit = addressLimit
    }

    var keyCount: Int { keys.count }
    var isFull: Bool { keys.count >= Self.keyLimit }
    var addressCount: Int { resolutions.count + olderResolutions.count + stated.count }

    /// Takes a key, with the identity address of its device as far as that is known. False when nothing is new.
    mutating func add(_ key: UInt128, _ identity: BluetoothAddress?) -> Bool {
        // All zero means no key: the device has no resolvable addresses.
        guard key != 0 else { return false }
        if let known = keys.firstIndex(where: { $0.value == key }) {
            guard let identity, keys[known].identity != identity else { return false }
            keys[known].identity = identity
            return true
        }
        guard !isFull else { return false }
        keys.append(Key(key, identity))
        return true
    }

    /// The identity address of the device with this key: nil for a key that is unknown, nil inside when nothing was resolved with it.
    func address(ofKey key: UInt128) -> BluetoothAddress?? {
        keys.first { $0.value == key }.map(\.address)
    }

    /// Takes it as given that a private address is one of this device.
    mutating func state(_ address: BluetoothAddress, _ identity: BluetoothAddress) {
        guard address != identity, address.kind == .resolvable || address.kind == .nonResolvable else { return }
        if stated.count >= addressLimit { stated.removeAll(keepingCapacity: true) }
        stated[address] = identity
    }

    /// The identity address of the device that uses this address now; nil if it is unknown, or is this one.
    mutating func identity(of address: BluetoothAddress) -> BluetoothAddress? {
        if keys.isEmpty && stated.isEmpty { return nil }
        if let identity = stated[address] { return identity }
        guard address.kind == .resolvable else { return nil }
        let (resolution, isNew) = resolution(of: address)
        if isNew {
            if resolutions.count >= addressLimit, resolutions[address] == nil {
                olderResolutions = resolutions
                resolutions = [:]
            }
            resolutions[address] = resolution
        }
        guard let key = resolution.key.map(Int.init) else { return nil }
        if keys[key].firstAddress == nil { keys[key].firstAddress = address }
        return keys[key].address == address ? nil : keys[key].address
    }

    /// The same without keeping the result.
    func lookUp(_ address: BluetoothAddress) -> BluetoothAddress? {
        if let identity = stated[address] { return identity }
        guard address.kind == .resolvable, let key = resolution(of: address).0.key.map(Int.init) else { return nil }
        return keys[key].address == address ? nil : keys[key].address
    }

    /// The key that this private address was made with.
    func key(of address: BluetoothAddress) -> UInt128? {
        guard address.kind == .resolvable else { return nil }
        return resolution(of: address).0.key.map { keys[Int($0)].value }
    }

    /// Whether it is another one than is kept: keys came since, or it is the first.
    private func resolution(of address: BluetoothAddress) -> (Resolution, isNew: Bool) {
        var resolution = resolutions[address] ?? olderResolutions[address] ?? Resolution()
        guard resolution.key == nil, resolution.tried < keys.count else { return (resolution, false) }
        for index in Int(resolution.tried)..<keys.count where AddressHash.resolves(address, keys[index].cipher) {
            resolution.key = UInt16(index)
            break
        }
        resolution.tried = UInt16(keys.count)
        return (resolution, true)
    }
}

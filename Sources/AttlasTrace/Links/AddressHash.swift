import AttlasWire

/// The hash by which a device recognises a private address. Core Specification, Vol 3, Part H, 2.2.1 and 2.2.2.
package enum AddressHash {
    /// AES-128 of one block.
    static func e(_ key: UInt128, _ block: UInt128) -> UInt128 {
        AES128(key: key).encrypt(block)
    }

    /// The random address hash function: 24 bits of 24 bits.
    @inline(__always)
    static func ah(_ identityResolvingKey: AES128, _ prand: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: identityResolvingKey.encrypt(UInt128(prand & 0xFF_FFFF))) & 0xFF_FFFF
    }

    /// The same with a key that is used once.
    package static func ah(_ identityResolvingKey: UInt128, _ prand: UInt32) -> UInt32 {
        ah(AES128(key: identityResolvingKey), prand)
    }

    /// Whether a resolvable private address was made with this key: its upper half is prand, its lower half the hash.
    @inline(__always)
    static func resolves(_ address: BluetoothAddress, _ identityResolvingKey: AES128) -> Bool {
        let prand = UInt32(truncatingIfNeeded: address.value >> 24)
        return UInt32(truncatingIfNeeded: address.value) & 0xFF_FFFF == ah(identityResolvingKey, prand)
    }
}

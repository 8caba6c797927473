/// Encryption Information. Core Specification, Vol 3, Part H, 3.6.2.
///
/// ```
///  0               1
/// +---------------+--------------------+
/// |  Code (0x06)  | Long Term Key (16) |
/// +---------------+--------------------+
/// ```
public struct SMPEncryptionInformation: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(17, "Encryption Information incomplete")
        self.bytes = bytes
    }

    /// Long Term Key, little-endian on the air.
    public var longTermKey: UInt128 { bytes.uint128(at: 1) }
}

/// Central Identification. Core Specification, Vol 3, Part H, 3.6.3.
///
/// ```
///  0               1               3
/// +---------------+-------+-------+----------+
/// |  Code (0x07)  |     EDIV      | Rand (8) |
/// +---------------+-------+-------+----------+
/// ```
public struct SMPCentralIdentification: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(11, "Central Identification incomplete")
        self.bytes = bytes
    }

    /// Encrypted diversifier of the distributed Long Term Key.
    public var ediv: UInt16 { bytes.uint16(at: 1) }
    /// Random number of the distributed Long Term Key.
    public var rand: UInt64 { bytes.uint64(at: 3) }
}

/// Identity Information. Core Specification, Vol 3, Part H, 3.6.4.
///
/// ```
///  0               1
/// +---------------+-----------------------------+
/// |  Code (0x08)  | Identity Resolving Key (16) |
/// +---------------+-----------------------------+
/// ```
public struct SMPIdentityInformation: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(17, "Identity Information incomplete")
        self.bytes = bytes
    }

    /// All zero when the sender has no resolvable addresses.
    public var identityResolvingKey: UInt128 { bytes.uint128(at: 1) }
}

/// Identity Address Information. Core Specification, Vol 3, Part H, 3.6.5.
///
/// ```
///  0               1           2
/// +---------------+-----------+-------------+
/// |  Code (0x09)  | AddrType  | BD_ADDR (6) |
/// +---------------+-----------+-------------+
/// ```
public struct SMPIdentityAddressInformation: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(8, "Identity Address Information incomplete")
        self.bytes = bytes
    }

    /// 0x00 public, 0x01 static random.
    public var addrType: UInt8 { bytes[1] }
    /// Identity address: public or static random.
    public var address: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 2), isRandom: addrType == 0x01) }
}

/// Signing Information. Core Specification, Vol 3, Part H, 3.6.6.
///
/// ```
///  0               1
/// +---------------+--------------------+
/// |  Code (0x0A)  | Signature Key (16) |
/// +---------------+--------------------+
/// ```
public struct SMPSigningInformation: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(17, "Signing Information incomplete")
        self.bytes = bytes
    }

    /// Connection Signature Resolving Key, little-endian on the air.
    public var signatureKey: UInt128 { bytes.uint128(at: 1) }
}

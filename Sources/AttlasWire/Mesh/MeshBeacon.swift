/// Key Refresh and IV Update, as beacons have them. Mesh Protocol 1.1, 3.10.3.
public struct MeshBeaconFlags: Sendable, Equatable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Key Refresh procedure in progress.
    public var isKeyRefresh: Bool { rawValue & 0x01 != 0 }
    /// IV Update in progress.
    public var isIVUpdate: Bool { rawValue & 0x02 != 0 }
}

/// A mesh beacon, from its type on: the data of AD type 0x2B, or of a Proxy PDU. Mesh Protocol 1.1, 3.10.
public enum MeshBeacon: ~Escapable, Copyable {
    case unprovisionedDevice(UnprovisionedDeviceBeacon)
    case secureNetwork(SecureNetworkBeacon)
    case meshPrivate(MeshPrivateBeacon)
    case unknown(type: UInt8)

    /// Reads the beacon by its type. Throws if it is incomplete; an undefined type is not an error.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireBeacon(1)
        switch bytes[0] {
        case 0x00: self = .unprovisionedDevice(try UnprovisionedDeviceBeacon(bytes))
        case 0x01: self = .secureNetwork(try SecureNetworkBeacon(bytes))
        case 0x02: self = .meshPrivate(try MeshPrivateBeacon(bytes))
        default: self = .unknown(type: bytes[0])
        }
    }
}

extension Bytes {
    fileprivate func requireBeacon(_ need: Int) throws(WireError) {
        try require(need, "mesh beacon incomplete", of: .advertising, within: .valueLength)
    }
}

/// 3.10.2.
///
/// ```
///  0      1                  17                19
/// +------+------------------+-----------------+--------------------------+
/// | 0x00 | Device UUID (16) | OOB Information | URI Hash (4), which may  |
/// +------+------------------+-----------------+ be left out --------------+
/// ```
public struct UnprovisionedDeviceBeacon: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireBeacon(19)
        self.bytes = bytes
    }

    /// Device UUID, 16 octets.
    public var deviceUUID: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1).prefix(16) }
    }
    /// Bit field of the sources of out-of-band data.
    public var oobInformation: UInt16 { bytes.bigEndianUInt16(at: 17) }
    /// Hash of the URI that the device advertises; nil if it was left out.
    public var uriHash: UInt32? { bytes.count >= 23 ? bytes.bigEndianUInt32(at: 19) : nil }
}

/// 3.10.3.
///
/// ```
///  0      1       2                10             14
/// +------+-------+----------------+--------------+--------------------------+
/// | 0x01 | Flags | Network ID (8) | IV Index (4) | Authentication Value (8) |
/// +------+-------+----------------+--------------+--------------------------+
/// ```
public struct SecureNetworkBeacon: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireBeacon(22)
        self.bytes = bytes
    }

    /// Key Refresh and IV Update.
    public var flags: MeshBeaconFlags { MeshBeaconFlags(rawValue: bytes[1]) }
    /// Network ID, derived from the network key.
    public var networkID: UInt64 { bytes.bigEndianUInt64(at: 2) }
    /// Current IV Index.
    public var ivIndex: UInt32 { bytes.bigEndianUInt32(at: 10) }
    /// First 64 bits of the AES-CMAC of `authenticated`.
    public var authenticationValue: UInt64 { bytes.bigEndianUInt64(at: 14) }
    /// The input of the Authentication Value.
    public var authenticated: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1).prefix(13) }
    }
}

/// 3.10.4.
///
/// ```
///  0      1             14                                 19
/// +------+-------------+----------------------------------+------------------------+
/// | 0x02 | Random (13) | Obfuscated Private Beacon Data (5)| Authentication Tag (8) |
/// +------+-------------+----------------------------------+------------------------+
/// ```
public struct MeshPrivateBeacon: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireBeacon(27)
        self.bytes = bytes
    }

    /// Random, 13 octets: the nonce of the beacon.
    public var random: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1).prefix(13) }
    }
    /// The data and the tag.
    public var sealed: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(14).prefix(13) }
    }
}

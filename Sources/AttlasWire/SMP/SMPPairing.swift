/// Pairing Request and Pairing Response. Core Specification, Vol 3, Part H, 3.5.1 and 3.5.2.
///
/// ```
///  0               1               2               3               4               5               6
/// +---------------+---------------+---------------+---------------+---------------+---------------+---------------+
/// |Code (01 or 02)| IO Capability | OOB Data Flag |    AuthReq    |Max. Enc. Key S|Initiator Key D|Responder Key D|
/// +---------------+---------------+---------------+---------------+---------------+---------------+---------------+
/// ```
public struct SMPPairingFeatures: ~Escapable, Copyable {
    /// The PDU, its code included: an input of the confirm value.
    public let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(7, "Pairing Request or Response incomplete")
        self.bytes = bytes
    }

    /// Input and output that the device has.
    public var ioCapability: SMPIOCapability { SMPIOCapability(rawValue: bytes[1]) }
    /// 0x00 not present, 0x01 present: whether the sender has the other's out of band data.
    public var oobDataFlag: UInt8 { bytes[2] }
    /// Security that the device requests.
    public var authReq: SMPAuthReq { SMPAuthReq(rawValue: bytes[3]) }
    /// Octets.
    public var maximumEncryptionKeySize: UInt8 { bytes[4] }
    /// Keys that the initiator offers, or is to distribute.
    public var initiatorKeyDistribution: SMPKeyDistribution { SMPKeyDistribution(rawValue: bytes[5]) }
    /// Keys that are requested of the responder, or that it is to distribute.
    public var responderKeyDistribution: SMPKeyDistribution { SMPKeyDistribution(rawValue: bytes[6]) }
}

/// A device's output and input capabilities. Core Specification, Vol 3, Part H, 3.5.1, Table 3.4.
public struct SMPIOCapability: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// nil for a value that the specification does not define.
    public var name: String? {
        switch rawValue {
        case 0x00: "DisplayOnly"
        case 0x01: "DisplayYesNo"
        case 0x02: "KeyboardOnly"
        case 0x03: "NoInputNoOutput"
        case 0x04: "KeyboardDisplay"
        default: nil
        }
    }
}

/// The security that a device requires. Core Specification, Vol 3, Part H, 3.5.1.
///
/// ```
///  7 6   5     4         3    2      1 0
/// +-----+-----+----------+----+------+---------------+
/// | RFU | CT2 | Keypress | SC | MITM | Bonding_Flags |
/// +-----+-----+----------+----+------+---------------+
/// ```
public struct SMPAuthReq: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// 0b00 no bonding, 0b01 bonding.
    public var bondingFlags: UInt8 { rawValue & 0b11 }
    /// Whether the keys are to be kept.
    public var bonding: Bool { bondingFlags == 0b01 }
    /// Protection against a man in the middle.
    public var mitm: Bool { rawValue & 1 << 2 != 0 }
    /// LE Secure Connections.
    public var secureConnections: Bool { rawValue & 1 << 3 != 0 }
    /// Keypress notifications are supported (passkey entry).
    public var keypress: Bool { rawValue & 1 << 4 != 0 }
    /// The h7 function for deriving keys of the other transport.
    public var ct2: Bool { rawValue & 1 << 5 != 0 }
}

/// The keys that a device will distribute. Core Specification, Vol 3, Part H, 3.6.1.
public struct SMPKeyDistribution: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Encryption Information and Central Identification.
    public static let encKey = SMPKeyDistribution(rawValue: 1 << 0)
    /// Identity Information and Identity Address Information.
    public static let idKey = SMPKeyDistribution(rawValue: 1 << 1)
    /// Signing Information.
    public static let signKey = SMPKeyDistribution(rawValue: 1 << 2)
    /// A BR/EDR link key derived from the Long Term Key.
    public static let linkKey = SMPKeyDistribution(rawValue: 1 << 3)
}

/// Pairing Confirm. Core Specification, Vol 3, Part H, 3.5.3.
///
/// ```
///  0               1
/// +---------------+--------------------+
/// |  Code (0x03)  | Confirm Value (16) |
/// +---------------+--------------------+
/// ```
public struct SMPPairingConfirm: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(17, "Pairing Confirm incomplete")
        self.bytes = bytes
    }

    /// Confirm value, little-endian on the air.
    public var confirmValue: UInt128 { bytes.uint128(at: 1) }
}

/// Pairing Random. Core Specification, Vol 3, Part H, 3.5.4.
///
/// ```
///  0               1
/// +---------------+-------------------+
/// |  Code (0x04)  | Random Value (16) |
/// +---------------+-------------------+
/// ```
public struct SMPPairingRandom: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(17, "Pairing Random incomplete")
        self.bytes = bytes
    }

    /// Random value, little-endian on the air.
    public var randomValue: UInt128 { bytes.uint128(at: 1) }
}

/// Pairing Failed. Core Specification, Vol 3, Part H, 3.5.5.
///
/// ```
///  0               1
/// +---------------+---------------+
/// |  Code (0x05)  |    Reason     |
/// +---------------+---------------+
/// ```
public struct SMPPairingFailed: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(2, "Pairing Failed incomplete")
        self.bytes = bytes
    }

    /// Reason of the failure.
    public var reason: SMPReason { SMPReason(rawValue: bytes[1]) }
}

/// Why pairing failed. Core Specification, Vol 3, Part H, 3.5.5, Table 3.7.
public struct SMPReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Name in the specification; "Reserved Reason" for an undefined code.
    public var name: String {
        switch rawValue {
        case 0x01: "Passkey Entry Failed"
        case 0x02: "OOB Not Available"
        case 0x03: "Authentication Requirements"
        case 0x04: "Confirm Value Failed"
        case 0x05: "Pairing Not Supported"
        case 0x06: "Encryption Key Size"
        case 0x07: "Command Not Supported"
        case 0x08: "Unspecified Reason"
        case 0x09: "Repeated Attempts"
        case 0x0A: "Invalid Parameters"
        case 0x0B: "DHKey Check Failed"
        case 0x0C: "Numeric Comparison Failed"
        case 0x0D: "BR/EDR pairing in progress"
        case 0x0E: "Cross-transport Key Derivation/Generation not allowed"
        case 0x0F: "Key Rejected"
        case 0x10: "Busy"
        default: "Reserved Reason"
        }
    }
}

/// Security Request. Core Specification, Vol 3, Part H, 3.6.7.
///
/// ```
///  0               1
/// +---------------+---------------+
/// |  Code (0x0B)  |    AuthReq    |
/// +---------------+---------------+
/// ```
/// A peripheral asks its central to pair or to encrypt.
public struct SMPSecurityRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(2, "Security Request incomplete")
        self.bytes = bytes
    }

    /// Security that the device requests.
    public var authReq: SMPAuthReq { SMPAuthReq(rawValue: bytes[1]) }
}

/// The reasons that modules above compare: computed, so that they compile to numbers there.
extension SMPReason {
    @inlinable package static var passkeyEntryFailed: Self { Self(rawValue: 0x01) }
    @inlinable package static var oobNotAvailable: Self { Self(rawValue: 0x02) }
    @inlinable package static var authenticationRequirements: Self { Self(rawValue: 0x03) }
    @inlinable package static var confirmValueFailed: Self { Self(rawValue: 0x04) }
    @inlinable package static var pairingNotSupported: Self { Self(rawValue: 0x05) }
    @inlinable package static var encryptionKeySize: Self { Self(rawValue: 0x06) }
    @inlinable package static var unspecifiedReason: Self { Self(rawValue: 0x08) }
    @inlinable package static var repeatedAttempts: Self { Self(rawValue: 0x09) }
    @inlinable package static var dhKeyCheckFailed: Self { Self(rawValue: 0x0B) }
    @inlinable package static var numericComparisonFailed: Self { Self(rawValue: 0x0C) }
}

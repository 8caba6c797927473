/// Pairing Public Key. Core Specification, Vol 3, Part H, 3.5.6.
///
/// ```
///  0               1                   33
/// +---------------+-------------------+-------------------+
/// |  Code (0x0C)  | Public Key X (32) | Public Key Y (32) |
/// +---------------+-------------------+-------------------+
/// ```
public struct SMPPairingPublicKey: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(65, "Pairing Public Key incomplete")
        self.bytes = bytes
    }

    /// The least significant octet first.
    public var x: Bytes {
        @_lifetime(copy self) get { bytes.slice(1..<33) }
    }
    /// The least significant octet first.
    public var y: Bytes {
        @_lifetime(copy self) get { bytes.slice(33..<65) }
    }

    /// Whether it is the specification's debug key, whose private key everybody knows. Vol 3, Part H, 2.3.5.6.1.
    public var isOfDebugPair: Bool { x.isEqual(to: Bytes(Self.debugX.span)) }

    private static let debugX: [UInt8] = [
        0xE6, 0x9D, 0x35, 0x0E, 0x48, 0x01, 0x03, 0xCC, 0xDB, 0xFD, 0xF4, 0xAC, 0x11, 0x91, 0xF4, 0xEF, 0xB9, 0xA5,
        0xF9, 0xE9, 0xA7, 0x83, 0x2C, 0x5E, 0x2C, 0xBE, 0x97, 0xF2, 0xD2, 0x03, 0xB0, 0x20,
    ]
}

/// Pairing DHKey Check. Core Specification, Vol 3, Part H, 3.5.7.
///
/// ```
///  0               1
/// +---------------+------------------+
/// |  Code (0x0D)  | DHKey Check (16) |
/// +---------------+------------------+
/// ```
public struct SMPPairingDHKeyCheck: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(17, "Pairing DHKey Check incomplete")
        self.bytes = bytes
    }

    /// DHKey Check, little-endian on the air.
    public var dhKeyCheck: UInt128 { bytes.uint128(at: 1) }
}

/// Pairing Keypress Notification. Core Specification, Vol 3, Part H, 3.5.8.
///
/// ```
///  0               1
/// +---------------+-------------------+
/// |  Code (0x0E)  | Notification Type |
/// +---------------+-------------------+
/// ```
public struct SMPKeypressNotification: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSMP(2, "Pairing Keypress Notification incomplete")
        self.bytes = bytes
    }

    /// 0 entry started, 1 digit entered, 2 digit erased, 3 cleared, 4 entry completed.
    public var notificationType: UInt8 { bytes[1] }

    /// nil for a type that the specification does not define.
    public var notificationTypeName: String? {
        switch notificationType {
        case 0x00: "Passkey entry started"
        case 0x01: "Passkey digit entered"
        case 0x02: "Passkey digit erased"
        case 0x03: "Passkey cleared"
        case 0x04: "Passkey entry completed"
        default: nil
        }
    }
}

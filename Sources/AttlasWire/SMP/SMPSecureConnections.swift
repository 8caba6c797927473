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

/// HCI_Encryption_Change, versions 1 and 2. Core Specification, Vol 4, Part E, 7.7.8.
///
/// ```
///  0        1                 3                    4
/// +--------+--------+--------+--------------------+---------------------+
/// | Status |Connection_Handle| Encryption_Enabled | Encryption_Key_Size | version 2 only
/// +--------+--------+--------+--------------------+---------------------+
/// ```
public struct EncryptionChangeEvent: ~Escapable, Copyable {
    let bytes: Bytes
    let version: Int

    /// The event code, not a parameter, shows the version.
    @_lifetime(copy bytes)
    init(_ bytes: Bytes, version: Int) throws(WireError) {
        try bytes.requireParameters(version >= 2 ? 5 : 4, "Encryption Change incomplete")
        self.bytes = bytes
        self.version = version
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
    /// 0x00 off, 0x01 on (on BR/EDR with E0, on LE with AES-CCM), 0x02 on with AES-CCM on BR/EDR.
    public var encryptionEnabled: UInt8 { bytes[3] }
    /// Octets.
    public var encryptionKeySize: UInt8? { version >= 2 ? bytes[4] : nil }
}

/// HCI_Encryption_Key_Refresh_Complete. Core Specification, Vol 4, Part E, 7.7.39.
///
/// ```
///  0        1
/// +--------+--------+--------+
/// | Status |Connection_Handle|
/// +--------+--------+--------+
/// ```
public struct EncryptionKeyRefreshCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(3, "Encryption Key Refresh Complete incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[0]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
}

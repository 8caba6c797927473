/// HCI_LE_Enable_Encryption. Core Specification, Vol 4, Part E, 7.8.24.
///
/// ```
///  0                 2                   10                    12
/// +--------+--------+-------------------+---------+-----------+--------------------+
/// |Connection_Handle| Random_Number (8) |Encrypted_Diversifier| Long_Term_Key (16) |
/// +--------+--------+-------------------+---------+-----------+--------------------+
/// ```
public struct LEEnableEncryptionCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(28, "LE Enable Encryption incomplete")
        self.bytes = bytes
    }

    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    public var randomNumber: UInt64 { bytes.uint64(at: 2) }
    public var encryptedDiversifier: UInt16 { bytes.uint16(at: 10) }
    public var longTermKey: UInt128 { bytes.uint128(at: 12) }
}

/// HCI_LE_Long_Term_Key_Request_Reply. Core Specification, Vol 4, Part E, 7.8.25.
///
/// ```
///  0                 2
/// +--------+--------+--------------------+
/// |Connection_Handle| Long_Term_Key (16) |
/// +--------+--------+--------------------+
/// ```
public struct LELongTermKeyRequestReplyCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(18, "LE Long Term Key Request Reply incomplete")
        self.bytes = bytes
    }

    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    public var longTermKey: UInt128 { bytes.uint128(at: 2) }
}

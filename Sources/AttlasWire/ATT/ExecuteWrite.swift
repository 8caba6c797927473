/// ATT_EXECUTE_WRITE_REQ. Core Specification, Vol 3, Part F, 3.4.6.3.
///
/// ```
///  0               1
/// +---------------+---------------+
/// | Opcode (0x18) |     Flags     |
/// +---------------+---------------+
/// ```
public struct ExecuteWriteRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(2, "Execute Write Request incomplete")
        self.bytes = bytes
    }

    /// 0x00 cancels all prepared writes, 0x01 writes them.
    public var flags: UInt8 { bytes[1] }
}

/// ATT_EXECUTE_WRITE_RSP. Core Specification, Vol 3, Part F, 3.4.6.4.
///
/// ```
///  0
/// +---------------+
/// | Opcode (0x19) |
/// +---------------+
/// ```
public struct ExecuteWriteResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "Execute Write Response incomplete")
        self.bytes = bytes
    }
}

/// ATT_WRITE_CMD. Core Specification, Vol 3, Part F, 3.4.5.3.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// | Opcode (0x52) |       Attribute Handle        | Attribute Value (0 to MTU - 3 octets)
/// +---------------+---------------+---------------+----
/// ```
public struct WriteCommand: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if the PDU has fewer than 3 octets.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Write Command incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// The value, up to the end of the PDU.
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(3) }
    }
}

/// ATT_SIGNED_WRITE_CMD. Core Specification, Vol 3, Part F, 3.4.5.4.
///
/// ```
///  0               1               2               3               n - 12          n - 8
/// +---------------+---------------+---------------+----        ---+----        ---+----        ---+
/// | Opcode (0xD2) |       Attribute Handle        | Attribute Value … | SignCounter (4) |  MAC (8)  |
/// +---------------+---------------+---------------+----        ---+----        ---+----        ---+
/// ```
public struct SignedWriteCommand: ~Escapable, Copyable {
    package let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(15, "Signed Write Command incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// The value, without the 12 octets of Authentication Signature that follow it.
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.slice(3..<bytes.count - 12) }
    }
    /// The first part of the Authentication Signature. Vol 3, Part H, 2.4.5.
    public var signCounter: UInt32 { bytes.uint32(at: bytes.count - 12) }
    /// The 64 bits of CMAC at the end of the Authentication Signature (Vol 3, Part H, 2.4.5).
    public var messageAuthenticationCode: UInt64 { bytes.uint64(at: bytes.count - 8) }
}

/// ATT_WRITE_CMD. Core Specification, Vol 3, Part F, 3.4.5.3.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// | Opcode (0x52) |       Attribute Handle        | Attribute Value (0 to MTU - 3 octets)
/// +---------------+---------------+---------------+----
/// ```
public struct WriteCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Write Command incomplete")
        self.bytes = bytes
    }

    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
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
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(15, "Signed Write Command incomplete")
        self.bytes = bytes
    }

    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.slice(3..<bytes.count - 12) }
    }
    /// The first part of the Authentication Signature. Vol 3, Part H, 2.4.5.
    public var signCounter: UInt32 { bytes.uint32(at: bytes.count - 12) }
    public var messageAuthenticationCode: UInt64 { bytes.uint64(at: bytes.count - 8) }
}

/// ATT_WRITE_REQ. Core Specification, Vol 3, Part F, 3.4.5.1.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// | Opcode (0x12) |       Attribute Handle        | Attribute Value (0 to MTU - 3 octets)
/// +---------------+---------------+---------------+----
/// ```
public struct WriteRequest: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if the PDU has fewer than 3 octets.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Write Request incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// The value, up to the end of the PDU.
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(3) }
    }
}

/// ATT_WRITE_RSP. Core Specification, Vol 3, Part F, 3.4.5.2.
///
/// ```
///  0
/// +---------------+
/// | Opcode (0x13) |
/// +---------------+
/// ```
public struct WriteResponse: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if the PDU is empty.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "Write Response incomplete")
        self.bytes = bytes
    }
}

/// ATT_PREPARE_WRITE_REQ. Core Specification, Vol 3, Part F, 3.4.6.1.
///
/// ```
///  0               1               2               3               4               5
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x16) |       Attribute Handle        |         Value Offset          | Part Attribute Value …
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct PrepareWriteRequest: ~Escapable, Copyable {
    /// The PDU, its opcode included.
    public let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Prepare Write Request incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// Offset of the part within the value, in octets.
    public var valueOffset: Int { Int(bytes.uint16(at: 3)) }
    /// Part of the value, from the offset of the request on.
    public var partAttributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(5) }
    }
}

/// ATT_PREPARE_WRITE_RSP. Core Specification, Vol 3, Part F, 3.4.6.2.
///
/// ```
///  0               1               2               3               4               5
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x17) |       Attribute Handle        |         Value Offset          | Part Attribute Value …
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct PrepareWriteResponse: ~Escapable, Copyable {
    /// The PDU, its opcode included.
    public let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Prepare Write Response incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// Offset of the part within the value, in octets.
    public var valueOffset: Int { Int(bytes.uint16(at: 3)) }
    /// Part of the value, from the offset of the request on.
    public var partAttributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(5) }
    }
}

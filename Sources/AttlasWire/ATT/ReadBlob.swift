/// ATT_READ_BLOB_REQ. Core Specification, Vol 3, Part F, 3.4.4.5.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+---------------+
/// | Opcode (0x0C) |       Attribute Handle        |         Value Offset          |
/// +---------------+---------------+---------------+---------------+---------------+
/// ```
public struct ReadBlobRequest: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if the PDU has fewer than 5 octets.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Read Blob Request incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// Offset of the part within the value, in octets.
    public var valueOffset: Int { Int(bytes.uint16(at: 3)) }
}

/// ATT_READ_BLOB_RSP. Core Specification, Vol 3, Part F, 3.4.4.6.
///
/// ```
///  0               1
/// +---------------+----
/// | Opcode (0x0D) | Part Attribute Value (0 to MTU - 1 octets)
/// +---------------+----
/// ```
public struct ReadBlobResponse: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if the PDU is empty.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "Read Blob Response incomplete")
        self.bytes = bytes
    }

    /// Part of the value, from the offset of the request on.
    public var partAttributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1) }
    }
}

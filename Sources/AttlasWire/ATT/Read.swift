/// ATT_READ_REQ. Core Specification, Vol 3, Part F, 3.4.4.3.
///
/// ```
///  0               1               2
/// +---------------+---------------+---------------+
/// | Opcode (0x0A) |       Attribute Handle        |
/// +---------------+---------------+---------------+
/// ```
public struct ReadRequest: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if the PDU has fewer than 3 octets.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Read Request incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
}

/// ATT_READ_RSP. Core Specification, Vol 3, Part F, 3.4.4.4.
///
/// ```
///  0               1
/// +---------------+----
/// | Opcode (0x0B) | Attribute Value (0 to MTU - 1 octets)
/// +---------------+----
/// ```
public struct ReadResponse: ~Escapable, Copyable {
    /// The PDU, its opcode included.
    public let bytes: Bytes

    /// Throws if the PDU is empty.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "Read Response incomplete")
        self.bytes = bytes
    }

    /// The value, up to the end of the PDU.
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1) }
    }
}

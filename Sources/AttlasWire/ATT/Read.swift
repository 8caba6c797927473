/// ATT_READ_REQ. Core Specification, Vol 3, Part F, 3.4.4.3.
///
/// ```
///  0               1               2
/// +---------------+---------------+---------------+
/// | Opcode (0x0A) |       Attribute Handle        |
/// +---------------+---------------+---------------+
/// ```
public struct ReadRequest: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Read Request incomplete")
        self.bytes = bytes
    }

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
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "Read Response incomplete")
        self.bytes = bytes
    }

    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1) }
    }
}

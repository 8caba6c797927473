/// ATT_READ_MULTIPLE_REQ. Core Specification, Vol 3, Part F, 3.4.4.7.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+---------------+----
/// | Opcode (0x0E) |       Attribute Handle        |       Attribute Handle        | … two or more
/// +---------------+---------------+---------------+---------------+---------------+----
/// ```
public struct ReadMultipleRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Read Multiple Request for fewer than two attributes")
        self.bytes = bytes
    }

    /// Set Of Handles, 2 octets each.
    public var list: AttributeList {
        @_lifetime(copy self) get { AttributeList(bytes.dropFirst(1), stride: 2) }
    }
    /// Handle of an item of `list`.
    public func handle(_ index: Int) -> AttributeHandle { list.item(index).uint16(at: 0) }
}

/// ATT_READ_MULTIPLE_RSP. Core Specification, Vol 3, Part F, 3.4.4.8.
///
/// ```
///  0               1
/// +---------------+----
/// | Opcode (0x0F) | Set Of Values: the values one after the other, without their lengths
/// +---------------+----
/// ```
public struct ReadMultipleResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "Read Multiple Response incomplete")
        self.bytes = bytes
    }

    /// The values, one after the other without separators.
    public var setOfValues: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1) }
    }
}

/// ATT_HANDLE_VALUE_IND. Core Specification, Vol 3, Part F, 3.4.7.2.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// | Opcode (0x1D) |       Attribute Handle        | Attribute Value (0 to MTU - 3 octets)
/// +---------------+---------------+---------------+----
/// ```
public struct HandleValueIndication: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Handle Value Indication incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// The value, up to the end of the PDU.
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(3) }
    }
}

/// ATT_HANDLE_VALUE_CFM. Core Specification, Vol 3, Part F, 3.4.7.3.
///
/// ```
///  0
/// +---------------+
/// | Opcode (0x1E) |
/// +---------------+
/// ```
public struct HandleValueConfirmation: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(1, "Handle Value Confirmation incomplete")
        self.bytes = bytes
    }
}

/// ATT_HANDLE_VALUE_NTF. Core Specification, Vol 3, Part F, 3.4.7.1.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+----
/// | Opcode (0x1B) |       Attribute Handle        | Attribute Value (0 to MTU - 3 octets)
/// +---------------+---------------+---------------+----
/// ```
public struct HandleValueNotification: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if the PDU has fewer than 3 octets.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Handle Value Notification incomplete")
        self.bytes = bytes
    }

    /// Handle of the attribute, 0x0001 to 0xFFFF.
    public var attributeHandle: AttributeHandle { bytes.uint16(at: 1) }
    /// The value, up to the end of the PDU.
    public var attributeValue: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(3) }
    }
}

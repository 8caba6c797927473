/// ATT_ERROR_RSP. Core Specification, Vol 3, Part F, 3.4.1.1.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+---------------+
/// | Opcode (0x01) | Request Opcode|   Attribute Handle in Error   |  Error Code   |
/// +---------------+---------------+---------------+---------------+---------------+
/// ```
public struct ErrorResponse: ~Escapable, Copyable {
    /// The PDU, its opcode included.
    public let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(5, "Error Response incomplete")
        self.bytes = bytes
    }

    /// Opcode of the request that failed.
    public var requestOpcodeInError: ATTOpcode { ATTOpcode(rawValue: bytes[1]) }
    /// 0x0000 when the request named no attribute.
    public var attributeHandleInError: AttributeHandle { bytes.uint16(at: 2) }
    /// Reason of the failure (Vol 3, Part F, 3.4.1.1).
    public var errorCode: ATTErrorCode { ATTErrorCode(rawValue: bytes[4]) }
}

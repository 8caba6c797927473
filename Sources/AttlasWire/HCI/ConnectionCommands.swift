/// HCI_Disconnect. Core Specification, Vol 4, Part E, 7.1.6.
///
/// ```
///  0                 2
/// +--------+--------+--------+
/// |Connection_Handle| Reason |
/// +--------+--------+--------+
/// ```
public struct DisconnectCommand: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(3, "Disconnect incomplete")
        self.bytes = bytes
    }

    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    /// Reason that the peer is to receive.
    public var reason: HCIErrorCode { HCIErrorCode(rawValue: bytes[2]) }
}

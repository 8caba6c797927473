/// ATT_EXCHANGE_MTU_REQ. Core Specification, Vol 3, Part F, 3.4.2.1.
///
/// ```
///  0               1               2
/// +---------------+---------------+---------------+
/// | Opcode (0x02) |         Client Rx MTU         |
/// +---------------+---------------+---------------+
/// ```
public struct ExchangeMTURequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Exchange MTU Request incomplete")
        self.bytes = bytes
    }

    /// Largest ATT PDU that the client receives, in octets.
    public var clientRxMTU: UInt16 { bytes.uint16(at: 1) }
}

/// ATT_EXCHANGE_MTU_RSP. Core Specification, Vol 3, Part F, 3.4.2.2.
///
/// ```
///  0               1               2
/// +---------------+---------------+---------------+
/// | Opcode (0x03) |         Server Rx MTU         |
/// +---------------+---------------+---------------+
/// ```
public struct ExchangeMTUResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(3, "Exchange MTU Response incomplete")
        self.bytes = bytes
    }

    /// Largest ATT PDU that the server receives, in octets.
    public var serverRxMTU: UInt16 { bytes.uint16(at: 1) }
}

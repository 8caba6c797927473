/// L2CAP_CONNECTION_REQ. Core Specification, Vol 3, Part A, 4.2.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+---------------+
/// |              PSM              |          Source CID           |
/// +---------------+---------------+---------------+---------------+
/// ```
/// A PSM may have more than two octets; none was ever assigned that does.
public struct L2CAPConnectionRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(4, "Connection Request incomplete")
        self.bytes = bytes
    }

    /// Protocol/Service Multiplexer.
    public var psm: UInt16 { bytes.uint16(at: 0) }
    /// Channel endpoint of the sender of the request.
    public var sourceCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 2)) }
}

/// L2CAP_CONNECTION_RSP. Core Specification, Vol 3, Part A, 4.3.
///
/// ```
///  0               2               4               6
/// +-------+-------+-------+-------+-------+-------+-------+-------+
/// |Destination CID|  Source CID   |    Result     |    Status     |
/// +-------+-------+-------+-------+-------+-------+-------+-------+
/// ```
public struct L2CAPConnectionResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(8, "Connection Response incomplete")
        self.bytes = bytes
    }

    /// Channel endpoint of the receiver of the request.
    public var destinationCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 0)) }
    /// Channel endpoint of the sender of the request.
    public var sourceCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 2)) }
    /// 0x0000 success, 0x0001 pending; other values refuse the connection.
    public var result: UInt16 { bytes.uint16(at: 4) }
    /// Only of a pending connection: 0x0000 no further information, 0x0001 authentication, 0x0002 authorization.
    public var status: UInt16 { bytes.uint16(at: 6) }

    /// Connection pending: another response follows.
    package var isPending: Bool { result == 0x0001 }
    /// nil for a result that the specification does not define.
    public var resultName: String? {
        switch result {
        case 0x0000: "Connection successful"
        case 0x0001: "Connection pending"
        case 0x0002: "Connection refused - PSM not supported"
        case 0x0003: "Connection refused - security block"
        case 0x0004: "Connection refused - no resources available"
        case 0x0006: "Connection refused - invalid Source CID"
        case 0x0007: "Connection refused - Source CID already allocated"
        default: nil
        }
    }
}

/// L2CAP_DISCONNECTION_REQ. Core Specification, Vol 3, Part A, 4.6.
///
/// ```
///  0               2
/// +-------+-------+-------+-------+
/// |Destination CID|  Source CID   |
/// +-------+-------+-------+-------+
/// ```
/// Source is the channel's end at the device that sends the request.
public struct L2CAPDisconnectionRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(4, "Disconnection Request incomplete")
        self.bytes = bytes
    }

    /// Channel endpoint of the receiver of the request.
    public var destinationCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 0)) }
    /// Channel endpoint of the sender of the request.
    public var sourceCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 2)) }
}

/// L2CAP_DISCONNECTION_RSP. Core Specification, Vol 3, Part A, 4.7.
///
/// ```
///  0               2
/// +-------+-------+-------+-------+
/// |Destination CID|  Source CID   |
/// +-------+-------+-------+-------+
/// ```
/// Both as in the request: source is the end at the device that sent it.
public struct L2CAPDisconnectionResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(4, "Disconnection Response incomplete")
        self.bytes = bytes
    }

    /// Channel endpoint of the receiver of the request.
    public var destinationCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 0)) }
    /// Channel endpoint of the sender of the request.
    public var sourceCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 2)) }
}

/// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ. Core Specification, Vol 3, Part A, 4.22.
///
/// ```
///  0               2               4               6               8
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+
/// |     SPSM      |  Source CID   |      MTU      |      MPS      |Initial Credits|
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+
/// ```
public struct L2CAPLECreditBasedConnectionRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(10, "LE Credit Based Connection Request incomplete")
        self.bytes = bytes
    }

    /// Simplified Protocol/Service Multiplexer, 0x0001 to 0x00FF; 0x0027 is Enhanced ATT.
    public var spsm: UInt16 { bytes.uint16(at: 0) }
    /// Channel endpoint of the sender of the request.
    public var sourceCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 2)) }
    /// Largest SDU that the sender of this packet receives, in octets.
    public var mtu: UInt16 { bytes.uint16(at: 4) }
    /// Largest PDU payload that the sender of this packet receives, in octets.
    public var mps: UInt16 { bytes.uint16(at: 6) }
    /// K-frames that the other side may send at first.
    public var initialCredits: UInt16 { bytes.uint16(at: 8) }
}

/// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP. Core Specification, Vol 3, Part A, 4.23.
///
/// ```
///  0               2               4               6               8
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+
/// |Destination CID|      MTU      |      MPS      |Initial Credits|    Result     |
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+
/// ```
public struct L2CAPLECreditBasedConnectionResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(10, "LE Credit Based Connection Response incomplete")
        self.bytes = bytes
    }

    /// Channel endpoint of the receiver of the request.
    public var destinationCID: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 0)) }
    /// Largest SDU that the sender of this packet receives, in octets.
    public var mtu: UInt16 { bytes.uint16(at: 2) }
    /// Largest PDU payload that the sender of this packet receives, in octets.
    public var mps: UInt16 { bytes.uint16(at: 4) }
    /// K-frames that the other side may send at first.
    public var initialCredits: UInt16 { bytes.uint16(at: 6) }
    /// Success, or why the connection was refused.
    public var result: L2CAPLECreditBasedResult { L2CAPLECreditBasedResult(rawValue: bytes.uint16(at: 8)) }
}

/// L2CAP_FLOW_CONTROL_CREDIT_IND. Core Specification, Vol 3, Part A, 4.24.
///
/// ```
///  0               1               2               3
/// +---------------+---------------+---------------+---------------+
/// |              CID              |            Credits            |
/// +---------------+---------------+---------------+---------------+
/// ```
public struct L2CAPFlowControlCredit: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(4, "Flow Control Credit Indication incomplete")
        self.bytes = bytes
    }

    /// The channel's end at the device that sends the indication.
    public var cid: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 0)) }
    /// K-frames that the receiver of this packet may send in addition.
    public var credits: UInt16 { bytes.uint16(at: 2) }
}

/// How a request for one credit based channel ended. Core Specification, Vol 3, Part A, 4.23.
public struct L2CAPLECreditBasedResult: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// nil for a result that the specification does not define.
    public var name: String? {
        switch rawValue {
        case 0x0000: "Connection successful"
        case 0x0002: "Connection refused - SPSM not supported"
        case 0x0004: "Connection refused - no resources available"
        case 0x0005: "Connection refused - insufficient authentication"
        case 0x0006: "Connection refused - insufficient authorization"
        case 0x0007: "Connection refused - encryption key size too short"
        case 0x0008: "Connection refused - insufficient encryption"
        case 0x0009: "Connection refused - invalid Source CID"
        case 0x000A: "Connection refused - Source CID already allocated"
        case 0x000B: "Connection refused - unacceptable parameters"
        default: nil
        }
    }
}

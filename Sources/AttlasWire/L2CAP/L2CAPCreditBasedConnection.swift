/// L2CAP_CREDIT_BASED_CONNECTION_REQ. Core Specification, Vol 3, Part A, 4.25.
///
/// ```
///  0               2               4               6               8
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+----
/// |     SPSM      |      MTU      |      MPS      |Initial Credits|  Source CID   | … up to five
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+----
/// ```
public struct L2CAPCreditBasedConnectionRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(10, "Credit Based Connection Request incomplete")
        self.bytes = bytes
    }

    /// Simplified Protocol/Service Multiplexer, 0x0001 to 0x00FF; 0x0027 is Enhanced ATT.
    public var spsm: UInt16 { bytes.uint16(at: 0) }
    /// Largest SDU that the sender of this packet receives, in octets.
    public var mtu: UInt16 { bytes.uint16(at: 2) }
    /// Largest PDU payload that the sender of this packet receives, in octets.
    public var mps: UInt16 { bytes.uint16(at: 4) }
    /// K-frames that the other side may send at first.
    public var initialCredits: UInt16 { bytes.uint16(at: 6) }
    /// Channel endpoints of the requester, up to 5.
    public var sourceCIDs: L2CAPChannelList {
        @_lifetime(copy self) get { L2CAPChannelList(bytes.dropFirst(8)) }
    }
}

/// L2CAP_CREDIT_BASED_CONNECTION_RSP. Core Specification, Vol 3, Part A, 4.26.
///
/// ```
///  0               2               4               6               8
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+----
/// |      MTU      |      MPS      |Initial Credits|    Result     |Destination CID| … one for each requested
/// +-------+-------+-------+-------+-------+-------+-------+-------+-------+-------+----
/// ```
public struct L2CAPCreditBasedConnectionResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(8, "Credit Based Connection Response incomplete")
        self.bytes = bytes
    }

    /// Largest SDU that the sender of this packet receives, in octets.
    public var mtu: UInt16 { bytes.uint16(at: 0) }
    /// Largest PDU payload that the sender of this packet receives, in octets.
    public var mps: UInt16 { bytes.uint16(at: 2) }
    /// K-frames that the other side may send at first.
    public var initialCredits: UInt16 { bytes.uint16(at: 4) }
    /// Result for all requested channels.
    public var result: L2CAPCreditBasedResult {
        L2CAPCreditBasedResult(rawValue: bytes.uint16(at: 6))
    }
    /// In the order of the request's source CIDs; 0x0000 for a channel that was refused.
    public var destinationCIDs: L2CAPChannelList {
        @_lifetime(copy self) get { L2CAPChannelList(bytes.dropFirst(8)) }
    }
}

/// How a request for up to five credit based channels ended. Core Specification, Vol 3, Part A, 4.26.
public struct L2CAPCreditBasedResult: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// nil for a result that the specification does not define.
    public var name: String? {
        switch rawValue {
        case 0x0000: "All connections successful"
        case 0x0002: "All connections refused - SPSM not supported"
        case 0x0004: "Some connections refused - insufficient resources available"
        case 0x0005: "All connections refused - insufficient authentication"
        case 0x0006: "All connections refused - insufficient authorization"
        case 0x0007: "All connections refused - encryption key size too short"
        case 0x0008: "All connections refused - insufficient encryption"
        case 0x0009: "Some connections refused - invalid Source CID"
        case 0x000A: "Some connections refused - Source CID already allocated"
        case 0x000B: "All connections refused - unacceptable parameters"
        case 0x000C: "All connections refused - invalid parameters"
        case 0x000D: "All connections pending - no further information available"
        case 0x000E: "All connections pending - authentication pending"
        case 0x000F: "All connections pending - authorization pending"
        default: nil
        }
    }
}

/// Reasons of refused credit based channels. Core Specification, Vol 3, Part A, 4.23 and 4.26.
package enum L2CAPChannelRefusal: UInt16, Sendable {
    case spsmNotSupported = 0x0002
    case noResources = 0x0004
    case insufficientAuthentication = 0x0005
    case insufficientAuthorization = 0x0006
    case encryptionKeySizeTooShort = 0x0007
    case insufficientEncryption = 0x0008
    case invalidSourceCID = 0x0009
    case sourceCIDAlreadyAllocated = 0x000A
    case unacceptableParameters = 0x000B
    case invalidParameters = 0x000C
}

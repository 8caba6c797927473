/// L2CAP_CREDIT_BASED_RECONFIGURE_REQ. Core Specification, Vol 3, Part A, 4.27.
///
/// ```
///  0               2               4
/// +-------+-------+-------+-------+-------+-------+----
/// |      MTU      |      MPS      |Destination CID| … up to five
/// +-------+-------+-------+-------+-------+-------+----
/// ```
public struct L2CAPCreditBasedReconfigureRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(6, "Credit Based Reconfigure Request incomplete")
        self.bytes = bytes
    }

    /// Largest SDU that the sender of this packet receives, in octets.
    public var mtu: UInt16 { bytes.uint16(at: 0) }
    /// Largest PDU payload that the sender of this packet receives, in octets.
    public var mps: UInt16 { bytes.uint16(at: 2) }
    /// The channels' ends at the device that sends the request.
    public var destinationCIDs: L2CAPChannelList {
        @_lifetime(copy self) get { L2CAPChannelList(bytes.dropFirst(4)) }
    }
}

/// L2CAP_CREDIT_BASED_RECONFIGURE_RSP. Core Specification, Vol 3, Part A, 4.28.
///
/// ```
///  0               1
/// +---------------+---------------+
/// |            Result             |
/// +---------------+---------------+
/// ```
public struct L2CAPCreditBasedReconfigureResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(2, "Credit Based Reconfigure Response incomplete")
        self.bytes = bytes
    }

    /// 0x0000 success; other values are failures.
    public var result: UInt16 { bytes.uint16(at: 0) }

    /// nil for a result that the specification does not define.
    public var resultName: String? {
        switch result {
        case 0x0000: "Reconfiguration successful"
        case 0x0001: "Reconfiguration failed - reduction in size of MTU not allowed"
        case 0x0002: "Reconfiguration failed - reduction in size of MPS not allowed for more than one channel at a time"
        case 0x0003: "Reconfiguration failed - one or more Destination CIDs invalid"
        case 0x0004: "Reconfiguration failed - other unacceptable parameters"
        default: nil
        }
    }
}

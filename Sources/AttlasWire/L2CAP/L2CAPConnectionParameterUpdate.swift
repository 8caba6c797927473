/// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ. Core Specification, Vol 3, Part A, 4.20.
///
/// ```
///  0               2               4               6
/// +-------+-------+-------+-------+-------+-------+-------+-------+
/// | Interval Min  | Interval Max  |    Latency    |    Timeout    |
/// +-------+-------+-------+-------+-------+-------+-------+-------+
/// ```
/// A peripheral's request to its central.
public struct L2CAPConnectionParameterUpdateRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(8, "Connection Parameter Update Request incomplete")
        self.bytes = bytes
    }

    /// Units of 1.25 ms.
    public var intervalMin: UInt16 { bytes.uint16(at: 0) }
    /// Units of 1.25 ms.
    public var intervalMax: UInt16 { bytes.uint16(at: 2) }
    /// Connection events that the peripheral may skip.
    public var latency: UInt16 { bytes.uint16(at: 4) }
    /// Units of 10 ms.
    public var timeout: UInt16 { bytes.uint16(at: 6) }
}

/// L2CAP_CONNECTION_PARAMETER_UPDATE_RSP. Core Specification, Vol 3, Part A, 4.21.
///
/// ```
///  0               1
/// +---------------+---------------+
/// |            Result             |
/// +---------------+---------------+
/// ```
public struct L2CAPConnectionParameterUpdateResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(2, "Connection Parameter Update Response incomplete")
        self.bytes = bytes
    }

    /// 0x0000 accepted, 0x0001 rejected.
    public var result: UInt16 { bytes.uint16(at: 0) }

    /// nil for a result that the specification does not define.
    public var resultName: String? {
        switch result {
        case 0x0000: "Connection Parameters accepted"
        case 0x0001: "Connection Parameters rejected"
        default: nil
        }
    }
}

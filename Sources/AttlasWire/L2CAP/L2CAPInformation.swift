/// L2CAP_INFORMATION_REQ. Core Specification, Vol 3, Part A, 4.10.
///
/// ```
///  0               1
/// +---------------+---------------+
/// |           Info Type           |
/// +---------------+---------------+
/// ```
public struct L2CAPInformationRequest: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(2, "Information Request incomplete")
        self.bytes = bytes
    }

    /// 0x0001 connectionless MTU, 0x0002 extended features, 0x0003 fixed channels.
    public var infoType: UInt16 { bytes.uint16(at: 0) }
}

/// L2CAP_INFORMATION_RSP. Core Specification, Vol 3, Part A, 4.11.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+----
/// |           Info Type           |            Result             | Info …
/// +---------------+---------------+---------------+---------------+----
/// ```
public struct L2CAPInformationResponse: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireSignal(4, "Information Response incomplete")
        self.bytes = bytes
    }

    /// 0x0001 connectionless MTU, 0x0002 extended features, 0x0003 fixed channels.
    public var infoType: UInt16 { bytes.uint16(at: 0) }
    /// 0x0000 success, 0x0001 not supported.
    public var result: UInt16 { bytes.uint16(at: 2) }
    /// The information on success: the MTU (2 octets), the feature mask (4) or the mask of fixed channels (8).
    public var info: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(4) }
    }
}

/// HCI_Disconnect. Core Specification, Vol 4, Part E, 7.1.6.
///
/// ```
///  0                 2
/// +--------+--------+--------+
/// |Connection_Handle| Reason |
/// +--------+--------+--------+
/// ```
public struct DisconnectCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(3, "Disconnect incomplete")
        self.bytes = bytes
    }

    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    public var reason: HCIErrorCode { HCIErrorCode(rawValue: bytes[2]) }
}

/// HCI_LE_Create_Connection. Core Specification, Vol 4, Part E, 7.8.12.
///
/// ```
///  0                  2                  4                        5                   6
/// +--------+---------+--------+---------+------------------------+-------------------+------------------+
/// | LE_Scan_Interval |  LE_Scan_Window  |Initiator_Filter_Policy | Peer_Address_Type | Peer_Address (6) |
/// +--------+---------+--------+---------+------------------------+-------------------+------------------+
///  12                 13          15          17          19            21          23
/// +------------------+-----+-----+-----+-----+-----+-----+------+------+-----+-----+-----+-----+
/// | Own_Address_Type |Interval_Min|Interval_Max|Max_Latency|Superv._Timeout|Min_CE_Len.|Max_CE_Len.|
/// +------------------+-----+-----+-----+-----+-----+-----+------+------+-----+-----+-----+-----+
/// ```
public struct LECreateConnectionCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(25, "LE Create Connection incomplete")
        self.bytes = bytes
    }

    /// Units of 0.625 ms.
    public var leScanInterval: UInt16 { bytes.uint16(at: 0) }
    /// Units of 0.625 ms.
    public var leScanWindow: UInt16 { bytes.uint16(at: 2) }
    /// 0x00: connect to `peerAddress`. 0x01: to anyone on the Filter Accept List, `peerAddress` means nothing.
    public var initiatorFilterPolicy: UInt8 { bytes[4] }
    public var peerAddressType: UInt8 { bytes[5] }
    public var peerAddress: BluetoothAddress { bytes.address(at: 6, type: peerAddressType) }
    public var ownAddressType: UInt8 { bytes[12] }
    /// Units of 1.25 ms.
    public var connectionIntervalMin: UInt16 { bytes.uint16(at: 13) }
    /// Units of 1.25 ms.
    public var connectionIntervalMax: UInt16 { bytes.uint16(at: 15) }
    public var maxLatency: UInt16 { bytes.uint16(at: 17) }
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16 { bytes.uint16(at: 19) }
    /// Units of 0.625 ms.
    public var minCELength: UInt16 { bytes.uint16(at: 21) }
    /// Units of 0.625 ms.
    public var maxCELength: UInt16 { bytes.uint16(at: 23) }
}

/// HCI_LE_Extended_Create_Connection, versions 1 and 2. Core Specification, Vol 4, Part E, 7.8.66.
///
/// ```
///  0                         1                  2                   3                  9
/// +-------------------------+------------------+-------------------+------------------+-----------------+----
/// | Initiator_Filter_Policy | Own_Address_Type | Peer_Address_Type | Peer_Address (6) | Initiating_PHYs | per PHY …
/// +-------------------------+------------------+-------------------+------------------+-----------------+----
/// per PHY:
///  0               2               4              6              8             10
/// +-------+-------+-------+-------+-------+------+-------+------+------+------+----------+----------+
/// | Scan_Interval |  Scan_Window  | Interval_Min | Interval_Max | Max_Latency | Supervision_Timeout |
/// +-------+-------+-------+-------+-------+------+-------+------+------+------+----------+----------+
///  12              14
/// +-------+-------+-------+-------+
/// | Min_CE_Length | Max_CE_Length |
/// +-------+-------+-------+-------+
/// ```
/// Version 2 begins with Advertising_Handle and Subevent, one octet each.
public struct LEExtendedCreateConnectionCommand: ~Escapable, Copyable {
    static let stride = 16

    public let bytes: Bytes
    public let version: Int
    /// Where version 1 begins.
    private let start: Int

    /// Which version it is stands in the opcode, not in the parameters.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes, version: Int) throws(WireError) {
        self.version = version
        start = version >= 2 ? 2 : 0
        try bytes.requireParameters(start + 10, "LE Extended Create Connection incomplete")
        let phys = bytes[start + 9].nonzeroBitCount
        try bytes.requireParameters(start + 10 + Self.stride * phys, "LE Extended Create Connection incomplete")
        self.bytes = bytes
    }

    /// Version 2: the periodic advertising set to connect from; 0xFF when it is not used.
    public var advertisingHandle: UInt8? { version >= 2 ? bytes[0] : nil }
    /// Version 2: the subevent of that set; 0xFF when it is not used.
    public var subevent: UInt8? { version >= 2 ? bytes[1] : nil }
    public var initiatorFilterPolicy: UInt8 { bytes[start] }
    public var ownAddressType: UInt8 { bytes[start + 1] }
    public var peerAddressType: UInt8 { bytes[start + 2] }
    public var peerAddress: BluetoothAddress { bytes.address(at: start + 3, type: peerAddressType) }
    /// Bit 0 LE 1M, bit 1 LE 2M, bit 2 LE Coded.
    public var initiatingPHYs: UInt8 { bytes[start + 9] }

    /// PHYs with parameters: one for each bit set in `initiatingPHYs`, in the order of the bits.
    public var count: Int { initiatingPHYs.nonzeroBitCount }
    /// Units of 0.625 ms.
    public func scanInterval(_ index: Int) -> UInt16 { parameter(index, at: 0) }
    /// Units of 0.625 ms.
    public func scanWindow(_ index: Int) -> UInt16 { parameter(index, at: 2) }
    /// Units of 1.25 ms.
    public func connectionIntervalMin(_ index: Int) -> UInt16 { parameter(index, at: 4) }
    /// Units of 1.25 ms.
    public func connectionIntervalMax(_ index: Int) -> UInt16 { parameter(index, at: 6) }
    public func maxLatency(_ index: Int) -> UInt16 { parameter(index, at: 8) }
    /// Units of 10 ms.
    public func supervisionTimeout(_ index: Int) -> UInt16 { parameter(index, at: 10) }
    /// Units of 0.625 ms.
    public func minCELength(_ index: Int) -> UInt16 { parameter(index, at: 12) }
    /// Units of 0.625 ms.
    public func maxCELength(_ index: Int) -> UInt16 { parameter(index, at: 14) }

    private func parameter(_ index: Int, at offset: Int) -> UInt16 {
        bytes.uint16(at: start + 10 + Self.stride * index + offset)
    }
}

/// HCI_LE_Connection_Update. Core Specification, Vol 4, Part E, 7.8.18.
///
/// ```
///  0                 2             4             6             8               10            12
/// +--------+--------+------+------+------+------+------+------+-------+-------+------+------+------+------+
/// |Connection_Handle|Interval_Min |Interval_Max | Max_Latency |Superv._Timeout|Min_CE_Length|Max_CE_Length|
/// +--------+--------+------+------+------+------+------+------+-------+-------+------+------+------+------+
/// ```
public struct LEConnectionUpdateCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(14, "LE Connection Update incomplete")
        self.bytes = bytes
    }

    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    /// Units of 1.25 ms.
    public var connectionIntervalMin: UInt16 { bytes.uint16(at: 2) }
    /// Units of 1.25 ms.
    public var connectionIntervalMax: UInt16 { bytes.uint16(at: 4) }
    public var maxLatency: UInt16 { bytes.uint16(at: 6) }
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16 { bytes.uint16(at: 8) }
    /// Units of 0.625 ms.
    public var minCELength: UInt16 { bytes.uint16(at: 10) }
    /// Units of 0.625 ms.
    public var maxCELength: UInt16 { bytes.uint16(at: 12) }
}

/// HCI_LE_Set_Data_Length. Core Specification, Vol 4, Part E, 7.8.33.
///
/// ```
///  0                 2                 4
/// +--------+--------+--------+--------+--------+--------+
/// |Connection_Handle|    TX_Octets    |     TX_Time     |
/// +--------+--------+--------+--------+--------+--------+
/// ```
public struct LESetDataLengthCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(6, "LE Set Data Length incomplete")
        self.bytes = bytes
    }

    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    public var txOctets: UInt16 { bytes.uint16(at: 2) }
    /// Microseconds.
    public var txTime: UInt16 { bytes.uint16(at: 4) }
}

/// HCI_LE_Set_PHY. Core Specification, Vol 4, Part E, 7.8.49.
///
/// ```
///  0                 2          3         4         5
/// +--------+--------+----------+---------+---------+--------+--------+
/// |Connection_Handle| All_PHYs | TX_PHYs | RX_PHYs |   PHY_Options   |
/// +--------+--------+----------+---------+---------+--------+--------+
/// ```
public struct LESetPHYCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(7, "LE Set PHY incomplete")
        self.bytes = bytes
    }

    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    /// Bit 0: no preference for sending, bit 1: none for receiving.
    public var allPHYs: UInt8 { bytes[2] }
    /// Bit 0 LE 1M, bit 1 LE 2M, bit 2 LE Coded.
    public var txPHYs: UInt8 { bytes[3] }
    /// As `txPHYs`.
    public var rxPHYs: UInt8 { bytes[4] }
    /// Bits 0–1, on LE Coded: 0 no preferred coding, 1 S=2, 2 S=8.
    public var phyOptions: UInt16 { bytes.uint16(at: 5) }
}

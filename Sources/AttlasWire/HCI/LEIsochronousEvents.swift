/// HCI_LE_CIS_Established, both versions. Core Specification, Vol 4, Part E, 7.7.65.25.
///
/// ```
///  0          1        2                   4                    7                    10
/// +----------+--------+-------------------+--------------------+--------------------+----
/// | Subevent | Status | Connection_Handle | CIG_Sync_Delay (3) | CIS_Sync_Delay (3) | …
/// +----------+--------+-------------------+--------------------+--------------------+----
///  10 Transport_Latency_C_To_P (3), 13 Transport_Latency_P_To_C (3), 16 PHY_C_To_P, 17 PHY_P_To_C, 18 NSE, 19 BN_C_To_P,
///  20 BN_P_To_C, 21 FT_C_To_P, 22 FT_P_To_C, 23 Max_PDU_C_To_P (2), 25 Max_PDU_P_To_C (2), 27 ISO_Interval (2)
///  version 2: 29 Sub_Interval (3), 32 Max_SDU_C_To_P (2), 34 Max_SDU_P_To_C (2), 36 SDU_Interval_C_To_P (3),
///  39 SDU_Interval_P_To_C (3), 42 Framing
/// ```
public struct LECISEstablishedEvent: ~Escapable, Copyable {
    /// Microseconds.
    package static let transportLatencies: ClosedRange<UInt32> = 0x0000EA...0x7FFFFF

    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(29, "LE CIS Established incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Handle of the CIS, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// Transport_Latency_C_To_P, in microseconds.
    package var centralTransportLatency: UInt32 { bytes.uint24(at: 10) }
    /// Transport_Latency_P_To_C, in microseconds.
    package var peripheralTransportLatency: UInt32 { bytes.uint24(at: 13) }
    /// SDU_Interval_C_To_P, in microseconds; nil in version 1.
    package var centralSDUInterval: UInt32? { hasSDUIntervals ? bytes.uint24(at: 36) : nil }
    /// SDU_Interval_P_To_C, in microseconds; nil in version 1.
    package var peripheralSDUInterval: UInt32? { hasSDUIntervals ? bytes.uint24(at: 39) : nil }
    private var hasSDUIntervals: Bool {
        LESubeventCode(rawValue: bytes[0]) == .cisEstablishedV2 && bytes.count >= 42
    }
    /// PHY from central to peripheral.
    public var centralPHY: LEPHY { LEPHY(rawValue: bytes[16]) }
    /// PHY from peripheral to central.
    public var peripheralPHY: LEPHY { LEPHY(rawValue: bytes[17]) }
    /// Octets; 0 if nothing is sent that way.
    public var centralMaxPDU: UInt16 { bytes.uint16(at: 23) }
    /// Octets; 0 if the peripheral sends nothing.
    public var peripheralMaxPDU: UInt16 { bytes.uint16(at: 25) }
    /// Units of 1.25 ms.
    public var isoInterval: UInt16 { bytes.uint16(at: 27) }
}

/// HCI_LE_CIS_Request. Core Specification, Vol 4, Part E, 7.7.65.26.
///
/// ```
///  0          1                       3                       5        6
/// +----------+-----------------------+-----------------------+--------+--------+
/// | Subevent | ACL_Connection_Handle | CIS_Connection_Handle | CIG_ID | CIS_ID |
/// +----------+-----------------------+-----------------------+--------+--------+
/// ```
public struct LECISRequestEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(7, "LE CIS Request incomplete")
        self.bytes = bytes
    }

    /// Handle of the ACL connection, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
    /// Handle of the CIS, 0x0000 to 0x0EFF.
    public var streamHandle: ConnectionHandle { bytes.uint16(at: 3) & 0x0FFF }
    /// CIG_ID.
    public var group: UInt8 { bytes[5] }
    /// CIS_ID.
    public var stream: UInt8 { bytes[6] }
}

/// HCI_LE_Create_BIG_Complete and HCI_LE_BIG_Sync_Established: the streams of a broadcast have handles from now on. Core Specification,
/// Vol 4, Part E, 7.7.65.27 and 7.7.65.29.
///
/// ```
///  0          1        2            3                    6                            9 (6)
/// +----------+--------+------------+--------------------+----------------------------+----
/// | Subevent | Status | BIG_Handle | BIG_Sync_Delay (3) | Transport_Latency_BIG (3)  | …
/// +----------+--------+------------+--------------------+----------------------------+----
///  9 PHY, 10 NSE, 11 BN, 12 PTO, 13 IRC, 14 Max_PDU (2), 16 ISO_Interval (2), 18 Num_BIS, 19 Connection_Handle[i] (2)
/// ```
/// BIG Sync Established has neither BIG_Sync_Delay nor PHY.
public struct LEBIGEstablishedEvent: ~Escapable, Copyable {
    let bytes: Bytes
    /// Whether this host is the broadcaster.
    public let isOwn: Bool

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        isOwn = LESubeventCode(rawValue: bytes[0]) == .createBIGComplete
        let length = isOwn ? 19 : 15
        try bytes.requireParameters(length, "LE BIG Established incomplete")
        try bytes.requireParameters(length + 2 * Int(bytes[length - 1]), "LE BIG Established incomplete")
        self.bytes = bytes
    }

    private var end: Int { isOwn ? 19 : 15 }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// BIG_Handle, 0x00 to 0xEF.
    public var bigHandle: UInt8 { bytes[2] }
    /// Transport_Latency_BIG, in microseconds.
    package var transportLatency: UInt32 { bytes.uint24(at: isOwn ? 6 : 3) }
    /// nil where the event does not have it.
    public var phy: LEPHY? { isOwn ? LEPHY(rawValue: bytes[9]) : nil }
    /// Largest payload of a BIS Data PDU, in octets.
    public var maxPDU: UInt16 { bytes.uint16(at: end - 5) }
    /// Units of 1.25 ms.
    public var isoInterval: UInt16 { bytes.uint16(at: end - 3) }
    /// Num_BIS.
    public var count: Int { Int(bytes[end - 1]) }

    /// Handle of the BIS of an index below `count`.
    public func connectionHandle(_ index: Int) -> ConnectionHandle { bytes.uint16(at: end + 2 * index) & 0x0FFF }
}

/// HCI_LE_Terminate_BIG_Complete and HCI_LE_BIG_Sync_Lost. Core Specification, Vol 4, Part E, 7.7.65.28 and 7.7.65.30.
///
/// ```
///  0          1            2
/// +----------+------------+--------+
/// | Subevent | BIG_Handle | Reason |
/// +----------+------------+--------+
/// ```
public struct LEBIGEndedEvent: ~Escapable, Copyable {
    let bytes: Bytes
    /// Whether this host is the broadcaster.
    package var isOwn: Bool { LESubeventCode(rawValue: bytes[0]) == .terminateBIGComplete }

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(3, "LE BIG ended incomplete")
        self.bytes = bytes
    }

    /// BIG_Handle, 0x00 to 0xEF.
    public var bigHandle: UInt8 { bytes[1] }
    /// Why the group ended, or why synchronization was lost.
    public var reason: HCIErrorCode { HCIErrorCode(rawValue: bytes[2]) }
}

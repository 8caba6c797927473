/// HCI_LE_Periodic_Advertising_Sync_Established and HCI_LE_Periodic_Advertising_Sync_Transfer_Received, both of their versions. Core
/// Specification, Vol 4, Part E, 7.7.65.14 and 7.7.65.24.
///
/// ```
///  0          1        2             4     5              6                    12    13         15
/// +----------+--------+-------------+-----+--------------+--------------------+-----+----------+----------+----
/// | Subevent | Status | Sync_Handle | SID | Address_Type | Adv. Address (6)   | PHY | Interval | Accuracy | …
/// +----------+--------+-------------+-----+--------------+--------------------+-----+----------+----------+----
/// ```
/// After a transfer Connection_Handle and Service_Data precede Sync_Handle. Version 2 has subevents and response slots after the
/// Advertiser_Clock_Accuracy.
public struct LEPeriodicAdvertisingSyncEvent: ~Escapable, Copyable {
    let bytes: Bytes
    private let offset: Int

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        let code = LESubeventCode(rawValue: bytes[0])
        let isTransfer = code == .periodicSyncTransferReceived || code == .periodicSyncTransferReceivedV2
        offset = isTransfer ? 4 : 0
        try bytes.requireParameters(offset + 16, "LE Periodic Advertising Sync incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Sync_Handle, 0x0000 to 0x0EFF.
    public var syncHandle: UInt16 { bytes.uint16(at: offset + 2) & 0x0FFF }
    /// Advertising_SID of the train, 0x00 to 0x0F.
    public var advertisingSID: UInt8 { bytes[offset + 4] }
    /// Address of the advertiser.
    public var address: BluetoothAddress { bytes.address(at: offset + 6, type: bytes[offset + 5]) }
    /// PHY of the train.
    public var phy: LEPHY { LEPHY(rawValue: bytes[offset + 12]) }
    /// Units of 1.25 ms.
    public var interval: UInt16 { bytes.uint16(at: offset + 13) }
}

/// HCI_LE_Periodic_Advertising_Report, both versions. Core Specification, Vol 4, Part E, 7.7.65.15.
///
/// ```
///  0          1             3          4      5          6             7             8
/// +----------+-------------+----------+------+----------+-------------+-------------+------
/// | Subevent | Sync_Handle | TX_Power | RSSI | CTE_Type | Data_Status | Data_Length | Data …
/// +----------+-------------+----------+------+----------+-------------+-------------+------
/// ```
/// Version 2 has Periodic_Event_Counter (2) and Subevent (1) before Data_Status.
public struct LEPeriodicAdvertisingReportEvent: ~Escapable, Copyable {
    let bytes: Bytes
    private let offset: Int

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        offset = LESubeventCode(rawValue: bytes[0]) == .periodicAdvertisingReportV2 ? 3 : 0
        try bytes.requireParameters(offset + 8, "LE Periodic Advertising Report incomplete")
        try bytes.requireParameters(offset + 8 + Int(bytes[offset + 7]), "LE Periodic Advertising Report incomplete")
        self.bytes = bytes
    }

    /// Sync_Handle, 0x0000 to 0x0EFF.
    public var syncHandle: UInt16 { bytes.uint16(at: 1) & 0x0FFF }
    /// dBm; 127 when the controller does not know.
    public var rssi: Int8 { bytes.int8(at: 4) }
    /// 0x00 complete, 0x01 more to come, 0x02 cut off and nothing more to come, 0xFF not received.
    public var dataStatus: UInt8 { bytes[offset + 6] }
    /// More of the data follows.
    package var isIncomplete: Bool { dataStatus == 0x01 }
    /// Cut off, and nothing more follows.
    package var isTruncated: Bool { dataStatus == 0x02 }
    /// The controller received nothing.
    package var isMissed: Bool { dataStatus == 0xFF }
    /// AD structures, or a part of them.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(offset + 8).prefix(Int(bytes[offset + 7])) }
    }
}

/// HCI_LE_Periodic_Advertising_Sync_Lost. Core Specification, Vol 4, Part E, 7.7.65.16.
///
/// ```
///  0          1
/// +----------+-------------+
/// | Subevent | Sync_Handle |
/// +----------+-------------+
/// ```
public struct LEPeriodicAdvertisingSyncLostEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(3, "LE Periodic Advertising Sync Lost incomplete")
        self.bytes = bytes
    }

    /// Sync_Handle, 0x0000 to 0x0EFF.
    public var syncHandle: UInt16 { bytes.uint16(at: 1) & 0x0FFF }
}

/// HCI_LE_BIGInfo_Advertising_Report. Core Specification, Vol 4, Part E, 7.7.65.34.
///
/// ```
///  0          1             3         4     5              7    8     9     10        12             15        17    18        19
/// +----------+-------------+---------+-----+--------------+----+-----+-----+---------+--------------+---------+-----+---------+-----
/// | Subevent | Sync_Handle | Num_BIS | NSE | ISO_Interval | BN | PTO | IRC | Max_PDU | SDU_Interval | Max_SDU | PHY | Framing | Enc.
/// +----------+-------------+---------+-----+--------------+----+-----+-----+---------+--------------+---------+-----+---------+-----
/// ```
public struct LEBIGInfoAdvertisingReportEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(20, "LE BIGInfo Advertising Report incomplete")
        self.bytes = bytes
    }

    /// Sync_Handle, 0x0000 to 0x0EFF.
    public var syncHandle: UInt16 { bytes.uint16(at: 1) & 0x0FFF }
    /// Parameters of the group; intervals are in units of 1.25 ms and in microseconds.
    public var group: BIGInfo {
        BIGInfo(
            streams: bytes[3], isoInterval: bytes.uint16(at: 5), maxPDU: bytes.uint16(at: 10),
            sduInterval: bytes.uint24(at: 12), maxSDU: bytes.uint16(at: 15), phy: LEPHY(rawValue: bytes[17]),
            isFramed: bytes[18] != 0, isEncrypted: bytes[19] != 0)
    }
}

// Reports follow one another. The specification writes Event_Type[i], Address_Type[i], …, and its rule for such
// arrays (Vol 4, Part E, 5.2) is that all parameters with index 0 come first, then all with index 1. Hosts read them
// so; a controller that sent each array as a whole could not be distinguished by its octets.

/// HCI_LE_Advertising_Report. Core Specification, Vol 4, Part E, 7.7.65.2.
///
/// ```
///  0               1
/// +---------------+-------------+----
/// | Subevent 0x02 | Num_Reports | reports …
/// +---------------+-------------+----
/// ```
public struct LEAdvertisingReportEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(2, "LE Advertising Report incomplete")
        self.bytes = bytes
    }

    /// Number of reports that the event announces.
    public var numReports: Int { Int(bytes[1]) }
    /// Reports in their order, up to the first that does not fit.
    public var reports: LEAdvertisingReports {
        @_lifetime(copy self) get { LEAdvertisingReports(bytes.dropFirst(2), count: numReports) }
    }
}

/// The reports of one event, read one after the other.
public struct LEAdvertisingReports: ~Escapable, Copyable {
    private var rest: Bytes
    /// Reports announced that `next` has not returned: those that are not there, when it returns nil.
    public private(set) var missing: Int

    @_lifetime(copy rest)
    init(_ rest: Bytes, count: Int) {
        self.rest = rest
        missing = count
    }

    @_lifetime(copy self)
    public mutating func next() -> LEAdvertisingReport? {
        guard missing > 0, rest.count >= LEAdvertisingReport.fixedLength else { return nil }
        let report = LEAdvertisingReport(rest)
        rest = rest.dropFirst(LEAdvertisingReport.fixedLength + report.dataLength + 1)
        missing -= 1
        return report
    }

    /// Octets that no report claimed.
    var remainder: Int { rest.count }
}

/// One report of an LE Advertising Report event. The last one may be cut within its data.
///
/// ```
///  0            1              2             8             9
/// +------------+--------------+-------------+-------------+----   --+------+
/// | Event_Type | Address_Type | Address (6) | Data_Length | Data …  | RSSI |
/// +------------+--------------+-------------+-------------+----   --+------+
/// ```
public struct LEAdvertisingReport: ~Escapable, Copyable {
    /// The octets before the data.
    static let fixedLength = 9

    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// 0x00 ADV_IND, 0x01 ADV_DIRECT_IND, 0x02 ADV_SCAN_IND, 0x03 ADV_NONCONN_IND, 0x04 SCAN_RSP.
    public var eventType: UInt8 { bytes[0] }
    /// ADV_IND or ADV_DIRECT_IND.
    package var isConnectable: Bool { eventType == 0x00 || eventType == 0x01 }
    /// SCAN_RSP.
    package var isScanResponse: Bool { eventType == 0x04 }
    /// Address_Type: 0x00 public, 0x01 random; 0x02 and 0x03 are resolved identity addresses.
    public var addressType: UInt8 { bytes[1] }
    /// Address of the advertiser.
    public var address: BluetoothAddress { bytes.address(at: 2, type: addressType) }
    var dataLength: Int { Int(bytes[8]) }
    /// At most `dataLength` octets: AD structures.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(Self.fixedLength).prefix(dataLength) }
    }
    /// Octets of data announced that are not there.
    var missing: Int { dataLength - data.count }
    /// dBm; 127 when the controller does not know, nil when the report ends before.
    public var rssi: Int8? {
        let offset = Self.fixedLength + dataLength
        return offset < bytes.count ? bytes.int8(at: offset) : nil
    }

    /// nil for an event type that the specification does not define.
    public var eventTypeName: String? {
        switch eventType {
        case 0x00: "ADV_IND"
        case 0x01: "ADV_DIRECT_IND"
        case 0x02: "ADV_SCAN_IND"
        case 0x03: "ADV_NONCONN_IND"
        case 0x04: "SCAN_RSP"
        default: nil
        }
    }
}

/// HCI_LE_Extended_Advertising_Report. Core Specification, Vol 4, Part E, 7.7.65.13.
///
/// ```
///  0               1
/// +---------------+-------------+----
/// | Subevent 0x0D | Num_Reports | reports …
/// +---------------+-------------+----
/// ```
public struct LEExtendedAdvertisingReportEvent: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws without Num_Reports.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(2, "LE Extended Advertising Report incomplete")
        self.bytes = bytes
    }

    /// Number of reports that the event announces.
    public var numReports: Int { Int(bytes[1]) }
    /// Reports in their order, up to the first that does not fit.
    public var reports: LEExtendedAdvertisingReports {
        @_lifetime(copy self) get { LEExtendedAdvertisingReports(bytes.dropFirst(2), count: numReports) }
    }
}

/// The reports of one event, read one after the other.
public struct LEExtendedAdvertisingReports: ~Escapable, Copyable {
    private var rest: Bytes
    /// Reports announced that `next` has not returned: those that are not there, when it returns nil.
    public private(set) var missing: Int

    @_lifetime(copy rest)
    init(_ rest: Bytes, count: Int) {
        self.rest = rest
        missing = count
    }

    @_lifetime(copy self)
    public mutating func next() -> LEExtendedAdvertisingReport? {
        guard missing > 0, rest.count >= LEExtendedAdvertisingReport.fixedLength else { return nil }
        let report = LEExtendedAdvertisingReport(rest)
        rest = rest.dropFirst(LEExtendedAdvertisingReport.fixedLength + report.dataLength)
        missing -= 1
        return report
    }

    /// Octets that no report claimed.
    var remainder: Int { rest.count }
}

/// One report of an LE Extended Advertising Report event. The last one may be cut within its data.
///
/// ```
///  0            2              3             9             10              11                12
/// +-----+------+--------------+-------------+-------------+---------------+-----------------+----------+
/// | Event_Type | Address_Type | Address (6) | Primary_PHY | Secondary_PHY | Advertising_SID | TX_Power |
/// +-----+------+--------------+-------------+-------------+---------------+-----------------+----------+
///  13     14                              16                    17                   23            24
/// +------+--------------+----------------+---------------------+--------------------+-------------+----
/// | RSSI | Periodic_Advertising_Interval | Direct_Address_Type | Direct_Address (6) | Data_Length | Data …
/// +------+--------------+----------------+---------------------+--------------------+-------------+----
/// ```
public struct LEExtendedAdvertisingReport: ~Escapable, Copyable {
    /// The octets before the data.
    static let fixedLength = 24

    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// Bit 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy PDU, 5–6 `DataStatus`.
    public var eventType: UInt16 { bytes.uint16(at: 0) }
    /// Event_Type bit 0.
    public var isConnectable: Bool { eventType & 1 << 0 != 0 }
    /// Event_Type bit 1.
    public var isScannable: Bool { eventType & 1 << 1 != 0 }
    /// Event_Type bit 2: `directAddress` is the target.
    public var isDirected: Bool { eventType & 1 << 2 != 0 }
    /// Event_Type bit 3.
    public var isScanResponse: Bool { eventType & 1 << 3 != 0 }
    /// Event_Type bit 4: a legacy advertising PDU was received.
    public var isLegacy: Bool { eventType & 1 << 4 != 0 }
    /// 0b00 complete, 0b01 more to come in a later report, 0b10 truncated and nothing more to come.
    public var dataStatus: UInt8 { UInt8(eventType >> 5 & 0b11) }
    /// More of the data follows.
    package var isIncomplete: Bool { dataStatus == 0x01 }
    /// Cut off, and nothing more follows.
    package var isTruncated: Bool { dataStatus == 0x02 }
    /// Address_Type; 0xFF for anonymous advertising.
    public var addressType: UInt8 { bytes[2] }
    /// nil for an anonymous advertiser.
    public var address: BluetoothAddress? { addressType == 0xFF ? nil : bytes.address(at: 3, type: addressType) }
    /// PHY of the primary channel: LE 1M or LE Coded.
    public var primaryPHY: LEPHY { LEPHY(rawValue: bytes[9]) }
    /// 0x00 when nothing was sent on the secondary advertising physical channel.
    public var secondaryPHY: LEPHY { LEPHY(rawValue: bytes[10]) }
    /// 0xFF when the advertisement carries no set identifier.
    public var advertisingSID: UInt8 { bytes[11] }
    /// dBm; 127 when unknown.
    public var txPower: Int8 { bytes.int8(at: 12) }
    /// dBm; 127 when the controller does not know.
    public var rssi: Int8 { bytes.int8(at: 13) }
    /// Units of 1.25 ms; 0 when there is no periodic advertising.
    public var periodicAdvertisingInterval: UInt16 { bytes.uint16(at: 14) }
    /// Type of `directAddress`; 0xFE if the controller could not resolve it.
    public var directAddressType: UInt8 { bytes[16] }
    /// Only in a directed advertisement.
    public var directAddress: BluetoothAddress? {
        isDirected ? bytes.address(at: 17, type: directAddressType) : nil
    }
    var dataLength: Int { Int(bytes[23]) }
    /// At most `dataLength` octets: AD structures, or a part of them.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(Self.fixedLength).prefix(dataLength) }
    }
    /// Octets of data announced that are not there.
    public var missing: Int { dataLength - data.count }
}

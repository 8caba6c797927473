/// HCI_LE_Set_Random_Address. Core Specification, Vol 4, Part E, 7.8.4.
///
/// ```
///  0
/// +--------------------+
/// | Random_Address (6) |
/// +--------------------+
/// ```
public struct LESetRandomAddressCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(6, "LE Set Random Address incomplete")
        self.bytes = bytes
    }

    public var randomAddress: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 0), isRandom: true) }
}

/// HCI_LE_Set_Advertising_Set_Random_Address. Core Specification, Vol 4, Part E, 7.8.52.
///
/// ```
///  0                    1
/// +--------------------+--------------------+
/// | Advertising_Handle | Random_Address (6) |
/// +--------------------+--------------------+
/// ```
public struct LESetAdvertisingSetRandomAddressCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(7, "LE Set Advertising Set Random Address incomplete")
        self.bytes = bytes
    }

    public var advertisingHandle: UInt8 { bytes[0] }
    public var randomAddress: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 1), isRandom: true) }
}

/// HCI_LE_Set_Advertising_Data and HCI_LE_Set_Scan_Response_Data. Core Specification, Vol 4, Part E, 7.8.7 and 7.8.8.
///
/// ```
///  0             1
/// +-------------+-----------+
/// | Data_Length | Data (31) |
/// +-------------+-----------+
/// ```
/// The data is always 31 octets long; `Data_Length` says how many of them mean something.
public struct LESetAdvertisingDataCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(1, "LE Set Advertising Data incomplete")
        self.bytes = bytes
    }

    public var dataLength: Int { Int(bytes[0]) }
    /// At most `dataLength` octets: AD structures.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(1).prefix(dataLength) }
    }
    /// Octets announced that are not there.
    public var missing: Int { dataLength - data.count }
}

/// HCI_LE_Set_Extended_Advertising_Data and HCI_LE_Set_Extended_Scan_Response_Data. Core Specification, Vol 4, Part E,
/// 7.8.54 and 7.8.55.
///
/// ```
///  0                    1           2                     3             4
/// +--------------------+-----------+---------------------+-------------+----
/// | Advertising_Handle | Operation | Fragment_Preference | Data_Length | Data …
/// +--------------------+-----------+---------------------+-------------+----
/// ```
public struct LESetExtendedAdvertisingDataCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(4, "LE Set Extended Advertising Data incomplete")
        self.bytes = bytes
    }

    public var advertisingHandle: UInt8 { bytes[0] }
    /// 0x00 intermediate, 0x01 first and 0x02 last fragment, 0x03 complete data, 0x04 unchanged data.
    public var operation: UInt8 { bytes[1] }
    public var fragmentPreference: UInt8 { bytes[2] }
    public var dataLength: Int { Int(bytes[3]) }
    /// At most `dataLength` octets: AD structures, or a part of them.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(4).prefix(dataLength) }
    }
    /// Octets announced that are not there.
    public var missing: Int { dataLength - data.count }
}

/// HCI_LE_Set_Scan_Enable. Core Specification, Vol 4, Part E, 7.8.11.
///
/// ```
///  0                1
/// +----------------+-------------------+
/// | LE_Scan_Enable | Filter_Duplicates |
/// +----------------+-------------------+
/// ```
public struct LESetScanEnableCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(2, "LE Set Scan Enable incomplete")
        self.bytes = bytes
    }

    public var leScanEnable: UInt8 { bytes[0] }
    public var filterDuplicates: UInt8 { bytes[1] }
}

/// HCI_LE_Set_Extended_Scan_Enable. Core Specification, Vol 4, Part E, 7.8.65.
///
/// ```
///  0        1                   2                 4
/// +--------+-------------------+--------+--------+--------+--------+
/// | Enable | Filter_Duplicates |    Duration     |     Period      |
/// +--------+-------------------+--------+--------+--------+--------+
/// ```
public struct LESetExtendedScanEnableCommand: ~Escapable, Copyable {
    public let bytes: Bytes

    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(6, "LE Set Extended Scan Enable incomplete")
        self.bytes = bytes
    }

    public var enable: UInt8 { bytes[0] }
    public var filterDuplicates: UInt8 { bytes[1] }
    /// Units of 10 ms; 0 scans until it is disabled.
    public var duration: UInt16 { bytes.uint16(at: 2) }
    /// Units of 1.28 s; 0 scans continuously.
    public var period: UInt16 { bytes.uint16(at: 4) }
}

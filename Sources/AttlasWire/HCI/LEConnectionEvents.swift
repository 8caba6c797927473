/// HCI_LE_Connection_Complete and HCI_LE_Enhanced_Connection_Complete, versions 1 and 2. Core Specification, Vol 4,
/// Part E, 7.7.65.1 and 7.7.65.10.
///
/// ```
///  0          1        2                 4      5                   6
/// +----------+--------+--------+--------+------+-------------------+------------------+
/// | Subevent | Status |Connection_Handle| Role | Peer_Address_Type | Peer_Address (6) | continued:
/// +----------+--------+--------+--------+------+-------------------+------------------+
///  0x01:     12                    14                   16                    18
///  0x0A, 29: 24                    26                   28                    30
///           +--------- ---------+---------+---------+---------+----------+-----------------------+
///           |Connection_Interval|Peripheral_Latency |Supervision_Timeout |Central_Clock_Accuracy |
///           +--------- ---------+---------+---------+---------+----------+-----------------------+
///  0x0A, 29: between them, at 12 Local_Resolvable_Private_Address (6), at 18 Peer_Resolvable_Private_Address (6)
///  0x29:     after them, at 31 Advertising_Handle, at 32 Sync_Handle (2)
/// ```
public struct LEConnectionCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes
    /// Where the connection's parameters begin.
    private let parameters: Int

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(1, "LE Connection Complete incomplete")
        let length: Int
        switch LESubeventCode(rawValue: bytes[0]) {
        case .enhancedConnectionComplete: (parameters, length) = (24, 31)
        case .enhancedConnectionCompleteV2: (parameters, length) = (24, 34)
        default: (parameters, length) = (12, 19)
        }
        try bytes.requireParameters(length, "LE Connection Complete incomplete")
        self.bytes = bytes
    }

    private var isEnhanced: Bool { parameters == 24 }

    /// Which of the three versions of the event it is.
    public var subeventCode: LESubeventCode { LESubeventCode(rawValue: bytes[0]) }
    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// The local device's: 0x00 central, 0x01 peripheral.
    public var role: UInt8 { bytes[4] }
    /// Whether the local device is the central.
    public var isCentral: Bool { role == 0x00 }
    /// 0x00 public, 0x01 random; 0x02 and 0x03: the identity address of a peer that the controller resolved.
    public var peerAddressType: UInt8 { bytes[5] }
    /// Address of the peer; its identity address if the controller resolved it.
    public var peerAddress: BluetoothAddress { bytes.address(at: 6, type: peerAddressType) }
    /// The address that the local device used on the air, if that was not its identity address.
    public var localResolvablePrivateAddress: BluetoothAddress? { resolvablePrivateAddress(at: 12) }
    /// The address that the peer used on the air, if `peerAddress` is its identity address.
    public var peerResolvablePrivateAddress: BluetoothAddress? { resolvablePrivateAddress(at: 18) }
    /// Units of 1.25 ms.
    public var connectionInterval: UInt16 { bytes.uint16(at: parameters) }
    /// Connection events that the peripheral may skip.
    public var peripheralLatency: UInt16 { bytes.uint16(at: parameters + 2) }
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16 { bytes.uint16(at: parameters + 4) }
    /// 0x00 500 ppm, 0x01 250, 0x02 150, 0x03 100, 0x04 75, 0x05 50, 0x06 30, 0x07 20; of use to a peripheral only.
    public var centralClockAccuracy: UInt8 { bytes[parameters + 6] }
    /// Version 2: the periodic advertising set that the connection came from; 0xFF when it did not.
    public var advertisingHandle: UInt8? { subeventCode == .enhancedConnectionCompleteV2 ? bytes[31] : nil }
    /// Version 2: the periodic advertising train that the connection came from; 0xFFFF when it did not.
    public var syncHandle: UInt16? { subeventCode == .enhancedConnectionCompleteV2 ? bytes.uint16(at: 32) : nil }

    /// All zero stands for none.
    private func resolvablePrivateAddress(at offset: Int) -> BluetoothAddress? {
        guard isEnhanced else { return nil }
        let value = bytes.uint48(at: offset)
        return value == 0 ? nil : BluetoothAddress(value, isRandom: true)
    }
}

/// HCI_LE_Connection_Update_Complete. Core Specification, Vol 4, Part E, 7.7.65.3.
///
/// ```
///  0               1        2                 4                   6                   8
/// +---------------+--------+--------+--------+---------+---------+---------+---------+---------+----------+
/// | Subevent 0x03 | Status |Connection_Handle|Connection_Interval|Peripheral_Latency |Supervision_Timeout |
/// +---------------+--------+--------+--------+---------+---------+---------+---------+---------+----------+
/// ```
public struct LEConnectionUpdateCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(10, "LE Connection Update Complete incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// Units of 1.25 ms.
    public var connectionInterval: UInt16 { bytes.uint16(at: 4) }
    /// Connection events that the peripheral may skip.
    public var peripheralLatency: UInt16 { bytes.uint16(at: 6) }
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16 { bytes.uint16(at: 8) }
}

/// HCI_LE_Data_Length_Change. Core Specification, Vol 4, Part E, 7.7.65.7.
///
/// ```
///  0               1                 3                 5                 7                 9
/// +---------------+--------+--------+--------+--------+--------+--------+--------+--------+--------+--------+
/// | Subevent 0x07 |Connection_Handle|  Max_TX_Octets  |   Max_TX_Time   |  Max_RX_Octets  |   Max_RX_Time   |
/// +---------------+--------+--------+--------+--------+--------+--------+--------+--------+--------+--------+
/// ```
public struct LEDataLengthChangeEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(11, "LE Data Length Change incomplete")
        self.bytes = bytes
    }

    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 1) & 0x0FFF }
    /// Largest payload of a Data PDU that the controller sends, in octets.
    public var maxTXOctets: UInt16 { bytes.uint16(at: 3) }
    /// Microseconds.
    public var maxTXTime: UInt16 { bytes.uint16(at: 5) }
    /// Largest payload of a Data PDU that the controller expects, in octets.
    public var maxRXOctets: UInt16 { bytes.uint16(at: 7) }
    /// Microseconds.
    public var maxRXTime: UInt16 { bytes.uint16(at: 9) }
}

/// HCI_LE_PHY_Update_Complete. Core Specification, Vol 4, Part E, 7.7.65.12.
///
/// ```
///  0               1        2                 4        5
/// +---------------+--------+--------+--------+--------+--------+
/// | Subevent 0x0C | Status |Connection_Handle| TX_PHY | RX_PHY |
/// +---------------+--------+--------+--------+--------+--------+
/// ```
public struct LEPHYUpdateCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(6, "LE PHY Update Complete incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// PHY that the local device sends on.
    public var txPHY: LEPHY { LEPHY(rawValue: bytes[4]) }
    /// PHY that the local device receives on.
    public var rxPHY: LEPHY { LEPHY(rawValue: bytes[5]) }
}

/// The physical layer of an LE link. Core Specification, Vol 4, Part E, 7.7.65.12.
public struct LEPHY: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// nil for a value that the specification does not define.
    public var name: String? {
        switch rawValue {
        case 0x01: "LE 1M"
        case 0x02: "LE 2M"
        case 0x03: "LE Coded"
        default: nil
        }
    }
}

/// HCI_LE_Connection_Rate_Change. Core Specification, Vol 4, Part E, 7.7.65.55.
///
/// ```
/// | Subevent 0x37 | Status | Connection_Handle (2) | Connection_Interval (2) | Subrate_Factor (2) | Peripheral_Latency (2) |
/// | Continuation_Number (2) | Supervision_Timeout (2) |
/// ```
public struct LEConnectionRateChangeEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(14, "LE Connection Rate Change incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// Units of 125 µs.
    public var connectionInterval: UInt16 { bytes.uint16(at: 4) }
    /// One in this number of connection events is used.
    public var subrateFactor: UInt16 { bytes.uint16(at: 6) }
    /// Subrated events that the peripheral may skip.
    public var peripheralLatency: UInt16 { bytes.uint16(at: 8) }
    /// Events that stay in use after one with data.
    public var continuationNumber: UInt16 { bytes.uint16(at: 10) }
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16 { bytes.uint16(at: 12) }
}

/// HCI_LE_Subrate_Change: the same without the interval. Core Specification, Vol 4, Part E, 7.7.65.35.
public struct LESubrateChangeEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(12, "LE Subrate Change incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// One in this number of connection events is used.
    public var subrateFactor: UInt16 { bytes.uint16(at: 4) }
    /// Subrated events that the peripheral may skip.
    public var peripheralLatency: UInt16 { bytes.uint16(at: 6) }
    /// Events that stay in use after one with data.
    public var continuationNumber: UInt16 { bytes.uint16(at: 8) }
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16 { bytes.uint16(at: 10) }
}

/// HCI_LE_Frame_Space_Update_Complete. Core Specification, Vol 4, Part E, 7.7.65.
public struct LEFrameSpaceUpdateCompleteEvent: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireParameters(10, "LE Frame Space Update Complete incomplete")
        self.bytes = bytes
    }

    /// Success, or the reason of the failure.
    public var status: HCIErrorCode { HCIErrorCode(rawValue: bytes[1]) }
    /// Connection_Handle, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 2) & 0x0FFF }
    /// Microseconds.
    public var frameSpace: UInt16 { bytes.uint16(at: 5) }
    /// Bit 0 is LE 1M, bit 1 LE 2M, bit 2 LE Coded.
    public var phys: UInt8 { bytes[7] }
    /// Bit 0 is the space from the central's packet to the peripheral's, bit 1 that from the peripheral's to the central's.
    public var spacingTypes: UInt16 { bytes.uint16(at: 8) }
}

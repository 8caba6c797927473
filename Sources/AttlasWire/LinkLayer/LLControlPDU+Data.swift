// Contents of LL control PDUs after their opcode. Each is made of CtrData whose length was checked.

/// LL_CONNECTION_UPDATE_IND. Core Specification, Vol 6, Part B, 2.4.2.1.
///
/// ```
///  0         1               3              5             7             9
/// +---------+---------------+--------------+-------------+-------------+-------------+
/// | WinSize | WinOffset (2) | Interval (2) | Latency (2) | Timeout (2) | Instant (2) |
/// +---------+---------------+--------------+-------------+-------------+-------------+
/// ```
public struct LLConnectionUpdateInd: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// The delay of the first event after the old interval. Units of 1.25 ms.
    public var winOffset: UInt16 { bytes.uint16(at: 1) }
    /// Units of 1.25 ms.
    public var interval: UInt16 { bytes.uint16(at: 3) }
    /// Connection events that the peripheral may skip.
    public var latency: UInt16 { bytes.uint16(at: 5) }
    /// Units of 10 ms.
    public var timeout: UInt16 { bytes.uint16(at: 7) }
    /// The connection event from which it holds.
    public var instant: UInt16 { bytes.uint16(at: 9) }
}

/// LL_CHANNEL_MAP_IND: ChM (5), Instant (2). Core Specification, Vol 6, Part B, 2.4.2.2.
public struct LLChannelMapInd: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Data channels in use.
    public var channelMap: ChannelMap { ChannelMap(bytes, at: 0) }
    /// Connection event from which the map is used.
    public var instant: UInt16 { bytes.uint16(at: 5) }
}

/// LL_ENC_REQ. Core Specification, Vol 6, Part B, 2.4.2.4.
///
/// ```
///  0          8          10         18
/// +----------+----------+----------+---------+
/// | Rand (8) | EDIV (2) | SKD_C (8)| IV_C (4)|
/// +----------+----------+----------+---------+
/// ```
public struct LLEncReq: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Random number of the long-term key; 0 with LE Secure Connections.
    public var rand: UInt64 { bytes.uint64(at: 0) }
    /// Encrypted diversifier of the long-term key; 0 with LE Secure Connections.
    public var ediv: UInt16 { bytes.uint16(at: 8) }
    /// Session key diversifier of the central, little-endian.
    public var skd: UInt64 { bytes.uint64(at: 10) }
    /// Initialization vector of the central, little-endian.
    public var iv: UInt32 { bytes.uint32(at: 18) }
}

/// LL_ENC_RSP: SKD_P (8), IV_P (4). Core Specification, Vol 6, Part B, 2.4.2.5.
public struct LLEncRsp: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Session key diversifier of the peripheral, little-endian.
    public var skd: UInt64 { bytes.uint64(at: 0) }
    /// Initialization vector of the peripheral, little-endian.
    public var iv: UInt32 { bytes.uint32(at: 8) }
}

/// LL_VERSION_IND: Version (1), Company_Identifier (2), Subversion (2). Core Specification, Vol 6, Part B, 2.4.2.13.
public struct LLVersionInd: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Version of the specification (Assigned Numbers, 2.1).
    public var version: UInt8 { bytes[0] }
    /// Company Identifier of the controller's manufacturer.
    public var companyIdentifier: UInt16 { bytes.uint16(at: 1) }
    /// Revision of the controller, chosen by the manufacturer.
    public var subversion: UInt16 { bytes.uint16(at: 3) }
    /// "5.3", for example; nil for a version that attlas does not know.
    public var versionName: String? { BluetoothVersion(rawValue: version).name }
}

/// A version of the Core Specification, by its number. Assigned Numbers, 2.1.
public struct BluetoothVersion: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// "5.3"; nil for one that was not listed when this was written.
    public var name: String? {
        switch rawValue {
        case 0: "1.0b"
        case 1: "1.1"
        case 2: "1.2"
        case 3: "2.0 + EDR"
        case 4: "2.1 + EDR"
        case 5: "3.0 + HS"
        case 6: "4.0"
        case 7: "4.1"
        case 8: "4.2"
        case 9: "5.0"
        case 10: "5.1"
        case 11: "5.2"
        case 12: "5.3"
        case 13: "5.4"
        case 14: "6.0"
        case 15: "6.1"
        case 16: "6.2"
        default: nil
        }
    }
}

/// LL_CONNECTION_PARAM_REQ and _RSP. Core Specification, Vol 6, Part B, 2.4.2.16.
///
/// ```
///  0                  2                  4             6             8
/// +------------------+------------------+-------------+-------------+----
/// | Interval_Min (2) | Interval_Max (2) | Latency (2) | Timeout (2) | periodicity, event count, offsets (15)
/// +------------------+------------------+-------------+-------------+----
/// ```
public struct LLConnectionParam: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Units of 1.25 ms.
    public var intervalMin: UInt16 { bytes.uint16(at: 0) }
    /// Units of 1.25 ms.
    public var intervalMax: UInt16 { bytes.uint16(at: 2) }
    /// Connection events that the peripheral may skip.
    public var latency: UInt16 { bytes.uint16(at: 4) }
    /// Units of 10 ms.
    public var timeout: UInt16 { bytes.uint16(at: 6) }
}

/// LL_LENGTH_REQ and _RSP: the sender's limits for receiving and sending, in octets and microseconds. Core Specification, Vol 6, Part B,
/// 2.4.2.21.
///
/// ```
///  0                 2               4                 6
/// +-----------------+---------------+-----------------+---------------+
/// | MaxRxOctets (2) | MaxRxTime (2) | MaxTxOctets (2) | MaxTxTime (2) |
/// +-----------------+---------------+-----------------+---------------+
/// ```
public struct LLLength: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Largest payload that the sender receives, in octets.
    public var maxRxOctets: UInt16 { bytes.uint16(at: 0) }
    /// Longest packet that the sender receives, in microseconds.
    public var maxRxTime: UInt16 { bytes.uint16(at: 2) }
    /// Largest payload that the sender transmits, in octets.
    public var maxTxOctets: UInt16 { bytes.uint16(at: 4) }
    /// Longest packet that the sender transmits, in microseconds.
    public var maxTxTime: UInt16 { bytes.uint16(at: 6) }
}

/// LL_PHY_UPDATE_IND: PHY_C_TO_P (1), PHY_P_TO_C (1), Instant (2). Core Specification, Vol 6, Part B, 2.4.2.24.
public struct LLPHYUpdateInd: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// nil stays as it is.
    public var centralToPeripheral: LEPHY? { Self.phy(bytes[0]) }
    /// nil if it does not change.
    public var peripheralToCentral: LEPHY? { Self.phy(bytes[1]) }
    /// Means nothing when both stay as they are.
    public var instant: UInt16 { bytes.uint16(at: 2) }

    private static func phy(_ bits: UInt8) -> LEPHY? {
        switch bits {
        case 0b001: LEPHY(rawValue: 1)
        case 0b010: LEPHY(rawValue: 2)
        case 0b100: LEPHY(rawValue: 3)
        default: nil
        }
    }
}

/// LL_CIS_REQ, as far as it names the stream. Core Specification, Vol 6, Part B, 2.4.2.29.
///
/// ```
///  0        1        2            3            4          25
/// +--------+--------+------------+------------+----      +------------------+----
/// | CIG_ID | CIS_ID | PHY_C_TO_P | PHY_P_TO_C | …        | ISO_Interval (2) | …
/// +--------+--------+------------+------------+----      +------------------+----
/// ```
public struct LLCISReq: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// CIG_ID, 0x00 to 0xEF.
    public var cigID: UInt8 { bytes[0] }
    /// CIS_ID, 0x00 to 0xEF.
    public var cisID: UInt8 { bytes[1] }
    /// Units of 1.25 ms.
    public var isoInterval: UInt16 { bytes.uint16(at: 25) }
}

/// LL_CIS_IND: AA (4), CIS_Offset (3), CIG_Sync_Delay (3), CIS_Sync_Delay (3), connEventCount (2). Core Specification, Vol 6,
/// Part B, 2.4.2.31.
public struct LLCISInd: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// That of the isochronous stream.
    public var accessAddress: UInt32 { bytes.uint32(at: 0) }
}

/// LL_SUBRATE_REQ. Core Specification, Vol 6, Part B, 2.4.2.36.
///
/// ```
///  0                      2                      4                 6                        8
/// +----------------------+----------------------+-----------------+------------------------+-------------+
/// | SubrateFactorMin (2) | SubrateFactorMax (2) | Max_Latency (2) | ContinuationNumber (2) | Timeout (2) |
/// +----------------------+----------------------+-----------------+------------------------+-------------+
/// ```
public struct LLSubrateReq: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Smallest factor requested: one in this number of connection events is used.
    public var subrateFactorMin: UInt16 { bytes.uint16(at: 0) }
    /// Largest factor requested.
    public var subrateFactorMax: UInt16 { bytes.uint16(at: 2) }
    /// Most subrated events that the peripheral may skip.
    public var maxLatency: UInt16 { bytes.uint16(at: 4) }
    /// Units of 10 ms.
    public var timeout: UInt16 { bytes.uint16(at: 8) }
}

/// LL_SUBRATE_IND: SubrateFactor (2), SubrateBaseEvent (2), Latency (2), ContinuationNumber (2), Timeout (2). Core
/// Specification, Vol 6, Part B, 2.4.2.37.
public struct LLSubrateInd: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// One in this number of connection events is used.
    public var subrateFactor: UInt16 { bytes.uint16(at: 0) }
    /// Connection event from which the subrated events are counted.
    public var subrateBaseEvent: UInt16 { bytes.uint16(at: 2) }
    /// Subrated events that the peripheral may skip.
    public var latency: UInt16 { bytes.uint16(at: 4) }
    /// Events that stay in use after one with data.
    public var continuationNumber: UInt16 { bytes.uint16(at: 6) }
    /// Units of 10 ms.
    public var timeout: UInt16 { bytes.uint16(at: 8) }
}

/// LL_CONNECTION_RATE_IND: WinOffset (2), Interval (2), Instant (2), SubrateFactor (2), Latency (2), ContinuationNumber (2), Timeout (2).
/// Core Specification, Vol 6, Part B, 5.1.33.
public struct LLConnectionRateInd: ~Escapable, Copyable {
    let bytes: Bytes

    @_lifetime(copy bytes)
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Units of 125 µs.
    public var interval: UInt16 { bytes.uint16(at: 2) }
    /// The connection event from which it holds.
    public var instant: UInt16 { bytes.uint16(at: 4) }
    /// One in this number of connection events is used.
    public var subrateFactor: UInt16 { bytes.uint16(at: 6) }
    /// Subrated events that the peripheral may skip.
    public var latency: UInt16 { bytes.uint16(at: 8) }
    /// Events that stay in use after one with data.
    public var continuationNumber: UInt16 { bytes.uint16(at: 10) }
    /// Units of 10 ms.
    public var timeout: UInt16 { bytes.uint16(at: 12) }
}

/// The version of a controller. Core Specification, Vol 4, Part E, 7.4.1 and 7.7.12; Vol 6, Part B, 2.4.2.13.
///
/// ```
///  0        1                    3               5
/// +--------+--------------------+---------------+
/// |Version | Company_Identifier |  Subversion   |
/// +--------+--------------------+---------------+
/// ```
public struct ControllerVersion: Sendable, Equatable {
    /// Version of the specification.
    public let version: BluetoothVersion
    /// Company identifier of the controller's maker.
    public let companyIdentifier: UInt16
    /// The maker's own version.
    public let subversion: UInt16

    /// Apple's company identifier.
    package static let apple: UInt16 = 0x004C

    /// - Parameter version: as the specification numbers its versions.
    public init(version: UInt8, companyIdentifier: UInt16, subversion: UInt16) {
        self.version = BluetoothVersion(rawValue: version)
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    /// nil if there are fewer than 5 octets.
    init?(_ bytes: Bytes) {
        guard bytes.count >= 5 else { return nil }
        self.init(version: bytes[0], companyIdentifier: bytes.uint16(at: 1), subversion: bytes.uint16(at: 3))
    }
}

/// The type of an advertising physical channel PDU. Core Specification, Vol 6, Part B, 2.3, Table 2.3.
///
/// Some values mean two PDUs, distinguished by the channel: primary or secondary.
public struct AdvertisingPDUType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ADV_IND: connectable and scannable undirected advertising.
    public static let advInd = AdvertisingPDUType(rawValue: 0b0000)
    /// ADV_DIRECT_IND: connectable directed advertising.
    public static let advDirectInd = AdvertisingPDUType(rawValue: 0b0001)
    /// ADV_NONCONN_IND: neither connectable nor scannable.
    public static let advNonconnInd = AdvertisingPDUType(rawValue: 0b0010)
    /// SCAN_REQ and AUX_SCAN_REQ.
    public static let scanReq = AdvertisingPDUType(rawValue: 0b0011)
    /// SCAN_RSP.
    public static let scanRsp = AdvertisingPDUType(rawValue: 0b0100)
    /// CONNECT_IND and AUX_CONNECT_REQ.
    public static let connectInd = AdvertisingPDUType(rawValue: 0b0101)
    /// ADV_SCAN_IND: scannable undirected advertising.
    public static let advScanInd = AdvertisingPDUType(rawValue: 0b0110)
    /// ADV_EXT_IND, AUX_ADV_IND, AUX_SCAN_RSP, AUX_SYNC_IND, AUX_CHAIN_IND and others with the common extended header.
    public static let extended = AdvertisingPDUType(rawValue: 0b0111)
    /// AUX_CONNECT_RSP.
    public static let auxConnectRsp = AdvertisingPDUType(rawValue: 0b1000)
    static let advDecisionInd = AdvertisingPDUType(rawValue: 0b1001)

    /// The specification's name on the primary channels or on the others; nil for a value that it does not define.
    ///
    /// - Parameter isPrimary: nil when the channel is not known: then an ambiguous type has the name of the first.
    public func name(isPrimary: Bool?) -> String? {
        switch rawValue {
        case 0b0000: "ADV_IND"
        case 0b0001: "ADV_DIRECT_IND"
        case 0b0010: "ADV_NONCONN_IND"
        case 0b0011: isPrimary == false ? "AUX_SCAN_REQ" : "SCAN_REQ"
        case 0b0100: "SCAN_RSP"
        case 0b0101: isPrimary == false ? "AUX_CONNECT_REQ" : "CONNECT_IND"
        case 0b0110: "ADV_SCAN_IND"
        case 0b0111: isPrimary == false ? "AUX_ADV_IND" : "ADV_EXT_IND"
        case 0b1000: "AUX_CONNECT_RSP"
        case 0b1001: "ADV_DECISION_IND"
        default: nil
        }
    }
}

/// An advertising physical channel PDU. Core Specification, Vol 6, Part B, 2.3.
///
/// ```
///  0                                       1               2
/// +---------------+-----+-----+-----+-----+---------------+----
/// | PDU Type (4)  | RFU |ChSel|TxAdd|RxAdd|    Length     | Payload …
/// +---------------+-----+-----+-----+-----+---------------+----
/// ```
public struct AdvertisingPDU: ~Escapable, Copyable {
    static let headerLength = 2

    let bytes: Bytes

    /// Needs the header; `payload` is the captured part of its announced length.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireLinkLayer(Self.headerLength, "advertising PDU without its header")
        self.bytes = bytes
    }

    /// PDU Type, the low 4 bits of the header.
    public var type: AdvertisingPDUType { AdvertisingPDUType(rawValue: bytes[0] & 0x0F) }
    /// In ADV_IND, ADV_DIRECT_IND and CONNECT_IND: Channel Selection Algorithm #2 is supported, or is to be used.
    public var chSel: Bool { bytes[0] & 0x20 != 0 }
    /// Whether the sender's address is random.
    public var txAdd: Bool { bytes[0] & 0x40 != 0 }
    /// Whether the target's address is random.
    public var rxAdd: Bool { bytes[0] & 0x80 != 0 }
    /// Octets of payload that the header announces.
    public var length: Int { Int(bytes[1]) }
    /// Captured octets of the payload.
    public var payload: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(Self.headerLength).prefix(length) }
    }
    var missing: Int { length - payload.count }
}

/// ADV_IND, ADV_NONCONN_IND, ADV_SCAN_IND and SCAN_RSP. Core Specification, Vol 6, Part B, 2.3.1 and 2.3.2.
///
/// ```
///  0                  6
/// +------------------+----
/// |     AdvA (6)     | AdvData or ScanRspData (0–31) …
/// +------------------+----
/// ```
public struct LegacyAdvertisement: ~Escapable, Copyable {
    let pdu: AdvertisingPDU

    /// Throws if the payload is shorter than AdvA.
    @_lifetime(copy pdu)
    public init(_ pdu: AdvertisingPDU) throws(WireError) {
        try pdu.payload.requireLinkLayer(6, "advertising PDU without the advertiser's address")
        self.pdu = pdu
    }

    /// Address of the advertiser.
    public var advA: BluetoothAddress { BluetoothAddress(pdu.payload.uint48(at: 0), isRandom: pdu.txAdd) }
    /// AD structures: AdvData or ScanRspData.
    public var data: Bytes {
        @_lifetime(copy self) get { pdu.payload.dropFirst(6) }
    }
}

/// ADV_DIRECT_IND, SCAN_REQ and AUX_SCAN_REQ: sender and receiver. Core Specification, Vol 6, Part B, 2.3.1.2 and 2.3.2.1.
///
/// ```
///  0                        6
/// +------------------------+------------------------+
/// | AdvA or ScanA (6)      | TargetA or AdvA (6)    |
/// +------------------------+------------------------+
/// ```
public struct AddressPairPDU: ~Escapable, Copyable {
    let pdu: AdvertisingPDU

    /// Throws if the payload has fewer than 12 octets.
    @_lifetime(copy pdu)
    public init(_ pdu: AdvertisingPDU) throws(WireError) {
        try pdu.payload.requireLinkLayer(12, "PDU without both addresses")
        self.pdu = pdu
    }

    /// AdvA of ADV_DIRECT_IND, ScanA of a scan request.
    public var sender: BluetoothAddress { BluetoothAddress(pdu.payload.uint48(at: 0), isRandom: pdu.txAdd) }
    /// TargetA of ADV_DIRECT_IND, AdvA of a scan request.
    public var target: BluetoothAddress { BluetoothAddress(pdu.payload.uint48(at: 6), isRandom: pdu.rxAdd) }
}

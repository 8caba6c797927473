/// CONNECT_IND and AUX_CONNECT_REQ. Core Specification, Vol 6, Part B, 2.3.3.1.
///
/// ```
///  0           6          12
/// +-----------+----------+--------------+
/// | InitA (6) | AdvA (6) | LLData (22)  |
/// +-----------+----------+--------------+
///  12                    16            19        20              22            24           26            28        33
/// +---------------------+-------------+---------+---------------+-------------+------------+-------------+---------+--------+
/// | Access Address (4)  | CRCInit (3) | WinSize | WinOffset (2) | Interval (2)| Latency (2)| Timeout (2) | ChM (5) |Hop, SCA|
/// +---------------------+-------------+---------+---------------+-------------+------------+-------------+---------+--------+
/// ```
public struct ConnectIndication: ~Escapable, Copyable {
    static let length = 34

    let pdu: AdvertisingPDU
    private let bytes: Bytes

    /// Throws if the payload has fewer than 34 octets.
    @_lifetime(copy pdu)
    public init(_ pdu: AdvertisingPDU) throws(WireError) {
        try pdu.payload.requireLinkLayer(Self.length, "connection request incomplete")
        self.pdu = pdu
        bytes = pdu.payload
    }

    /// The initiator, which becomes the central.
    public var initA: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 0), isRandom: pdu.txAdd) }
    /// The advertiser, which becomes the peripheral.
    public var advA: BluetoothAddress { BluetoothAddress(bytes.uint48(at: 6), isRandom: pdu.rxAdd) }
    /// Access Address of the new connection.
    public var accessAddress: UInt32 { bytes.uint32(at: 12) }
    /// Initial value of the CRC, 24 bits.
    public var crcInit: UInt32 { bytes.uint24(at: 16) }
    /// Units of 1.25 ms.
    public var winSize: UInt8 { bytes[19] }
    /// Units of 1.25 ms.
    public var winOffset: UInt16 { bytes.uint16(at: 20) }
    /// Units of 1.25 ms.
    public var interval: UInt16 { bytes.uint16(at: 22) }
    /// Connection events that the peripheral may skip.
    public var latency: UInt16 { bytes.uint16(at: 24) }
    /// Units of 10 ms.
    public var timeout: UInt16 { bytes.uint16(at: 26) }
    /// Data channels in use.
    public var channelMap: ChannelMap { ChannelMap(bytes, at: 28) }
    /// Hop of Channel Selection Algorithm #1, 5 to 16.
    public var hopIncrement: UInt8 { bytes[33] & 0x1F }
    /// 0 is 251 to 500 ppm … 7 is 0 to 20 ppm.
    public var sca: UInt8 { bytes[33] >> 5 }
    /// Channel Selection Algorithm #2, as far as the advertiser offered it.
    public var chSel: Bool { pdu.chSel }
}

/// Which of the 37 data channels are used. Core Specification, Vol 6, Part B, 1.4.1.
public struct ChannelMap: Hashable, Sendable {
    /// Bit n is data channel n.
    let rawValue: UInt64

    init(_ bytes: borrowing Bytes, at offset: Int) {
        rawValue = (UInt64(bytes.uint32(at: offset)) | UInt64(bytes[offset + 4]) << 32) & 0x1F_FFFF_FFFF
    }

    /// How many of the 37.
    public var count: Int { rawValue.nonzeroBitCount }
    /// Whether a data channel, 0 to 36, is in use.
    public func contains(_ channel: Int) -> Bool { (0..<37).contains(channel) && rawValue >> UInt64(channel) & 1 == 1 }
}

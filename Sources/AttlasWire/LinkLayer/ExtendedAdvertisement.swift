/// The common extended advertising payload: ADV_EXT_IND and all AUX_ PDUs but the requests. Core Specification, Vol 6, Part B,
/// 2.3.4.
///
/// ```
///  0                         1               1 + header length
/// +-------------+-----------+----           +----
/// | Length (6)  | AdvMode(2)| Header …      | AdvData …
/// +-------------+-----------+----           +----
///  header: flags, then as the flags say AdvA (6), TargetA (6), CTEInfo (1), ADI (2), AuxPtr (3), SyncInfo (18), TxPower (1);
///          what is left of it is ACAD
/// ```
public struct ExtendedAdvertisement: ~Escapable, Copyable {
    let pdu: AdvertisingPDU
    private let bytes: Bytes
    /// Where each field begins; 0 where there is none.
    private var advAOffset = 0
    private var targetAOffset = 0
    private var adiOffset = 0
    private var auxPtrOffset = 0
    private var syncInfoOffset = 0
    private var txPowerOffset = 0
    /// Where ACAD begins: after the fields of the header.
    private var acadOffset = 1

    /// Throws if the extended header is shorter than its length or its flags require.
    @_lifetime(copy pdu)
    public init(_ pdu: AdvertisingPDU) throws(WireError) {
        self.pdu = pdu
        bytes = pdu.payload
        try bytes.requireLinkLayer(1, "extended advertising PDU without its header")
        let length = Int(bytes[0] & 0x3F)
        try bytes.requireLinkLayer(1 + length, "extended header incomplete")
        guard length > 0 else { return }
        let flags = bytes[1]
        var offset = 2
        func take(_ bit: UInt8, _ size: Int) -> Int {
            guard flags & bit != 0 else { return 0 }
            defer { offset += size }
            return offset
        }
        advAOffset = take(0x01, 6)
        targetAOffset = take(0x02, 6)
        _ = take(0x04, 1)
        adiOffset = take(0x08, 2)
        auxPtrOffset = take(0x10, 3)
        syncInfoOffset = take(0x20, 18)
        txPowerOffset = take(0x40, 1)
        acadOffset = offset
        guard offset <= 1 + length else {
            throw WireError(
                .linkLayer, "extended header too short for the fields that its flags name", need: offset - 1,
                have: length, limit: .linkLayerLength)
        }
    }

    private var headerEnd: Int { 1 + Int(bytes[0] & 0x3F) }

    /// 0b00 neither connectable nor scannable, 0b01 connectable, 0b10 scannable.
    public var advMode: UInt8 { bytes[0] >> 6 }
    /// Whether `advMode` is 0b01.
    public var isConnectable: Bool { advMode == 0b01 }
    /// Address of the advertiser; nil if the header has none.
    public var advA: BluetoothAddress? {
        advAOffset == 0 ? nil : BluetoothAddress(bytes.uint48(at: advAOffset), isRandom: pdu.txAdd)
    }
    /// Address of the target; nil if the header has none.
    public var targetA: BluetoothAddress? {
        targetAOffset == 0 ? nil : BluetoothAddress(bytes.uint48(at: targetAOffset), isRandom: pdu.rxAdd)
    }
    /// AdvDataInfo: the DID in the low 12 bits, the SID in the high four.
    public var adi: UInt16? { adiOffset == 0 ? nil : bytes.uint16(at: adiOffset) }
    /// Next PDU of the chain; nil at its end.
    public var auxPtr: AuxPtr? { auxPtrOffset == 0 ? nil : AuxPtr(rawValue: bytes.uint24(at: auxPtrOffset)) }
    /// Periodic advertising of the same set; nil without it.
    public var syncInfo: SyncInfo? { syncInfoOffset == 0 ? nil : SyncInfo(bytes, at: syncInfoOffset) }
    /// dBm.
    public var txPower: Int8? { txPowerOffset == 0 ? nil : bytes.int8(at: txPowerOffset) }
    /// Additional Controller Advertising Data: AD structures for controllers, such as BIGInfo.
    public var acad: Bytes {
        @_lifetime(copy self) get { bytes.slice(min(acadOffset, headerEnd)..<headerEnd) }
    }
    /// AdvData: AD structures, or a fragment of them.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(headerEnd) }
    }

    /// Where and when the next PDU of the chain follows. Vol 6, Part B, 2.3.4.5.
    public struct AuxPtr: Sendable, Equatable {
        let rawValue: UInt32

        /// The channel's index.
        public var channel: UInt8 { UInt8(rawValue & 0x3F) }
        /// From the start of this packet.
        public var offsetMicroseconds: Int { Int(rawValue >> 8 & 0x1FFF) * (rawValue & 0x80 == 0 ? 30 : 300) }
        /// PHY of the next PDU.
        public var phy: LEPHY { LEPHY(rawValue: UInt8(rawValue >> 21) + 1) }
    }

    /// Where a periodic advertising train is found. Vol 6, Part B, 2.3.4.6.
    public struct SyncInfo: Sendable, Equatable {
        /// Units of 1.25 ms.
        public let interval: UInt16
        /// Access Address of the train.
        public let accessAddress: UInt32
        /// Initial value of the CRC, 24 bits.
        public let crcInit: UInt32

        init(_ bytes: borrowing Bytes, at offset: Int) {
            interval = bytes.uint16(at: offset + 2)
            accessAddress = bytes.uint32(at: offset + 9)
            crcInit = bytes.uint24(at: offset + 13)
        }
    }
}

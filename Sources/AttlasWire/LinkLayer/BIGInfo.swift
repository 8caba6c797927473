/// A broadcaster's description of its group of isochronous streams.
public struct BIGInfo: Sendable, Equatable {
    /// Num_BIS.
    public let streams: UInt8
    /// Units of 1.25 ms.
    public let isoInterval: UInt16
    /// Octets of a PDU.
    public let maxPDU: UInt16
    /// Microseconds.
    public let sduInterval: UInt32
    /// Octets.
    public let maxSDU: UInt16
    /// PHY of the group.
    public let phy: LEPHY
    /// Framed PDUs; otherwise unframed.
    public let isFramed: Bool
    /// Whether a Broadcast_Code is needed.
    public let isEncrypted: Bool
    /// SeedAccessAddress, from which those of the streams follow; nil where the capture does not have it, as in reports of HCI.
    public let seedAccessAddress: UInt32?

    /// Takes the fields in the units of the properties.
    public init(
        streams: UInt8, isoInterval: UInt16, maxPDU: UInt16, sduInterval: UInt32, maxSDU: UInt16, phy: LEPHY,
        isFramed: Bool, isEncrypted: Bool, seedAccessAddress: UInt32? = nil
    ) {
        self.streams = streams
        self.isoInterval = isoInterval
        self.maxPDU = maxPDU
        self.sduInterval = sduInterval
        self.maxSDU = maxSDU
        self.phy = phy
        self.isFramed = isFramed
        self.isEncrypted = isEncrypted
        self.seedAccessAddress = seedAccessAddress
    }
}

extension BIGInfo {
    /// The AD structure in ACAD. Core Specification, Vol 6, Part B, 4.4.6.11. All fields are least significant bit first:
    ///
    /// ```
    ///  0                 14         15                  27           32
    /// +-----------------+----------+-------------------+------------+
    /// | BIG_Offset (14) | Unit (1) | ISO_Interval (12) | Num_BIS (5)|
    /// +-----------------+----------+-------------------+------------+
    ///  32 NSE (5), BN (3), Sub_Interval (20), PTO (4), 64 BIS_Spacing (20), IRC (4), Max_PDU (8), 96 reserved (8),
    ///  104 SeedAccessAddress (32), 136 SDU_Interval (20), Max_SDU (12), 168 BaseCRCInit (16), 184 ChM (37), PHY (3),
    ///  224 bisPayloadCount (39), Framing (1); of an encrypted group also 264 GIV (64), GSKD (128)
    /// ```
    /// nil if the structure has neither of the two lengths.
    public init?(_ data: borrowing Bytes) {
        guard data.count == 33 || data.count == 57 else { return nil }
        let head = data.uint32(at: 0)
        let sdu = data.uint32(at: 17)
        self.init(
            streams: UInt8(head >> 27), isoInterval: UInt16(head >> 15 & 0x0FFF), maxPDU: UInt16(data[11]),
            sduInterval: sdu & 0x0F_FFFF, maxSDU: UInt16(sdu >> 20),
            // 0 is LE 1M here.
            phy: LEPHY(rawValue: data[27] >> 5 + 1), isFramed: data[32] & 0x80 != 0, isEncrypted: data.count == 57,
            seedAccessAddress: data.uint32(at: 13))
    }

    /// The Access Address of a stream. Core Specification, Vol 6, Part B, 2.1.2.
    ///
    /// - Parameter stream: its BIS_Number, from 1; 0 is the control subevent.
    package func accessAddress(of stream: UInt8) -> UInt32? {
        let diversifier = (35 * UInt32(stream) + 42) % 128
        func bit(_ number: UInt32) -> UInt32 { diversifier >> number & 1 }
        // D0 six times, then D1 D6 D1 0 D5 D4 0 D3 D2 0.
        let word =
            (bit(0) * 0b11_1111) << 26 | bit(1) << 25 | bit(6) << 24 | bit(1) << 23 | bit(5) << 21 | bit(4) << 20
            | bit(3) << 18 | bit(2) << 17
        return seedAccessAddress.map { $0 ^ word }
    }
}

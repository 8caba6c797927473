/// HCI ISO Data packet. Core Specification, Vol 4, Part E, 5.4.5.
///
/// ```
///  0                  12  14   15                16                 30
/// +-------------------+----+---+-----------------+------------------+----
/// | Connection Handle | PB |TS | reserved        | ISO_Data_Length  | data …
/// +-------------------+----+---+-----------------+------------------+----
/// the data of a first or only fragment:
///  (Time_Stamp, 4 octets, if TS) | Packet_Sequence_Number (16) | ISO_SDU_Length (12) | reserved (2) | Packet_Status_Flag (2)
/// ```
public struct ISOPacket: ~Escapable, Copyable {
    package static let headerLength = 4

    /// Packet_Status_Flag of data from the controller (Vol 4, Part E, 5.4.5).
    public enum Status: UInt8, Sendable {
        case valid = 0b00
        /// It may have errors, or a part of it may be missing.
        case possiblyInvalid = 0b01
        /// Parts of it were not received.
        case lost = 0b10
    }

    private let bytes: Bytes
    /// The offset of the sequence number; nil for a continuation fragment.
    private let sequenceOffset: Int?

    /// Needs the header, and for a first fragment the octets before its data.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.require(Self.headerLength, "ISO header incomplete", of: .hci, within: .capturedLength)
        let isFirst = bytes[1] >> 4 & 0b01 == 0
        let offset = Self.headerLength + (bytes[1] & 0x40 == 0 ? 0 : 4)
        if isFirst { try bytes.require(offset + 4, "ISO SDU header incomplete", of: .hci, within: .capturedLength) }
        self.bytes = bytes
        sequenceOffset = isFirst ? offset : nil
    }

    /// Where the SDU, or the part of it, begins.
    package var dataOffset: Int { sequenceOffset.map { $0 + 4 } ?? Self.headerLength }
    /// Handle of the CIS or BIS, 0x0000 to 0x0EFF.
    public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    /// nil for a continuation fragment.
    public var sequenceNumber: UInt16? { sequenceOffset.map { bytes.uint16(at: $0) } }
    /// Octets of the whole SDU.
    public var sduLength: Int? { sequenceOffset.map { Int(bytes.uint16(at: $0 + 2) & 0x0FFF) } }
    /// nil for a continuation fragment, and for the reserved value. Undefined in a packet to the controller.
    public var status: Status? { sequenceOffset.flatMap { Status(rawValue: UInt8(bytes.uint16(at: $0 + 2) >> 14)) } }
}

/// A data physical channel PDU of a connection. Core Specification, Vol 6, Part B, 2.4.
///
/// ```
///  0                                        1               2 (3 with CTEInfo)
/// +---------+------+------+------+----+-----+---------------+----
/// | LLID (2)| NESN |  SN  |  MD  | CP | RFU |    Length     | Payload …
/// +---------+------+------+------+----+-----+---------------+----
/// ```
public struct DataPDU: ~Escapable, Copyable {
    /// The kind of payload. Vol 6, Part B, 2.4, Table 2.14.
    public enum LLID: UInt8, Sendable {
        case reserved = 0b00
        /// A fragment that continues an L2CAP frame, or an empty PDU.
        case continuing = 0b01
        /// The start of an L2CAP frame, or a whole one.
        case start = 0b10
        case control = 0b11
    }

    /// Octets of the Message Integrity Check.
    public static let micLength = 4

    /// The PDU, its header included.
    public let bytes: Bytes
    @usableFromInline let headerLength: Int

    /// Needs the header; `payload` is the captured part of its announced length.
    @inlinable
    @inline(__always)
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireLinkLayer(2, "data PDU without its header")
        headerLength = bytes[0] & 0x20 == 0 ? 2 : 3
        try bytes.requireLinkLayer(headerLength, "data PDU without its CTEInfo")
        self.bytes = bytes
    }

    /// The first octet of the header.
    @inlinable public var header: UInt8 { bytes[0] }
    /// Logical Link Identifier, the low 2 bits of the header.
    public var llid: LLID {
        @inlinable @inline(__always) get {
            switch bytes[0] & 0b11 {
            case 0b00: .reserved
            case 0b01: .continuing
            case 0b10: .start
            default: .control
            }
        }
    }
    /// Next Expected Sequence Number: acknowledges the other side's packet. Vol 6, Part B, 4.5.9.
    @inlinable public var nesn: Bool { bytes[0] & 0x04 != 0 }
    /// Sequence Number: a packet with the one of the packet before is that packet again.
    @inlinable public var sn: Bool { bytes[0] & 0x08 != 0 }
    /// More Data: the sender has more for this connection event.
    public var md: Bool { bytes[0] & 0x10 != 0 }
    /// CTEInfo; nil without a Constant Tone Extension.
    public var cteInfo: UInt8? { headerLength == 3 ? bytes[2] : nil }
    /// Octets of payload, of an encrypted PDU with its MIC.
    @inlinable public var length: Int { Int(bytes[1]) }
    /// Captured octets of the payload, of an encrypted PDU with its MIC.
    public var payload: Bytes {
        @inlinable @inline(__always) @_lifetime(copy self) get { bytes.dropFirst(headerLength).prefix(length) }
    }
    /// Octets of payload that the header announces and that were not captured.
    public var missing: Int {
        @inlinable @inline(__always) get { length - payload.count }
    }
    /// Empty: sent so that the other side hears something. Vol 6, Part B, 2.4.1.
    public var isEmpty: Bool {
        @inlinable @inline(__always) get { bytes[0] & 0b11 == 0b01 && length == 0 }
    }
}

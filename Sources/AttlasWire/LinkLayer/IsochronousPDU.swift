/// The part of an SDU that an isochronous PDU has. Core Specification, Vol 6, Part B, 2.6 and 2.7, the LLID of both.
public enum IsochronousPart: UInt8, Sendable {
    /// Unframed: the end of an SDU, or a whole one.
    case end = 0b00
    /// Unframed: the start of an SDU, or a continuation.
    case start = 0b01
    /// Segments of SDUs, each with a header.
    case framed = 0b10
    /// A control PDU of a BIG; reserved in a CIS.
    case control = 0b11

    init(_ header: UInt8) { self = IsochronousPart(rawValue: header & 0b11) ?? .control }
}

/// A PDU of a Connected Isochronous Stream. Core Specification, Vol 6, Part B, 2.6.
///
/// ```
///  0                                                  1
/// +----------+------+----+-----+-----+-----+-----+------------+----
/// | LLID (2) | NESN | SN | CIE | RFU | NPI | RFU | Length (8) | Payload …
/// +----------+------+----+-----+-----+-----+-----+------------+----
/// ```
public struct ConnectedIsochronousPDU: ~Escapable, Copyable {
    let bytes: Bytes

    /// Needs the header.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireLinkLayer(2, "isochronous PDU without its header")
        self.bytes = bytes
    }

    /// LLID.
    public var part: IsochronousPart { IsochronousPart(bytes[0]) }
    /// Next Expected Sequence Number.
    public var nesn: Bool { bytes[0] & 0x04 != 0 }
    /// Sequence Number.
    public var sn: Bool { bytes[0] & 0x08 != 0 }
    /// Close Isochronous Event: the sender has what it wanted from this event.
    public var closesEvent: Bool { bytes[0] & 0x10 != 0 }
    /// Null PDU Indicator: there is no data.
    public var isNull: Bool { bytes[0] & 0x40 != 0 }
    /// Octets of payload, of an encrypted stream with the MIC.
    public var length: Int { Int(bytes[1]) }
}

/// A PDU of a Broadcast Isochronous Stream, or of the control subevents of its group. Core Specification, Vol 6, Part B, 2.7.
///
/// ```
///  0                                 1
/// +----------+----------+------+---------+------------+----
/// | LLID (2) | CSSN (3) | CSTF | RFU (2) | Length (8) | Payload …
/// +----------+----------+------+---------+------------+----
/// ```
public struct BroadcastIsochronousPDU: ~Escapable, Copyable {
    let bytes: Bytes

    /// Needs the header.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        try bytes.requireLinkLayer(2, "isochronous PDU without its header")
        self.bytes = bytes
    }

    /// LLID.
    public var part: IsochronousPart { IsochronousPart(bytes[0]) }
    /// Control Subevent Sequence Number.
    public var controlSequence: UInt8 { bytes[0] >> 2 & 0b111 }
    /// Control Subevent Transmission Flag: the event has a control subevent.
    public var hasControlSubevent: Bool { bytes[0] & 0x20 != 0 }
    /// Octets of payload, of an encrypted group with the MIC.
    public var length: Int { Int(bytes[1]) }

    /// The control PDU; nil of data, and if it is incomplete. Of an encrypted group it is ciphertext.
    public var control: BIGControlPDU? {
        part == .control ? BIGControlPDU(bytes.dropFirst(2).prefix(length)) : nil
    }
}

/// A BIG Control PDU. Core Specification, Vol 6, Part B, 2.7.3.
public enum BIGControlPDU: Sendable {
    /// BIG_CHANNEL_MAP_IND: ChM (5), Instant (2).
    case channelMapInd(ChannelMap, instant: UInt16)
    /// BIG_TERMINATE_IND: Reason (1), Instant (2).
    case terminateInd(HCIErrorCode, instant: UInt16)
    /// Its opcode.
    case other(UInt8)

    init?(_ payload: Bytes) {
        guard payload.count > 0 else { return nil }
        switch (payload[0], payload.count) {
        case (0, 8...): self = .channelMapInd(ChannelMap(payload, at: 1), instant: payload.uint16(at: 6))
        case (1, 4...): self = .terminateInd(HCIErrorCode(rawValue: payload[1]), instant: payload.uint16(at: 2))
        case (0, _), (1, _): return nil
        case (let opcode, _): self = .other(opcode)
        }
    }
}

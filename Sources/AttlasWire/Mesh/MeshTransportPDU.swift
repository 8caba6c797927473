/// The header of a lower transport PDU. Mesh Protocol 1.1, 3.5.2.
///
/// ```
///  access:  SEG (1) AKF (1) AID (6)          control:  SEG (1) Opcode (7)
///  segmented, both: SZMIC or reserved (1) SeqZero (13) SegO (5) SegN (5)
///  Segment Acknowledgment (SEG 0, Opcode 0x00): OBO (1) SeqZero (13) reserved (2) BlockAck (32)
/// ```
/// Bits count from the most significant one.
public struct MeshTransportPDU: ~Escapable, Copyable {
    let bytes: Bytes
    /// CTL of the Network PDU: a control message; otherwise an access message.
    public let isControl: Bool

    /// - Parameter isControl: CTL of the Network PDU.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes, isControl: Bool) throws(WireError) {
        self.bytes = bytes
        self.isControl = isControl
        try Self.require(1, bytes)
        if bytes[0] & 0x80 != 0 {
            try Self.require(4, bytes)
        } else if isControl, bytes[0] == 0 {
            try Self.require(7, bytes)
        }
    }

    private static func require(_ need: Int, _ bytes: Bytes) throws(WireError) {
        try bytes.require(need, "mesh transport PDU incomplete", of: .advertising, within: .valueLength)
    }

    /// SEG.
    public var isSegmented: Bool { bytes[0] & 0x80 != 0 }
    /// AKF: an application key; otherwise the device key. nil for a control message.
    public var usesApplicationKey: Bool? { isControl ? nil : bytes[0] & 0x40 != 0 }
    /// AID; nil for a control message.
    public var applicationKeyIdentifier: UInt8? { isControl ? nil : bytes[0] & 0x3F }
    /// nil for an access message.
    public var opcode: UInt8? { isControl ? bytes[0] & 0x7F : nil }

    /// Fields of a segmented message.
    public struct Segment: Sendable, Equatable {
        /// SZMIC: the TransMIC has 64 bits; nil for a control message.
        public let hasLongMIC: Bool?
        /// Low 13 bits of SeqAuth, the same in all segments of a message.
        public let seqZero: UInt16
        /// SegO, from 0.
        public let number: UInt8
        /// SegN.
        public let last: UInt8
    }

    /// nil for an unsegmented message.
    public var segment: Segment? {
        guard isSegmented else { return nil }
        let word = UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
        return Segment(
            hasLongMIC: isControl ? nil : word >> 23 != 0, seqZero: UInt16(word >> 10 & 0x1FFF),
            number: UInt8(word >> 5 & 0x1F), last: UInt8(word & 0x1F))
    }

    /// Fields of a Segment Acknowledgment message.
    public struct Acknowledgment: Sendable, Equatable {
        /// OBO: a friend sends it on behalf of its low-power node.
        public let isOnBehalfOfAnother: Bool
        /// SeqZero of the acknowledged message.
        public let seqZero: UInt16
        /// A bit for each segment that was received.
        public let blockAck: UInt32
    }

    /// nil for other messages.
    public var acknowledgment: Acknowledgment? {
        guard isControl, !isSegmented, opcode == 0 else { return nil }
        let word = bytes.bigEndianUInt16(at: 1)
        return Acknowledgment(
            isOnBehalfOfAnother: word >> 15 != 0, seqZero: word >> 2 & 0x1FFF, blockAck: bytes.bigEndianUInt32(at: 3))
    }

    /// The octets after the header.
    public var payload: Bytes {
        @_lifetime(copy self) get {
            bytes.dropFirst(isSegmented ? 4 : acknowledgment != nil ? 7 : 1)
        }
    }

    /// The name of a control message, in Assigned Numbers.
    public var opcodeName: StaticString? {
        switch opcode {
        case 0x00 where !isSegmented: "Segment Acknowledgment"
        case 0x01: "Friend Poll"
        case 0x02: "Friend Update"
        case 0x03: "Friend Request"
        case 0x04: "Friend Offer"
        case 0x05: "Friend Clear"
        case 0x06: "Friend Clear Confirm"
        case 0x07: "Friend Subscription List Add"
        case 0x08: "Friend Subscription List Remove"
        case 0x09: "Friend Subscription List Confirm"
        case 0x0A: "Heartbeat"
        case 0x0B: "PATH_REQUEST"
        case 0x0C: "PATH_REPLY"
        case 0x0D: "PATH_CONFIRMATION"
        case 0x0E: "PATH_ECHO_REQUEST"
        case 0x0F: "PATH_ECHO_REPLY"
        case 0x10: "DEPENDENT_NODE_UPDATE"
        case 0x11: "PATH_REQUEST_SOLICITATION"
        default: nil
        }
    }
}

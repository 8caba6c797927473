/// A PB-ADV PDU: the data of AD type 0x29. Mesh Protocol 1.1, 5.3.1 and 5.3.2.
///
/// ```
///  0             4                    5
/// +-------------+--------------------+--------------------------------+
/// | Link ID (4) | Transaction Number | Generic Provisioning PDU …     |
/// +-------------+--------------------+--------------------------------+
/// ```
/// The two least significant bits of a Generic Provisioning PDU are its type.
public struct GenericProvisioningPDU: ~Escapable, Copyable {
    let bytes: Bytes

    /// Throws if PB-ADV or the start of a transaction is incomplete.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        self.bytes = bytes
        try bytes.require(6, "PB-ADV incomplete", of: .advertising, within: .valueLength)
        if bytes[5] & 0x03 == 0 {
            try bytes.require(9, "PB-ADV incomplete", of: .advertising, within: .valueLength)
        }
    }

    /// Generic Provisioning PDU with its control fields (Mesh Protocol 1.1, 5.3.1 and 5.3.2).
    public enum Kind: Sendable, Equatable {
        /// SegN, and the octets of the whole.
        case transactionStart(lastSegment: UInt8, totalLength: UInt16)
        case transactionAcknowledgment
        case transactionContinuation(segment: UInt8)
        case linkOpen, linkAcknowledgment
        /// nil where the reason is missing.
        case linkClose(reason: UInt8?)
        case unknownBearerControl(opcode: UInt8)
    }

    /// Link ID: the link between provisioner and device.
    public var linkID: UInt32 { bytes.bigEndianUInt32(at: 0) }
    /// Provisioners count from 0x00, devices from 0x80.
    public var transactionNumber: UInt8 { bytes[4] }
    /// PDU type and control fields.
    public var kind: Kind {
        let rest = bytes[5] >> 2
        switch (bytes[5] & 0x03, rest) {
        case (0, _): return .transactionStart(lastSegment: rest, totalLength: bytes.bigEndianUInt16(at: 6))
        case (1, _): return .transactionAcknowledgment
        case (2, _): return .transactionContinuation(segment: rest)
        case (_, 0): return .linkOpen
        case (_, 1): return .linkAcknowledgment
        case (_, 2): return .linkClose(reason: bytes.count > 6 ? bytes[6] : nil)
        default: return .unknownBearerControl(opcode: rest)
        }
    }

    /// The payload: the Device UUID of Link Open, the octets of a Provisioning PDU in a transaction.
    public var payload: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(bytes[5] & 0x03 == 0 ? 9 : 6) }
    }
}

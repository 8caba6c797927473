/// HCI ACL Data packet. Core Specification, Vol 4, Part E, 5.4.2.
///
/// ```
///  0               1               2               3               4
/// +---------------+-------+---+---+---------------+---------------+----
/// | Connection Handle (12)|PB |BC |       Data Total Length       | Data …
/// +---------------+-------+---+---+---------------+---------------+----
/// ```
public struct ACLPacket: ~Escapable, Copyable {
    /// The Packet_Boundary_Flag.
    public enum Boundary: UInt8, Sendable {
        case firstNonFlushable = 0b00
        case continuing = 0b01
        case firstFlushable = 0b10
        case complete = 0b11
    }

    /// Octets before the data: Handle and flags, Data_Total_Length.
    public static let headerLength = 4

    @usableFromInline let bytes: Bytes

    /// Needs the header; `data` is the captured part of the data that the header announces.
    @inlinable
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        guard bytes.count >= Self.headerLength else {
            throw WireError(
                .acl, "ACL header incomplete", need: Self.headerLength, have: bytes.count, limit: .capturedLength)
        }
        self.bytes = bytes
    }

    /// Connection_Handle, 0x0000 to 0x0EFF.
    @inlinable public var connectionHandle: ConnectionHandle { bytes.uint16(at: 0) & 0x0FFF }
    /// Packet_Boundary_Flag: whether the data begin an L2CAP frame.
    public var boundary: Boundary {
        @inlinable @inline(__always) get {
            switch bytes[1] >> 4 & 0b11 {
            case 0b00: .firstNonFlushable
            case 0b01: .continuing
            case 0b10: .firstFlushable
            default: .complete
            }
        }
    }
    /// Broadcast_Flag, two bits: 0b00 for point-to-point data.
    public var broadcastFlag: UInt8 { UInt8(bytes.uint16(at: 0) >> 14) }
    /// Octets of data that the header announces.
    @inlinable public var dataTotalLength: Int { Int(bytes.uint16(at: 2)) }

    /// At most `dataTotalLength` octets.
    public var data: Bytes {
        @inlinable @inline(__always) @_lifetime(copy self) get {
            bytes.dropFirst(Self.headerLength).prefix(dataTotalLength)
        }
    }

    /// Octets announced that are not there.
    @inlinable var missing: Int { dataTotalLength - data.count }
    /// Octets there that were not announced.
    @inlinable public var excess: Int { max(0, bytes.count - Self.headerLength - dataTotalLength) }
}

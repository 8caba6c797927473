/// L2CAP B-frame. Core Specification, Vol 3, Part A, 3.1.
///
/// ```
///  0               1               2               3               4
/// +---------------+---------------+---------------+---------------+----
/// |          PDU Length           |          Channel ID           | Information payload …
/// +---------------+---------------+---------------+---------------+----
/// ```
public struct L2CAPFrame: ~Escapable, Copyable {
    /// Octets before the payload: PDU Length and Channel ID.
    public static let headerLength = 4

    @usableFromInline let bytes: Bytes

    /// Needs the header; `payload` is the captured part of the payload that the header announces.
    @inlinable
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) throws(WireError) {
        guard bytes.count >= Self.headerLength else {
            throw WireError(
                .l2cap, "L2CAP header incomplete", need: Self.headerLength, have: bytes.count, limit: .aclLength)
        }
        self.bytes = bytes
    }

    /// Octets of payload that the header announces.
    @inlinable public var pduLength: Int { Int(bytes.uint16(at: 0)) }
    /// Channel ID: the endpoint on the device that receives the frame.
    @inlinable public var channel: L2CAPChannel { L2CAPChannel(rawValue: bytes.uint16(at: 2)) }

    /// Captured octets of the payload, without those after PDU Length.
    public var payload: Bytes {
        @inlinable @inline(__always) @_lifetime(copy self) get { bytes.dropFirst(Self.headerLength).prefix(pduLength) }
    }

    /// Octets announced that are not there.
    @inlinable public var missing: Int { pduLength - payload.count }
    /// Octets there that were not announced.
    @inlinable var excess: Int { max(0, bytes.count - Self.headerLength - pduLength) }
}

/// A channel identifier. Vol 3, Part A, 2.1.
public struct L2CAPChannel: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The fixed channels of an LE link: Attribute Protocol, signalling and Security Manager.
    package var isFixedLowEnergy: Bool { 0x0004...0x0006 ~= rawValue }
    /// Above the fixed channels that are assigned, up to the last fixed channel.
    package var isUnassignedFixed: Bool { 0x0008...0x003F ~= rawValue }
    /// The channels that are opened on an LE link.
    package var isDynamicLowEnergy: Bool { 0x0040...0x007F ~= rawValue }

    /// Signalling on a BR/EDR link.
    public static let signaling = L2CAPChannel(rawValue: 0x0001)
    /// Connectionless channel of a BR/EDR link (0x0002).
    public static let connectionless = L2CAPChannel(rawValue: 0x0002)
    /// Attribute Protocol (0x0004).
    public static let attribute = L2CAPChannel(rawValue: 0x0004)
    /// Signalling on an LE link.
    public static let lowEnergySignaling = L2CAPChannel(rawValue: 0x0005)
    /// Security Manager of an LE link (0x0006).
    public static let securityManager = L2CAPChannel(rawValue: 0x0006)
    /// Security Manager of a BR/EDR link (0x0007).
    public static let securityManagerBREDR = L2CAPChannel(rawValue: 0x0007)
}

/// A packet of the LE air interface, without its preamble. Core Specification, Vol 6, Part B, 2.1 and 2.2.
///
/// ```
///  0                        4
/// +------------------------+---------------------+--------------+--------- ---+
/// |   Access Address (4)   | Coding Indicator (1)| PDU (2–258)  |   CRC (3)   |
/// +------------------------+---------------------+--------------+--------- ---+
///                           only on the Coded PHY
/// ```
/// The first two octets of every PDU are its header, and the second of them is the length of its payload.
public struct LinkLayerPacket: ~Escapable, Copyable {
    /// The Access Address of advertising, of scanning and of initiating. Vol 6, Part B, 2.1.2.
    public static let advertisingAccessAddress: UInt32 = 0x8E89_BED6
    @usableFromInline static let crcLength = 3

    @usableFromInline let bytes: Bytes
    /// Where the PDU begins.
    @usableFromInline let start: Int
    /// Octets of the PDU, by its header.
    @usableFromInline let length: Int

    /// Needs the header of the PDU; `pdu` is the captured part of it.
    ///
    /// - Parameter isBroadcast: of a Broadcast Isochronous Stream.
    @inlinable
    @inline(__always)
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes, hasCodingIndicator: Bool = false, isBroadcast: Bool = false) throws(WireError) {
        start = hasCodingIndicator ? 5 : 4
        try bytes.require(start + 2, "packet without the header of its PDU", of: .linkLayer, within: .capturedLength)
        self.bytes = bytes
        let isData = !isBroadcast && bytes.uint32(at: 0) != Self.advertisingAccessAddress
        // The CTEInfo of a data PDU follows its header and is not counted in the length.
        let hasCTEInfo = isData && bytes[start] & 0x20 != 0
        length = 2 + Int(bytes[start + 1]) + (hasCTEInfo ? 1 : 0)
    }

    /// Access Address: `advertisingAccessAddress`, or that of a connection, train or stream.
    @inlinable public var accessAddress: UInt32 { bytes.uint32(at: 0) }
    /// Whether it was sent on an advertising channel.
    @inlinable public var isAdvertising: Bool { accessAddress == Self.advertisingAccessAddress }
    /// 0 for S=8, 1 for S=2; nil on the uncoded PHYs.
    @inlinable public var codingIndicator: UInt8? { start == 5 ? bytes[4] & 0b11 : nil }

    /// Header and payload, as far as they were captured.
    public var pdu: Bytes {
        @inlinable @inline(__always) @_lifetime(copy self) get { bytes.dropFirst(start).prefix(length) }
    }

    /// Octets of the PDU that its header announces and that are not there.
    @inlinable public var missing: Int { max(0, start + length - bytes.count) }
    /// Octets after the CRC.
    package var excess: Int { max(0, bytes.count - start - length - Self.crcLength) }
    /// As it was sent, the first octet in the lowest bits; nil if it is not there.
    public var crc: UInt32? {
        bytes.count >= start + length + Self.crcLength ? bytes.uint24(at: start + length) : nil
    }

    /// The packet's time on the air, in microseconds, its preamble included. Vol 6, Part A, 2; Vol 6, Part B, 2.1 and 2.2.
    @inlinable
    @inline(__always)
    public func airTime(_ phy: LEPHY) -> Int {
        let octets = length + Self.crcLength
        switch (phy.rawValue, codingIndicator) {
        case (2, _): return 4 * (2 + 4 + octets)
        // Preamble 80, Access Address 256, CI 16 and TERM1 24; then the PDU, the CRC and TERM2 of 3 bits.
        case (3, 1): return 376 + 16 * octets + 6
        case (3, _): return 376 + 64 * octets + 24
        default: return 8 * (1 + 4 + octets)
        }
    }
}

extension Bytes {
    @usableFromInline
    func requireLinkLayer(_ need: Int, _ reason: StaticString) throws(WireError) {
        try require(need, reason, of: .linkLayer, within: .linkLayerLength)
    }
}

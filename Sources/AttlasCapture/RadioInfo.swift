import AttlasWire

/// A sniffer's data about a packet from the air, independent of the sniffer's format. Missing data is nil
/// or `unchecked`.
public struct RadioInfo: Sendable, Equatable {
    /// Result of a check by the sniffer.
    public enum Check: UInt8, Sendable {
        case unchecked, ok, bad
    }

    /// The kind of physical channel that the sniffer received.
    public enum Channel: UInt8, Sendable {
        /// Advertising on a primary channel, or not reported by the sniffer: the Access Address decides.
        case unspecified
        /// Advertising on a secondary channel.
        case auxiliaryAdvertising
        case data
        case connectedIsochronous
        case broadcastIsochronous
    }

    /// In the order in which sniffers number them.
    public enum AuxiliaryPDU: UInt8, Sendable {
        case auxAdvInd, auxChainInd, auxSyncInd, auxScanRsp
    }

    /// All of it in one word, because each packet from the air takes it along: as fields of an octet or two it was put together and taken
    /// apart on the way (Documentation/performance.md).
    private var bits: UInt64 = 0

    /// Kind of channel.
    public var kind: Channel {
        @inline(__always) get { Channel(rawValue: UInt8(self[0, width: 3])) ?? .unspecified }
        set { self[0, width: 3] = UInt64(newValue.rawValue) }
    }
    /// Distinguishes the PDUs that share a type value on the secondary advertising channels, if the sniffer reports it.
    public var auxiliaryPDU: AuxiliaryPDU? {
        get { optional(3, width: 2).flatMap { AuxiliaryPDU(rawValue: UInt8($0)) } }
        set { setOptional(newValue.map { UInt64($0.rawValue) }, 3, width: 2) }
    }
    /// The channel index of Vol 6, Part B, 1.4.1: 37, 38 and 39 are the primary advertising channels.
    public var channel: UInt8? {
        get { optional(6, width: 8).map { UInt8($0) } }
        set { setOptional(newValue.map { UInt64($0) }, 6, width: 8) }
    }
    /// dBm.
    public var rssi: Int8? {
        get { optional(15, width: 8).map { Int8(truncatingIfNeeded: $0) } }
        set { setOptional(newValue.map { UInt64(UInt8(bitPattern: $0)) }, 15, width: 8) }
    }
    /// Whether the CRC is right.
    public var crc: Check {
        get { Check(rawValue: UInt8(self[24, width: 2])) ?? .unchecked }
        set { self[24, width: 2] = UInt64(newValue.rawValue) }
    }
    /// Whether the sniffer has decrypted the packet.
    public var isDecrypted: Bool {
        get { self[26, width: 1] == 1 }
        set { self[26, width: 1] = newValue ? 1 : 0 }
    }
    /// The check of the packet's MIC, as it was encrypted.
    public var mic: Check {
        get { Check(rawValue: UInt8(self[27, width: 2])) ?? .unchecked }
        set { self[27, width: 2] = UInt64(newValue.rawValue) }
    }
    /// nil if the sniffer did not report it.
    public var phy: LEPHY? {
        get { optional(29, width: 8).map { LEPHY(rawValue: UInt8($0)) } }
        set { setOptional(newValue.map { UInt64($0.rawValue) }, 29, width: 8) }
    }
    /// Counted by the sniffer, modulo 65 536; connections only.
    public var eventCounter: UInt16? {
        get { optional(38, width: 16).map { UInt16($0) } }
        set { setOptional(newValue.map { UInt64($0) }, 38, width: 16) }
    }

    private subscript(shift: UInt64, width width: UInt64) -> UInt64 {
        @inline(__always) get { bits &>> shift & (1 &<< width &- 1) }
        @inline(__always) set { bits = bits & ~((1 &<< width &- 1) &<< shift) | newValue &<< shift }
    }

    /// A number after a bit that shows whether it is valid.
    @inline(__always)
    private func optional(_ shift: UInt64, width: UInt64) -> UInt64? {
        self[shift, width: 1] == 1 ? self[shift + 1, width: width] : nil
    }

    @inline(__always)
    private mutating func setOptional(_ number: UInt64?, _ shift: UInt64, width: UInt64) {
        self[shift, width: width + 1] = number.map { $0 &<< 1 | 1 } ?? 0
    }

    /// Nothing is known.
    public init() {}

    /// There is a coding indicator after the Access Address.
    public var hasCodingIndicator: Bool { phy?.rawValue == 3 }

    /// The index of the channel with this number in the order of frequencies. Vol 6, Part B, 1.4.1, Table 1.2.
    static func channelIndex(rf number: UInt8) -> UInt8? {
        switch number {
        case 0: 37
        case 1...11: number - 1
        case 12: 38
        case 13...38: number - 2
        case 39: 39
        default: nil
        }
    }
}

import AttlasWire

/// A sniffer's data about a packet from the air, independent of the sniffer's format. Missing data is nil
/// or `unchecked`.
public struct RadioInfo: Sendable, Equatable {
    public enum Check: UInt8, Sendable {
        case unchecked, ok, bad
    }

    /// The kind of physical channel that the sniffer received.
    public enum Channel: UInt8, Sendable {
        /// Advertising on a primary channel, or not reported by the sniffer: the Access Address decides.
        case unspecified
        case auxiliaryAdvertising
        case data
        case connectedIsochronous
        case broadcastIsochronous
    }

    /// In the order in which sniffers number them.
    public enum AuxiliaryPDU: UInt8, Sendable {
        case auxAdvInd, auxChainInd, auxSyncInd, auxScanRsp
    }

    public var kind = Channel.unspecified
    /// Distinguishes the PDUs that share a type value on the secondary advertising channels, if the sniffer reports it.
    public var auxiliaryPDU: AuxiliaryPDU?
    /// The channel index of Vol 6, Part B, 1.4.1: 37, 38 and 39 are the primary advertising channels.
    public var channel: UInt8?
    /// dBm.
    public var rssi: Int8?
    public var crc = Check.unchecked
    /// Whether the sniffer has decrypted the packet.
    public var isDecrypted = false
    /// Of the packet as it was encrypted.
    public var mic = Check.unchecked
    public var phy: LEPHY?
    /// Counted by the sniffer, modulo 65 536; connections only.
    public var eventCounter: UInt16?

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

import AttlasWire

/// The length of a packet by its own header. It checks formats that keep only one length, or have no signature.
/// Core Specification, Vol 4, Part E, 5.4.
extension HCIPacketType {
    /// Octets up to and with the length, without the H4 indicator.
    var headerLength: Int {
        switch self {
        case .command, .synchronous: 3
        case .event: 2
        case .acl, .isochronous: 4
        }
    }

    /// Header and data, by the header of the packet; nil if there are too few octets for it.
    @inline(__always)
    func length(_ bytes: borrowing Bytes) -> Int? {
        guard bytes.count >= headerLength else { return nil }
        return switch self {
        case .command, .synchronous: 3 + Int(bytes[2])
        case .event: 2 + Int(bytes[1])
        case .acl: 4 + Int(bytes.uint16(at: 2))
        // Two bits are reserved.
        case .isochronous: 4 + Int(bytes.uint16(at: 2) & 0x3FFF)
        }
    }
}

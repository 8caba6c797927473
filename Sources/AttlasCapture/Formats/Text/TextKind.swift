import AttlasWire

/// The content of a hex dump's lines, where they do not show it.
public enum TextKind: String, CaseIterable, Sendable {
    /// Packets of HCI with their H4 indicator.
    case h4
    /// The same without it.
    case command, acl, event
    /// PDUs of the Attribute Protocol.
    case att

    /// The indicator that the octets lack, 0 if they have one; nil if they are not a packet of this type.
    func missingType(_ octets: [UInt8]) -> UInt8? {
        switch self {
        case .h4: octets.first.flatMap { HCIPacketType(rawValue: $0) } == nil ? nil : 0
        case .command: HCIPacketType.command.rawValue
        case .acl: HCIPacketType.acl.rawValue
        // The headers of L2CAP and of ACL data count 16 bits.
        case .att: octets.count > 0xFFFF - 4 ? nil : HCIPacketType.acl.rawValue
        case .event: HCIPacketType.event.rawValue
        }
    }

    /// Who sends a PDU, when the host is the client: its requests, commands and confirmations. Vol 3, Part F, 3.4.8.
    static func direction(ofPDU octets: [UInt8]) -> Direction {
        switch octets.first {
        case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x1E, 0x20, 0x52, 0xD2: .tx
        default: .rx
        }
    }

    /// A PDU of the Attribute Protocol, or of another channel, in a packet of ACL data, without indicator.
    ///
    /// - Parameter missing: Octets of the PDU that are not there.
    static func packet(of pdu: [UInt8], _ direction: Direction, handle: UInt16, channel: UInt16 = 4, missing: Int = 0)
        -> [UInt8]
    {
        // The flags of a first fragment: Vol 4, Part E, 5.4.2.
        let word = handle | (direction == .rx ? 0x2000 : 0)
        let length = pdu.count + missing
        return [word, UInt16(length + 4), UInt16(length), channel].flatMap(\.littleEndianOctets) + pdu
    }
}

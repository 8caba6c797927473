import AttlasWire

/// The kind of a record in Apple's PacketLogger.
public struct PacketLoggerType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The HCI packet and the way it went; nil for everything else that Apple logs.
    var packet: (type: HCIPacketType, direction: Direction)? {
        switch rawValue {
        case 0x00: (.command, .tx)
        case 0x01: (.event, .rx)
        case 0x02: (.acl, .tx)
        case 0x03: (.acl, .rx)
        case 0x08: (.synchronous, .tx)
        case 0x09: (.synchronous, .rx)
        default: nil
        }
    }

    var direction: Direction {
        switch rawValue {
        case 0x0A: .tx
        case 0x0B: .rx
        default: packet?.direction ?? .unknown
        }
    }

    /// Whether the octets are a line for humans.
    public var isText: Bool { (0xF8...0xFE).contains(rawValue) }

    /// nil for a type that is not known.
    public var name: StaticString? {
        switch rawValue {
        case 0x00: "HCI command"
        case 0x01: "HCI event"
        case 0x02: "ACL data sent"
        case 0x03: "ACL data received"
        case 0x08: "SCO data sent"
        case 0x09: "SCO data received"
        case 0x0A: "LMP sent"
        case 0x0B: "LMP received"
        case 0xF7: "system log"
        case 0xF8: "kernel"
        case 0xF9: "kernel debug"
        case 0xFA: "error"
        case 0xFB: "power"
        case 0xFC: "note"
        case 0xFD: "configuration"
        case 0xFE: "new controller"
        default: nil
        }
    }
}

/// The five kinds of packet between a host and a controller. Core Specification, Vol 4, Part A, 2.
public enum HCIPacketType: UInt8, Sendable {
    case command = 0x01
    case acl = 0x02
    case synchronous = 0x03
    case event = 0x04
    case isochronous = 0x05

    @inlinable
    @inline(__always)
    public init?(rawValue: UInt8) {
        switch rawValue {
        case 0x01: self = .command
        case 0x02: self = .acl
        case 0x03: self = .synchronous
        case 0x04: self = .event
        case 0x05: self = .isochronous
        default: return nil
        }
    }
}

/// Which way a packet went across HCI.
public enum Direction: UInt8, Sendable {
    /// Host to controller.
    case tx
    /// Controller to host.
    case rx
    /// The capture's format does not contain it.
    case unknown
}

/// A connection handle: 12 bits, of which 0x0000–0x0EFF name a link. Vol 4, Part E, 5.3.
public typealias ConnectionHandle = UInt16

extension Direction {
    /// The direction of the answer.
    package var opposite: Direction {
        @inline(__always) get {
            switch self {
            case .tx: .rx
            case .rx: .tx
            case .unknown: .unknown
            }
        }
    }
}

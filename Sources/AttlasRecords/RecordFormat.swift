import AttlasCapture
import AttlasWire

/// A format in which records are written. The raw value is its name on a command line.
package enum RecordFormat: String, CaseIterable, Sendable {
    /// Datalink 2001, as BlueZ writes it.
    case btsnoop
    /// Datalink 1002, as Android writes it.
    case btsnoopH4 = "btsnoop-1002"
    case btsnoopH1 = "btsnoop-1001"
    /// Link type 201, or that of packets from the air.
    case pcap
    /// Link type 254: packets of several adapters.
    case pcapMonitor = "pcap-254"
    case pcapng
    case packetLogger = "packetlogger"
    /// A line of hexadecimal digits for each packet.
    case text

    /// By the suffix of a file's name.
    package init?(path: String) {
        switch path.split(separator: "/").last?.split(separator: ".").last {
        case "btsnoop": self = .btsnoop
        case "pcap": self = .pcap
        case "pcapng": self = .pcapng
        case "pklg": self = .packetLogger
        case "txt": self = .text
        default: return nil
        }
    }

    /// As messages name it.
    package var name: String {
        switch self {
        case .btsnoop, .btsnoopH4, .btsnoopH1: "btsnoop"
        case .pcap, .pcapMonitor: "pcap"
        case .pcapng: "pcapng"
        case .packetLogger: "PacketLogger"
        case .text: "a text"
        }
    }

    var hasComments: Bool { self == .pcapng }
    var hasLosses: Bool {
        switch self {
        case .btsnoop, .btsnoopH4, .btsnoopH1, .pcapng: true
        case .pcap, .pcapMonitor, .packetLogger, .text: false
        }
    }
    /// Whether a record shows how many octets of its packet are missing.
    var hasOriginalLengths: Bool { self != .packetLogger && self != .text }
    /// Whether packets have the number of their adapter.
    var hasAdapters: Bool {
        switch self {
        case .btsnoop, .pcapMonitor, .pcapng: true
        case .btsnoopH4, .btsnoopH1, .pcap, .packetLogger, .text: false
        }
    }

    /// Whether records like this one are written.
    func holds(_ content: Record.Content) -> Bool {
        switch content {
        case .packet(let type):
            switch self {
            case .btsnoopH1: type == .command || type == .event || type == .acl
            case .packetLogger: type != .isochronous
            default: true
            }
        case .unknownPacket: self != .btsnoopH1 && self != .packetLogger && self != .text
        case .monitor: self == .btsnoop || self == .pcapMonitor || self == .pcapng
        case .packetLogger: self == .packetLogger
        case .air, .broken: self == .pcap || self == .pcapng
        }
    }
}

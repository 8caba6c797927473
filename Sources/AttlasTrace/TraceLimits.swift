/// How much a trace remembers. A capture may be of any length and may make up anything, so that every table has an end.
/// Documentation/limits.md has all limits, and the effect of each.
public struct TraceLimits: Sendable {
    /// Live connections; more push out the oldest.
    public var connections = 512
    /// Devices whose tables and names are remembered; at the end the one that has been gone for longest gives way.
    public var peers = 4_096
    /// Attributes of all peers together, and as many of the recorded hosts' servers.
    public var attributes = 262_144
    /// Attributes of one server.
    public var attributesOfAServer = 8_192
    /// Dynamic L2CAP channels of all connections together. One connection has at most `ChannelTable.limit`.
    public var channels = 4_096
    /// Octets that wait for the rest of a frame, an SDU, a long read or a prepared write, of all connections together.
    public var unfinishedOctets = 16 << 20
    /// Connections with separate figures in statistics.
    public var measuredConnections = 4_096

    /// The standard limits (Documentation/limits.md).
    public init() {}

    /// The limits of the command.
    public static let standard = TraceLimits()

    /// Those that a user can set, by the names of `TraceLimit`, with their ranges.
    public static let settable: [(limit: TraceLimit, range: ClosedRange<Int>)] = [
        (.connections, 1...60_000), (.peers, 1...10_000_000), (.attributes, 1...100_000_000),
        (.attributesOfAServer, 1...65_535), (.channels, 1...1_000_000), (.unfinishedOctets, 65_536...1 << 40),
        (.measuredConnections, 1...1_000_000),
    ]

    /// Number of a limit.
    public subscript(_ limit: TraceLimit) -> Int {
        get {
            switch limit {
            case .connections: connections
            case .peers: peers
            case .attributes: attributes
            case .attributesOfAServer: attributesOfAServer
            case .channels: channels
            case .unfinishedOctets: unfinishedOctets
            case .measuredConnections: measuredConnections
            case .uuids: UUIDTable.limit
            case .unconnectedHandles: UnannouncedHandles.limit
            case .identityKeys: IdentityTable.keyLimit
            }
        }
        set {
            switch limit {
            case .connections: connections = newValue
            case .peers: peers = newValue
            case .attributes: attributes = newValue
            case .attributesOfAServer: attributesOfAServer = newValue
            case .channels: channels = newValue
            case .unfinishedOctets: unfinishedOctets = newValue
            case .measuredConnections: measuredConnections = newValue
            case .uuids, .unconnectedHandles, .identityKeys: break
            }
        }
    }
}

/// A limit that a capture reached. Each is reported once.
///
/// To add one: a row in Documentation/limits.md, and in `Attack` an attack that reaches it.
public enum TraceLimit: String, Sendable, CaseIterable {
    case connections
    case peers
    case attributes
    case attributesOfAServer = "attributes-of-a-server"
    case channels
    case unfinishedOctets = "unfinished-octets"
    case measuredConnections = "measured-connections"
    case uuids
    case unconnectedHandles = "unconnected-handles"
    case identityKeys = "identity-keys"

    /// The limited items: "live connections".
    public var what: StaticString {
        switch self {
        case .connections: "live connections"
        case .peers: "remembered peers"
        case .attributes: "attributes of all servers"
        case .attributesOfAServer: "attributes of one server"
        case .channels: "dynamic channels"
        case .unfinishedOctets: "octets of unfinished frames and values"
        case .measuredConnections: "connections with separate figures"
        case .uuids: "different UUIDs"
        case .unconnectedHandles: "handles without a connection"
        case .identityKeys: "Identity Resolving Keys"
        }
    }

    /// The effect beyond the limit.
    public var consequence: StaticString {
        switch self {
        case .connections: "the oldest is treated as ended"
        case .peers: "the peer that has been gone for the longest time is forgotten"
        case .attributes: "tables of peers that have been gone for the longest time are emptied, then no more are added"
        case .attributesOfAServer: "further attributes stay unknown"
        case .channels: "the data of further channels is not decoded"
        case .unfinishedOctets: "the largest are dropped"
        case .measuredConnections: "further ones are measured together"
        case .uuids: "attributes with further UUIDs stay unknown"
        case .unconnectedHandles: "further handles are not treated as connections"
        case .identityKeys: "further keys are not used"
        }
    }
}

/// The limits that were reached, and those that were reported.
struct ReachedLimits: Sendable {
    private var reached: UInt32 = 0
    private var told: UInt32 = 0

    /// Checked after every record.
    var hasNews: Bool { reached != told }

    mutating func note(_ limit: TraceLimit) {
        reached |= Self.bit(limit)
    }

    var all: [TraceLimit] { TraceLimit.allCases.filter { reached & Self.bit($0) != 0 } }

    /// The next limit to report.
    mutating func next() -> TraceLimit? {
        guard let limit = TraceLimit.allCases.first(where: { (reached & ~told) & Self.bit($0) != 0 }) else {
            return nil
        }
        told |= Self.bit(limit)
        return limit
    }

    private static func bit(_ limit: TraceLimit) -> UInt32 {
        1 << UInt32(TraceLimit.allCases.firstIndex(of: limit) ?? 0)
    }
}

import AttlasWire

/// An isochronous stream that has a handle.
public struct IsochronousStream: Sendable, Equatable {
    /// Connected (CIS) or broadcast (BIS).
    public enum Kind: Sendable, Equatable {
        /// CIG_ID and CIS_ID; nil where the capture does not have them.
        case connected(group: UInt8?, stream: UInt8?)
        /// - Parameters:
        ///   - index: BIS_Index; nil where the capture does not have it.
        ///   - train: the number of the periodic advertising train that describes it.
        case broadcast(big: UInt8, index: UInt8?, train: Int?, isOwn: Bool)
    }

    /// Connected (CIS) or broadcast (BIS).
    public let kind: Kind
    /// Number of the controller, as the capture counts them.
    public let controller: UInt16
    /// Connection_Handle of the stream, 0x0000 to 0x0EFF.
    public let handle: ConnectionHandle
    /// Units of 1.25 ms.
    public let isoInterval: UInt16
    /// Parameters of the direction that this host sends; nil where it does not send.
    public let transmit: Way?
    /// Parameters of the direction that this host receives; nil where it does not receive.
    public let receive: Way?

    /// Parameters of one direction.
    public struct Way: Sendable, Equatable {
        /// nil where the capture does not have it.
        public let phy: LEPHY?
        /// Octets.
        public let maxPDU: UInt16
        /// SDU_Interval, in microseconds; nil where the capture does not have it.
        public let sduInterval: UInt32?
        /// Transport latency, in microseconds. A virtual controller gives 0.
        public let transportLatency: UInt32
    }

    /// One number for a controller and a handle.
    package static func key(_ controller: UInt16, _ handle: ConnectionHandle) -> UInt32 {
        LinkTable.key(controller, handle)
    }
    package var key: UInt32 { Self.key(controller, handle) }
}

/// An isochronous stream was set up, or ended.
public enum StreamChange: Sendable {
    case established(IsochronousStream)
    /// LE CIS Established with an error.
    case failed(IsochronousStream.Kind, HCIErrorCode)
    /// nil: the controller was reset, the host gave it up, or something else has its handle.
    case ended(IsochronousStream, HCIErrorCode?)
}

/// The streams that have handles, and facts about those to come.
struct IsochronousStreams: Sendable {
    /// The number of handles of one controller: more are not accepted.
    private static let limit = 4_096

    /// A CIS that a host requested.
    struct Proposal: Sendable {
        /// Handle of its connection.
        var link: ConnectionHandle?
        var group: UInt8?
        var stream: UInt8?
        /// Those of LE Set CIG Parameters.
        var intervals: SDUIntervals?
    }

    /// SDU_Interval of both directions, in microseconds.
    struct SDUIntervals: Sendable {
        let central: UInt32
        let peripheral: UInt32
    }

    /// LE Set CIG Parameters without its answer.
    struct PendingGroup: Sendable {
        /// CIS_ID of each stream.
        let identifiers: [UInt8]
        let intervals: SDUIntervals
    }

    /// A host's request for a BIG.
    struct Group: Sendable {
        var train: Int?
        /// BIS_Index of each stream; empty if they count from 1.
        var indexes: [UInt8] = []
        /// Data of an own group.
        var own: Own?

        struct Own {
            /// Advertising_Handle of the train that announces it.
            let advertisingHandle: UInt8
            /// Microseconds.
            let sduInterval: UInt32
            let maxSDU: UInt16
            let isFramed: Bool
            let isEncrypted: Bool
        }
    }

    private var streams: [UInt32: IsochronousStream] = [:]
    var proposals: [UInt32: Proposal] = [:] {
        didSet { if proposals.count > Self.limit { proposals = [:] } }
    }
    /// By controller, until the answer has the handles of the streams.
    var pendingGroups: [UInt16: PendingGroup] = [:]
    var groups: [UInt32: Group] = [:] {
        didSet { if groups.count > Self.limit { groups = [:] } }
    }

    /// Packets of sent streams that the controller has not completed, and whether it completed any. Streams that a loss may concern are left
    /// out.
    private var inFlight: [UInt32: (packets: Int, isReported: Bool)] = [:]

    static func key(_ controller: UInt16, _ handle: ConnectionHandle) -> UInt32 { LinkTable.key(controller, handle) }

    mutating func insert(_ stream: IsochronousStream) {
        guard streams.count < Self.limit else { return }
        streams[stream.key] = stream
        inFlight[stream.key] = stream.transmit == nil ? nil : (0, false)
    }

    mutating func send(_ controller: UInt16, _ handle: ConnectionHandle) {
        inFlight[Self.key(controller, handle)]?.packets += 1
    }

    mutating func complete(_ controller: UInt16, _ handle: ConnectionHandle, packets: Int) {
        guard let known = inFlight[Self.key(controller, handle)] else { return }
        inFlight[Self.key(controller, handle)] = (max(0, known.packets - packets), true)
    }

    mutating func loseFlights() { inFlight = [:] }

    /// nil if it is not known.
    func packetsInFlight(_ controller: UInt16, _ handle: ConnectionHandle) -> Int? {
        inFlight[Self.key(controller, handle)].flatMap { $0.isReported ? $0.packets : nil }
    }

    mutating func remove(_ controller: UInt16, _ handle: ConnectionHandle) -> IsochronousStream? {
        streams.removeValue(forKey: Self.key(controller, handle))
    }

    /// In the order of their handles.
    mutating func removeAll(of controller: UInt16, where isMeant: (IsochronousStream) -> Bool) -> [IsochronousStream] {
        let ended = streams.values.filter { $0.controller == controller && isMeant($0) }
            .sorted { $0.handle < $1.handle }
        for stream in ended { streams[Self.key(controller, stream.handle)] = nil }
        return ended
    }

    mutating func forget(_ controller: UInt16) {
        proposals = proposals.filter { UInt16($0.key >> 16) != controller }
        groups = groups.filter { UInt16($0.key >> 16) != controller }
        pendingGroups[controller] = nil
    }
}

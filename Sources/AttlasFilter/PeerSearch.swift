import AttlasTrace
import AttlasValues
import AttlasWire

/// The connections and the addresses of the peers that a text names.
public struct PeerSet: Sendable {
    var connections: Set<Int> = []
    var addresses: Set<BluetoothAddress> = []
}

/// Reads a capture for the names of its peers only: a name may come long after the first line that it belongs to.
public struct PeerSearch: EventSink {
    /// A hostile capture can have any number of connections.
    private static let limit = 65_536

    /// Of each connection, by its number, the peer.
    private var peers: [Int: Int] = [:]

    public init() {}

    public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .connection(.made), .connection(.presumed):
            guard let slot = event.connection, peers.count < Self.limit else { return }
            peers[trace.connections[slot].number] = trace.connections[slot].peer
        case .identified(let identification):
            for (number, peer) in peers where peer == identification.previous { peers[number] = identification.peer }
        default: return
        }
    }

    /// The peers whose name contains the text, in any letter case.
    public func peers(named text: String, in trace: borrowing Trace) -> PeerSet {
        let wanted = FoldedText(text)
        let named = trace.peers.map { $0.name.map { FoldedText($0).contains(wanted) } ?? false }
        return PeerSet(
            connections: Set(peers.filter { named.indices.contains($0.value) && named[$0.value] }.map(\.key)),
            addresses: Set(zip(trace.peers, named).filter(\.1).compactMap(\.0.address)))
    }
}

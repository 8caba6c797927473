import AttlasTrace
import AttlasValues
import AttlasWire

/// The connections and the addresses of the peers that a text names.
package struct PeerSet: Sendable {
    var connections: Set<Int> = []
    var addresses: Set<BluetoothAddress> = []
}

/// Reads a capture for the names of its peers only: a name may come long after the first line that it belongs to.
public struct PeerSearch: EventSink {
    /// A hostile capture can have any number of connections.
    private static let limit = 65_536

    /// The numbers of the connections with each peer.
    private var connections: [Int: [Int]] = [:]
    private var count = 0

    package init() {}

    public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .connection(.made), .connection(.presumed):
            guard let slot = event.connection, count < Self.limit else { return }
            count += 1
            connections[trace.connections[slot].peer, default: []].append(trace.connections[slot].number)
        case .identified(let identification):
            guard identification.peer != identification.previous,
                var moved = connections.removeValue(forKey: identification.previous)
            else { return }
            // The shorter list moves.
            if let others = connections.removeValue(forKey: identification.peer) {
                moved = others.count < moved.count ? moved + others : others + moved
            }
            connections[identification.peer] = moved
        default: return
        }
    }

    /// The peers whose name contains the text, in any letter case.
    package func peers(named text: String, in trace: borrowing Trace) -> PeerSet {
        let wanted = FoldedText(text)
        let named = trace.peers.map { $0.name.map { FoldedText($0).contains(wanted) } ?? false }
        return PeerSet(
            connections: Set(named.indices.filter { named[$0] }.flatMap { connections[$0] ?? [] }),
            addresses: Set(zip(trace.peers, named).filter(\.1).compactMap(\.0.address)))
    }
}

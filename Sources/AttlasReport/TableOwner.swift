import AttlasTrace

/// Whose attribute table it is. What is known of a peer's holds in every connection with that peer.
enum TableOwner: Hashable {
    case peer(Int)
    case local(controller: UInt16)

    init(_ server: ServerSide, _ connection: Int, in trace: borrowing Trace) {
        switch server {
        case .peer: self = .peer(trace.connections[connection].peer)
        case .local: self = .local(controller: trace.connections[connection].controller)
        }
    }
}

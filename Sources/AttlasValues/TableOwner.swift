import AttlasTrace

/// The owner of an attribute table. The table of a peer is valid in every connection with that peer.
public enum TableOwner: Hashable, Sendable {
    case peer(Int)
    /// Index into `Trace.controllers`: of the recorded host, or of a central in a capture from the air.
    case local(Int)

    /// Owner of the table that `server` has in a connection; `connection` is an index into `Trace.connections`.
    public init(_ server: ServerSide, _ connection: Int, in trace: borrowing Trace) {
        switch server {
        case .peer: self = .peer(trace.connections[connection].peer)
        case .local: self = .local(trace.connections[connection].controllerIndex)
        }
    }
}

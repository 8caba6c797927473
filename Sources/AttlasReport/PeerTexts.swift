import AttlasTrace
import AttlasWire

/// What an output says of a connection's peer, written once and kept: every line says it.
struct PeerTexts {
    private struct Entry {
        let who: Who
        let text: [UInt8]
    }

    /// All that the text is made of: a peer gets its name when it is read.
    struct Who: Equatable {
        let peer: Int
        let address: BluetoothAddress?
        let privateAddress: BluetoothAddress?
        let name: String?

        init(_ connection: Int, in trace: borrowing Trace) {
            peer = trace.connections[connection].peer
            privateAddress = trace.connections[connection].privateAddress
            address = trace.peerAddress(peer)
            name = trace.peerName(peer)
        }
    }

    private static let count = 256

    private var entries = [Entry?](repeating: nil, count: count)

    func find(_ who: Who) -> [UInt8]? {
        guard let entry = entries[who.peer % Self.count], entry.who == who else { return nil }
        return entry.text
    }

    mutating func keep(_ text: ArraySlice<UInt8>, _ who: Who) {
        entries[who.peer % Self.count] = Entry(who: who, text: Array(text))
    }
}

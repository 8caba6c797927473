import AttlasTrace
import AttlasWire

/// The devices of the connections that were written, by separate numbers: the trace gives an index to another device when it
/// has too many.
struct TablePeers {
    /// Further devices have no number.
    static let limit = 65_536

    struct Peer {
        var address: BluetoothAddress?
        var name: String?
        var sameAs: Int?
    }

    private struct Key: Hashable {
        let address: BluetoothAddress?
        /// The trace's index, for a device with an unknown address.
        let index: Int
    }

    /// Number 1 first.
    private(set) var all: [Peer] = []
    private var numbers: [Key: Int] = [:]

    /// The number of the trace's peer.
    mutating func number(of index: Int, in trace: borrowing Trace) -> Int? {
        number(of: trace.peerAddress(index), index, trace.peerName(index))
    }

    private mutating func number(of address: BluetoothAddress?, _ index: Int, _ name: String?) -> Int? {
        let key = Key(address: address, index: address == nil ? index : 0)
        if let number = numbers[key] {
            if let name { all[number - 1].name = name }
            return number
        }
        guard all.count < Self.limit else { return nil }
        all.append(Peer(address: address, name: name))
        numbers[key] = all.count
        return all.count
    }

    /// A device turned out to be another one, or to have that address.
    mutating func note(_ identification: PeerIdentification, in trace: borrowing Trace) {
        let address = identification.privateAddress
        let key = Key(address: address, index: address == nil ? identification.previous : 0)
        guard let known = numbers[key], let number = number(of: identification.peer, in: trace), number != known else {
            return
        }
        all[known - 1].sameAs = number
    }
}

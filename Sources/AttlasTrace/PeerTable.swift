import AttlasCapture
import AttlasWire

/// A device that the recorded host was connected with.
public struct Peer: Sendable {
    /// nil when the making of the connection was not captured.
    public let address: BluetoothAddress?
    public internal(set) var name: String?
    /// What its GATT server holds, from all connections with it.
    public internal(set) var table = AttributeTable()
    /// The MTU in force last.
    public internal(set) var mtu = Bearer.defaultMTU
    /// Connections that are alive now.
    var connections = 0
    /// The frame in which it was last seen to connect.
    var lastConnected = 0
}

/// The peers met so far. A peer met again is the same when its address is.
///
/// At `limit` peers the one whose last connection is longest ago gives way.
struct PeerTable: Sendable {
    static let limit = 4_096

    private(set) var peers: [Peer] = []
    private var indexes: [BluetoothAddress: Int] = [:]
    /// Names from advertising, of devices that are not peers yet.
    private var advertisedNames: [BluetoothAddress: String] = [:]

    subscript(_ index: Int) -> Peer {
        get { peers[index] }
        _modify { yield &peers[index] }
    }

    mutating func connect(_ address: BluetoothAddress?, frame: Int) -> Int {
        let index: Int
        if let address, let known = indexes[address] {
            index = known
        } else {
            var peer = Peer(address: address)
            if let address { peer.name = advertisedNames.removeValue(forKey: address) }
            index = insert(peer)
            if let address { indexes[address] = index }
        }
        peers[index].connections += 1
        peers[index].lastConnected = frame
        return index
    }

    mutating func disconnect(_ index: Int) {
        peers[index].connections -= 1
    }

    private mutating func insert(_ peer: Peer) -> Int {
        guard peers.count >= Self.limit else {
            peers.append(peer)
            return peers.count - 1
        }
        var oldest: Int?
        for index in peers.indices where peers[index].connections == 0 {
            if oldest.map({ peers[index].lastConnected < peers[$0].lastConnected }) ?? true { oldest = index }
        }
        // There are fewer live connections than peers, so one can always go.
        guard let oldest else { preconditionFailure("more connections than peers") }
        if let address = peers[oldest].address { indexes[address] = nil }
        peers[oldest] = peer
        return oldest
    }

    /// A name from advertising or from the device itself.
    mutating func name(_ address: BluetoothAddress, _ name: String) {
        if let index = indexes[address] {
            if peers[index].name != name { peers[index].name = name }
            return
        }
        // Private addresses change every few minutes: an endless log sees any number of them.
        if advertisedNames.count >= Self.limit { advertisedNames.removeAll(keepingCapacity: true) }
        advertisedNames[address] = name
    }
}

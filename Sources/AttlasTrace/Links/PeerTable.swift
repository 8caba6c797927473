import AttlasCapture
import AttlasWire

/// A device that the recorded host was connected with.
public struct Peer: Sendable {
    /// The attributes of its GATT server, from all connections with it.
    public internal(set) var table = AttributeTable()
    /// nil when the connection setup was not captured.
    public internal(set) var address: BluetoothAddress?
    /// Where the device is now, when it turned out to be one that had been met under another address: this is empty then.
    public internal(set) var mergedInto: Int?
    /// Device name that the peer reported or advertised; nil if unknown.
    public internal(set) var name: String?
    /// The MTU in force last; at least so much if it is not known.
    public internal(set) var mtu = Bearer.defaultMTU
    /// The capture holds an exchange of the MTU, or the whole connection.
    public internal(set) var isMTUKnown = false
    /// Connections that are alive now, and those of them that have their slots.
    var connections = 0
    var slots: [Int] = []
    /// Which of all partings was its last one; 0 before the first.
    var parted = 0
    /// Whether an imported table was looked for: once, because one that was dropped must not come back.
    var isImportSettled = false
}

/// The peers met so far. A peer met again is the same when its address is.
///
/// At `limit` peers the one that has been gone for longest gives way.
struct PeerTable: Sendable {
    private let limit: Int
    /// Entries of all tables together.
    private let attributeLimit: Int

    /// Whether a peer was forgotten; whether attributes were forgotten or refused.
    private(set) var hasForgotten = false
    private(set) var hasRefused = false
    /// How many partings there had been when no table could be emptied: before the next one there is no other.
    private var exhaustedAt: Int?

    private(set) var peers = PagedArray<Peer>()
    private var indexes: [BluetoothAddress: Int] = [:]
    /// Names from advertising, of devices that are not peers yet.
    private var advertisedNames: [BluetoothAddress: String] = [:]
    private(set) var attributeCount = 0
    private var partings = 0
    private var gone = OldestFirst()

    init(limit: Int = TraceLimits.standard.peers, attributeLimit: Int = TraceLimits.standard.attributes) {
        self.limit = limit
        self.attributeLimit = attributeLimit
    }

    subscript(_ index: Int) -> Peer {
        get { peers[index] }
        @inline(__always) _modify { yield &peers[index] }
    }

    /// - Parameter alias: The peer's address on the air.
    mutating func connect(_ address: BluetoothAddress?, alias: BluetoothAddress?) -> Int {
        let index: Int
        if let address, let known = indexes[address] {
            index = known
        } else {
            var peer = Peer(address: address)
            if let alias { peer.name = advertisedNames.removeValue(forKey: alias) }
            if let address, let name = advertisedNames.removeValue(forKey: address) { peer.name = name }
            index = insert(peer)
            if let address { indexes[address] = index }
        }
        peers[index].connections += 1
        return index
    }

    func index(of address: BluetoothAddress) -> Int? { indexes[address] }

    mutating func disconnect(_ index: Int, _ slot: Int) {
        peers[index].slots.removeAll { $0 == slot }
        peers[index].connections -= 1
        if peers[index].connections == 0 { part(index) }
    }

    private mutating func part(_ index: Int) {
        partings += 1
        peers[index].parted = partings
        gone.note(index, stamp: partings) { peers[$0].parted == $1 }
    }

    /// Gives a peer the address that it is known by from now on. Returns its index: that of the peer which has this
    /// address already, if there is one.
    mutating func identify(_ index: Int, as address: BluetoothAddress) -> Int {
        if let old = peers[index].address { indexes[old] = nil }
        guard let known = indexes[address], known != index else {
            indexes[address] = index
            peers[index].address = address
            // There may be a table for this address.
            peers[index].isImportSettled = peers[index].table.hasImported
            if let name = advertisedNames.removeValue(forKey: address) { peers[index].name = name }
            return index
        }
        let met = peers[index]
        peers[known].connections += met.connections
        peers[known].slots += met.slots
        peers[known].name = met.name ?? peers[known].name
        if met.connections > 0 {
            peers[known].mtu = met.mtu
            peers[known].isMTUKnown = met.isMTUKnown
        }
        peers[index] = Peer(address: nil)
        peers[index].mergedInto = known
        attributeCount -= met.table.heldCount
        withTable(known) { $0.merge(met.table) }
        // Its place can be used again.
        part(index)
        return known
    }

    private mutating func insert(_ peer: Peer) -> Int {
        guard peers.count >= limit else {
            peers.append(peer)
            return peers.count - 1
        }
        // There are fewer live connections than peers, so one can always go.
        guard let oldest = gone.removeOldest(stands: { peers[$0].connections == 0 && peers[$0].parted == $1 }) else {
            preconditionFailure("more connections than peers")
        }
        hasForgotten = true
        if let address = peers[oldest].address { indexes[address] = nil }
        attributeCount -= peers[oldest].table.heldCount
        peers[oldest] = peer
        return oldest
    }

    /// Changes a peer's table. When all tables together are too large, those of the peers that were not met for longest
    /// are emptied; when there is none of these, tables take no more.
    mutating func withTable(_ index: Int, _ change: (inout AttributeTable) -> Void) {
        if attributeCount >= attributeLimit { emptyTables(but: index) }
        let before = peers[index].table.heldCount
        peers[index].table.isClosed = attributeCount >= attributeLimit
        change(&peers[index].table)
        attributeCount += peers[index].table.heldCount - before
    }

    private mutating func emptyTables(but index: Int) {
        hasRefused = true
        guard exhaustedAt != partings else { return }
        let unmet = peers.indices.filter { $0 != index && peers[$0].connections == 0 && peers[$0].table.heldCount > 0 }
        for index in unmet.sorted(by: { peers[$0].parted < peers[$1].parted }) {
            attributeCount -= peers[index].table.heldCount
            peers[index].table = AttributeTable()
            if attributeCount <= attributeLimit / 2 { return }
        }
        exhaustedAt = partings
    }

    /// A name that the device goes by; a shortened one counts as long as there is no other.
    mutating func name(_ address: BluetoothAddress, _ text: Bytes, isShortened: Bool) {
        let index = indexes[address]
        let known = if let index { peers[index].name } else { advertisedNames[address] }
        // Most devices repeat their name many times a second.
        if let known, isShortened || text.isText(known) { return }
        guard let name = text.name else { return }
        if let index {
            peers[index].name = name
            return
        }
        // Private addresses change every few minutes: an endless log sees any number of them.
        if advertisedNames.count >= limit { advertisedNames.removeAll(keepingCapacity: true) }
        advertisedNames[address] = name
    }
}

extension Bytes {
    /// The octets as the name of a device: UTF-8, up to 248 octets (Core Specification, Vol 3, Part C, 12.1), without the zeros that some
    /// devices pad with; nil if they are not a name.
    var name: String? {
        guard let text, !text.isEmpty, text.utf8.count <= 248 else { return nil }
        return text
    }

    /// The octets as UTF-8 without the zeros at their end; nil if they are not UTF-8.
    var text: String? {
        let octets = slice(0..<countWithoutPadding).copy()
        guard let text = try? UTF8Span(validating: octets.span) else { return nil }
        return String(copying: text)
    }

    fileprivate func isText(_ text: String) -> Bool {
        var offset = 0
        let end = countWithoutPadding
        for unit in text.utf8 {
            guard offset < end, self[offset] == unit else { return false }
            offset += 1
        }
        return offset == end
    }

    private var countWithoutPadding: Int {
        var end = count
        while end > 0, self[end - 1] == 0 { end -= 1 }
        return end
    }
}

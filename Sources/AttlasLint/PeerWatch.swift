import AttlasCapture
import AttlasTrace
import AttlasWire

/// The rules' memory of devices over their connections.
struct PeerWatch {
    /// Devices beyond this number are not watched.
    private static let limit = 4_096

    private static let mostSubscriptions = 32

    private struct Discovery {
        var connection: Int
        var frame: Int
        var isBonded = false
    }

    private struct Appearance {
        var first: Timestamp
        var frame: Int
    }

    private var discoveries: [BluetoothAddress: Discovery] = [:]
    private var subscriptions: [BluetoothAddress: [ServerSide: [AttributeHandle: Int]]] = [:]
    private var rows: [BluetoothAddress: Row] = [:]
    private var pairings: [BluetoothAddress: Pairings] = [:]
    private var passkeys: [BluetoothAddress: (passkey: UInt32, frame: Int)] = [:]
    /// Who distributed each Identity Resolving Key first. Only compared: they are secrets.
    private var identityKeys: [UInt128: (address: BluetoothAddress, frame: Int)] = [:]
    /// Handles between services that one response lists, and its frame: at most `mostSubscriptions`.
    private var gaps: [BluetoothAddress: [Gap]] = [:]
    private var appearances: [BluetoothAddress: Appearance] = [:]
    /// Devices that connected.
    private var connected: Set<BluetoothAddress> = []
    /// Devices of which the practice rules have spoken.
    private var judged: Set<BluetoothAddress> = []

    /// Whether it connected before.
    mutating func hasConnected(_ peer: BluetoothAddress) -> Bool {
        connected.contains(peer) || connected.count < Self.limit && !connected.insert(peer).inserted
    }

    // MARK: Discovery

    mutating func noteDiscovery(of peer: BluetoothAddress, connection: Int, frame: Int) {
        if discoveries[peer] == nil, discoveries.count < Self.limit {
            discoveries[peer] = Discovery(connection: connection, frame: frame)
        }
    }

    mutating func noteBond(with peer: BluetoothAddress) {
        discoveries[peer]?.isBonded = true
    }

    mutating func forgetDiscovery(of peer: BluetoothAddress) {
        discoveries[peer] = nil
    }

    /// The frame in which all services of a bonded device were discovered in an earlier connection.
    func discovery(of peer: BluetoothAddress, before connection: Int) -> Int? {
        guard let known = discoveries[peer], known.isBonded, known.connection < connection else { return nil }
        return known.frame
    }

    struct Gap {
        let handles: ClosedRange<AttributeHandle>
        let frame: Int
    }

    /// A response with services: it replaces what is known of its handles.
    mutating func note(_ new: [Gap], among handles: ClosedRange<AttributeHandle>, of peer: BluetoothAddress) {
        guard gaps[peer] != nil || !new.isEmpty && gaps.count < Self.limit else { return }
        let others = (gaps[peer] ?? []).filter { !$0.handles.overlaps(handles) }
        gaps[peer] = Array((others + new).suffix(Self.mostSubscriptions))
    }

    func gaps(of peer: BluetoothAddress) -> [Gap] { gaps[peer] ?? [] }

    /// Whether it is the first time that a device is judged.
    mutating func isNew(_ peer: BluetoothAddress) -> Bool {
        judged.count < Self.limit && judged.insert(peer).inserted
    }

    // MARK: Ends

    /// Ends of connections in a row, when they are alike.
    struct Row {
        enum Kind { case notEstablished, timedOut }

        let kind: Kind
        let frame: Int
        var count = 0
    }

    /// The row that this end belongs to.
    mutating func noteEnd(of peer: BluetoothAddress, _ kind: Row.Kind, frame: Int) -> Row? {
        guard rows[peer] != nil || rows.count < Self.limit else { return nil }
        var row = rows[peer].flatMap { $0.kind == kind ? $0 : nil } ?? Row(kind: kind, frame: frame)
        row.count += 1
        rows[peer] = row
        return row
    }

    /// Whether there was anything to forget.
    mutating func forgetEnds() -> Bool {
        defer { (rows, pairings) = ([:], [:]) }
        return !rows.isEmpty || !pairings.isEmpty
    }

    mutating func forgetEnds(of peer: BluetoothAddress) {
        rows[peer] = nil
    }

    // MARK: Pairings

    /// Connections in a row in which the devices paired.
    struct Pairings {
        var connection: Int
        let frame: Int
        var count = 1
    }

    mutating func notePairing(with peer: BluetoothAddress, connection: Int, frame: Int) -> Pairings? {
        guard var known = pairings[peer] else {
            if pairings.count < Self.limit { pairings[peer] = Pairings(connection: connection, frame: frame) }
            return nil
        }
        guard known.connection != connection else { return nil }
        known.connection = connection
        known.count += 1
        pairings[peer] = known
        return known
    }

    mutating func forgetPairings(of peer: BluetoothAddress) {
        pairings[peer] = nil
    }

    /// The frame in which the device paired with the same passkey before.
    mutating func note(_ passkey: UInt32, of peer: BluetoothAddress, frame: Int) -> Int? {
        guard passkeys[peer] != nil || passkeys.count < Self.limit else { return nil }
        defer { passkeys[peer] = (passkey, frame) }
        return passkeys[peer].flatMap { $0.passkey == passkey ? $0.frame : nil }
    }

    /// Another device with the same Identity Resolving Key, and where it was distributed.
    mutating func note(
        identityKey: UInt128, of address: BluetoothAddress, frame: Int
    ) -> (address: BluetoothAddress, frame: Int)? {
        guard let known = identityKeys[identityKey] else {
            if identityKeys.count < Self.limit { identityKeys[identityKey] = (address, frame) }
            return nil
        }
        return known.address == address ? nil : known
    }

    // MARK: Subscriptions

    /// The frames of subscriptions by which values came, by the handles of the values.
    func subscriptions(of peer: BluetoothAddress, _ server: ServerSide) -> [AttributeHandle: Int] {
        subscriptions[peer]?[server] ?? [:]
    }

    mutating func note(_ heard: [AttributeHandle: Int], of peer: BluetoothAddress, _ server: ServerSide) {
        guard subscriptions[peer] != nil || subscriptions.count < Self.limit else { return }
        let kept = heard.sorted { $0.key < $1.key }.prefix(Self.mostSubscriptions)
        subscriptions[peer, default: [:]][server] = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    mutating func forgetSubscriptions(of peer: BluetoothAddress) {
        subscriptions[peer] = nil
    }

    // MARK: Addresses

    /// Since when an address advertises, in nanoseconds, and its first frame.
    mutating func note(_ address: BluetoothAddress, frame: Int, _ time: Timestamp) -> (age: Int64, frame: Int)? {
        guard let known = appearances[address] else {
            if appearances.count < Self.limit { appearances[address] = Appearance(first: time, frame: frame) }
            return nil
        }
        return (time.nanoseconds(since: known.first), known.frame)
    }

    mutating func forgetTimes() {
        appearances = [:]
    }
}

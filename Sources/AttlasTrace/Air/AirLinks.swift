import AttlasWire

/// Access Address → link, and facts about the other Access Addresses. Core Specification, Vol 6, Part B, 2.1.2.
struct AirLinks: Sendable {
    /// More than are alive in any room.
    static let centralLimit = 1_024
    /// Limit for each kind of Access Address that is not a link's: when reached, they are forgotten.
    static let otherLimit = 1_024

    private var links: [UInt32: Int] = [:]
    private(set) var states: [AirLink] = []
    private var freeStates: [Int] = []
    /// Links looked up last, by a few bits of their Access Addresses, which are random; 0 is no link.
    private var recent = [Recent](repeating: Recent(accessAddress: 0, state: 0), count: 64)

    private struct Recent: Sendable {
        let accessAddress: UInt32
        let state: Int
    }
    /// Where the GATT server of each central is kept, by its address.
    var centrals: [BluetoothAddress?: Int] = [:]
    private var channels: [UInt32: AirChannel] = [:]
    private var ended: Set<UInt32> = []
    private var candidates: [UInt32: UInt32] = [:]
    var advertising = AirAdvertising()
    /// Sides whose sequence numbers never change in a connection of this capture.
    private(set) var constantSides: (central: Bool, peripheral: Bool) = (false, false)

    var count: Int { links.count }
    var liveSlots: [Int] { links.values.map { states[$0].slot } }

    mutating func slot(_ accessAddress: UInt32) -> Int? {
        state(accessAddress).map { states[$0].slot }
    }

    /// Where the state of a link is.
    @inline(__always)
    mutating func state(_ accessAddress: UInt32) -> Int? {
        let known = recent[Int(accessAddress % 64)]
        if known.accessAddress == accessAddress, accessAddress != 0 { return known.state }
        return lookUp(accessAddress)
    }

    func encryption(_ accessAddress: UInt32) -> AirEncryption? {
        links[accessAddress].flatMap { states[$0].encryption }
    }

    @inline(never)
    private mutating func lookUp(_ accessAddress: UInt32) -> Int? {
        guard let state = links[accessAddress] else { return nil }
        recent[Int(accessAddress % 64)] = Recent(accessAddress: accessAddress, state: state)
        return state
    }

    private mutating func forget(_ accessAddress: UInt32) {
        recent[Int(accessAddress % 64)] = Recent(accessAddress: 0, state: 0)
    }

    subscript(_ state: Int) -> AirLink {
        @inline(__always) _read { yield states[state] }
        @inline(__always) _modify { yield &states[state] }
    }

    mutating func insert(_ link: AirLink, slot: Int) {
        var link = link
        link.slot = slot
        link.presumeConstant(central: constantSides.central, peripheral: constantSides.peripheral)
        ended.remove(link.accessAddress)
        channels[link.accessAddress] = nil
        candidates[link.accessAddress] = nil
        if let free = freeStates.popLast() {
            states[free] = link
            links[link.accessAddress] = free
        } else {
            links[link.accessAddress] = states.count
            states.append(link)
        }
        forget(link.accessAddress)
    }

    mutating func remove(_ accessAddress: UInt32) {
        guard let state = links.removeValue(forKey: accessAddress) else { return }
        states[state].encryption = nil
        freeStates.append(state)
        forget(accessAddress)
        if ended.count >= Self.otherLimit { ended.removeAll(keepingCapacity: true) }
        ended.insert(accessAddress)
    }

    /// Whether that side was not known before.
    mutating func noteConstant(_ side: Direction) -> Bool {
        let isKnown = side == .tx ? constantSides.central : constantSides.peripheral
        if side == .tx { constantSides.central = true } else { constantSides.peripheral = true }
        return !isKnown
    }

    /// The live link between these two.
    func slot(central: BluetoothAddress, peripheral: BluetoothAddress) -> Int? {
        links.values.first { states[$0].central == central && states[$0].peripheral == peripheral }
            .map { states[$0].slot }
    }

    // MARK: What is no link

    func hasEnded(_ accessAddress: UInt32) -> Bool { ended.contains(accessAddress) }

    func channel(_ accessAddress: UInt32) -> AirChannel? { channels[accessAddress] }

    mutating func note(_ accessAddress: UInt32, _ channel: AirChannel) {
        if channels.count >= Self.otherLimit { channels.removeAll(keepingCapacity: true) }
        channels[accessAddress] = channel
    }

    /// Whether the packet before had the same CRCInit: then the Access Address is not noise.
    mutating func confirms(_ accessAddress: UInt32, crcInit: UInt32) -> Bool {
        if candidates[accessAddress] == crcInit { return true }
        if candidates.count >= Self.otherLimit { candidates.removeAll(keepingCapacity: true) }
        candidates[accessAddress] = crcInit
        return false
    }
}

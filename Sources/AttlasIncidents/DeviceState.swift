import AttlasCapture
import AttlasTrace
import AttlasWire

/// State of devices, kept between their connections. At most `limit`: further ones are not followed.
struct DeviceStates {
    static let limit = 1_024
    static let watchLimit = 16
    static let attemptLimit = 64

    /// A device that the host tries to reach, or lost.
    struct Watched {
        let address: BluetoothAddress
        let since: Moment
        /// The host's commands to connect to it, from the first: at most `attemptLimit`.
        var attempts: [Moment] = []
        /// The incident by which it was lost; nil for an attempt.
        let lostFrame: Int?
        var heard = 0
        var firstHeard: Moment?
        var lastHeard: Moment?
        var rssi: Int8?
    }

    /// A Long Term Key of Encryption Information. Core Specification, Vol 3, Part H, 3.6.2.
    struct DistributedKey {
        let sender: Direction
        let key: UInt128
        let frame: Int
    }

    /// The end of a connection whose last ATT PDU was a write, or its response.
    struct Ending {
        let handle: AttributeHandle
        let begun: Moment
        let write: Moment
        let moment: Moment
        /// Nanoseconds from the write to the end.
        let delay: Int64
        let isLoss: Bool
        let name: String

        func equals(_ other: Ending, within spread: Int64) -> Bool {
            handle == other.handle && isLoss == other.isLoss && abs(delay - other.delay) <= spread
        }
    }

    struct State {
        /// Subscriptions by which values came, of the connection before.
        var subscriptions: [LinkState.Subscribed] = []
        /// The frame of the pairing that bonded it.
        var bonded: Int?
        /// A pairing whose connection ended before a side had sent its identity: where it began, and the side.
        var unfinished: (frame: Int, side: Direction)?
        /// Frames of failed pairings: at most `attemptLimit`.
        var failedPairings: [Int] = []
        /// Long Term Keys that were distributed. Only compared: they are secrets.
        var keys: [DistributedKey] = []
        /// The last key under which the peer's PDUs were decrypted. Only compared.
        var workedKey: UInt128?
        /// The frame of an Identity Resolving Key of zeros.
        var zeroIdentityKey: Int?
        /// Steady streams of the connection before, until it ended.
        var streams: [ValueStream] = []
        /// Attempts in a row that the host cancelled.
        var cancelled: [(moment: Moment, duration: Int64?)] = []
        /// When the last connections began.
        var begun: [Moment] = []
        /// How long its last connections lasted that the same side closed: at most `attemptLimit`.
        var lifetimes: [(party: ConnectionChange.Party, moment: Moment, duration: Int64)] = []
        /// The last ends in a row that came in the same time after the same write: at most `attemptLimit`.
        var endings: [Ending] = []
        /// A Security Request after which the host closed the connection at once.
        var closedAtRequest: Moment?
        var hasConnected = false
        /// The images that it runs, by their numbers: at most 8.
        var images: [RunningImage] = []
    }

    private var states: [BluetoothAddress: State] = [:]
    private(set) var heard = HeardAddresses()
    /// The private addresses that identities used last, and where: at most `attemptLimit`.
    private(set) var resolved: [BluetoothAddress: (address: BluetoothAddress, frame: Int)] = [:]
    private(set) var watched: [Watched] = []
    /// Devices that the host called with the legacy command last: at most `attemptLimit`.
    private(set) var calledByLegacy: Set<BluetoothAddress> = []
    /// Addresses of connected peers: at most `watchLimit`.
    private var connected: [(address: BluetoothAddress, slot: Int)] = []

    /// Asked for each advertisement.
    var isWatching: Bool { !watched.isEmpty || !connected.isEmpty }

    subscript(_ address: BluetoothAddress) -> State? {
        get { states[address] }
        set {
            guard states[address] != nil || states.count < Self.limit else { return }
            states[address] = newValue
        }
    }

    mutating func change(_ address: BluetoothAddress, _ apply: (inout State) -> Void) {
        var state = self[address] ?? State()
        apply(&state)
        self[address] = state
    }

    /// The device was known by a private address.
    mutating func rename(_ address: BluetoothAddress, to identity: BluetoothAddress) {
        guard var state = states.removeValue(forKey: address) else { return }
        // Not by its identity.
        state.hasConnected = false
        if states[identity] == nil { states[identity] = state }
    }

    var addresses: [BluetoothAddress] { states.keys.sorted { $0.value < $1.value } }

    mutating func watch(_ address: BluetoothAddress, since moment: Moment, lostFrame: Int? = nil) {
        var new = Watched(address: address, since: moment, lostFrame: lostFrame)
        if let index = watched.firstIndex(where: {
            $0.address == address && ($0.lostFrame == nil) == (lostFrame == nil)
        }) {
            new.attempts = watched.remove(at: index).attempts
        }
        if lostFrame == nil, new.attempts.count < Self.attemptLimit { new.attempts.append(moment) }
        if watched.count == Self.watchLimit { watched.removeFirst() }
        watched.append(new)
    }

    /// The host calls the device.
    mutating func call(_ address: BluetoothAddress, isLegacy: Bool, _ moment: Moment) {
        watch(address, since: moment)
        if !isLegacy {
            calledByLegacy.remove(address)
        } else if calledByLegacy.count < Self.attemptLimit {
            calledByLegacy.insert(address)
        }
    }

    mutating func unwatch(_ address: BluetoothAddress) { watched.removeAll { $0.address == address } }

    mutating func connect(_ address: BluetoothAddress, _ slot: Int) {
        if connected.count < Self.watchLimit { connected.append((address, slot)) }
    }

    mutating func disconnect(_ slot: Int) { connected.removeAll { $0.slot == slot } }

    /// The index of the connection whose peer advertises.
    func connection(advertisedBy report: AdvertisingReport) -> Int? {
        guard report.isConnectable, !report.isScanResponse, let address = report.identity ?? report.address else {
            return nil
        }
        return connected.first { $0.address == address }?.slot
    }

    /// Called for each advertisement.
    @inline(__always)
    mutating func note(_ report: AdvertisingReport, _ event: borrowing Event) {
        guard let address = report.address, !report.isInquiryResponse else { return }
        heard.note(address, report, event.frame)
        if let identity = report.identity, identity != address,
            resolved[identity] != nil || resolved.count < Self.attemptLimit
        {
            resolved[identity] = (address, event.frame)
        }
    }

    mutating func hear(_ report: AdvertisingReport, _ event: borrowing Event) {
        guard let address = report.identity ?? report.address else { return }
        for index in watched.indices where watched[index].address == address {
            watched[index].heard += 1
            watched[index].rssi = report.rssi ?? watched[index].rssi
            let moment = Moment(event)
            if watched[index].firstHeard == nil { watched[index].firstHeard = moment }
            watched[index].lastHeard = moment
        }
    }
}

/// The devices that advertised last, by the digits of their addresses. When two share a place, the later one is kept.
struct HeardAddresses {
    private struct Place {
        var digits: UInt64 = .max
        var counts = (publicOnes: 0, randomOnes: 0)
        var frame = 0
        /// Heard with legacy PDUs.
        var isLegacy = false
        /// The Flags of the public one.
        var flags: UInt8?
    }

    private static let count = 1_024
    private var places: [Place] = []

    private func index(_ digits: UInt64) -> Int { Int((digits ^ digits >> 24) % UInt64(Self.count)) }

    mutating func note(_ address: BluetoothAddress, _ report: borrowing AdvertisingReport, _ frame: Int) {
        if places.isEmpty { places = Array(repeating: Place(), count: Self.count) }
        let index = index(address.value)
        if places[index].digits != address.value { places[index] = Place(digits: address.value) }
        if address.isRandom {
            places[index].counts.randomOnes += 1
        } else {
            places[index].counts.publicOnes += 1
            places[index].flags = report.data.flags ?? places[index].flags
        }
        places[index].frame = frame
        if report.hasLegacyPDU { places[index].isLegacy = true }
    }

    /// Whether a device that was heard had no legacy PDUs.
    func isExtendedOnly(_ address: BluetoothAddress) -> Bool {
        guard !places.isEmpty, case let place = places[index(address.value)] else { return false }
        return place.digits == address.value && !place.isLegacy
    }

    /// Where a public address was heard last, and its Flags.
    func heard(_ address: BluetoothAddress) -> (frame: Int, flags: UInt8?)? {
        guard !places.isEmpty, case let place = places[index(address.value)], place.digits == address.value,
            place.counts.publicOnes > 0
        else { return nil }
        return (place.frame, place.flags)
    }

    /// Where a device with this address was heard last.
    func frame(of address: BluetoothAddress) -> Int? {
        guard !places.isEmpty, case let place = places[index(address.value)], place.digits == address.value else {
            return nil
        }
        return (address.isRandom ? place.counts.randomOnes : place.counts.publicOnes) > 0 ? place.frame : nil
    }

    /// How often a device with these digits and the other type was heard, and where last; nil if it was heard with this type, or not at all.
    func other(than address: BluetoothAddress) -> (count: Int, frame: Int)? {
        guard !places.isEmpty else { return nil }
        let place = places[index(address.value)]
        guard place.digits == address.value else { return nil }
        let (own, other) =
            address.isRandom
            ? (place.counts.randomOnes, place.counts.publicOnes) : (place.counts.publicOnes, place.counts.randomOnes)
        return own == 0 && other > 0 ? (other, place.frame) : nil
    }
}

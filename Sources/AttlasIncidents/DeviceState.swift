import AttlasCapture
import AttlasTrace
import AttlasWire

/// What is remembered of devices between their connections. At most `limit`: further ones are not followed.
struct DeviceStates {
    static let limit = 1_024
    static let watchLimit = 16
    static let attemptLimit = 64

    /// A device that the host tries to reach, or lost.
    struct Watched {
        let address: BluetoothAddress
        let since: Moment
        /// The incident by which it was lost; nil of an attempt.
        let lostFrame: Int?
        var heard = 0
        var firstHeard: Moment?
        var lastHeard: Moment?
        var rssi: Int8?
    }

    struct State {
        /// Subscriptions by which values came, of the connection before.
        var subscriptions: [LinkState.Subscribed] = []
        /// The frame of the pairing that bonded it.
        var bonded: Int?
        /// Attempts in a row that the host cancelled.
        var cancelled: [(moment: Moment, duration: Int64?)] = []
        /// When the last connections began.
        var begun: [Moment] = []
        var hasConnected = false
    }

    private var states: [BluetoothAddress: State] = [:]
    private(set) var watched: [Watched] = []
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

    var addresses: [BluetoothAddress] { states.keys.sorted { $0.value < $1.value } }

    mutating func watch(_ address: BluetoothAddress, since moment: Moment, lostFrame: Int? = nil) {
        if let index = watched.firstIndex(where: {
            $0.address == address && ($0.lostFrame == nil) == (lostFrame == nil)
        }) {
            watched.remove(at: index)
        }
        if watched.count == Self.watchLimit { watched.removeFirst() }
        watched.append(Watched(address: address, since: moment, lostFrame: lostFrame))
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

/// What is remembered of a controller.
struct ControllerState {
    let number: UInt16
    /// Commands that wait for Command Status or Command Complete: at most `limit`.
    var commands: [(opcode: HCIOpcode, moment: Moment)] = []
    /// Whether any command was answered: a log may have no such events.
    var hasAnswers = false
    /// The last command that switches scanning or advertising, and whether it switches on.
    var switched: (opcode: HCIOpcode, isOn: Bool)?

    static let limit = 32
}

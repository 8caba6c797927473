import AttlasCapture
import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// One connection's events, from its setup, or the first sign of it, to its end.
package struct ConnectionLife: Sendable {
    /// Steps that are kept of one connection.
    static let stepLimit = 256
    /// The same where there are very many connections.
    static let shortStepLimit = 16

    package let number: Int
    package let controller: UInt16
    package let handle: ConnectionHandle
    /// Access Address of a connection captured from the air, where `isCentral` means nothing: the central is in the host's place.
    package let accessAddress: UInt32?
    package let central: BluetoothAddress?
    /// Radio figures of a connection captured from the air.
    package internal(set) var radio: RadioFigures?
    /// When the peer was first heard to advertise since its connection before.
    package internal(set) var advertisedSince: Timestamp?
    package let transport: Connection.Transport
    /// The host's role; nil if the connection setup was not captured.
    package let isCentral: Bool?
    /// When it was made, or first seen.
    package let begun: Moment
    /// Whether its making is in the log.
    package let hasBeginning: Bool
    private let isWhole: Bool
    package internal(set) var peer: PeerName
    /// In the order of their times. The first is the connection setup, if that was captured.
    package private(set) var steps: [Step] = []
    /// The number of steps that are not kept.
    package private(set) var stepsLeftOut = 0
    /// nil when the connection outlived the capture.
    package internal(set) var end: End?
    /// When the peer's connection before this one ended.
    package internal(set) var previousEnd: Timestamp?
    /// Whether that one was lost.
    package internal(set) var followsLoss = false
    /// Attempts of this host since then that led to no connection.
    package internal(set) var failedAttempts = 0
    /// The first value of a characteristic outside the GAP and GATT services that a server sent.
    package internal(set) var firstValue: Moment?
    /// A row of each kind, in the order of the first of each.
    package internal(set) var procedures: [ProcedureRow] = []
    /// When it was encrypted first.
    package private(set) var encrypted: Moment?
    /// Whether both sides keep keys; nil if the connection was not encrypted, or it is unknown.
    package private(set) var isBonded: Bool?
    /// Whether the pairing in progress bonds; nil without one.
    private var bonds: Bool?
    /// A PDU of a pairing was seen.
    var hasPaired = false
    /// Whether anything of it was selected.
    package internal(set) var isSelected = false
    private var lastSign: Moment
    /// The longest time in which no L2CAP frame was sent, either way.
    package private(set) var longestSilence: Silence?
    /// Endpoints of audio streams: at most `endpointLimit`.
    private(set) var endpoints: [AudioEndpoint] = []
    private static let endpointLimit = 32
    var asked = AskedRows()
    var transmitted = LinkTraffic()
    var received = LinkTraffic()
    /// Traffic of a capture without directions.
    var undirected = LinkTraffic()
    /// Use of the controller's buffers; nil while the connection lives.
    package internal(set) var buffers: ControllerBuffers?
    /// By Read RSSI, or of the peripheral's packets on the air.
    package internal(set) var signal: SignalStrength?
    /// In force at the end, or when the capture ended.
    package internal(set) var settings = LinkSettings()
    package internal(set) var versions: (own: ControllerVersion?, peer: ControllerVersion?)
    /// The number of ACL packets that the controller can hold; nil if it is not in the capture.
    package internal(set) var bufferCount: Int?
    var stepLimit = ConnectionLife.stepLimit

    package struct PeerName: Sendable, Equatable {
        /// Index into `Trace.peers`, as long as the connection lives.
        package internal(set) var index: Int
        package internal(set) var address: BluetoothAddress?
        package internal(set) var privateAddress: BluetoothAddress?
        package internal(set) var name: String?

        struct Key: Hashable {
            let index: Int
            let address: BluetoothAddress?
        }

        var key: Key { Key(index: index, address: address) }
    }

    package struct Step: Sendable {
        package let moment: Moment
        package let kind: Kind

        package enum Kind: Sendable {
            case parameters(Connection.Parameters)
            case mtu(MTUExchange)
            /// Numbers of the PHYs, to the peer and from it. Vol 4, Part E, 7.7.65.12.
            case phy(transmit: UInt8, receive: UInt8)
            case dataLength(Connection.DataLength)
            case encryption(enabled: Bool, status: HCIErrorCode)
            case pairing(SMPPairingMethod)
            case pairingFailed(SMPReason)
            case subscription(RowAttribute, configuration: UInt16)
            case endpoint(AudioEndpointState)
        }
    }

    package struct End: Sendable {
        package let moment: Moment
        package let end: ConnectionEnd

        /// Why a connection ends. Core Specification, Vol 1, Part F, 2.
        package enum Kind: String, Sendable {
            /// One of the two hosts ended it.
            case expected
            /// Nothing was heard for the supervision timeout, or no response came to a control procedure.
            case timeout
            /// A packet was not encrypted with the key that it should have been.
            case micFailure = "mic failure"
            /// The peer never answered on the new connection.
            case notEstablished = "not established"
            case superseded
            /// The controller was reset, switched off or removed.
            case controller
            case other
        }

        /// Whether the link was lost: neither side ended it.
        package var isLoss: Bool {
            if case .disconnected(_, by: .link) = end { kind == .timeout || kind == .micFailure } else { false }
        }

        package var kind: Kind {
            switch end {
            case .superseded: .superseded
            case .controller: .controller
            case .reported: .other
            case .disconnected(let reason, _):
                switch reason {
                case _ where reason.isEndByHost: .expected
                case .connectionTimeout, .llResponseTimeout: .timeout
                case .micFailure: .micFailure
                case .failedToBeEstablished: .notEstablished
                default: .other
                }
            }
        }
    }

    package struct Silence: Sendable, Equatable {
        package let nanoseconds: Int64
        package let from: Moment
        package let to: Moment
    }

    init(_ connection: Connection, _ moment: Moment, _ peer: PeerName) {
        number = connection.number
        controller = connection.controller
        handle = connection.handle
        accessAddress = connection.accessAddress
        central = connection.central
        radio = connection.isHeard ? RadioFigures() : nil
        transport = connection.transport
        isCentral = connection.isCentral
        begun = moment
        hasBeginning = connection.hasBeginning
        isWhole = connection.isWhole
        lastSign = moment
        self.peer = peer
    }

    /// The first of the kind that ended.
    package func first(_ kind: Procedure.Kind) -> ProcedureRow.First? { procedures.first { $0.kind == kind }?.first }

    /// Nanoseconds from the beginning; nil if that was not captured.
    package func after(_ moment: Moment?) -> Int64? {
        hasBeginning ? moment.flatMap { $0.time.duration(since: begun.time) } : nil
    }

    /// Nanoseconds from the last reading of the signal to the end.
    package var signalAge: Int64? {
        end.flatMap { end in signal.flatMap { end.moment.time.duration(since: $0.last.time) } }
    }

    /// Nanoseconds from the end of the peer's connection before.
    package var pause: Int64? { previousEnd.flatMap { begun.time.duration(since: $0) } }

    /// Number of failed procedures, without single requests.
    package var failedProcedures: Int { procedures.reduce(0) { $0 + $1.failures } }

    mutating func note(_ kind: Step.Kind, _ moment: Moment) {
        switch kind {
        case .encryption(enabled: true, status: .success):
            if encrypted == nil { encrypted = moment }
            // Without a pairing, the key is an earlier one's.
            if let bonds { isBonded = bonds } else if isBonded == nil, isWhole, !hasPaired { isBonded = true }
            bonds = nil
        case .pairing(let method): bonds = method.isBonding
        case .pairingFailed: bonds = nil
        default: break
        }
        guard steps.count < stepLimit else {
            stepsLeftOut += 1
            return
        }
        steps.append(Step(moment: moment, kind: kind))
    }

    /// The value of an endpoint: a step, if the endpoint was in another state before.
    mutating func note(
        _ state: AudioEndpointState, _ server: ServerSide, _ handle: AttributeHandle, _ moment: Moment
    ) {
        if let index = endpoints.firstIndex(where: { $0.server == server && $0.handle == handle }) {
            let before = endpoints[index].last
            endpoints[index].note(state, moment)
            if before == state { return }
        } else if endpoints.count < Self.endpointLimit {
            endpoints.append(AudioEndpoint(state, server, handle, moment))
        }
        note(.endpoint(state), moment)
    }

    /// A sign of life, and whatever the connection ends with.
    mutating func noteSign(_ moment: Moment) {
        defer { lastSign = moment }
        guard let silence = moment.time.duration(since: lastSign.time) else { return }
        if silence > longestSilence?.nanoseconds ?? 0 {
            longestSilence = Silence(nanoseconds: silence, from: lastSign, to: moment)
        }
    }

    /// A sign of life that is an L2CAP PDU; its octets are nil if they do not count.
    @inline(__always)
    mutating func note(_ moment: Moment, l2capOctets: Int?, packets: Int, _ direction: Direction) {
        noteSign(moment)
        if let l2capOctets { self[direction].note(l2capOctets, packets: packets) }
    }

    /// Those with traffic.
    package var directions: [Direction] { [.tx, .rx, .unknown].filter { self[$0].aclPackets > 0 } }

    package internal(set) subscript(_ direction: Direction) -> LinkTraffic {
        @inline(__always) get {
            switch direction {
            case .tx: transmitted
            case .rx: received
            case .unknown: undirected
            }
        }
        @inline(__always) _modify {
            switch direction {
            case .tx: yield &transmitted
            case .rx: yield &received
            case .unknown: yield &undirected
            }
        }
    }
}

/// All that went over a connection in one direction.
package struct LinkTraffic: Sendable {
    package internal(set) var octets = Octets()
    /// Octets of ATT PDUs.
    package internal(set) var attOctets = 0
    package internal(set) var aclPackets = 0
    /// PDUs with values.
    package private(set) var values = 0
    /// Value octets in the best second, and the conditions at its end.
    package private(set) var bestSecond = 0
    package internal(set) var conditions: LinkConditions?
    /// The best second's share of the octets that the conditions allow in a second.
    package var share: Double? { conditions?.allowedOctetsPerSecond.map { Double(bestSecond) / $0 } }
    private var window = BestSecond()
    private var run = 0

    /// Frees storage that only further values would need.
    mutating func finish() {
        window = BestSecond()
    }

    /// An L2CAP PDU: its octets and ACL packets.
    mutating func note(_ l2capOctets: Int, packets: Int) {
        aclPackets += packets
        octets.l2cap += l2capOctets
        octets.hci += l2capOctets + ACLPacket.headerLength * packets
    }

    /// Whether the second that ends here is the best so far.
    @inline(__always)
    mutating func record(_ value: Int, at time: Int64, run: Int) -> Bool {
        octets.value += value
        values += 1
        if run != self.run {
            self.run = run
            window.restart()
        }
        guard window.record(value, at: time) else { return false }
        bestSecond = window.best
        return true
    }
}

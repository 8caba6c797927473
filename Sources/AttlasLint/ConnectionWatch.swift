import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// The rules' memory of one connection.
struct ConnectionWatch {
    /// The connection lives, and its beginning was followed.
    let isOpen: Bool
    /// The connection setup was captured, and nothing was lost since.
    private(set) var isComplete: Bool
    /// The connection setup was captured.
    let isMade: Bool
    /// The MTU in force is known: the connection is complete, or there was an exchange.
    private(set) var isMTUKnown: Bool
    private var isMTUExchanged = false
    /// A bond holds that is older than this connection, or was made in it.
    var isBonded = false
    var wasEncrypted = false
    /// Since the key in use came into use, the peer sent no ATT PDU.
    var isKeyUnproved = false
    /// The clock jumped since it was made.
    private(set) var hasJumped = false
    /// The last packet or event of it.
    var lastSign: Timestamp?
    /// Each side's last offer.
    var localOffer: MTUOffer?
    var peerOffer: MTUOffer?
    var bearers: [BearerWatch] = []
    var peerServer = ServerWatch()
    var localServer = ServerWatch()
    var pairing = PairingWatch()
    /// All services of a bonded peer were discovered again, and the frame in which they were before.
    var rediscovery: (moment: Moment, earlier: Int, direction: Direction)?
    var parameters = ParametersWatch()
    /// Audio Stream Endpoints: at most `EndpointWatch.limit`.
    var endpoints: [EndpointWatch] = []
    var audio = AudioServers()
    /// Octets of all PDUs with values.
    var valueOctets = 0
    /// Notifications in a row, faster than the latency allows to be silent.
    var stream: (count: Int, frame: Int, last: Timestamp)?
    /// The last LE Data Length Change.
    var dataLengthChanged: Moment?
    var ownFeatures: UInt64?
    var peerFeatures: UInt64?
    var securityErrors: LintCollector.SecurityErrors?

    /// More bearers than a connection has at once, of which L2CAP allows 64.
    private static let bearerLimit = 128

    /// Placeholder for no connection.
    init() {
        isOpen = false
        isComplete = false
        isMade = false
        isMTUKnown = false
    }

    init(isComplete: Bool) {
        isOpen = true
        self.isComplete = isComplete
        isMade = isComplete
        isMTUKnown = isComplete
    }

    subscript(_ server: ServerSide) -> ServerWatch {
        @inline(__always) get {
            switch server {
            case .peer: peerServer
            case .local: localServer
            }
        }
        @inline(__always) _modify {
            switch server {
            case .peer: yield &peerServer
            case .local: yield &localServer
            }
        }
    }

    /// In place: through the subscript the whole watch of the server would be copied, at each request.
    mutating func takeFullRead(of server: ServerSide) -> FullRead? {
        let read = server == .peer ? peerServer.fullRead : localServer.fullRead
        if read != nil { self[server].fullRead = nil }
        return read
    }

    /// Index of the bearer; nil beyond the limit.
    @inline(__always)
    mutating func bearer(_ kind: Bearer.Kind) -> Int? {
        // Nearly always the fixed channel, and nearly always the first.
        if let first = bearers.first?.kind, first == kind { return 0 }
        return furtherBearer(kind)
    }

    @inline(never)
    private mutating func furtherBearer(_ kind: Bearer.Kind) -> Int? {
        if let index = bearers.firstIndex(where: { $0.kind == kind }) { return index }
        guard bearers.count < Self.bearerLimit else { return nil }
        bearers.append(BearerWatch(kind: kind))
        return bearers.count - 1
    }

    /// Records were lost: requests, answers, exchanges or encryption in them are unknown.
    mutating func lose() {
        isKeyUnproved = false
        isComplete = false
        // There is one exchange in a connection. Vol 3, Part F, 3.4.2.1.
        isMTUKnown = isMTUExchanged
        peerServer.lose()
        localServer.lose()
        parameters.forgetTimes()
        stream = nil
        forget()
    }

    mutating func noteMTU() {
        isMTUKnown = true
        isMTUExchanged = true
    }

    /// A PDU could not be read: it may have been anything.
    mutating func forget() {
        (endpoints, audio) = ([], AudioServers())
        peerServer.discoveryFrame = nil
        localServer.discoveryFrame = nil
        for index in bearers.indices {
            bearers[index].timedOut = (nil, nil)
            bearers[index].peer.prepared = nil
            bearers[index].local.prepared = nil
        }
    }

    /// The clock jumped: nothing that waits can be timed.
    mutating func forgetTimes() {
        hasJumped = true
        pairing.time = nil
        peerServer.subscribed.forgetTimes()
        localServer.subscribed.forgetTimes()
        parameters.forgetTimes()
        stream = nil
    }
}

/// The MTU that a device offered.
struct MTUOffer {
    let mtu: UInt16
    /// In a request, not in a response.
    let isOfClient: Bool
    let frame: Int
}

/// How often something was lost and the clock jumped, up to the last event of a connection.
struct DisruptionCount {
    let losses: Int
    /// Those that may concern the connection.
    let ownLosses: Int
    let clockSteps: Int

    init(_ slot: Int, in trace: borrowing Trace) {
        losses = trace.losses.count
        ownLosses = trace.losses.count(of: trace.connections[slot].controller)
        clockSteps = trace.clockSteps
    }
}

/// The requests on one bearer, to either server.
struct BearerWatch {
    let kind: Bearer.Kind
    var peer = ExchangeWatch()
    var local = ExchangeWatch()
    /// The requests or the indications of the recorded host and of its peer that timed out.
    var timedOut: (sent: Int?, received: Int?) = (nil, nil)

    init(kind: Bearer.Kind) {
        self.kind = kind
    }

    subscript(_ server: ServerSide) -> ExchangeWatch {
        @inline(__always) get {
            switch server {
            case .peer: peer
            case .local: local
            }
        }
        @inline(__always) _modify {
            switch server {
            case .peer: yield &peer
            case .local: yield &local
            }
        }
    }
}

/// One client's requests to one server.
struct ExchangeWatch {
    struct Prepared {
        let frame: Int
        let handle: AttributeHandle?
        let attribute: AttributeInfo?
    }

    /// The first Exchange MTU Request.
    var mtuRequest: Int?
    /// The first Prepare Write Request that waits to be executed.
    var prepared: Prepared?
    /// The octets of the Prepare Write Request that waits for its response, after the opcode.
    var preparedPart: [UInt8] = []
}

/// One client's use of one server.
struct ServerWatch {
    /// Client Characteristic Configurations by the handle of the value.
    private(set) var subscriptions: [AttributeHandle: UInt16] = [:]
    var subscribed = SubscriptionWatch()
    var search = SearchWatch()
    /// A read that filled its response.
    var fullRead: FullRead?
    /// Two octets were written to a handle that is unknown: it may have been a Client Characteristic Configuration.
    var wroteUnknown = false
    /// Records were lost: of a value that has no entry since then the configuration is unknown.
    private(set) var hasLost = false
    /// Handles that may be other attributes now, as long as the client has not discovered anything since.
    var changed: ChangedHandles?
    /// All primary services were discovered, from the first handle on, and the server reported that there are no more.
    var isDiscovered = false
    /// Where that began; nil if something of it could not be read.
    var discoveryFrame: Int?
    /// The Database Hash was requested.
    var readHash = false
    /// Peripheral Preferred Connection Parameters, and when they were read.
    var preferred: (interval: ClosedRange<UInt16>, frame: Int, time: Timestamp)?
    /// PDUs of exactly 23 octets that carried a value, by sender.
    var smallestPDUs: (sent: Int, received: Int) = (0, 0)
    /// PDUs that carried a value and did not fit a packet of 27 octets, by sender.
    var splitPDUs: (sent: Int, received: Int) = (0, 0)
    /// The row of Write Requests to one handle that filled the MTU.
    var run: (handle: AttributeHandle, count: Int, frame: Int)?

    private static let limit = 4_096

    mutating func lose() {
        changed = nil
        subscriptions = [:]
        subscribed.lose()
        search = SearchWatch()
        fullRead = nil
        hasLost = true
        run = nil
    }

    mutating func subscribe(_ value: AttributeHandle, _ configuration: UInt16) {
        guard subscriptions.count < Self.limit || subscriptions[value] != nil else {
            wroteUnknown = true
            return
        }
        subscriptions[value] = configuration
    }
}

/// A Read Response of MTU − 1 octets.
struct FullRead {
    let handle: AttributeHandle
    let frame: Int
    let time: Timestamp
    let attribute: AttributeInfo
    let length: Int
    /// It ends within a character or a JSON text.
    let isUnfinished: Bool
}

/// Handles that Service Changed named, or all, when the Database Hash is another or the server reported that it is.
struct ChangedHandles {
    enum Cause {
        case serviceChanged, hash, outOfSync

        /// The rule about continuing all the same.
        var ignored: LintRule {
            switch self {
            case .serviceChanged: .serviceChangedIgnored
            case .hash: .hashChangedIgnored
            case .outOfSync: .outOfSyncIgnored
            }
        }
    }

    let range: ClosedRange<AttributeHandle>
    let frame: Int
    let cause: Cause
    /// The client knows: it confirmed the indication, or requested the hash.
    var isKnown: Bool
}

extension ChangedHandles {
    /// The frame's effect, in words.
    var words: String {
        switch cause {
        case .serviceChanged:
            "reported a change of 0x\(hexadecimal(range.lowerBound)) to 0x\(hexadecimal(range.upperBound))"
        case .hash: "has a different hash"
        case .outOfSync: "has the error Database Out Of Sync"
        }
    }
}

/// Ranges of handles whose characteristics were discovered to the end.
struct SearchWatch {
    private static let limit = 256

    private var start: AttributeHandle = 0
    /// The last value that was found since `start`.
    private var last: AttributeHandle = 0
    private var complete: [ClosedRange<AttributeHandle>] = []

    /// - Parameters:
    ///   - range: of the request.
    ///   - value: the last one that was found; 0xFFFF: there is no more.
    mutating func note(_ range: ClosedRange<AttributeHandle>, _ value: AttributeHandle) {
        // Some clients continue after the declaration, others after the value.
        if start == 0 || range.lowerBound < last || range.lowerBound - last > 1 { start = range.lowerBound }
        last = value
        guard value >= range.upperBound else { return }
        if complete.count < Self.limit, start <= range.upperBound { complete.append(start...range.upperBound) }
        start = 0
    }

    /// Whether all characteristics of a service were found.
    func covers(_ service: AttributeTable.Service) -> Bool {
        complete.contains { Int($0.lowerBound) <= Int(service.handle) + 1 && $0.upperBound >= service.endHandle }
    }
}

/// The pairing that is under way.
struct PairingWatch {
    var request: (offer: SMPPairingOffer, frame: Int, direction: Direction)?
    /// Both sides' offers, until the link is encrypted or the pairing fails.
    var agreed: (request: SMPPairingOffer, response: SMPPairingOffer, frames: [Int], direction: Direction)?
    /// One side began to pair.
    var wasAsked = false
    /// Commitments of Passkey Entry.
    var commitments = PasskeyCommitments()
    /// The peer's Identity Resolving Key, until its address comes. Only compared: it is a secret.
    var identityKey: UInt128?
    /// A pairing took place in this connection.
    var hasPaired = false
    /// When it led to encryption.
    var time: (frame: Int, time: Timestamp)?
}

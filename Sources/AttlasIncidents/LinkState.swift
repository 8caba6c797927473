import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// The collector's memory of a live connection. Bounded: each list has a limit.
struct LinkState {
    let isOpen: Bool
    let begun: Moment
    /// Its beginning was captured.
    let isWhole: Bool
    /// Losses of its controller, and jumps of the clock, before it began.
    let losses: Int
    let clockSteps: Int

    // The last ATT PDU. Numbers, because each PDU replaces them.
    var lastFrame: Int
    var lastTime: Timestamp
    var lastOpcode = ATTOpcode(rawValue: 0)
    var lastDirection = Direction.unknown
    var lastServer = ServerSide.peer
    var lastHandle: AttributeHandle = 0
    private(set) var lastLength = 0

    /// The sniffer missed packets of it.
    var hasMissed = false
    /// A PDU could not be read: it may have been anything.
    var hasFault = false
    /// A response or a PDU of the host may matter to an open incident.
    var isAlert = false
    /// The value of the last Write Request, and its handle. Only compared: it may be a secret.
    var written: [UInt8] = []
    var writtenHandle: AttributeHandle = 0
    /// Where the part of the last Prepare Write Request begins and ends in the attribute.
    private(set) var prepared = 0..<0
    /// Lengths of the written values that servers took: at most `writeLimit` attributes.
    private var taken: [(server: ServerSide, handle: AttributeHandle, octets: Int)] = []
    private var writtenServer = ServerSide.peer
    private var isWrittenRefused = false
    /// A value that a server sends and that a client wrote before.
    private(set) var echo = Echo()
    /// The frame in which Execute Write Request was refused, until one is accepted.
    var executionRefused: Int?
    /// Requests and indications that were not answered.
    private(set) var unanswered: [Unanswered] = []
    /// Incidents that later events of the connection belong to.
    var open: [Incident] = []
    /// Values that the servers send by themselves.
    var streams: [ValueStream] = []
    /// Values that the clients write with requests.
    var writes: [ValueStream] = []
    /// Subscriptions that the servers accepted, by the handle of the value, and the frame.
    var subscriptions: [Subscribed] = []
    /// Client Characteristic Configurations that were read, by the handle of the value.
    private(set) var configurations: [(server: ServerSide, value: AttributeHandle, setting: UInt16, frame: Int)] = []
    /// Writes of Client Characteristic Configurations by which a server need not subscribe anyone, by the handle of the value.
    private(set) var vain: [VainSubscription] = []
    /// A Client Characteristic Configuration, or a possible one, was written.
    var hasConfigured = false
    var pairing: PairingState?
    var wasEncrypted = false
    /// The first MTU exchange that each side requested: both may, as clients.
    var exchangedMTU: [Direction: Int] = [:]
    /// The side that refused Exchange MTU Request, and where.
    var refusedMTU: (by: Direction, frame: Int)?
    /// The first PDU that the host sent between LE Enable Encryption and its end, and the command.
    var sentDuringSetup: (frame: Int, command: Int)?
    /// When the key in use came into use, and the values before it.
    var encryption: (moment: Moment, valuesBefore: Int)?
    /// The Long Term Key of the host's last command. Only compared: it is a secret.
    var keyUsed: (key: UInt128, frame: Int)?
    /// LE Enable Encryption or LE Long Term Key Request Reply, until encryption is on or failed.
    var encryptionAsked: Moment?
    /// The first one without pairing or encryption, and its sender.
    var securityRequest: (moment: Moment, sender: Direction)?
    var update = UpdateState()
    /// The request that the parameters in force fulfil.
    var granted: UpdateState.Granted?
    /// The last LE Connection Update Complete.
    var updated: Moment?
    var linkProcedures = LinkProcedures()
    var channels = SerialChannels()
    /// Requests for credit based channels without an answer: at most `openingLimit`.
    var openings: [Opening] = []
    /// SDUs that their receiver need not take, the last one of each channel with credits: at most `openingLimit`.
    var breaches: [Breach] = []
    var streamStates = StreamStates()
    var audio = AudioServers()
    /// A PDU of SMP or L2CAP, or the end of a procedure, came from the peer; ATT is in `lastOpcode`.
    var hasHeardPeer = false
    /// Frames of the last requests of ATT each way.
    private var lastRequest: (sent: Int, received: Int) = (0, 0)
    /// Those before them.
    private var requestBefore: (sent: Int, received: Int) = (0, 0)
    /// A request that its client did not wait for, and the next one.
    private(set) var overlapped: (first: Int, second: Int)?
    /// The frame of the last ATT PDU of the peer.
    private(set) var lastReceived = 0
    /// The first connectable advertising of the peer after its last PDU.
    private var advertised: Moment?
    /// The peer sent PDUs after it had advertised: it accepts several connections.
    private var advertisesWhileConnected = false
    var procedures = ProcedureState()
    var objects = ObjectUpdate()
    var commandCount = CommandCount()
    /// Service Changed, until the client discovers again.
    var serviceChanged: (server: ServerSide, moment: Moment)?
    /// The first request with a handle of before the table changed.
    var formerUse: (moment: Moment, server: ServerSide, handle: AttributeHandle)?

    static let openLimit = 32
    /// Octets of a value in a Read Response with the smallest MTU.
    static let leastRead = 22
    static let unansweredLimit = 256
    static let streamLimit = 32
    static let writeLimit = 8
    static let subscriptionLimit = 256
    static let openingLimit = 16

    /// A request for credit based channels. Vol 3, Part A, 4.22 and 4.25.
    struct Opening {
        let identifier: UInt8
        let asker: Direction
        let spsm: UInt16
        let mtu: UInt16
        let mps: UInt16
        let moment: Moment
    }

    /// An SDU beyond the limits of its receiver.
    struct Breach {
        /// The end of the host.
        let channel: L2CAPChannel
        let psm: UInt16
        let breach: ChannelSDU.Breach
        let sender: Direction
        let moment: Moment
    }

    struct Unanswered {
        let end: ExchangeEnd
        /// The frame that settled it.
        let frame: Int
        /// The frame of the other side's last request before that.
        let crossed: Int
    }

    struct VainSubscription {
        let server: ServerSide
        let value: AttributeHandle
        let setting: UInt16
        let isCommand: Bool
        let moment: Moment
    }

    struct Subscribed {
        let server: ServerSide
        let value: AttributeHandle
        let moment: Moment
    }

    /// - Parameter isOpen: false of a place without a live connection.
    init(_ moment: Moment, isOpen: Bool = true, isWhole: Bool, losses: Int, clockSteps: Int) {
        self.isOpen = isOpen
        begun = moment
        self.isWhole = isWhole
        self.losses = losses
        self.clockSteps = clockSteps
        lastFrame = moment.frame
        lastTime = moment.time
    }

    var last: Moment { Moment(frame: lastFrame, time: lastTime) }

    /// A placeholder without a connection.
    static let none = LinkState(
        Moment(frame: 0, time: Timestamp(seconds: 0, nanoseconds: 0, precision: 9)), isOpen: false, isWhole: false,
        losses: 0, clockSteps: 0)

    /// Notifications and indications.
    var valueCount: Int { streams.reduce(0) { $0 + $1.count } }

    /// When the peer advertised again, if it sent nothing after that.
    var left: Moment? {
        advertised.flatMap { advertisesWhileConnected || hasAnswered(since: $0) ? nil : $0 }
    }

    /// Whether the peer sent a PDU since then.
    private func hasAnswered(since moment: Moment) -> Bool { lastFrame > moment.frame && lastDirection == .rx }

    mutating func noteAdvertising(_ moment: Moment) {
        if let advertised, hasAnswered(since: advertised) { advertisesWhileConnected = true }
        advertised = advertised ?? moment
    }

    /// Notes the state that nearly all PDUs change.
    ///
    /// - Returns: whether there is more to a PDU of a live link than that; then `noteLast` is still to be called.
    @inline(__always)
    mutating func note(_ operation: borrowing ATTOperation, _ event: borrowing Event) -> Bool {
        guard isOpen else { return false }
        switch operation.pdu {
        case .handleValueNotification(let pdu):
            hear(operation.server, pdu.attributeHandle, pdu.attributeValue, event)
        case .handleValueIndication(let pdu):
            hear(operation.server, pdu.attributeHandle, pdu.attributeValue, event)
            return true
        case .prepareWriteRequest(let pdu):
            prepared = pdu.valueOffset..<pdu.valueOffset + pdu.partAttributeValue.count
            fallthrough
        default:
            if operation.opcode.definition?.kind == .request {
                if event.direction == .tx {
                    (requestBefore.sent, lastRequest.sent) = (lastRequest.sent, event.frame)
                } else {
                    (requestBefore.received, lastRequest.received) = (lastRequest.received, event.frame)
                }
            }
            if case .writeCommand(let pdu) = operation.pdu {
                commandCount.note(pdu.attributeHandle, pdu.attributeValue.count)
                if !echo.isOver { echo.write(operation.server, pdu.attributeHandle, pdu.attributeValue) }
            }
            if operation.opcode == .readResponse || operation.opcode == .writeCommand,
                operation.attribute?.role == .descriptor
            {
                return true
            }
            // As many octets as a response had with the smallest MTU.
            if case .readResponse(let pdu) = operation.pdu, pdu.attributeValue.count == Self.leastRead { return true }
            if isAlert || operation.opcode.isRare || operation.unexpected != nil || operation.request?.isLate ?? false {
                return true
            }
        }
        noteLast(operation, event)
        return false
    }

    /// The response to Exchange MTU Request. Without a direction, the client is unknown.
    mutating func noteExchange(_ event: borrowing Event) {
        let asker = event.direction.opposite
        if asker != .unknown, exchangedMTU[asker] == nil { exchangedMTU[asker] = event.frame }
    }

    /// A request or an indication ended without its answer.
    mutating func note(_ end: ExchangeEnd, _ frame: Int) {
        switch end.outcome {
        case .unanswered, .open:
            guard unanswered.count < Self.unansweredLimit else { return }
            let isHost = end.asked.asker == .tx
            // A side that made several requests meanwhile was not busy with one.
            let isOne = (isHost ? requestBefore.received : requestBefore.sent) <= end.asked.frame
            let crossed = isHost ? lastRequest.received : lastRequest.sent
            unanswered.append(Unanswered(end: end, frame: frame, crossed: isOne ? crossed : 0))
        case .overlapped: overlapped = (end.asked.frame, frame)
        case .doubtful: break
        }
    }

    /// Looks whether later PDUs still matter to something.
    mutating func settle() { isAlert = !open.isEmpty || encryptionAsked != nil || serviceChanged != nil }

    @inline(__always)
    mutating func noteLast(_ operation: borrowing ATTOperation, _ event: borrowing Event) {
        lastFrame = event.frame
        lastTime = event.time
        lastOpcode = operation.opcode
        lastDirection = event.direction
        if event.direction == .rx { lastReceived = event.frame }
        lastServer = operation.server
        lastHandle = operation.handle ?? 0
        lastLength = operation.pdu.bytes.count
    }

    /// The attribute of the peer that was written last, if its write or the response is the last PDU.
    var lastWritten: AttributeHandle? {
        guard lastServer == .peer else { return nil }
        switch (lastOpcode, lastDirection) {
        case (.writeRequest, .tx), (.writeCommand, .tx): return lastHandle
        case (.writeResponse, .rx): return writtenHandle
        default: return nil
        }
    }

    /// How often it was written with requests.
    func count(ofWrites handle: AttributeHandle) -> Int {
        writes.first { $0.server == .peer && $0.handle == handle }?.count ?? 0
    }

    /// A value came: its stream is nearly always among the first.
    @inline(__always)
    mutating func hear(_ server: ServerSide, _ handle: AttributeHandle, _ value: Bytes, _ event: borrowing Event) {
        if echo.concerns(handle) {
            echo.hear(
                server, handle, value, event,
                isFirst: !streams.contains { $0.handle == handle && $0.server == server })
        }
        streams.note(server, handle, value, event, isPrompted: lastOpcode.isWrite, limit: Self.streamLimit)
    }

    /// The client wrote a value with a request.
    mutating func write(_ server: ServerSide, _ handle: AttributeHandle, _ value: Bytes, _ event: borrowing Event) {
        writes.note(server, handle, value, event, isPrompted: false, limit: Self.writeLimit)
        noteTaken()
        written.removeAll(keepingCapacity: true)
        value.append(to: &written)
        writtenHandle = handle
        (writtenServer, isWrittenRefused) = (server, false)
        echo.write(server, handle, value)
    }

    /// The last Write Request was answered with an error.
    mutating func refuseWritten() { isWrittenRefused = true }

    /// The value before was taken, unless it was refused.
    private mutating func noteTaken() {
        guard writtenHandle != 0, !isWrittenRefused else { return }
        if let index = taken.firstIndex(where: { $0.server == writtenServer && $0.handle == writtenHandle }) {
            taken[index].octets = max(taken[index].octets, written.count)
        } else if taken.count < Self.writeLimit {
            taken.append((writtenServer, writtenHandle, written.count))
        }
    }

    /// The most octets that a Write Request of the attribute had and that the server took.
    func mostTaken(_ server: ServerSide, _ handle: AttributeHandle) -> Int? {
        taken.first { $0.server == server && $0.handle == handle }?.octets
    }

    /// The setting of a Client Characteristic Configuration was read.
    mutating func read(_ setting: UInt16, _ server: ServerSide, _ value: AttributeHandle, _ frame: Int) {
        guard configurations.count < Self.subscriptionLimit else { return }
        configurations.append((server, value, setting, frame))
    }

    mutating func note(_ vain: VainSubscription) {
        if self.vain.count < Self.subscriptionLimit { self.vain.append(vain) }
    }

    mutating func subscribe(_ server: ServerSide, _ value: AttributeHandle, isOn: Bool, _ moment: Moment) {
        hasConfigured = true
        subscriptions.removeAll { $0.server == server && $0.value == value }
        guard isOn, subscriptions.count < Self.subscriptionLimit else { return }
        subscriptions.append(Subscribed(server: server, value: value, moment: moment))
    }
}

/// A value of which a server only sends what a client wrote just before, to another attribute. Bounded.
struct Echo {
    private static let longest = 64
    private static let tries = 3

    private(set) var server = ServerSide.peer
    /// 0 if there is none.
    private(set) var handle: AttributeHandle = 0
    private(set) var writtenHandle: AttributeHandle = 0
    private(set) var count = 0
    private(set) var first: Moment?
    private(set) var last = 0
    /// Only compared: it may be a secret.
    private var written: [UInt8] = []
    private var isFresh = false
    private var misses = 0

    /// The connection has none.
    var isOver: Bool { misses >= Self.tries }

    mutating func write(_ server: ServerSide, _ handle: AttributeHandle, _ value: Bytes) {
        isFresh = !isOver && 1...Self.longest ~= value.count
        guard isFresh else { return }
        written.removeAll(keepingCapacity: true)
        value.append(to: &written)
        if self.handle == 0 { (self.server, writtenHandle) = (server, handle) }
        if self.handle != 0, writtenHandle != handle { isFresh = false }
    }

    /// Asked for each value.
    @inline(__always)
    func concerns(_ handle: AttributeHandle) -> Bool { isFresh || count > 0 && handle == self.handle }

    mutating func hear(
        _ server: ServerSide, _ handle: AttributeHandle, _ value: Bytes, _ event: borrowing Event,
        isFirst: Bool
    ) {
        guard server == self.server, self.handle == 0 || self.handle == handle else { return }
        let isEqual =
            isFresh && handle != writtenHandle && value.count == written.count
            && written.indices.allSatisfy { value[$0] == written[$0] }
        isFresh = false
        if isEqual, self.handle == handle || isFirst {
            if count == 0 { first = Moment(event) }
            (self.handle, last) = (handle, event.frame)
            count += 1
        } else {
            misses = self.handle == 0 ? misses + 1 : Self.tries
            (self.handle, count) = (0, 0)
        }
    }
}

/// Notifications or indications of one value, or writes of it.
struct ValueStream {
    let server: ServerSide
    let handle: AttributeHandle
    /// The first value, if it may have been cut: at least 20 octets, the room for a value in the smallest MTU.
    let sample: [UInt8]
    /// The length of the first value.
    let octets: Int
    let first: Moment
    private(set) var lastFrame: Int
    private(set) var lastTime: Timestamp
    private(set) var count = 1
    /// Nanoseconds.
    private(set) var longestGap: Int64 = 0
    /// The attribute that the client had written just before, on the connection of the values, and where.
    var prompt: (handle: AttributeHandle, frame: Int)?
    /// All had as many octets as the first.
    private(set) var isEven = true
    /// All began with the octet of the first.
    private(set) var beginsAlike = true
    /// The second begins within a character of UTF-8: the values are parts of one text.
    private(set) var isContinued = false
    private let start: UInt8
    /// Values that came right after a write of the client.
    private var prompted = 0

    /// Nearly all answer a write.
    var answersWrites: Bool { prompted * 10 >= count * 9 }

    init(server: ServerSide, handle: AttributeHandle, _ value: Bytes, _ moment: Moment, isPrompted: Bool) {
        prompted = isPrompted ? 1 : 0
        self.server = server
        self.handle = handle
        var sample: [UInt8] = []
        if value.count >= 20 { value.append(to: &sample) }
        self.sample = sample
        octets = value.count
        start = value.isEmpty ? 0 : value[0]
        first = moment
        lastFrame = moment.frame
        lastTime = moment.time
    }

    @inline(__always)
    mutating func note(_ value: Bytes, _ frame: Int, _ time: Timestamp, isPrompted: Bool) {
        if isPrompted { prompted += 1 }
        longestGap = max(longestGap, time.duration(since: lastTime) ?? 0)
        lastFrame = frame
        lastTime = time
        if count == 1 { isContinued = !value.isEmpty && value[0] & 0xC0 == 0x80 }
        count += 1
        if value.count != octets { isEven = false }
        if !value.isEmpty, value[0] != start { beginsAlike = false }
    }

    var last: Moment { Moment(frame: lastFrame, time: lastTime) }
    /// Nanoseconds between two values on average.
    var period: Int64 { count > 1 ? last.since(first) / Int64(count - 1) : 0 }
}

extension ATTOpcode {
    /// A write, or its response.
    @inline(__always)
    fileprivate var isWrite: Bool { self == .writeRequest || self == .writeResponse || self == .writeCommand }
}

extension [ValueStream] {
    @inline(__always)
    fileprivate mutating func note(
        _ server: ServerSide, _ handle: AttributeHandle, _ value: Bytes, _ event: borrowing Event, isPrompted: Bool,
        limit: Int
    ) {
        for index in indices where self[index].handle == handle && self[index].server == server {
            return self[index].note(value, event.frame, event.time, isPrompted: isPrompted)
        }
        guard count < limit else { return }
        append(ValueStream(server: server, handle: handle, value, Moment(event), isPrompted: isPrompted))
    }
}

/// A pairing that is under way. Core Specification, Vol 3, Part H, 2.1.
struct PairingState {
    /// The features that a side offers.
    struct Offer {
        let frame: Int
        let offer: SMPPairingOffer
    }

    /// The steps of a pairing, in their order.
    enum Step: String {
        case featureExchange = "feature exchange"
        case publicKeys = "public keys"
        case confirmAndRandom = "confirm and random"
        case dhKeyCheck = "DHKey check"
        case keyDistribution = "key distribution"
    }

    let begun: Moment
    /// Who sent Pairing Request.
    let asker: Direction
    /// Those of the two sides, as far as they were sent.
    private(set) var offers: [Direction: Offer] = [:]
    /// DHKey Checks that were sent: with both, the two sides have the same key.
    var checks: [Direction: Int] = [:]
    /// Who still has to send Identity Address Information, and the Pairing Response that says so.
    private(set) var promised: [Direction: Int] = [:]
    /// The frames of two offers of one side.
    private(set) var twice: (side: Direction, first: Int, second: Int)?
    var last: Moment
    var step: Step
    /// Who sent the last PDU.
    var sender: Direction
    var isBonding: Bool
    var isEncrypted = false
    /// The peer distributed its Identity Resolving Key.
    private(set) var isIdentified = false
    /// The frame of an earlier pairing with bonding, whose key was not used.
    var bonded: Int?

    /// nil until both sides made their offers.
    var method: SMPPairingMethod? {
        guard let sent = offers[.tx], let received = offers[.rx] else { return nil }
        let (request, response) = sent.frame < received.frame ? (sent, received) : (received, sent)
        return SMPPairingMethod(request: request.offer, response: response.offer)
    }

    /// Keys that a side promised, or sent. Core Specification, Vol 3, Part H, 3.6.1.
    mutating func note(_ pdu: SMPPDU, from side: Direction, _ frame: Int) {
        switch pdu {
        case .pairingResponse(let features):
            promised[asker] = features.initiatorKeyDistribution.contains(.idKey) ? frame : nil
            promised[asker.opposite] = features.responderKeyDistribution.contains(.idKey) ? frame : nil
        case .identityAddressInformation: promised[side] = nil
        case .identityInformation where side == .rx: isIdentified = true
        default: break
        }
    }

    /// The side that had to send the next PDU. With Just Works and Numeric Comparison the responder sends Pairing Confirm after its public key.
    /// Core Specification, Vol 3, Part H, 2.3.5.5 to 2.3.5.6.
    var owing: Direction {
        let isConfirmNext = method?.association == .justWorks || method?.association == .numericComparison
        return step == .publicKeys && sender == asker.opposite && isConfirmNext ? sender : sender.opposite
    }

    mutating func note(_ features: SMPPairingFeatures, of side: Direction, _ frame: Int) {
        if let first = offers[side] { twice = (side, first.frame, frame) }
        offers[side] = Offer(frame: frame, offer: SMPPairingOffer(features))
        isBonding = isBonding && features.authReq.bonding
    }
}

/// Requests to change the parameters of a link.
struct UpdateState {
    var wanted: WantedParameters?
    var asked: Moment?
    var asker = Direction.unknown
    /// The number of equal requests in a row, and the first one.
    var count = 0
    var first = 0
    /// The response that accepted it, until the parameters change.
    var accepted: Moment?
    /// LE Connection Update by the host, since then.
    var isCommanded = false

    struct Granted {
        let wanted: WantedParameters
        let moment: Moment
        let asker: Direction
    }

    /// nil unless these are the requested ones.
    func granted(_ parameters: Connection.Parameters?) -> Granted? {
        guard let wanted, let asked, let parameters, wanted.holds(parameters) else { return nil }
        return Granted(wanted: wanted, moment: asked, asker: asker)
    }
}

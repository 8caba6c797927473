import AttlasCapture
import AttlasWire

/// The state of the Attribute Protocol between two devices over one channel. Core Specification, Vol 3, Part F, 3.2 and 3.3.
///
/// Each side may be client and server at once: state that depends on the client is kept by the direction of the request.
public struct Bearer: Sendable {
    static let defaultMTU = 23
    /// The smallest of BR/EDR, where L2CAP negotiates it. Vol 3, Part A, 5.1.
    static let classicMTU = 48

    /// The kind of bearer.
    public enum Kind: Sendable, Equatable {
        /// The fixed channel of an LE link.
        case unenhanced
        /// A credit-based channel on PSM 0x0027, named by the recorded host's end. Vol 3, Part F, 3.2.11.
        case enhanced(L2CAPChannel)
        /// A channel of a BR/EDR link on PSM 0x001F.
        case classic
    }

    /// Channel that carries the PDUs.
    public let kind: Kind
    /// The MTU in force; at least so much if it is not known.
    public internal(set) var mtu = defaultMTU
    /// The capture holds the whole connection, or an exchange of the MTU.
    public internal(set) var isMTUKnown = false
    /// Unknown handles to which 0x0001, 0x0002 or 0x0003 was written.
    var configurationCandidates = ConfigurationCandidates()
    var transmitted = Client()
    var received = Client()
    var undirected = Client()

    init(_ kind: Kind = .unenhanced) {
        self.kind = kind
    }

    /// One side's requests to the other, and their state.
    struct Client: Sendable {
        var pending = Pending()
        var longRead = LongRead()
        var queue = PrepareQueue()
        /// The attributes that a Read Multiple (Variable) Request named, which its response answers in their order.
        var multipleHandles: [AttributeHandle] = []

        var heldOctets: Int { queue.heldOctets + longRead.heldOctets + multipleHandles.capacity * 2 }
    }

    /// Octets of memory that unfinished values take.
    var heldOctets: Int { transmitted.heldOctets + received.heldOctets + undirected.heldOctets }

    subscript(_ direction: Direction) -> Client {
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

    /// The request and the indication of each side that wait for their answers.
    public var waiting: [WaitingRequest] {
        var waiting: [WaitingRequest] = []
        for asker in [Direction.tx, .rx, .unknown] {
            let pending = self[asker].pending
            for request in [pending.request, pending.indication].compactMap(\.self) {
                waiting.append(WaitingRequest(request, asker))
            }
        }
        return waiting
    }

    /// The first Prepare Write Request of each side that was neither executed nor cancelled.
    public var prepared: [(asker: Direction, handle: AttributeHandle, frame: Int)] {
        [Direction.tx, .rx, .unknown].compactMap { asker in
            self[asker].queue.parts.first.map { (asker, $0.handle, $0.frame) }
        }
    }

    /// Answers to earlier requests will not be matched with later ones. Prepared values stay.
    mutating func forgetRequests() {
        func forget(_ client: inout Client) {
            client.pending.request = nil
            client.pending.indication = nil
            client.longRead.end()
        }
        forget(&transmitted)
        forget(&received)
        forget(&undirected)
    }

    /// The answers to a side's requests may have been missed.
    mutating func doubt(_ doubt: ExchangeEnd.Doubt, of asker: Direction, at now: Timestamp) {
        self[asker].pending.request?.doubt(doubt, at: now)
        self[asker].pending.indication?.doubt(doubt, at: now)
    }

    /// A side may have asked something unseen.
    mutating func excuse(_ times: Int, by asker: Direction) {
        self[asker].pending.excusedResponses.add(times, isAfterGap: true)
        self[asker].pending.excusedConfirmations.add(times, isAfterGap: true)
    }

    /// The connection began before the capture.
    mutating func excuseWhatPrecedes() {
        for asker in [Direction.tx, .rx] { excuse(1, by: asker) }
    }

    /// Attributes the requests of an unknown side to the peer.
    mutating func attributeUndirectedToReceived() {
        received = undirected
        undirected = Client()
    }
}

extension Connection {
    private func bearer(_ kind: Bearer.Kind) -> Int? {
        // Nearly always the fixed channel.
        bearers[0].kind == kind ? 0 : bearers.firstIndex { $0.kind == kind }
    }

    /// The request of a side that waits for its answer on a bearer.
    public func waitingRequest(of asker: Direction, on kind: Bearer.Kind) -> WaitingRequest? {
        guard let index = bearer(kind) else { return nil }
        return bearers[index][asker].pending.request.map { WaitingRequest($0, asker) }
    }

    /// The record of a request or an indication of a side that waits on a bearer and has timed out.
    public func timedOutRequest(of asker: Direction, on kind: Bearer.Kind, at now: Timestamp) -> Int? {
        guard let index = bearer(kind) else { return nil }
        return bearers[index][asker].pending.timedOut(at: now)
    }
}

/// A request or an indication without an answer so far.
public struct WaitingRequest: Sendable {
    /// Direction of the request.
    public let asker: Direction
    /// Record of the request, from 1.
    public let frame: Int
    /// Time of the request.
    public let time: Timestamp
    /// Attribute Opcode of the request or the indication.
    public let opcode: ATTOpcode
    /// Its attribute handle; nil if it names none.
    public let handle: AttributeHandle?

    init(_ pending: PendingRequest, _ asker: Direction) {
        self.asker = asker
        frame = pending.frame
        time = pending.time
        opcode = pending.opcode
        handle = pending.handle
    }
}

/// Requests without a response yet. One request and one indication at a time. Vol 3, Part F, 3.3.2.
struct Pending: Sendable {
    var request: PendingRequest?
    var indication: PendingRequest?
    /// Answers that may come although nothing waits: a request was before the capture, in a gap or in a PDU that could not be read, or two
    /// requests overlapped.
    var excusedResponses = Excuses()
    var excusedConfirmations = Excuses()

    @inline(__always)
    fileprivate func timedOut(at now: Timestamp) -> Int? {
        if let request, (now.duration(since: request.time) ?? 0) >= ExchangeEnd.timeout { return request.frame }
        if let indication, (now.duration(since: indication.time) ?? 0) >= ExchangeEnd.timeout {
            return indication.frame
        }
        return nil
    }

    /// The request, if it is one of this opcode: compared where it is, and copied only then.
    @inline(__always)
    func request(_ opcode: ATTOpcode) -> PendingRequest? {
        request?.opcode == opcode ? request : nil
    }
}

/// A request, or an indication, that waits for its answer.
struct PendingRequest: Sendable {
    let frame: Int
    let time: Timestamp
    let opcode: ATTOpcode
    var handle: AttributeHandle?
    var startingHandle: AttributeHandle = 0
    var endingHandle: AttributeHandle = 0
    var type: UUIDIndex?
    /// Find By Type Value: the service looked for.
    var soughtService: UUIDIndex?
    /// Read Blob: where the part begins.
    var offset: UInt16 = 0
    /// Write Request of two octets: the value, for a Client Characteristic Configuration.
    var configuration: UInt16?
    /// Exchange MTU: the client's. Execute Write: the flags.
    var parameter: UInt16 = 0
    /// Why its answer may have come unseen.
    var doubt: ExchangeEnd.Doubt?

    init(frame: Int, time: Timestamp, opcode: ATTOpcode, handle: AttributeHandle? = nil) {
        self.frame = frame
        self.time = time
        self.opcode = opcode
        self.handle = handle
    }

    /// An answer that comes after the time-out is too late in any case.
    mutating func doubt(_ doubt: ExchangeEnd.Doubt, at now: Timestamp) {
        if (now.duration(since: time) ?? 0) < ExchangeEnd.timeout { self.doubt = self.doubt ?? doubt }
    }

    func answered(_ context: PDUContext) -> AnsweredRequest {
        let roundTrip = context.time.duration(since: time)
        // A text may have one line for both, or no times.
        let isUnknown = roundTrip == 0 && context.making != .captured
        return AnsweredRequest(
            frame: frame, opcode: opcode, roundTrip: isUnknown ? nil : roundTrip, startingHandle: startingHandle,
            endingHandle: endingHandle, attributeType: type, soughtService: soughtService)
    }
}

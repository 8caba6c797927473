import AttlasCapture
import AttlasWire

/// The state of the Attribute Protocol between two devices over one channel. Core Specification, Vol 3, Part F, 3.2 and 3.3.
///
/// Each side may be client and server at once: what depends on who asks is kept by the direction of the request.
public struct Bearer: Sendable {
    static let defaultMTU = 23

    /// The MTU in force.
    public internal(set) var mtu = defaultMTU
    var transmitted = Client()
    var received = Client()
    var undirected = Client()

    /// Unknown handles to which 0x0001 or 0x0002 was written.
    var configurationCandidates = ConfigurationCandidates()

    /// What one side asked of the other.
    struct Client: Sendable {
        var request: PendingRequest?
        var indication: PendingRequest?
        var queue = PrepareQueue()
        var longRead = LongRead()
    }

    subscript(_ direction: Direction) -> Client {
        get {
            switch direction {
            case .tx: transmitted
            case .rx: received
            case .unknown: undirected
            }
        }
        _modify {
            switch direction {
            case .tx: yield &transmitted
            case .rx: yield &received
            case .unknown: yield &undirected
            }
        }
    }

    /// Answers to what was asked so far will not be taken for such. What was prepared stays.
    mutating func forgetRequests() {
        func forget(_ client: inout Client) {
            client.request = nil
            client.indication = nil
            client.longRead.end()
        }
        forget(&transmitted)
        forget(&received)
        forget(&undirected)
    }

    /// What an unknown side asked turns out to have been asked by the peer.
    mutating func attributeUndirectedToReceived() {
        received = undirected
        undirected = Client()
    }
}

/// Handles that may be Client Characteristic Configurations; the last few written.
struct ConfigurationCandidates: Sendable {
    static let limit = 16

    private var handles: [AttributeHandle] = []

    mutating func note(_ handle: AttributeHandle) {
        if handles.contains(handle) { return }
        if handles.count == Self.limit { handles.removeFirst() }
        handles.append(handle)
    }

    /// Whether the handle is among them; it is no longer, afterwards.
    mutating func take(_ handle: AttributeHandle) -> Bool {
        guard !handles.isEmpty, let index = handles.firstIndex(of: handle) else { return false }
        handles.remove(at: index)
        return true
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
    var offset = 0
    /// Write Request of two octets: the value, for a Client Characteristic Configuration.
    var configuration: UInt16?
    /// Exchange MTU: the client's. Execute Write: the flags.
    var parameter = 0

    init(frame: Int, time: Timestamp, opcode: ATTOpcode, handle: AttributeHandle? = nil) {
        self.frame = frame
        self.time = time
        self.opcode = opcode
        self.handle = handle
    }

    func answered(at now: Timestamp) -> AnsweredRequest {
        let roundTrip = now.nanoseconds(since: time)
        return AnsweredRequest(
            frame: frame, opcode: opcode, roundTrip: roundTrip < 0 ? nil : roundTrip, startingHandle: startingHandle,
            endingHandle: endingHandle, attributeType: type)
    }
}

/// What a client prepared with Prepare Write Requests. Vol 3, Part F, 3.4.6. Copies, because it outlives the records.
struct PrepareQueue: Sendable {
    struct Part: Sendable {
        let handle: AttributeHandle
        let offset: Int
        let range: Range<Int>
        let frame: Int
    }

    /// More than any attribute takes (512 octets, 3.2.9) times any queue in use; beyond it parts are counted, not kept.
    static let limit = 65_536

    private(set) var parts: [Part] = []
    private(set) var octets: [UInt8] = []
    private(set) var isOverfull = false

    mutating func append(handle: AttributeHandle, offset: Int, value: borrowing Bytes, frame: Int) {
        guard octets.count + value.count <= Self.limit, parts.count < Self.limit / 16 else {
            isOverfull = true
            return
        }
        let start = octets.count
        value.append(to: &octets)
        parts.append(Part(handle: handle, offset: offset, range: start..<octets.count, frame: frame))
    }

    mutating func removeAll() {
        parts.removeAll(keepingCapacity: false)
        octets.removeAll(keepingCapacity: false)
        isOverfull = false
    }

    /// The handles in the order in which they were first written.
    var handles: [AttributeHandle] {
        var handles: [AttributeHandle] = []
        for part in parts where !handles.contains(part.handle) { handles.append(part.handle) }
        return handles
    }

    /// A stretch of an attribute without gaps.
    struct Run {
        let offset: Int
        var value: [UInt8]
        var frames: [Int]
        var end: Int { offset + value.count }
    }

    /// The parts for one attribute, joined where they touch or overlap; a later part replaces what an earlier one wrote.
    func joined(_ handle: AttributeHandle) -> [Run] {
        let own = parts.filter { $0.handle == handle }
        var runs: [Run] = []
        for part in own.sorted(by: { $0.offset < $1.offset }) {
            let end = part.offset + part.range.count
            if let last = runs.last, part.offset <= last.end {
                runs[runs.count - 1].value.append(contentsOf: repeatElement(0, count: max(0, end - last.end)))
            } else {
                runs.append(Run(offset: part.offset, value: Array(repeating: 0, count: part.range.count), frames: []))
            }
        }
        for part in own {
            guard let run = runs.lastIndex(where: { $0.offset <= part.offset }) else { continue }
            let place = part.offset - runs[run].offset
            runs[run].value.replaceSubrange(place..<place + part.range.count, with: octets[part.range])
            runs[run].frames.append(part.frame)
        }
        return runs
    }
}

/// A value read in parts: a Read Response that filled the MTU, then Read Blob Responses. Vol 3, Part G, 4.8.3.
struct LongRead: Sendable {
    private(set) var handle: AttributeHandle = 0
    var value: [UInt8] = []
    var frames: [Int] = []

    mutating func begin(_ handle: AttributeHandle, _ part: borrowing Bytes, frame: Int) {
        self.handle = handle
        value.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        part.append(to: &value)
        frames.append(frame)
    }

    /// Whether the part follows on what is there.
    mutating func add(_ handle: AttributeHandle, offset: Int, _ part: borrowing Bytes, frame: Int) -> Bool {
        guard handle == self.handle, offset == value.count, !frames.isEmpty, offset + part.count <= 0xFFFF + 0xFFFF
        else { return false }
        part.append(to: &value)
        frames.append(frame)
        return true
    }

    mutating func end() {
        handle = 0
        frames.removeAll(keepingCapacity: true)
    }
}

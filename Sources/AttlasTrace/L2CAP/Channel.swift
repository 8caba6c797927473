import AttlasWire

/// A connection-oriented channel: credit-based on an LE link, or a basic one of BR/EDR. Core Specification, Vol 3, Part A,
/// 3.4 and 10.
struct Channel: Sendable {
    enum Mode: Sendable {
        /// SDUs begin with their length and may take several frames.
        case creditBased
        /// Each frame is an SDU.
        case basic
    }

    /// One end of the channel.
    struct End: Sendable {
        var channel: L2CAPChannel
        /// The longest SDU that this end takes.
        var mtu: Int
        /// The longest frame that this end takes.
        var mps: Int
        /// Frames that the other end may still send to this one.
        var credits = CreditCount(0)
        /// The SDU on its way to this end.
        var sdu = ServiceDataUnit()
    }

    let mode: Mode
    let psm: UInt16
    /// Whether the recorded host requested it, and not the peer.
    let isAskedByHost: Bool
    var local: End
    var remote: End
    /// Index into the connection's bearers, for a channel that carries ATT.
    var bearer: Int?

    /// The end that a frame sent by `side` is addressed to. Inlined into callers: as calls, these two take memory from the heap.
    subscript(towards side: Direction) -> End {
        @inline(__always) get { side == .tx ? remote : local }
        @inline(__always) _modify {
            if side == .tx { yield &remote } else { yield &local }
        }
    }
}

/// A time in which one side had more to send on a credit-based channel, and no credit. Vol 3, Part A, 10.1.
public struct CreditWait: Sendable, Equatable {
    /// The record that took the last credit.
    public let begun: Moment
    /// Duration of the wait.
    public let nanoseconds: Int64
    /// SPSM of the channel.
    public let psm: UInt16
    /// Who waited.
    public let sender: Direction
    /// Credits that came in signalling commands with the identifier 0x00, and the first of them.
    package let invalid: CreditCount.Invalid?
}

/// An SDU of which frames are to come.
package struct UnfinishedSDU: Sendable {
    package let psm: UInt16
    /// The number of octets so far.
    package let octets: Int
    package let length: Int
    package let breach: ChannelSDU.Breach?
}

/// Joins the K-frames of one SDU. Vol 3, Part A, 3.4.3. Copies, because the frames come in separate records.
struct ServiceDataUnit: Sendable {
    var buffer: [UInt8] = []
    var frames: [Int] = []
    /// Octets on the air so far: more than `buffer` holds once the capture cut a frame.
    var received = 0
    /// K-frames so far.
    var frameCount = 0
    /// Octets of the longest K-frame so far.
    private(set) var longestFrame = 0
    /// 0 when no SDU is on its way.
    var length = 0
    /// Whether its octets are kept: there is a limit for all SDUs of a connection.
    private(set) var isKept = true

    var isActive: Bool { length > 0 }
    private var isCut: Bool { received > buffer.count }

    mutating func begin(length: Int, isKept: Bool) {
        self.isKept = isKept
        buffer.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        received = 0
        frameCount = 0
        longestFrame = 0
        self.length = length
    }

    /// Memory for a large SDU is given back: every channel may see one.
    mutating func end() {
        length = 0
        if buffer.capacity > 1_024 { buffer = [] }
        if frames.capacity > 128 { frames = [] }
    }

    /// Gives up the octets so far, and continues to count, so that the next SDU is found.
    mutating func giveUp() {
        isKept = false
        buffer = []
        frames = []
    }

    /// Octets of memory.
    var heldOctets: Int { buffer.capacity + frames.capacity * Trace.frameNumberSize }

    /// - Parameter header: octets of the K-frame before the part.
    mutating func add(_ part: borrowing Bytes, header: Int = 0, missing: Int, frames: [Int], frame: Int) {
        longestFrame = max(longestFrame, header + part.count + missing)
        if isKept && !isCut { part.append(to: &buffer) }
        received += part.count + missing
        frameCount += 1
        // A frame without octets adds nothing, and there may be any number of them.
        guard isKept, part.count + missing > 0 else { return }
        if frames.isEmpty { self.frames.append(frame) } else { self.frames.append(contentsOf: frames) }
    }
}

/// The channels of one connection, and the requests for more of them.
struct ChannelTable: Sendable {
    /// More than the 64 dynamic channels of an LE link that can be open at once.
    static let limit = 128

    /// Octets of unfinished SDUs that are kept. The largest SDU has 65 535.
    static let octetLimit = 131_072

    var channels: [Channel] = []
    private var requests: [Request] = []
    private var longestWait: CreditWait?
    /// The longest SDU and the longest frame that a side takes.
    struct Limits: Sendable {
        let mtu: Int
        var mps: Int = .max
    }

    /// A signalling request that waits for its response.
    struct Request: Sendable {
        enum Kind: Sendable {
            case open(Channel.Mode, psm: UInt16, Limits, credits: Int)
            case reconfigure(Limits)
        }

        let identifier: UInt8
        let side: Direction
        let kind: Kind
        let channels: [L2CAPChannel]
    }

    /// Whether an SDU of this length can be kept next to the unfinished ones.
    func hasRoom(for length: Int) -> Bool {
        var held = length
        for channel in channels { held += channel.local.sdu.buffer.capacity + channel.remote.sdu.buffer.capacity }
        return held <= Self.octetLimit
    }

    // MARK: Credits

    /// A frame that `side` sent. It proves a wait before it.
    mutating func takeCredit(_ index: Int, sentBy side: Direction, at moment: Moment) {
        note(channels[index][towards: side].credits.take(at: moment), index, of: side)
        channels[index][towards: side.opposite].credits.hear(at: moment)
    }

    /// Credits for `side`.
    ///
    /// - Parameter isValid: false if their signalling command has the identifier 0x00.
    mutating func add(_ credits: Int, _ index: Int, for side: Direction, isValid: Bool, at moment: Moment) {
        guard isValid else { return channels[index][towards: side].credits.addInvalid(credits, at: moment) }
        let isWaiting = channels[index][towards: side].sdu.isActive
        note(
            channels[index][towards: side].credits.add(credits, at: moment, isWaiting: isWaiting), index, of: side)
    }

    /// The longest time without credits, with one that lasts.
    func creditWait(until moment: Moment) -> CreditWait? {
        var longest = longestWait
        for index in channels.indices {
            for side in [Direction.tx, .rx]
            where channels[index][towards: side].sdu.isActive || channels[index][towards: side].credits.invalid != nil {
                guard let wait = wait(index, of: side, until: moment) else { continue }
                if wait.nanoseconds > longest?.nanoseconds ?? 0 { longest = wait }
            }
        }
        return longest
    }

    private func wait(_ index: Int, of side: Direction, until moment: Moment) -> CreditWait? {
        channels[index][towards: side].credits.exhausted.map {
            CreditWait(
                begun: $0, nanoseconds: moment.since($0), psm: channels[index].psm, sender: side,
                invalid: channels[index][towards: side].credits.invalid)
        }
    }

    private mutating func note(_ wait: CreditCount.Wait?, _ index: Int, of side: Direction) {
        guard let wait, wait.nanoseconds > longestWait?.nanoseconds ?? 0 else { return }
        longestWait = CreditWait(
            begun: wait.begun, nanoseconds: wait.nanoseconds, psm: channels[index].psm, sender: side, invalid: nil)
    }

    /// An SDU on its way to an end of the channel whose end of the host is this one.
    func unfinishedSDU(on channel: L2CAPChannel, sentBy side: Direction) -> UnfinishedSDU? {
        guard let index = channels.indices.last(where: { channels[$0].local.channel == channel }) else { return nil }
        let end = channels[index][towards: side]
        guard end.sdu.isActive else { return nil }
        return UnfinishedSDU(
            psm: channels[index].psm, octets: end.sdu.received, length: end.sdu.length,
            breach: end.sdu.longestFrame > end.mps ? .longFrame(octets: end.sdu.longestFrame, mps: end.mps) : nil)
    }

    // MARK: Requests

    mutating func note(_ request: Request) {
        requests.removeAll { $0.identifier == request.identifier && $0.side == request.side }
        // A side waits for one response at a time; more can only be requests that were never answered.
        if requests.count >= 16 { requests.removeFirst() }
        requests.append(request)
    }

    /// The request that a response of `side` answers. It stays while `isFinal` is false: the answer was "pending".
    mutating func request(_ identifier: UInt8, answeredBy side: Direction, isFinal: Bool = true) -> Request? {
        guard let index = requests.firstIndex(where: { $0.identifier == identifier && $0.side == side.opposite })
        else { return nil }
        return isFinal ? requests.remove(at: index) : requests[index]
    }

    /// The channel that a frame sent by `side` to this identifier belongs to.
    func index(of channel: L2CAPChannel, sentBy side: Direction) -> Int? {
        // By its place: a channel that is handed to a closure is copied, and its unfinished data is reference-counted.
        channels.indices.last { index in
            (side == .tx ? channels[index].remote.channel : channels[index].local.channel) == channel
        }
    }
}
